"""Values of databases as exact strings: what the server is asked for, and what is made of it.

Belongs here: SELECT expressions by column type, texts of values. Does not belong here: connections and
tables (`archive.database`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID

import polars as pl

_MAX_EXPONENT = 400
MAX_BINARY = 4_096
"""Bytes of a binary value that is kept; of a longer one, a picture or a document, hash and length are."""
_BINARY_KINDS = frozenset("binary varbinary tinyblob blob mediumblob longblob".split())


class Expression(NamedTuple):
    """How a column is asked for, and what is left to do with its texts."""

    sql: str
    finish: str = ""
    """"moment": a T between date and time; "instant": and the offset of UTC; "float": no exponent."""


def value_text(value: object) -> str | None:
    """Returns a database value as an exact string: no exponent, ISO dates, "true"/"false", bytes in hex.

    Of more than `MAX_BINARY` bytes it is "sha256:<hex> <n> bytes".
    """
    if value is None:
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        value = Decimal(repr(value))
    if isinstance(value, Decimal):
        return decimal_text(value)
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return duration_text(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return _binary_text(bytes(value))
    if isinstance(value, UUID):
        return str(value)
    return str(value)


def without_long_binary(row: Sequence[object]) -> list[object]:
    """Returns a row in which long binary values are texts already, so that their bytes are held no longer."""
    return [
        _binary_text(value) if isinstance(value, bytes) and len(value) > MAX_BINARY else value
        for value in row
    ]


def _binary_text(value: bytes) -> str:
    if len(value) <= MAX_BINARY:
        return value.hex()
    return f"sha256:{sha256(value).hexdigest()} {len(value)} bytes"


def decimal_text(value: Decimal) -> str:
    """Returns a number with all its digits; only absurd exponents stay as they are."""
    exponent = value.as_tuple().exponent
    return format(value, "f") if isinstance(exponent, int) and abs(exponent) < _MAX_EXPONENT else str(value)


def duration_text(value: timedelta) -> str:
    """Returns a duration in ISO 8601: "P1DT2H30M", "-PT5S", "PT0S"."""
    sign, rest = ("-", -value) if value < timedelta() else ("", value)
    minutes, seconds = divmod(rest.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days = f"{rest.days}D" if rest.days else ""
    part = f"{seconds}.{rest.microseconds:06d}".rstrip("0") if rest.microseconds else str(seconds)
    clock = "".join(f"{number}{unit}" for number, unit in ((hours, "H"), (minutes, "M")) if number)
    clock += f"{part}S" if part != "0" else ""
    return f"{sign}P{days}T{clock}" if clock else f"{sign}P{days}" if days else "PT0S"


def postgresql_expression(column: str, kind: str, category: str, composite: bool) -> Expression:
    """Returns what gives a column's text, whatever the server's own settings of money and dates."""
    if category == "A":
        return Expression(f"array_to_json({column})::text")
    if composite:
        return Expression(f"row_to_json({column})::text")
    if kind == "money":
        return Expression(f"{column}::numeric::text")
    if kind == "bytea":
        told = f"'sha256:' || encode(sha256({column}), 'hex') || ' ' || octet_length({column}) || ' bytes'"
        short = f"encode({column}, 'hex')"
        return Expression(f"CASE WHEN octet_length({column}) > {MAX_BINARY} THEN {told} ELSE {short} END")
    finish = {"timestamp": "moment", "timestamptz": "instant", "float4": "float", "float8": "float"}
    return Expression(f"{column}::text", finish.get(kind, ""))


def mariadb_expression(column: str, kind: str, width: int) -> Expression:
    """Returns what gives a column's text; binary values of unusual types come as bytes."""
    if kind in _BINARY_KINDS:
        told = f"CONCAT('sha256:', SHA2({column}, 256), ' ', LENGTH({column}), ' bytes')"
        return Expression(f"IF(LENGTH({column}) > {MAX_BINARY}, {told}, LOWER(HEX({column})))")
    if kind == "bit":
        return Expression(f"LPAD(BIN({column}), {max(width, 1)}, '0')")
    finish = {"datetime": "moment", "timestamp": "instant", "float": "float", "double": "float"}
    return Expression(column, finish.get(kind, ""))


def finished(series: pl.Series, finish: str) -> pl.Series:
    """Returns a column of texts as its expression asks for."""
    if finish == "float":
        spelt = series.str.contains("[eE][+-]?\\d")
        if spelt.any():
            values = [value_text(Decimal(v)) if v and s else v for v, s in zip(series, spelt, strict=True)]
            return pl.Series(series.name, values, dtype=pl.String)
        return series
    if finish in ("moment", "instant"):
        series = series.str.replace(r"^(\S+) (\d\d:)", "${1}T${2}")
    if finish == "instant":
        series = series.str.replace(r"(\d\d:\d\d:\d\d(?:\.\d+)?)(?:\+00)?( BC)?$", "${1}+00:00${2}")
    return series
