"""Links: known identifiers in text, amounts of the records meant, people by address; no chance hits."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.ingest import ingest_dataset
from archive.links import find_links
from archive.mentions import (
    IdentifierIndex,
    candidates,
    chunk_keys,
    equals_written,
    normal,
    normal_identifier,
)
from archive.records import RecordTable
from archive.store import TableStore, polars_schema
from contracts.manifest import ColumnSpec, Company, Manifest, ObjectSpec, Source, SourceKind, TableSpec
from contracts.money import amounts_in
from contracts.tables import MESSAGES, ColumnKind

QUOTE = "r-1"
SHORT = "r-2"
TICKET = "t-1"


@pytest.fixture
def index() -> IdentifierIndex[str]:
    found: IdentifierIndex[str] = IdentifierIndex()
    for value, target in (
        ("0020004118", QUOTE),
        ("4711", SHORT),
        ("DD-101", TICKET),
        ("Acme", QUOTE),
        ("7", QUOTE),
    ):
        found.add(value, target)
    return found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Quote 20004118 for you", ["20004118"]),
        ("Quote_20004118_Acme.pdf", ["20004118"]),
        ("see 0020004118.", ["0020004118"]),
        ("(#20004118/2)", ["20004118"]),
        ("see DD-101, dd-101 and DD-1012", ["DD-101", "dd-101"]),
        ("invoice 4711 and order no. 4711", ["4711", "4711"]),
        ("Rechnung Nr. 4711", ["4711"]),
        ("in 4711 Cologne, room 4711", []),
        ("Acme, 7 of them", []),
        ("120004118 or 200041180", []),
        ("mail 20004118@x.example", []),
        ("USD 20004118", []),
        ("", []),
    ],
)
def test_identifiers_are_found_where_they_are_meant(
    index: IdentifierIndex[str], text: str, found: list[str]
) -> None:
    assert [text[mention.start : mention.end] for mention in index.mentions(text)] == found


@pytest.mark.parametrize(
    ("text", "minor", "match"),
    [
        ("$18,400.00", 1_840_000, "exact"),
        ("$18,400", 1_840_000, "exact"),
        ("$18,400", 1_840_025, "rounded"),
        ("18.4k", 1_843_000, "rounded"),
        ("18.4k", 1_846_000, None),
        ("$18,400.01", 1_840_000, None),
    ],
)
def test_a_written_amount_states_a_record_exactly_or_rounded(
    text: str, minor: int, match: str | None
) -> None:
    (amount,) = amounts_in(text)
    assert equals_written(amount, minor) == match


def tables(folder: Path) -> list[RecordTable]:
    files = {
        "Account.csv": "Id,Name,Website\nACC0001,Acme,https://www.acme.example/x\n",
        "Contact.csv": "Id,AccountId,Email\nCON0001,ACC0001,ann@acme.example\n",
        "User.csv": "Id,Alias,Email\nUSR0001,RQuist,renata@own.example\n",
        "Quote.csv": "Nr,Net,By\n20004118,18400.00,rquist\n20004119,999.50,\n",
        "Credit.csv": "Nr,Net,QuoteNr\n95000142,2900.00,20004118\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    spec = {
        "Account": TableSpec(
            name="Account", key=["Id"], objects=[ObjectSpec(type="account", id_column="Id")]
        ),
        "Contact": TableSpec(
            name="Contact",
            key=["Id"],
            columns={"AccountId": ColumnSpec(kind=ColumnKind.ID, references="crm.Account.Id")},
            objects=[ObjectSpec(type="contact", id_column="Id")],
        ),
        "User": TableSpec(
            name="User",
            columns={"Alias": ColumnSpec(kind=ColumnKind.LOGIN)},
            objects=[ObjectSpec(type="user", id_column="Id")],
        ),
        "Quote": TableSpec(
            name="Quote",
            columns={
                "Nr": ColumnSpec(kind=ColumnKind.ID),
                "Net": ColumnSpec(kind=ColumnKind.MONEY),
                "By": ColumnSpec(kind=ColumnKind.LOGIN),
            },
            objects=[ObjectSpec(type="quote", id_column="Nr", amount_column="Net")],
        ),
        "Credit": TableSpec(
            name="Credit",
            columns={
                "Nr": ColumnSpec(kind=ColumnKind.ID),
                "Net": ColumnSpec(kind=ColumnKind.MONEY),
                "QuoteNr": ColumnSpec(kind=ColumnKind.ID, references="crm.Quote.Nr"),
            },
            objects=[ObjectSpec(type="credit", id_column="Nr", amount_column="Net")],
        ),
    }
    source = Source(name="crm", kind=SourceKind.CRM, format="csv", path="*.csv", tables=list(spec.values()))
    manifest = Manifest(
        name="x",
        company=Company(names=["X"], domains=["own.example"], zones=["UTC"], currency="EUR"),
        sources=[source],
    )
    ingest_dataset(manifest, folder, folder / ".raw", lambda *_: None)
    store = TableStore(folder / ".raw")
    specs = store.column_specs()
    return [
        RecordTable(
            f"records-crm-{name.lower()}",
            "crm",
            name,
            table,
            store.path(f"records-crm-{name.lower()}"),
            specs[f"records-crm-{name.lower()}"],
        )
        for name, table in spec.items()
    ]


def message(name: str, thread: str, body: str, subject: str = "") -> dict[str, object]:
    row: dict[str, object] = {column.name: "" for column in MESSAGES.columns}
    row |= {"message_id": name, "thread_id": thread, "subject": subject, "body_own": body}
    row |= {"from_address": "ann@acme.example", "to": ["R. Quist <renata@own.example>"]}
    return row | {key: [] for key in ("cc", "bcc", "reply_to", "references", "mailboxes")}


def links(folder: Path, *messages: dict[str, object]) -> pl.DataFrame:
    records = tables(folder)
    store = TableStore(folder / ".raw")
    store.write("messages", pl.DataFrame(list(messages), schema=polars_schema(MESSAGES), orient="row"))
    return pl.concat(find_links(store, records)).sort("link_id")


def test_cells_and_people_are_joined_across_tables(tmp_path: Path) -> None:
    found = links(tmp_path, message("m-1", "th-1", "hello"))
    joined = found.select("kind", "from_table", "from_column", "to_table", "method").rows()
    assert set(joined) == {
        ("identifier", "records-crm-contact", "AccountId", "records-crm-account", "reference"),
        ("identifier", "records-crm-credit", "QuoteNr", "records-crm-quote", "reference"),
        ("participant", "records-crm-quote", "By", "records-crm-user", "login"),
        ("participant", "records-crm-contact", "Email", "records-crm-account", "domain"),
        ("participant", "messages", "from_address", "records-crm-contact", "email"),
        ("participant", "messages", "from_address", "records-crm-account", "domain"),
        ("participant", "messages", "to", "records-crm-user", "email"),
    }
    assert len(joined) == len(set(joined))


def test_amounts_are_linked_to_the_records_that_the_conversation_means(tmp_path: Path) -> None:
    found = links(
        tmp_path,
        message("m-1", "th-1", "The total is $18,400.00.", "Quote 20004118"),
        message("m-2", "th-1", "So 18.4k it is, and a credit of $2,900?"),
        message("m-3", "th-2", "We spent $18,400.00 on paper."),
        message("m-4", "th-3", "Quote 20004119: $18,400.00 was another."),
    )
    amounts = found.filter(pl.col("kind") == "amount")
    got = amounts.select("from_id", "start", "end", "to_table", "method", "confidence").sort(
        "from_id", "start"
    )
    assert got.rows() == [
        ("m-1", 13, 23, "records-crm-quote", "exact", 1.0),
        ("m-2", 3, 8, "records-crm-quote", "exact", 0.9),
        ("m-2", 32, 38, "records-crm-credit", "exact", 0.8),
    ]


def test_links_do_not_depend_on_the_order_of_messages(tmp_path: Path) -> None:
    one, two = message("m-1", "th-1", "Quote 20004118"), message("m-2", "th-1", "for $18,400")
    assert links(tmp_path, one, two).equals(links(tmp_path, two, one))
    assert links(tmp_path, one, two)["link_id"].is_unique().all()


@given(st.text(alphabet="aZ09é²_-/.@# \u0301\n$", max_size=40), st.sampled_from(["", "Invoice ", "@", "_"]))
def test_what_is_left_out_before_reading_texts_names_nothing(text: str, before: str) -> None:
    text = before + text
    tokens = [text[start:end] for start in range(len(text)) for end in range(start + 3, len(text) + 1)]
    index: IdentifierIndex[str] = IdentifierIndex()
    for token in tokens:
        index.add(token, token)
    found = candidates(pl.Series([text]))
    keys = set(chunk_keys(found["chunk"])["key"]) if found.height else set()
    for mention in index.mentions(text):
        named = text[mention.start : mention.end]
        assert keys & {normal_identifier(named), named.upper()}


@pytest.mark.parametrize(
    ("cell", "key"),
    [
        ("1500000001.0", "1500000001"),
        (" 0001500000001.0 ", "1500000001"),
        ("117.0", "117"),
        ("0.0", "0"),
        ("1500000001.00", "1500000001.00"),
        ("1500000001.5", "1500000001.5"),
        ("1.2.0", "1.2.0"),
        ("-5.0", "-5.0"),
        ("v1.0", "v1.0"),
        (".0", ".0"),
        ("A-117.0", "A-117.0"),
    ],
)
def test_an_id_that_a_spreadsheet_turned_into_a_decimal_is_itself(cell: str, key: str) -> None:
    assert normal_identifier(cell) == key


@pytest.mark.parametrize(
    ("cell", "text", "found"),
    [
        ("1500000001.0", "about 1500000001, please", ["1500000001"]),
        ("1500000001", "about 1500000001.0, please", ["1500000001"]),
        ("1500000001.0", "about 1500000001.0", ["1500000001"]),
        ("117.0", "order 117 and version 117.0 of it", ["117"]),
        ("100", "version 100.0 is out", []),
        ("1.0", "version 1.0 is out", []),
    ],
)
def test_decimal_ids_are_found_in_texts_and_versions_are_left_alone(
    cell: str, text: str, found: list[str]
) -> None:
    index: IdentifierIndex[str] = IdentifierIndex()
    index.add(cell, "r-1")
    assert [text[mention.start : mention.end] for mention in index.mentions(text)] == found
    keys = set(chunk_keys(candidates(pl.Series([text]))["chunk"])["key"])
    assert bool(found) <= (normal_identifier(cell) in keys)


@given(st.lists(st.text(alphabet="0１²7a \x1f\xa0\u3000-.", max_size=6), min_size=1))
def test_columns_of_identifiers_are_compared_as_single_ones_are(cells: list[str]) -> None:
    frame = pl.DataFrame({"cell": cells}, schema={"cell": pl.String})
    assert frame.select(normal(pl.col("cell")))["cell"].to_list() == [*map(normal_identifier, cells)]
