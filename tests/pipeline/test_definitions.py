"""The code location: every asset is a partition per dataset, and every check blocks."""

from __future__ import annotations

from pathlib import Path

import dagster as dg
import pytest

from pipeline.definitions import build_definitions
from pipeline.resources import LakeResource

ROAD = (
    ("canonical_tables", ("sources",)),
    ("quarantine", ("sources",)),
    ("entity_registry", ("canonical_tables",)),
    ("pending_tables", ("canonical_tables", "entity_registry")),
    ("privacy_audit", ("entity_registry", "pending_tables")),
    ("clean_tables", ("privacy_audit",)),
    ("company_log", ("clean_tables",)),
    ("cases", ("company_log",)),
    ("mined_rules", ("cases",)),
    ("outcomes", ("cases",)),
    ("response_model", ("cases",)),
    ("company_model", ("cases", "mined_rules", "outcomes", "response_model")),
    ("privacy_report", ("clean_tables", "company_model")),
)
SHIFT = (
    ("world_template", ("company_model",)),
    ("worlds", ("world_template",)),
    ("runs", ("worlds",)),
    ("grades", ("runs",)),
)
CHECKS = {
    "counts_reconcile",
    "no_residual_identifiers",
    "registry_is_complete",
    "messages_keep_their_contract",
    "tickets_keep_their_contract",
    "nothing_real_in_outputs",
    "relations_are_kept",
}


@pytest.fixture(scope="module")
def definitions(tmp_path_factory: pytest.TempPathFactory) -> dg.Definitions:
    return build_definitions(LakeResource(home=str(tmp_path_factory.mktemp("home"))))


@pytest.mark.parametrize(("asset", "parents"), [*ROAD, *SHIFT])
def test_the_road_has_this_asset_behind_these(
    definitions: dg.Definitions, asset: str, parents: tuple[str, ...]
) -> None:
    node = definitions.resolve_asset_graph().get(dg.AssetKey(asset))
    assert {key.to_user_string() for key in node.parent_keys} == set(parents)
    assert isinstance(node.partitions_def, dg.DynamicPartitionsDefinition)


def test_the_job_holds_the_whole_road_and_all_its_checks(definitions: dg.Definitions) -> None:
    graph = definitions.resolve_job_def("onboard").asset_layer.asset_graph
    assert {key.to_user_string() for key in graph.materializable_asset_keys} == {asset for asset, _ in ROAD}
    assert {key.name for key in graph.asset_check_keys} == CHECKS


def test_every_check_blocks(definitions: dg.Definitions) -> None:
    graph = definitions.resolve_asset_graph()
    assert all(graph.get_check_spec(key).blocking for key in graph.asset_check_keys)


def test_only_the_pipeline_imports_dagster() -> None:
    project = Path(__file__).parents[2]
    packages = ("rl_dojo", "evaluation", "worldgen", "extract", "anonymize", "archive", "runtime", "grader")
    assert not [
        path
        for package in packages
        for path in (project / package).rglob("*.py")
        if "import dagster" in path.read_text() or "from dagster" in path.read_text()
    ]
