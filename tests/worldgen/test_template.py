from __future__ import annotations

import json
from pathlib import Path

import pytest

from worldgen.building import build
from worldgen.errors import WorldError
from worldgen.template import load_template, write_schema

ROOT = Path(__file__).parents[2]
ENV = ROOT / "environments" / "gtm-outbound"
TEMPLATE = load_template(ENV)


def test_overrides_are_kept_over_fitted_values_and_change_the_world(env: Path) -> None:
    (env / "overrides.yaml").write_text("busy_per_day: [2, 2, 2, 2, 2, 2, 2, 2]\n")
    template = load_template(env)
    assert template.fitted.busy_per_day.entry == "override of meetings.busy_per_day"
    assert template.version != TEMPLATE.version
    assert len(build(template, 1).visible.calendar) > len(build(TEMPLATE, 1).visible.calendar)


@pytest.mark.parametrize(
    ("file", "content", "says"),
    [
        ("overrides.yaml", "no_such_field: 1\n", "no_such_field"),
        ("fitted.yaml", "{}\n", "fitted.dataset"),
        ("authored/cast.yaml", "company: [\n", "cannot be read"),
        ("authored/levels.yaml", "- 1\n", "no mapping"),
    ],
)
def test_a_broken_layer_is_named(env: Path, file: str, content: str, says: str) -> None:
    (env / file).write_text(content)
    with pytest.raises(WorldError, match=says):
        load_template(env)


def test_a_missing_layer_is_named(env: Path) -> None:
    (env / "fitted.yaml").unlink()
    with pytest.raises(WorldError, match=r"fitted\.yaml is missing"):
        load_template(env)


def test_the_published_schema_is_current(tmp_path: Path) -> None:
    written = json.loads(write_schema(tmp_path / "schema.json").read_text())
    assert written == json.loads((ROOT / "docs" / "world_template.schema.json").read_text())


def test_worlds_carry_the_declared_machines_for_all_their_buyers() -> None:
    server = build(TEMPLATE, 1).server
    assert server.machines == TEMPLATE.authored.buyers.machines
    assert {buyer.machine for buyer in server.buyers} <= set(server.machines)


def test_pools_hold_no_name_twice() -> None:
    cast = TEMPLATE.authored.cast
    for pool in (cast.first_names, cast.family_names, cast.company_words):
        assert len(pool) == len(set(pool))
