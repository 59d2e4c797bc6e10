"""Objects of JSON files: lines, lists and documents, and everything that is broken beside them."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive import bounded, json_files
from archive.json_files import JsonUnit, json_units, object_digest
from archive.rejects import Reject
from contracts.canonical import canonical_bytes, sha256_hex

BROKEN, DEEP, NONE = "broken_json", "too_deep", "no_object"


def read(folder: Path, data: bytes, name: str = "x.json") -> list[str]:
    (folder / name).write_bytes(data)
    units = json_units(folder / name, folder, ("issues", "users"))
    return [
        f"{unit.locator}: {unit.reason if isinstance(unit, Reject) else json.dumps(unit.value)}"
        for unit in units
    ]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'{"a":1}\n\n{"a":2}\n', ['line 1: {"a": 1}', 'line 3: {"a": 2}']),
        (b'{"a":1}\n{"a":\n{"a":3}', ['line 1: {"a": 1}', f"line 2: {BROKEN}", 'line 3: {"a": 3}']),
        (b'{"a"\n{"a":2}\n', [f"line 1: {BROKEN}", 'line 2: {"a": 2}']),
        (b'{"issues":[{"a":1},{"a":2}]}', ['issues 1: {"a": 1}', 'issues 2: {"a": 2}']),
        (
            b'{"issues":[{"a":1},{"a":2},{"a',
            ['issues 1: {"a": 1}', 'issues 2: {"a": 2}', f"issues 3: {BROKEN}"],
        ),
        (
            b'{\n"users":[{"a":1}],\n"issues":[3,null]}',
            [f"issues 1: {NONE}", f"issues 2: {NONE}", 'users 1: {"a": 1}'],
        ),
        (
            b'{"id":1,"users":[]}\n{"users":[{"id":2}]}',
            ['line 1: {"id": 1, "users": []}', 'line 2 users 1: {"id": 2}'],
        ),
        (b'[\n{"a":1},\n{"a":2}\n]', ['item 1: {"a": 1}', 'item 2: {"a": 2}']),
        (b'[{"a":1}][{"a":2}]', ['item 1: {"a": 1}', 'document 2 item 1: {"a": 2}']),
        (b'{"a":1}', ['object 1: {"a": 1}']),
        (b"[" * 100_000, [f"item 1: {DEEP}"]),
        (b'{"a":1}\n' + b'{"a":' * 5_000 + b"1" + b"}" * 5_000, ['line 1: {"a": 1}', f"line 2: {DEEP}"]),
        (b"words", [f"file: {BROKEN}"]),
        (b'"words"', [f"file: {NONE}"]),
        (b"  \n ", ["file: empty"]),
        (b'{"n":' + b"9" * 6_000 + b"}", ['object 1: {"n": "' + "9" * 6_000 + '"}']),
        (b'{"n":1.50,"m":NaN}', ['object 1: {"n": "1.50", "m": "NaN"}']),
        (b'{"a":"\xe9"}', ['object 1: {"a": "\\u00e9"}']),
        (b'\xef\xbb\xbf{"a":"\\ud800"}', ['object 1: {"a": "\\ufffd"}']),
    ],
)
def test_every_object_has_a_place_and_every_break_a_reason(
    data: bytes, expected: list[str], tmp_path: Path
) -> None:
    assert sorted(read(tmp_path, data)) == sorted(expected)


def test_gzip_is_read_up_to_where_it_breaks(tmp_path: Path) -> None:
    packed = gzip.compress(b"".join(b'{"a":%d}\n' % number for number in range(1_000)), mtime=0)
    assert len(read(tmp_path, packed)) == 1_000
    assert read(tmp_path, packed[:-20])[-1].endswith(": unreadable_file")


@pytest.mark.parametrize("before", [0, 1, 2, 5, 6, 7, 100])
@pytest.mark.parametrize("ending", [b"\n", b"\n\n"])
def test_lines_before_a_bomb_are_kept_and_the_rest_is_one_reject(
    before: int, ending: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "_FREE", 20_000)
    objects = b"".join(b'{"a":%d}' % number + ending for number in range(before))
    lines = [number * len(ending) for number in range(before)]
    read_lines = [f'line {line + 1}: {{"a": {number}}}' for number, line in enumerate(lines)]
    for bomb in (b"0" * 400_000, b'{"b":"' + b"x" * 400_000 + b'"}', b" \n" * 200_000):
        got = read(tmp_path, gzip.compress(objects + bomb, mtime=0))
        assert [line for line in got if "too_large" not in line] == read_lines
        assert len(got) == before + 1
    for cut in (1, 200):
        broken = gzip.compress(objects + random.Random(1).randbytes(4_000), mtime=0)[:-cut]
        got = read(tmp_path, broken)
        assert [line for line in got if line.startswith("line ") and "{" in line] == read_lines
        assert got[-1].endswith(("unreadable_file", "broken_json"))


def test_a_bomb_and_an_endless_line_end_as_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = gzip.compress(b"0" * 80_000_000, mtime=0)
    assert read(tmp_path, bomb) == ["file: too_large"]
    monkeypatch.setattr(bounded, "MAX_LINE", 100)
    assert read(tmp_path, b'{"a":1}\n{"a":"' + b"x" * 1_000 + b'"}\n{"a":3}\n') == [
        'line 1: {"a": 1}',
        "line 2: too_large",
        'line 3: {"a": 3}',
    ]
    monkeypatch.setattr(json_files, "MAX_DOCUMENT", 50)
    assert read(tmp_path, b'[{"a":"' + b"x" * 90 + b'"}]') == ["file: too_large"]


def test_a_long_document_is_read_piece_by_piece_with_what_stands_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_files, "_WHOLE", 10)
    (tmp_path / "x.json").write_bytes(b'{"names":{"a":"b"},"issues":[{"a":1},{"a":2}],"total":2}')
    units = list(json_units(tmp_path / "x.json", tmp_path, ("issues",)))
    assert [unit.envelope for unit in units if isinstance(unit, JsonUnit)] == [
        {"names": {"a": "b"}, "total": 2}
    ] * 2


@given(st.binary(max_size=200))
def test_no_bytes_raise(data: bytes) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        assert all(": " in told for told in read(Path(folder), data))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_digests_are_those_of_canonical_bytes(value: object) -> None:
    assert object_digest(value) == sha256_hex(canonical_bytes(value))
