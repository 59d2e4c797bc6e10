"""Which files form one source, and that its path covers exactly them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archive.grouping import Group, covered_files, group_files
from archive.sniffing import FileGuess, Verdict, sniff_folder
from contracts.manifest import Source, SourceKind

MAIL = (
    b"From: Ann <ann@x.example>\nTo: b@x.example\nSubject: Hi\nDate: Mon, 1 Jul 2024 09:00:00 +0200\n\nHi\n"
)
MBOX = b"From ann@x.example Mon Jul  1 09:00:00 2024\n" + MAIL + b"\n"
CSV = b"id,name\n1,Ann\n2,Bea\n3,Cid\n"
ISSUE = json.dumps({"key": "X-1", "fields": {"summary": "a"}}).encode()


def grouped(folder: Path, files: dict[str, bytes]) -> tuple[list[Group], list[FileGuess]]:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return group_files(sniff_folder(folder), folder)


def told(folder: Path, files: dict[str, bytes]) -> list[tuple[str, str]]:
    return [(group.format, group.path) for group in grouped(folder, files)[0]]


@pytest.mark.parametrize(
    ("files", "sources"),
    [
        ({"a.mbox": MBOX}, [("mbox", "a.mbox")]),
        ({"a.mbox": MBOX, "b.mbox": MBOX}, [("mbox", ".")]),
        ({"a": MBOX, "b": MBOX, "README": b"x"}, [("mbox", ".")]),
        ({"m/a": MBOX, "m/b": MBOX}, [("mbox", "m")]),
        ({"m/ann/a.mbox": MBOX, "m/bea/b.mbox": MBOX, "notes.md": b"# x"}, [("mbox", "m")]),
        ({"raw/1.": MAIL, "raw/2.": MAIL}, [("eml", "raw")]),
        ({"a.eml": MAIL, "b.eml": MAIL, "README.md": b"x"}, [("eml", "*.eml")]),
        ({"x/a.eml": MAIL, "x/y/b.eml": MAIL, "x/SOURCE.txt": b"x"}, [("eml", "x/**/*.eml")]),
        ({"crm/a.csv": CSV, "crm/b.csv": CSV, "erp/c.csv": CSV}, [("csv", "crm"), ("csv", "erp/c.csv")]),
        ({"a.csv": CSV, "b.txt": CSV, "b2.txt": CSV}, [("csv", "*")]),
        ({"a.csv": CSV, "b.txt": CSV, "b2.txt": CSV, "c.md": b"x"}, [("csv", "*.txt"), ("csv", "a.csv")]),
        ({"a.csv": CSV, "m.mbox": MBOX}, [("csv", "a.csv"), ("mbox", "m.mbox")]),
        ({"ann/cur/1:2,S": MAIL, "ann/new/2": MAIL, "ann/tmp/x": b""}, [("maildir", "ann")]),
        ({"odd [1]/a.csv": CSV, "odd [1]/b.csv": CSV}, [("csv", "odd [1]")]),
    ],
)
def test_files_find_their_like(
    tmp_path: Path, files: dict[str, bytes], sources: list[tuple[str, str]]
) -> None:
    assert told(tmp_path, files) == sources


def test_a_broken_mail_among_mails_goes_with_them_and_is_told(tmp_path: Path) -> None:
    groups, rest = grouped(tmp_path, {f"m/{n}.eml": MAIL for n in range(9)} | {"m/x.eml": b"torn"})
    (group,) = groups
    assert (group.path, [guess.path for guess in group.beside], rest) == ("m", ["m/x.eml"], [])


def test_tables_that_label_other_files_are_no_source(tmp_path: Path) -> None:
    labels = b"file,level1,level2\na.txt,1,2\nb.txt,2,3\nc.txt,1,1\n"
    files = {f"raw/{name}.txt": MAIL for name in "abc"} | {"labels.csv": labels}
    groups, rest = grouped(tmp_path, files)
    assert [group.format for group in groups] == ["eml"]
    assert [(guess.path, guess.verdict) for guess in rest] == [("labels.csv", Verdict.UNPLACED)]


def test_a_register_of_files_is_a_source_though_it_names_them(tmp_path: Path) -> None:
    register = b"file,title,by\na.eml,Ground floor with stairs,Ann Marchbanks\nb.eml,First floor,Bea Ox\n"
    groups, _ = grouped(tmp_path, {"a.eml": MAIL, "b.eml": MAIL, "register.csv": register})
    assert sorted(group.format for group in groups) == ["csv", "eml"]


def test_a_format_without_a_reader_is_unplaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("archive.grouping._known_formats", lambda: frozenset(("csv",)))
    groups, rest = grouped(tmp_path, {"issues.jsonl": ISSUE})
    assert groups == []
    assert "jira-json" in rest[0].why and rest[0].verdict is Verdict.UNPLACED


def test_a_name_that_is_no_utf8_is_covered_by_a_pattern(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.csv")
    (group,), _ = grouped(tmp_path, {name: CSV})
    source = Source(name="x", kind=SourceKind.ERP, format="csv", path=group.path)
    assert group.path == "caf?.csv"
    assert covered_files(source, tmp_path) == [tmp_path / name]


NAMES = st.sampled_from(["a", "b", "a b", "[x]", "c-1"])
TREES = st.dictionaries(
    st.tuples(
        st.lists(NAMES, max_size=2).map(tuple), NAMES, st.sampled_from([".csv", ".txt", ".eml", ".mbox", ""])
    ),
    st.sampled_from([MAIL, MBOX, CSV, b"prose\n"]),
    min_size=1,
    max_size=10,
)


@given(TREES)
@settings(max_examples=60, deadline=None)
def test_every_file_is_in_one_source_or_told(
    tmp_path_factory: pytest.TempPathFactory, tree: dict[tuple[tuple[str, ...], str, str], bytes]
) -> None:
    folder = tmp_path_factory.mktemp("tree")
    for (places, name, ending), content in tree.items():
        path = folder.joinpath(*(f"{place}.d" for place in places), name + ending)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    groups, rest = group_files(sniff_folder(folder), folder)
    covered: list[Path] = []
    for group in groups:
        source = Source(name="x", kind=SourceKind.ERP, format=group.format, path=group.path)
        found = covered_files(source, folder)
        assert set(found) == {guess.file for guess in (*group.files, *group.beside)}
        covered += [guess.file for guess in group.files]
    everything = sorted(path for path in folder.rglob("*") if path.is_file())
    beside = {guess.file for group in groups for guess in group.beside}
    assert sorted([*covered, *beside, *(guess.file for guess in rest)]) == everything
    assert len(covered) == len(set(covered))
