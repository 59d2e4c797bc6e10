"""A policy at work: cells are kept, dropped, binned, made coarse or withheld, and audited as that."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from anonymize.dates import DateShift
from anonymize.detection import CleanText
from anonymize.errors import PolicyRefused
from anonymize.policy import BoundPolicy
from anonymize.policy_audit import ruled_columns, unruled_cells
from archive.errors import ManifestError
from archive.loading import load_manifest, load_policy
from archive.store import TableStore
from contracts.manifest import ColumnSpec
from contracts.policy import Policy
from contracts.tables import ColumnKind

SHIFT = DateShift(b"abcdefgh")
TABLE = "records-crm-user"
SPECS = {
    "Id": ColumnSpec(kind=ColumnKind.ID),
    "Team": ColumnSpec(kind=ColumnKind.ID, references="crm.team.Id"),
    "Salary": ColumnSpec(kind=ColumnKind.MONEY, missing=["n/a"]),
    "Gross": ColumnSpec(kind=ColumnKind.MONEY, decimal_mark=","),
    "Born": ColumnSpec(kind=ColumnKind.DATE),
    "Seen": ColumnSpec(kind=ColumnKind.DATETIME, date_format="%d.%m.%Y %H:%M"),
    "Zip": ColumnSpec(kind=ColumnKind.POSTCODE),
    "Phone": ColumnSpec(kind=ColumnKind.PHONE),
    "Note": ColumnSpec(kind=ColumnKind.TEXT),
    "Age": ColumnSpec(kind=ColumnKind.QUANTITY),
}


def bound(content: dict[str, Any]) -> BoundPolicy:
    return BoundPolicy(Policy.model_validate(content), {TABLE: SPECS}, {TABLE: ["Id"]})


def column(content: dict[str, Any], name: str, values: list[Any]) -> list[Any]:
    done = bound(content).column(TABLE, pl.Series(name, values), SPECS[name], SHIFT, 3)
    assert done is not None
    return done.series.to_list()


@pytest.mark.parametrize(
    ("name", "rule", "values", "new"),
    [
        ("Phone", "drop", ["+49 731 1", "", None], ["", "", None]),
        ("Phone", "keep", ["+49 731 1", None], ["+49 731 1", None]),
        (
            "Salary",
            {"action": "bin", "bounds": [1000, 2000]},
            ["999.99", "1000", "1,500.00", "2000", "n/a", "much"],
            ["..3000", "3000..6000", "3000..6000", "6000..", "n/a", ""],
        ),
        ("Gross", {"action": "bin", "bounds": [1000]}, ["1.500,00", "12,50"], ["3000..", "..3000"]),
        ("Age", {"action": "bin", "bounds": [18, 65]}, ["17", "40"], ["..18", "18..65"]),
        ("Age", {"action": "bin", "bounds": [18, 65]}, [17, 40, 70, None], [None, 18, 65, None]),
        ("Age", "drop", [17, None], [None, None]),
        ("Born", {"action": "generalise", "to": "month"}, ["2024-09-17"], ["2018-09-01"]),
        ("Born", {"action": "generalise", "to": "quarter"}, ["2024-09-17"], ["2018-07-01"]),
        ("Born", {"action": "generalise", "to": "year"}, ["2024-09-17", "?!"], ["2018-01-01", ""]),
        ("Seen", {"action": "generalise", "to": "month"}, ["17.09.2024 10:15"], ["01.09.2018 00:00"]),
        ("Zip", {"action": "generalise", "digits": 2}, ["89073", "SW1A 1AA"], ["89xxx", "SWxx xxx"]),
    ],
)
def test_a_rule_makes_of_a_column_what_it_says(
    name: str, rule: Any, values: list[Any], new: list[Any]
) -> None:
    assert column({"columns": {f"crm.user.{name}": rule}}, name, values) == new


def test_a_column_comes_before_its_kind_and_others_have_no_rule() -> None:
    policy = bound({"kinds": {"money": "drop"}, "columns": {"crm.user.Gross": "pseudonymise"}})
    assert policy.rule(TABLE, "Salary", ColumnKind.MONEY) is not None
    assert policy.rule(TABLE, "Gross", ColumnKind.MONEY) is None
    assert policy.rule(TABLE, "Phone", ColumnKind.PHONE) is None


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ({"columns": {"crm.user.Wage": "drop"}}, "no such column"),
        ({"columns": {"crm.user.Id": "drop"}}, "key"),
        ({"columns": {"crm.user.Team": "drop"}}, "key"),
        ({"columns": {"crm.user.Phone": {"action": "bin", "bounds": [1]}}}, "for numbers"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_written(
    content: dict[str, Any], fault: str
) -> None:
    with pytest.raises(PolicyRefused, match=fault):
        bound(content)


WORDS = {"special_categories": {"health": ["krank*", "sick leave"], "union": ["Betriebsrat", "IG Metall"]}}


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("Sie ist krankgeschrieben.", "[withheld: health]"),
        ("on Sick Leave until May", "[withheld: health]"),
        ("mit dem Betriebsrat klären", "[withheld: union]"),
        ("Betriebsratswahl", "Betriebsratswahl"),
        ("a sickly leave", "a sickly leave"),
    ],
)
def test_texts_of_special_categories_are_withheld_whole(text: str, new: str) -> None:
    policy = bound(WORDS)
    replace = policy.guarded(TABLE, "Note", ColumnKind.TEXT, lambda value, row: CleanText(value, ()))
    assert not hasattr(replace, "value")
    outcome = replace(text, 0)
    assert isinstance(outcome, CleanText)
    assert outcome.text == new
    assert policy.report.cells == ({} if new == text else {"quarantine": 1})
    if new != text:  # links into the text keep pointing into what stands for it
        assert (outcome.offset(3), outcome.offset(5, end=True)) == (0, len(new))


def test_the_report_counts_and_tells_what_is_kept_of_persons() -> None:
    policy = bound({"kinds": {"phone": "keep", "quantity": "keep"}})
    policy.column(TABLE, pl.Series("Phone", ["1", "2"]), SPECS["Phone"], SHIFT, 3)
    policy.column(TABLE, pl.Series("Age", ["1"]), SPECS["Age"], SHIFT, 3)
    assert policy.report.cells == {"keep": 3}
    assert policy.report.risks == [f"{TABLE}.Phone (phone)"]


@pytest.mark.parametrize(
    ("rule", "clean", "wrong"),
    [
        ("drop", ["", ""], 0),
        ("drop", ["", "2000"], 1),
        ("keep", ["1000", "2000"], 0),
        ("keep", ["1000", "6000"], 1),
        ({"action": "bin", "bounds": [1500]}, ["..4500", "4500.."], 0),
        ({"action": "bin", "bounds": [1500]}, ["..4500", "2000"], 1),
    ],
)
def test_the_audit_accepts_what_the_rule_promises_and_nothing_else(
    tmp_path: Path, rule: Any, clean: list[str], wrong: int
) -> None:
    raw, pending = TableStore(tmp_path / "raw"), TableStore(tmp_path / "clean")
    values = pl.Series("Salary", ["1000", "2000"])
    done = bound({"columns": {"crm.user.Salary": rule}}).column(TABLE, values, SPECS["Salary"], SHIFT, 3)
    assert done is not None
    head = {name: ["a", "b"] for name in ("record_id", "source", "path", "locator", "content_hash")}
    raw.write(TABLE, pl.DataFrame({**head, "Salary": values}))
    pending.write(TABLE, pl.DataFrame({**head, "Salary": clean}))
    found = unruled_cells(raw, pending, ruled_columns(done.ledger))
    assert sum(count for _, count in found.values()) == wrong


MANIFEST = """
name: test
company: {names: [Preltova], domains: [preltova.example], zones: [UTC], currency: EUR}
sources: []
"""


def test_a_policy_is_read_from_beside_the_manifest_or_where_that_says(tmp_path: Path) -> None:
    (tmp_path / "dataset.yaml").write_text(MANIFEST)
    assert load_policy(load_manifest(tmp_path)) == Policy()
    (tmp_path / "policy.yaml").write_text("kinds: {phone: drop}")
    assert ColumnKind.PHONE in load_policy(load_manifest(tmp_path)).kinds
    (tmp_path / "dataset.yaml").write_text(MANIFEST + "policy: other.yaml\n")
    with pytest.raises(ManifestError, match=r"other\.yaml, which does not exist"):
        load_policy(load_manifest(tmp_path))
    (tmp_path / "other.yaml").write_text("kinds: {phone: burn}")
    with pytest.raises(ManifestError, match=r"other\.yaml is no policy: kinds\.phone\.action"):
        load_policy(load_manifest(tmp_path))
