"""Nothing of a clean table tells where its rows stood: no order, locator, size or numbered file."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymize.audit import audit_dataset, publish
from anonymize.clean_archive import export_clean_archive
from anonymize.detection import CleanText, WrittenSpan
from anonymize.identifiers import IdentifierMap
from anonymize.keys import DatasetKey
from anonymize.ledger import Ledger
from anonymize.pseudonymize import LEDGER, pseudonymize_dataset
from anonymize.row_places import (
    OrderedTables,
    RowOrder,
    coarse_sizes,
    raw_in_clean_order,
    untold_place,
    whole_places,
)
from anonymize.vault import raw_tables, vault_tables
from archive.errors import ArchiveError
from archive.export import ExportError
from archive.home import DatasetHome
from archive.ingest import ingest_dataset
from archive.loading import LoadedManifest, load_manifest
from archive.store import TableStore
from contracts.tables import CALENDAR_FACTS, FIXED_TABLES, RECORD_ID

KEY, OTHER = DatasetKey(b"k" * 32, "small"), DatasetKey(b"o" * 32, "small")
RECORDS = "records-erp-orders"
BELONGING = {
    "attachments": "message_id",
    "calendar_items": "message_id",
    "ticket_events": "ticket_id",
    "comments": "ticket_id",
    "revisions": "document_id",
    "revision_events": "document_id",
}
OWN = ["messages", "tickets", "documents", "links", RECORDS]


def key_of(table: str) -> str:
    return FIXED_TABLES[table].key if table in FIXED_TABLES else RECORD_ID.name


def rows(table: str, ids: list[str]) -> pl.DataFrame:
    return pl.DataFrame({key_of(table): ids})


def spearman(ranks: list[int]) -> float:
    n = len(ranks)
    return 1 - 6 * sum((at - rank) ** 2 for at, rank in enumerate(ranks)) / (n * (n * n - 1))


def test_every_table_has_an_order_of_its_own() -> None:
    order = RowOrder(KEY)
    plain = [name for name in (*FIXED_TABLES, RECORDS, CALENDAR_FACTS.name) if not order.columns(name)]
    assert sorted(plain) == [CALENDAR_FACTS.name, "source_counts"]


@pytest.mark.parametrize("table", OWN)
@given(seed=st.integers(0, 1000), count=st.integers(0, 30))
def test_clean_order_is_the_same_whatever_order_rows_came_in(table: str, seed: int, count: int) -> None:
    ids = [f"m-{number:016x}" for number in range(count)]
    shuffled = random.Random(seed).sample(ids, count)
    assert (
        RowOrder(KEY)
        .ordered(table, rows(table, ids))
        .equals(RowOrder(KEY).ordered(table, rows(table, shuffled)))
    )


@pytest.mark.parametrize("table", OWN)
def test_clean_order_follows_the_clean_ids_and_tells_nothing_of_the_raw_one(table: str) -> None:
    ids = [f"m-{number:016x}" for number in range(2_000)]
    orders = [RowOrder(key).ordered(table, rows(table, ids))[key_of(table)].to_list() for key in (KEY, OTHER)]
    digest = IdentifierMap(KEY.derive("identifiers"), 0).provenance
    assert [digest(value) for value in orders[0]] == sorted(digest(value) for value in ids)
    for found in orders:
        assert abs(spearman([int(value[2:], 16) for value in found])) < 0.1
    assert abs(spearman([orders[0].index(value) for value in orders[1]])) < 0.1


@pytest.mark.parametrize("table", sorted(BELONGING))
def test_what_belongs_to_one_thing_stays_in_its_order(table: str) -> None:
    parents = [f"p-{number % 7}" for number in range(70)]
    frame = pl.DataFrame({"step": range(70), BELONGING[table]: parents})
    clean = RowOrder(KEY).ordered(table, frame)
    for (_,), part in clean.group_by(BELONGING[table]):
        assert part["step"].is_sorted()
    assert clean[BELONGING[table]].rle().len() == 7
    assert not clean["step"].is_sorted()


def test_raw_tables_are_read_in_clean_order_whole_or_in_part(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    head = {
        name: [f"{name}{row}" for row in range(50)] for name in ("source", "path", "locator", "content_hash")
    }
    frame = pl.DataFrame(
        {"record_id": [f"r-{row}" for row in range(50)], **head, "n": [str(n) for n in range(50)]}
    )
    store.write(RECORDS, frame)
    read = OrderedTables(store, KEY)
    expected = RowOrder(KEY).ordered(RECORDS, frame)
    assert read.read(RECORDS).equals(expected)
    assert read.read(RECORDS, ["n"]).equals(expected.select("n"))
    assert pl.concat(read.frames(RECORDS, ["n", "path"])).equals(expected.select("n", "path"))
    assert read.scan(RECORDS).collect().equals(expected)


def test_a_place_is_one_of_its_source_and_file() -> None:
    """The token of "row 2" alone would be the commonest of all and tell itself."""
    frame = pl.DataFrame(
        [("a", "x.csv", "row 2"), ("a", "y.csv", "row 2"), ("b", "x.csv", "row 2"), ("a", "x.csv", "")],
        schema=["source", "path", "locator"],
        orient="row",
    )
    places = whole_places(frame)
    assert places.name == "locator" and places.n_unique() == 4 and places[3] == ""
    assert whole_places(frame).equals(places)


@given(st.lists(st.integers(0, 2**40), max_size=20))
def test_sizes_are_powers_of_two_that_hold_the_real_one(sizes: list[int]) -> None:
    coarse = coarse_sizes(pl.Series("size_bytes", sizes, dtype=pl.Int64)).to_list()
    assert all(
        one & (one - 1) == 0 and real <= one < max(2, 2 * real)
        for real, one in zip(sizes, coarse, strict=True)
    )


def another(digits: str) -> str:
    return "".join(str((int(digit) + 1) % 10) for digit in digits)


@pytest.mark.parametrize(
    ("path", "clean"),
    [
        ("mail/inbox.mbox", "mail/inbox.mbox"),
        ("mail/lay-k/inbox/12.", "mail/lay-k/inbox/11111123."),
        ("mail/cur/1167609600.M20046P2137.mx1,S=607:2,S", "mail/cur/2278710711.M31157P3248.mx2,S=1024:2,S"),
        ("mail/0007.eml", "mail/11111118.eml"),
        ("mail/2019/inbox.mbox", "mail/2023/inbox.mbox"),
        ("erp/2019.csv", "erp/2023.csv"),
        ("erp/orders_2019_q3.csv", "erp/orders_2023_q3.csv"),
        ("erp/part-00017.parquet", "erp/part-11128.parquet"),
        ("erp/v2/orders3.csv", "erp/v2/orders3.csv"),
    ],
)
def test_files_keep_no_count_time_size_or_year(path: str, clean: str) -> None:
    new = untold_place(CleanText(path, ()), another, lambda digits, folder: another(digits), 4)
    assert new.text == clean
    place = 0
    for span in new.spans:
        between = new.text[place : span.start]
        assert path[span.raw_start - len(between) : span.raw_start] == between
        assert path[span.raw_start : span.raw_end].isdigit() and new.text[span.start : span.end].isdigit()
        place = span.end
    assert path.endswith(new.text[place:])


def test_what_replacement_wrote_in_a_path_is_left_alone_and_its_places_hold() -> None:
    raw, text = "mail/Bo/1700012345.eml", "mail/Adelaide/1700012345.eml"
    new = untold_place(
        CleanText(text, (WrittenSpan(5, 7, 5, 13, "PERSON"),)),
        another,
        lambda digits, folder: another(digits),
        4,
    )
    assert new.text == "mail/Adelaide/2811123456.eml"
    name, number = new.spans
    assert (
        name == WrittenSpan(5, 7, 5, 13, "PERSON") and raw[number.raw_start : number.raw_end] == "1700012345"
    )
    assert new.text[number.start : number.end] == "2811123456"
    kept = CleanText("mail/4711099.eml", (WrittenSpan(5, 12, 5, 12, "IDENTIFIER"),))
    assert untold_place(kept, another, lambda digits, folder: another(digits), 4) == kept


def test_the_same_count_in_two_folders_tells_nothing() -> None:
    ids = IdentifierMap(KEY.derive("identifiers"), 0)
    names = [
        {
            untold_place(CleanText(f"{folder}/{n:04d}.eml", ()), ids.shaped, ids.counted, 4).text.partition(
                "/"
            )[2]
            for n in range(30)
        }
        for folder in ("inbox", "sent")
    ]
    assert [len(each) for each in names] == [30, 30] and not names[0] & names[1]


MANIFEST = """
name: small
company: {names: [Norrbrook Tools], domains: [norrbrook.com], zones: [Europe/Berlin], currency: EUR}
sources:
  - name: erp
    kind: erp
    format: csv
    path: erp
    tables:
      - name: orders
        key: [id]
        columns: {id: {kind: id}, total: {kind: money, currency: EUR}, note: {kind: text}}
  - {name: mail, kind: mail, format: mbox, path: mail}
"""
ORDERS = [(f"SO-{4_500_100 + 3 * number}", f"{100 + number}.50", f"line {number}") for number in range(40)]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[DatasetHome, LoadedManifest]:
    base = tmp_path_factory.mktemp("places")
    mails = [
        f"From a@norrbrook.com Mon May  6 09:00:00 2024\nFrom: a@norrbrook.com\nTo: b@norrbrook.com\n"
        f"Subject: order\nMessage-ID: <m{at}@norrbrook.com>\nDate: Mon, 06 May 2024 09:{at:02d}:00 +0200\n\n"
        f"See {ORDERS[at][0]}.\n\n"
        for at in range(12)
    ]
    for path, text in (
        ("dataset.yaml", MANIFEST),
        ("erp/orders.csv", "\n".join(["id,total,note", *(",".join(row) for row in ORDERS), ""])),
        ("mail/2024.mbox", "".join(mails)),
    ):
        (base / path).parent.mkdir(exist_ok=True)
        (base / path).write_text(text)
    loaded, home = load_manifest(base), DatasetHome(base / "home", "small")
    ingest_dataset(loaded.manifest, loaded.base, home.raw, lambda *_: None)
    pseudonymize_dataset(home, loaded, KEY, lambda *_: None)
    assert audit_dataset(home, loaded, KEY).passed
    publish(home)
    return home, loaded


def test_no_clean_table_says_where_a_row_stood(small: tuple[DatasetHome, LoadedManifest]) -> None:
    home, _ = small
    raw, clean = raw_tables(home, KEY), TableStore(home.clean)
    checked = 0
    for name in clean.names():
        columns = clean.columns(name)
        if "locator" in columns and raw.has(name) and raw.read(name).height:
            before, after = set(raw.read(name)["locator"]), clean.read(name)["locator"]
            assert not before & set(after) and after.n_unique() == len(after)
            assert all(len(token) == 16 and int(token, 16) >= 0 for token in after)
            checked += 1
        key = key_of(name) if name not in ("quarantine", "source_counts", CALENDAR_FACTS.name) else None
        if key is not None and name not in BELONGING:
            assert clean.read(name)[key].is_sorted()
    assert checked == 2
    assert not clean.read("messages")["path"].str.contains("2024").any()


def test_rows_and_ledger_agree_in_the_new_order(small: tuple[DatasetHome, LoadedManifest]) -> None:
    home, _ = small
    raw, clean = raw_in_clean_order(home, KEY), TableStore(home.clean)
    notes = [frame.read(RECORDS)["note"].to_list() for frame in (raw, clean)]
    assert notes[0] == notes[1] != [note for _, _, note in ORDERS]
    ledger = Ledger(vault_tables(home, KEY).read(LEDGER))
    bodies = clean.read("messages")["body_own"].to_list()
    numbers = set(clean.read(RECORDS)["id"])
    spans = ledger.spans("messages", "body_own")
    assert len(spans) == 12
    assert {bodies[row][start:end] for (row, _), found in spans.items() for start, end in found} <= numbers


def test_an_export_is_in_the_order_of_the_archive(
    small: tuple[DatasetHome, LoadedManifest], tmp_path: Path
) -> None:
    """The key is there, and other tools compare line by line."""
    home, loaded = small
    export_clean_archive(home, loaded, KEY, tmp_path / "out", lambda *_: None)
    lines = (tmp_path / "out" / "erp" / "orders.csv").read_text().splitlines()[1:]
    assert [line.rpartition(",")[2] for line in lines] == [note for _, _, note in ORDERS]


@pytest.mark.parametrize("edit", [lambda frame: frame.reverse(), lambda frame: frame.head(39)])
def test_clean_rows_of_another_run_are_not_exported(
    small: tuple[DatasetHome, LoadedManifest],
    tmp_path: Path,
    edit: Callable[[pl.DataFrame], pl.DataFrame],
) -> None:
    home, loaded = small
    clean = TableStore(home.clean)
    frame = clean.read(RECORDS)
    clean.write(RECORDS, edit(frame))
    try:
        with pytest.raises(ExportError, match="not of the same run"):
            export_clean_archive(home, loaded, KEY, tmp_path / "out", lambda *_: None)
    finally:
        clean.write(RECORDS, frame)
    assert issubclass(ExportError, ArchiveError) and not (tmp_path / "out").exists()
