"""JSON and Parquet files written in the form of the raw ones, clean values as their types.

Belongs here: both formats of typed objects. Values that clean text does not spell as the raw type stay text.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from archive.json_files import JsonUnit

_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_PEEKED = 8 * 1024 * 1024


class JsonForm(NamedTuple):
    """How a raw file writes its objects."""

    lines: bool
    wrapped: bool
    """The list stands under a name in an object."""
    indent: int | None
    ascii: bool
    packed: bool
    numbers: Mapping[str, bool]
    """Key -> whether its values are numbers with fractions, which readers keep as text."""


def json_form(path: Path, units: Sequence[JsonUnit]) -> JsonForm:
    """Returns the form of a raw file, from its first bytes and the objects that were read."""
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    with gzip.open(path) if packed else path.open("rb") as stream:
        head = stream.read(_PEEKED).decode("utf-8", "replace").lstrip("\ufeff")
    lines = bool(units) and units[0].locator.startswith("line ")
    inner = re.search(r"\n( +)[\"{]", head)
    wrapped = not lines and head.lstrip().startswith("{")
    fractions: dict[str, bool] = {}
    for key in {key for unit in units for key in unit.value}:
        places = re.findall(rf"{re.escape(json.dumps(key))}\s*:\s*(.)", head)
        fractions[key] = bool(places) and all(sign in "-0123456789n" for sign in places)
    return JsonForm(
        lines,
        wrapped,
        None if lines or inner is None else len(inner[1]),
        head.isascii() and "\\u" in head,
        packed,
        fractions,
    )


def write_json(
    path: Path, form: JsonForm, objects: Iterable[tuple[JsonUnit, Mapping[str, str | None]]]
) -> int:
    """Writes objects with clean cells by key, in the order and form of the raw ones; returns how many."""
    lists: dict[str, list[dict[str, object]]] = defaultdict(list)
    order: list[dict[str, object]] = []
    for unit, cells in objects:
        value = {
            key: _value(raw, cells.get(key), form.numbers.get(key, False)) for key, raw in unit.value.items()
        }
        lists[unit.name].append(value)
        order.append(value)
    content: object = order
    if form.wrapped:
        single = len(order) == 1 and all(not name or name == path.stem for name in lists)
        content = order[0] if single else dict(lists)
    if form.lines:
        text = "".join(dumped(value, form.ascii) + "\n" for value in order)
    else:
        text = dumped(content, form.ascii, form.indent) + "\n"
    data = text.encode("utf-8", "replace")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(data, mtime=0) if form.packed else data)
    return len(order)


class Literal(NamedTuple):
    """A number that is written with the digits it had."""

    text: str


def dumped(value: object, ascii_only: bool, indent: int | None = None) -> str:
    """Returns JSON text; literals stand as they are written."""
    literals: list[str] = []

    def marked(item: object) -> object:
        if isinstance(item, Literal):
            literals.append(item.text)
            return f"\ue000{len(literals) - 1}\ue001"
        if isinstance(item, dict):
            return {key: marked(inner) for key, inner in item.items()}
        return [marked(inner) for inner in item] if isinstance(item, list) else item

    text = json.dumps(marked(value), ensure_ascii=False, indent=indent)
    text = re.sub('"\ue000(\\d+)\ue001"', lambda match: literals[int(match[1])], text)
    return re.sub(r"[^\x00-\x7f]+", lambda match: json.dumps(match[0])[1:-1], text) if ascii_only else text


def _value(raw: object, clean: str | None, fraction: bool) -> object:
    if clean is None:
        return "" if isinstance(raw, str) else None
    if isinstance(raw, bool):
        return clean == "true" if clean in ("true", "false") else clean
    if isinstance(raw, int) or (fraction and isinstance(raw, str)):
        return Literal(clean) if _NUMBER.fullmatch(clean) else clean
    if isinstance(raw, dict | list):
        try:
            return json.loads(clean)
        except (ValueError, RecursionError):
            return clean
    return clean


def write_parquet(raw: Path, path: Path, frame: pl.DataFrame, left_out: Counter[str]) -> int:
    """Writes clean rows under the raw file's column types, without its metadata; returns how many."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetFile(raw) as file:
        schema = file.schema_arrow
        groups = [file.metadata.row_group(at).num_rows for at in range(file.metadata.num_row_groups)]
        codec = file.metadata.row_group(0).column(0).compression if groups and len(schema) else "SNAPPY"
    arrays, fields = [], []
    for name, field in zip(frame.columns, schema, strict=True):
        values = frame[name].to_list()
        kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        array = _array(values, kind, left_out)
        arrays.append(array)
        fields.append(pa.field(field.name, array.type, nullable=True))
    table = pa.Table.from_arrays(arrays, schema=pa.schema(fields))
    path.parent.mkdir(parents=True, exist_ok=True)
    compression = codec.lower() if codec.lower() in ("snappy", "gzip", "zstd", "lz4", "brotli") else "none"
    pq.write_table(table, path, row_group_size=max([*groups, 1]), compression=compression)
    return frame.height


def _array(values: Sequence[str | None], kind: Any, left_out: Counter[str]) -> Any:
    import pyarrow as pa

    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind):
        left_out["binary values"] += sum(value is not None for value in values)
        return pa.nulls(len(values), kind)
    try:
        return pa.array([None if value is None else _parsed(value, kind) for value in values], kind)
    except (pa.ArrowException, ValueError, InvalidOperation, TypeError, OverflowError):
        left_out["typed columns written as text"] += not pa.types.is_string(kind)
        return pa.array(values, pa.string())


def _parsed(text: str, kind: Any) -> object:
    import pyarrow as pa

    if pa.types.is_boolean(kind):
        return {"true": True, "false": False}[text]
    if pa.types.is_integer(kind):
        return int(text)
    if pa.types.is_floating(kind):
        return float(text)
    if pa.types.is_decimal(kind):
        return Decimal(text)
    if pa.types.is_date(kind):
        return date.fromisoformat(text[:10])
    if pa.types.is_timestamp(kind):
        moment = datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", text))
        return moment if moment.tzinfo is None or kind.tz else moment.astimezone(UTC).replace(tzinfo=None)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return text
    raise ValueError("nested values are written as text")
