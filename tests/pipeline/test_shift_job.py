"""The second road: a dataset that names an environment ends in graded shifts, another is refused."""

import shutil
from pathlib import Path

import dagster as dg
import pytest

import pipeline.shift_assets as shift_assets
from pipeline.definitions import build_definitions
from pipeline.errors import OnboardRefused
from pipeline.onboarding import onboard
from pipeline.resources import SAMPLE_ARCHIVE, LakeResource

PROJECT = Path(__file__).parents[2]
ENVIRONMENT = Path("environments") / "gtm-outbound"


@pytest.fixture
def home(tmp_path, monkeypatch):
    dagster = tmp_path / "dagster"
    dagster.mkdir()
    shutil.copy(PROJECT / "dagster_home" / "dagster.yaml", dagster)
    shutil.copytree(PROJECT / ENVIRONMENT, tmp_path / ENVIRONMENT)
    monkeypatch.setenv("DAGSTER_HOME", str(dagster))
    monkeypatch.delenv("RL_DOJO_KEY_FILE", raising=False)
    monkeypatch.setattr(shift_assets, "PROJECT", tmp_path)
    return tmp_path / "home"


@pytest.mark.e2e
def test_the_sample_ends_in_graded_shifts(home):
    onboard(home, SAMPLE_ARCHIVE, None, lambda *_: None, lambda _: None)
    instance = dg.DagsterInstance.ephemeral()
    instance.add_dynamic_partitions("datasets", ["sample"])
    job = build_definitions(LakeResource(home=str(home))).resolve_job_def("shift")
    config = {"resources": {"plan": {"config": {"agents": ["reference", "noop"], "seeds": "1"}}}}
    result = job.execute_in_process(config, instance=instance, partition_key="sample")
    assert result.success
    rewards = next(
        event.materialization.metadata["rewards"].records
        for event in result.get_asset_materialization_events()
        if event.asset_key == dg.AssetKey("grades")
    )
    assert {row.data["agent"]: row.data["reward"] for row in rewards} == {"reference": "1.0", "noop": "0.0"}
    fitted = (ENVIRONMENT / "fitted.yaml").as_posix()
    assert (home.parent / fitted).read_bytes() == (PROJECT / fitted).read_bytes()


def test_a_dataset_without_an_environment_is_refused(home):
    folder = home / "datasets" / "tiny"
    folder.mkdir(parents=True)
    (folder / "dataset.yaml").write_text(
        "name: tiny\ncompany: {names: [A], domains: [a.com], zones: [UTC], currency: USD}\nsources: []\n"
    )
    with pytest.raises(OnboardRefused, match="names no environment"):
        shift_assets.environment_of(LakeResource(home=str(home)), "tiny")
