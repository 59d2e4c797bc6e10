"""XES event logs: small invented ones with everything that the standard allows."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archive.batches import TableBatch
from archive.gathering import MAX_COLUMNS, MORE
from archive.log_xes import read_xes

LOG = """<?xml version="1.0" encoding="UTF-8"?>
<log xes.version="1.0" xmlns="http://www.xes-standard.org/">
 <extension name="Concept" prefix="concept" uri="http://example.org/concept.xesext"/>
 <global scope="event"><string key="org:resource" value="UNKNOWN"/></global>
 <classifier name="Activity" keys="concept:name lifecycle:transition"/>
 <string key="source" value="invented"/>
 <trace>
  <string key="concept:name" value="case 1"/>
  <float key="amount" value="12.50"/>
  <string key="owner" value="A"><string key="team" value="blue"/></string>
  <event>
   <string key="concept:name" value="open"/><string key="org:resource" value="Ada"/>
   <date key="time:timestamp" value="2024-01-02T03:04:05.000+01:00"/>
   <string key="lifecycle:transition" value="complete"/><string key="org:role" value="clerk"/>
   <list key="tags"><values><string key="tag" value="x"/><string key="tag" value="y"/></values></list>
  </event>
  <event><string key="concept:name" value="close"/><int key="case_id" value="7"/></event>
 </trace>
 <trace><event/><string key="concept:name" value="late"/></trace>
 <trace><string key="concept:name" value="empty"/></trace>
</log>"""


def read(path: Path) -> dict[str, TableBatch]:
    return {batch.table: batch for batch in read_xes(path, path.parent)}


def written(tmp_path: Path, text: str) -> dict[str, TableBatch]:
    path = tmp_path / "log.xes"
    path.write_text(text, encoding="utf-8")
    return read(path)


def test_cases_and_events_are_wide_rows(tmp_path: Path) -> None:
    tables = written(tmp_path, LOG)
    assert tables["cases"].frame.to_dicts() == [
        {"case_id": "case 1", "amount": "12.50", "owner": "A", "owner/team": "blue", "concept:name": None},
        {"case_id": "trace 2", "amount": None, "owner": None, "owner/team": None, "concept:name": "late"},
        {"case_id": "empty", "amount": None, "owner": None, "owner/team": None, "concept:name": None},
    ]
    first, second, bare = tables["events"].frame.to_dicts()
    assert first == {
        "case_id": "case 1",
        "activity": "open",
        "timestamp": "2024-01-02T03:04:05.000+01:00",
        "resource": "Ada",
        "lifecycle": "complete",
        "org:role": "clerk",
        "tags/tag": "x",
        "tags/tag.2": "y",
        "case_id_": None,
    }
    assert (second["activity"], second["case_id_"], second["timestamp"]) == ("close", "7", None)
    assert bare["case_id"] == "trace 2"
    assert tables["cases"].key == ("case_id",)


def test_what_the_log_says_of_itself_is_one_row(tmp_path: Path) -> None:
    assert written(tmp_path, LOG)["log"].frame.to_dicts() == [
        {
            "global event/org:resource": "UNKNOWN",
            "classifier Activity": "concept:name lifecycle:transition",
            "source_": "invented",
        }
    ]


def test_packed_logs_read_the_same(tmp_path: Path) -> None:
    plain = written(tmp_path, LOG)
    (tmp_path / "log.xes.gz").write_bytes(gzip.compress(LOG.encode(), mtime=0))
    with zipfile.ZipFile(tmp_path / "log.xes.zip", "w") as folder:
        folder.writestr("log.xes", LOG)
    for name in ("log.xes.gz", "log.xes.zip"):
        packed = read(tmp_path / name)
        assert {table: batch.frame.to_dicts() for table, batch in packed.items()} == {
            table: batch.frame.to_dicts() for table, batch in plain.items()
        }


def test_what_stands_before_a_break_is_kept(tmp_path: Path) -> None:
    tables = written(tmp_path, LOG[: LOG.index("<event><string key")])
    assert tables["events"].frame["activity"].to_list() == ["open"]
    assert [(one.locator[:4], one.reason) for one in tables["events"].rejects] == [("line", "malformed_xml")]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "malformed_xml"),
        (b"\x1f\x8b\x08\x00broken", "unreadable_file"),
        (b"PK\x03\x04broken", "unreadable_file"),
        (b'<!DOCTYPE log [<!ENTITY a "b">]><log/>', "entity_declared"),
        (b'<log><string key="a" value="' + b"x" * 11_000_000 + b'"/></log>', "malformed_xml"),
        (b"<log>" + b"<trace>" * 5_000, "malformed_xml"),
        (b"<other><event/></other>", "no_event_log"),
    ],
    ids=["empty", "gzip", "zip", "entity", "endless value", "deep", "foreign"],
)
def test_hostile_files_are_one_reject(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "log.xes"
    path.write_bytes(data)
    tables = read(path)
    assert [one.reason for batch in tables.values() for one in batch.rejects] == [reason]


def test_a_gzip_bomb_ends_within_its_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("archive.xml_events.FREE_BYTES", 1_000_000)
    monkeypatch.setattr("archive.xml_events.MAX_RATIO", 20)
    event = '<event><string key="concept:name" value="a"/></event>'
    (tmp_path / "b.xes.gz").write_bytes(
        gzip.compress(f"<log><trace>{event * 100_000}</trace></log>".encode(), mtime=0)
    )
    batch = read(tmp_path / "b.xes.gz")["events"]
    assert [one.reason for one in batch.rejects] == ["too_large"]
    assert 0 < batch.frame.height < 100_000


def test_a_log_that_cannot_be_let_go_piece_by_piece_ends_within_its_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("archive.xml_events.MAX_HELD", 200_000)
    event = '<event><string key="concept:name" value="a"/></event>'
    assert written(tmp_path, f"<log><trace>{event * 20_000}</trace></log>")["events"].rejects == ()
    held = '<string key="a" value="b"/>' * 20_000
    batch = written(tmp_path, f"<log><trace>{event}</trace>{held}</log>")["events"]
    assert [one.reason for one in batch.rejects] == ["too_large"]


def test_attributes_beyond_the_bound_of_columns_stand_in_one(tmp_path: Path) -> None:
    many = "".join(f'<string key="k{number}" value="{number}"/>' for number in range(MAX_COLUMNS + 5))
    frame = written(tmp_path, f"<log><trace><event>{many}</event></trace></log>")["events"].frame
    assert frame.width == MAX_COLUMNS + 1
    assert f'"k{MAX_COLUMNS + 4}"' in str(frame[MORE][0])


_TEXTS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), min_size=1, max_size=8)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.dictionaries(_TEXTS, _TEXTS, max_size=4), max_size=4), max_size=4))
def test_every_event_and_attribute_is_read(
    tmp_path_factory: pytest.TempPathFactory, cases: list[list[dict[str, str]]]
) -> None:
    from xml.sax.saxutils import quoteattr

    text = "<log>"
    for case in cases:
        text += "<trace>"
        for event in case:
            pairs = (
                f"<string key={quoteattr(key)} value={quoteattr(value)}/>" for key, value in event.items()
            )
            text += f"<event>{''.join(pairs)}</event>"
        text += "</trace>"
    path = tmp_path_factory.mktemp("x") / "log.xes"
    path.write_text(text + "</log>", encoding="utf-8")
    batches = list(read_xes(path, path.parent))
    events = [row for batch in batches if batch.table == "events" for row in batch.frame.to_dicts()]
    assert len(events) == sum(map(len, cases))
    assert sum(batch.frame.height for batch in batches if batch.table == "cases") == len(cases)
    written = [sorted(value for value in event.values() if value.strip()) for case in cases for event in case]
    found = [sorted(value for name, value in row.items() if value and name != "case_id") for row in events]
    assert found == written
