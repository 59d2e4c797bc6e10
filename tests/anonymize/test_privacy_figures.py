"""The figures of the privacy report, each against a table small enough to count by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymize.consistency import Kept, kept_relations
from anonymize.distributions import distances, kolmogorov_smirnov, quantile
from anonymize.errors import AuditFailed
from anonymize.keys import DatasetKey
from anonymize.ledger import LEDGER_SCHEMA, Ledger
from anonymize.quasi_identifiers import quasi_identifier_risk
from anonymize.residual import VERDICTS_FILE, residual_queue, residual_risk, wilson
from anonymize.unprotected import unprotected
from archive.store import RECORD_HEAD, TableStore
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind

HEAD = ("record_id", "source", "path", "locator", "content_hash")
ORDERS, CUSTOMERS = "records-erp-orders", "records-erp-customers"
SPECS = {
    ORDERS: {
        "customer": ColumnSpec(kind=ColumnKind.ID, references="erp.customers.id"),
        "total": ColumnSpec(kind=ColumnKind.MONEY),
        "on": ColumnSpec(kind=ColumnKind.DATE),
        "pieces": ColumnSpec(kind=ColumnKind.QUANTITY),
        "note": ColumnSpec(kind=ColumnKind.TEXT),
    },
    CUSTOMERS: {
        "id": ColumnSpec(kind=ColumnKind.ID),
        "name": ColumnSpec(kind=ColumnKind.PERSON),
        "town": ColumnSpec(kind=ColumnKind.CITY),
        "trade": ColumnSpec(kind=ColumnKind.CATEGORY),
        "since": ColumnSpec(kind=ColumnKind.DATE),
    },
}


def table(columns: dict[str, list[str]]) -> pl.DataFrame:
    rows = len(next(iter(columns.values())))
    head = {name: [f"{name}{row}" for row in range(rows)] for name in HEAD}
    return pl.DataFrame({**head, **columns})


def orders(customers: list[str], totals: list[str], days: list[str], pieces: list[str]) -> pl.DataFrame:
    notes = ["Hello World\nask Somebody there" for _ in customers]
    return table({"customer": customers, "total": totals, "on": days, "pieces": pieces, "note": notes})


def customers(ids: list[str], towns: list[str], trades: list[str], days: list[str]) -> pl.DataFrame:
    return table(
        {"id": ids, "name": [f"N{one}" for one in ids], "town": towns, "trade": trades, "since": days}
    )


@pytest.fixture
def stores(tmp_path: Path) -> tuple[TableStore, TableStore]:
    raw, clean = TableStore(tmp_path / "raw"), TableStore(tmp_path / "clean")
    raw.write(ORDERS, orders(["007", "8", "9"], ["10.00", "20.50", "99.99"], DAYS, ["1", "2", "3"]))
    clean.write(ORDERS, orders(["041", "52", "9"], ["30.00", "61.50", "299.97"], MOVED, ["1", "2", "3"]))
    raw.write(CUSTOMERS, customers(["7", "8"], ["Ulm", "Ulm"], ["a", "b"], DAYS[:2]))
    clean.write(CUSTOMERS, customers(["41", "52"], ["Bonn", "Bonn"], ["a", "b"], MOVED[:2]))
    return raw, clean


DAYS = ["2024-01-01", "2024-01-05", "2024-02-01"]
MOVED = ["2027-01-04", "2027-01-08", "2027-02-04"]


def relation(found: list[Kept], what: str) -> Kept:
    return next(kept for kept in found if kept.what == what)


def test_joins_are_compared_row_by_row(stores: tuple[TableStore, TableStore]) -> None:
    kept = relation(kept_relations(*stores, SPECS), "join")
    assert (kept.before, kept.after, kept.lost, kept.new, kept.whole) == (2, 2, 0, 0, True)


@pytest.mark.parametrize(
    ("ids", "lost", "new"),
    [(["41", "53"], 1, 0), (["52", "41"], 2, 2), (["41", "9"], 1, 1)],
)
def test_a_join_that_breaks_or_appears_is_counted(
    stores: tuple[TableStore, TableStore], ids: list[str], lost: int, new: int
) -> None:
    raw, clean = stores
    clean.write(CUSTOMERS, customers(ids, ["Bonn", "Bonn"], ["a", "b"], MOVED[:2]))
    kept = relation(kept_relations(raw, clean, SPECS), "join")
    assert (kept.lost, kept.new) == (lost, new)


def test_two_real_values_with_one_surrogate_are_a_new_relation(stores: tuple[TableStore, TableStore]) -> None:
    raw, clean = stores
    clean.write(ORDERS, orders(["041", "041", "9"], ["30.00"] * 3, MOVED, ["1", "2", "3"]))
    kept = next(k for k in kept_relations(raw, clean, SPECS) if k.relation.endswith("value: id"))
    assert kept.new == 1 and not kept.lost


def test_distances_vanish_once_factor_and_offset_are_taken_off(stores: tuple[TableStore, TableStore]) -> None:
    found = distances(*stores, SPECS)
    assert {one.column.rpartition(".")[2] for one in found} == {"total", "on", "pieces", "since"}
    assert all(one.within and one.ks == 0 and max(one.tails) == 0 for one in found)


@pytest.mark.parametrize(
    ("totals", "days", "pieces", "off"),
    [
        (["30.00", "61.50", "299.00"], MOVED, ["1", "2", "3"], "total"),
        (["30.00", "61.50", "299.97"], [*MOVED[:2], "2027-03-01"], ["1", "2", "3"], "on"),
        (["30.00", "61.50", "299.97"], MOVED, ["1", "2", "4"], "pieces"),
    ],
)
def test_a_tail_that_moved_is_seen(
    stores: tuple[TableStore, TableStore], totals: list[str], days: list[str], pieces: list[str], off: str
) -> None:
    raw, clean = stores
    clean.write(ORDERS, orders(["041", "52", "9"], totals, days, pieces))
    wrong = [one.column for one in distances(raw, clean, SPECS) if not one.within]
    assert wrong == [f"{ORDERS}.{off}"]


def test_a_distance_tells_neither_factor_nor_offset(stores: tuple[TableStore, TableStore]) -> None:
    told = json.dumps([vars(one) for one in distances(*stores, SPECS)])
    assert "1099" not in told and '"factor"' not in told


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=30), st.integers(-9, 9))
def test_kolmogorov_smirnov_is_the_largest_gap(values: list[int], shift: int) -> None:
    one = np.sort(np.array(values, dtype=np.float64))
    other = one + shift
    by_hand = max(
        abs(sum(v <= x for v in values) - sum(v + shift <= x for v in values)) / len(values)
        for x in [*values, *(v + shift for v in values)]
    )
    assert kolmogorov_smirnov(one, other) == pytest.approx(by_hand)
    assert quantile(one, 0.5) in values


def test_rows_alone_in_their_group_are_counted(tmp_path: Path) -> None:
    clean = TableStore(tmp_path)
    towns, trades = ["A"] * 6 + ["B"] * 5 + ["C"], ["x"] * 6 + ["y"] * 4 + ["x", "y"]
    days = ["2024-01-01"] * 12
    clean.write(CUSTOMERS, customers([str(n) for n in range(12)], towns, trades, days))
    (risk,) = quasi_identifier_risk(clean, SPECS)
    assert risk.columns == ["town", "trade"]  # one day for all singles out nobody
    assert (risk.about_people, risk.rows, risk.k, risk.unique) == (True, 12, 1, 2)
    assert risk.sizes == {"1": 2, "2": 0, "3-4": 4, "5-9": 6, "10-49": 0, "50 and more": 0}
    assert [(one.column, one.unique_alone, one.unique_by_it) for one in risk.singling] == [
        ("town", 1, 2),
        ("trade", 0, 1),
    ]
    assert risk.pairs == [("town", "trade", 2)]


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(0, 0, 0, 1), (0, 200, 0, 0.018845), (1, 10, 0.017876, 0.404150), (10, 10, 0.722467, 1)],
)  # fmt: skip
def test_wilson_intervals(hits: int, n: int, low: float, high: float) -> None:
    found = wilson(hits, n)
    assert [found.low, found.high] == pytest.approx([low, high], abs=1e-5)


KEY = DatasetKey(b"r" * 32, "small")
NO_LEDGER = Ledger(pl.DataFrame(schema=LEDGER_SCHEMA))


def test_only_unexplained_lines_are_drawn(stores: tuple[TableStore, TableStore]) -> None:
    _, clean = stores
    queue, lines, unexplained = residual_queue(clean, SPECS, NO_LEDGER, KEY)
    assert (lines, unexplained, len(queue)) == (2, 2, 2)
    spans = [(ORDERS, row, "note", 0, 6, 11, "PERSON") for row in range(3)]
    spans += [(ORDERS, row, "note", 0, 16, 24, "PERSON") for row in range(3)]
    explained = Ledger(pl.DataFrame(spans, schema=LEDGER_SCHEMA, orient="row"))
    assert residual_queue(clean, SPECS, explained, KEY)[0] == []


def test_the_queue_names_places_and_is_the_keys(stores: tuple[TableStore, TableStore]) -> None:
    _, clean = stores
    queue, _, _ = residual_queue(clean, SPECS, NO_LEDGER, KEY)
    again, _, _ = residual_queue(clean, SPECS, NO_LEDGER, KEY)
    other, _, _ = residual_queue(clean, SPECS, NO_LEDGER, DatasetKey(b"s" * 32, "small"))
    assert queue == again
    assert not {item.id for item in queue} & {item.id for item in other}
    assert "World" not in json.dumps([item._asdict() for item in queue])


def test_verdicts_are_read_back(stores: tuple[TableStore, TableStore], tmp_path: Path) -> None:
    _, clean = stores
    found = residual_queue(clean, SPECS, NO_LEDGER, KEY)
    assert residual_risk(*found, tmp_path).share is None
    one, other = (item.id for item in found[0])
    verdicts = {one: "leak", other: "clean", "0" * 16: "clean"}
    (tmp_path / VERDICTS_FILE).write_text(json.dumps(verdicts))
    risk = residual_risk(*found, tmp_path)
    assert (risk.reviewed, risk.leaks, risk.unknown_verdicts) == (2, 1, 1)
    assert risk.share == wilson(1, 2)


@pytest.mark.parametrize("content", ["[]", "{", '"x"'])
def test_a_file_of_verdicts_that_is_none_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / VERDICTS_FILE).write_text(content)
    with pytest.raises(AuditFailed, match=VERDICTS_FILE):
        residual_risk([], 0, 0, tmp_path)


def test_what_stays_possible_has_figures(stores: tuple[TableStore, TableStore]) -> None:
    found = {one.title: one.figures for one in unprotected(stores[1], SPECS, stores[0])}
    assert found["The amounts alone reveal their factor"] == {
        "amounts": 3,
        "distinct": 3,
        "that stand once": 3,
    }
    assert found["One known event reveals every date"] == {
        "dates": 5,
        "distinct days": 3,
        "days on which one thing happened": 1,
    }
    assert len(found) == 20


def test_cities_that_stay_real_are_counted(stores: tuple[TableStore, TableStore]) -> None:
    raw, clean = stores
    towns = ["Zürich", "ZURICH ", "Berlin", "Ulm"]
    raw.write(CUSTOMERS, customers(["7", "8", "9", "10"], towns, ["a"] * 4, [*DAYS, DAYS[0]]))
    found = {one.title: one for one in unprotected(clean, SPECS, raw)}
    cities = found["Cities that name a time zone"].figures
    assert cities == {"cells of cities": 4, "that stay": 3, "that stay, distinct": 2}


@pytest.mark.parametrize(
    ("title", "told"),
    [
        ("Companies and staff by what they are", ["founding year"]),
        ("People whom only texts name", ["alone", "attachments", "nicknames", "birth name", "jobs"]),
        ("Initials in text", ["undecided", "closings"]),
        (
            "Companies, amounts, numbers and secrets in text",
            [
                "legal form",
                "words for money",
                "Postcodes",
                "coordinates",
                "Passwords",
                "PINs",
                "tracking codes",
            ],
        ),
        ("Order within one thing, and the exported archive", ["numbers in names of files"]),
        ("Health, faith, politics, unions, origin, sexual life", ["special_categories"]),
    ],
)
def test_what_nothing_replaces_is_told(
    stores: tuple[TableStore, TableStore], title: str, told: list[str]
) -> None:
    says = {one.title: one.says for one in unprotected(stores[1], SPECS, stores[0])}[title]
    assert [word for word in told if word not in says] == []


@pytest.mark.parametrize(("step", "follow"), [(1, 1), (7, 0)])
def test_series_that_follow_time_are_counted(tmp_path: Path, step: int, follow: int) -> None:
    """Twelve orders whose numbers are dealt in order of time, or in another one."""
    places = [(step * number) % 12 for number in range(12)]
    frame = pl.DataFrame(
        {
            **{name: [""] * 12 for name in RECORD_HEAD},
            "VBELN": [f"SO-{1000 + place}" for place in places],
            "ERDAT": [f"2024-03-{day + 1:02d}" for day in range(12)],
        }
    )
    store = TableStore(tmp_path)
    store.write("records-erp-vbak", frame)
    specs = {
        "records-erp-vbak": {
            "VBELN": ColumnSpec(kind=ColumnKind.ID),
            "ERDAT": ColumnSpec(kind=ColumnKind.DATE),
        }
    }
    found = {one.title: one.figures for one in unprotected(store, specs, store)}
    series = found["Numbers that were dealt one after the other"]
    assert series == {"series of numbers": 1, "that follow time": follow}
