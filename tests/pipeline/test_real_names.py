"""The registry's whole names against a template's pools, and the check that blocks the road."""

import shutil
from pathlib import Path

import dagster as dg
import pytest
import yaml

import pipeline.shift_assets as shift_assets
from anonymize.forms import CompanyName, PersonName
from anonymize.pseudonymize import REGISTRY
from anonymize.registry import Company, Person, Registry
from anonymize.vault import Vault
from archive.loading import load_manifest, save_manifest
from pipeline.real_names import folded_names, pool_collisions
from pipeline.resources import SAMPLE_ARCHIVE, LakeResource, dataset_key
from worldgen.pools import address_form, company_form, domain_form, person_form
from worldgen.template import load_authored

PROJECT = Path(__file__).parents[2]
ENVIRONMENT = Path("environments") / "gtm-outbound"


def registry(person="Ada Unheardof", company="Unheardof Machines", domain="unheardof-machines.com"):
    first, last = person.split()
    return Registry(
        persons=(Person((PersonName(first, "", last),), (f"ada@{domain}",), (), (), (), ()),),
        companies=(Company((CompanyName(company, "Inc."),), (domain,), (), ()),),
        streets=(),
        cities=(),
        phones=(),
        identifiers=(),
        amounts=frozenset(),
        vocabulary=frozenset(),
    )


@pytest.fixture
def lake(tmp_path, monkeypatch):
    monkeypatch.delenv("RL_DOJO_KEY_FILE", raising=False)
    shutil.copytree(PROJECT / ENVIRONMENT, tmp_path / ENVIRONMENT)
    monkeypatch.setattr(shift_assets, "PROJECT", tmp_path)
    held = LakeResource(home=str(tmp_path / "home"))
    home = held.dataset("sample")
    home.folder.mkdir(parents=True)
    manifest = SAMPLE_ARCHIVE / "dataset.yaml"
    save_manifest(home.manifest_path, load_manifest(manifest), manifest, home.name)
    return held


def keep(lake, held):
    home = lake.dataset("sample")
    key = dataset_key(home, load_manifest(home.manifest_path), lambda _: None)
    Vault(home.vault, key).save_part(REGISTRY, held.to_json())


def test_every_kind_of_whole_name_leaves_the_registry_folded():
    assert folded_names(registry()) == {
        person_form("Ada Unheardof"),
        address_form("ada@unheardof-machines.com"),
        company_form("Unheardof Machines"),
        domain_form("unheardof-machines.com"),
    }


def test_a_real_company_of_a_pools_name_is_found_in_the_vault(lake):
    cast = yaml.safe_load((PROJECT / ENVIRONMENT / "authored" / "cast.yaml").read_text())
    keep(lake, registry(company=cast["company_words"][0]))
    authored = load_authored(PROJECT / ENVIRONMENT)
    found = pool_collisions(lake.dataset("sample"), authored, lambda _: None)
    assert (found.counts, found.words) == ({"company": 1}, [cast["company_words"][0]])


@pytest.mark.parametrize(("collides", "passed"), [(False, True), (True, False)])
def test_the_check_passes_or_blocks_and_names_no_person(lake, collides, passed):
    cast = yaml.safe_load((PROJECT / ENVIRONMENT / "authored" / "cast.yaml").read_text())
    first, family = cast["first_names"][0], cast["family_names"][0]
    keep(lake, registry(person=f"{first} {family}") if collides else registry())
    evaluation = _evaluate(lake)
    assert evaluation.passed is passed
    assert first not in (evaluation.description or "")
    if collides:
        assert family in evaluation.description


def _evaluate(lake):
    @dg.asset(partitions_def=shift_assets.datasets)
    def world_template() -> None:
        """The asset that is judged; its own work is not needed here."""

    instance = dg.DagsterInstance.ephemeral()
    instance.add_dynamic_partitions("datasets", ["sample"])
    definitions = dg.Definitions(
        assets=[world_template],
        asset_checks=[shift_assets.no_pool_name_is_real],
        jobs=[dg.define_asset_job("fit", dg.AssetSelection.all())],
        resources={"lake": lake},
        executor=dg.in_process_executor,
    )
    run = definitions.resolve_job_def("fit").execute_in_process(
        instance=instance, partition_key="sample", raise_on_error=False
    )
    return run.get_asset_check_evaluations()[0]
