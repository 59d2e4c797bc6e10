"""The company's event log in OCEL 2.0 semantics: events, objects, their attributes and relations.

Stored as Parquet inside, exported as a SQLite file that other tools open. `seq` orders events whose
timestamps tie.
"""

from __future__ import annotations

from contracts.tables import Column, ColumnKind, DataType, Table

_S, _I = DataType.STRING, DataType.INTEGER
_K = ColumnKind

EVENTS = Table(
    "log-events",
    "event_id",
    (
        Column("event_id", _S, _K.PROVENANCE),
        Column("seq", _I, _K.MEASURE),
        Column("activity", _S, _K.CATEGORY),
        Column("timestamp", _S, _K.DATETIME),
        Column("actor", _S, _K.PROVENANCE),
        Column("actor_role", _S, _K.CATEGORY),
        Column("system", _S, _K.CATEGORY),
        Column("record_table", _S, _K.CATEGORY),
        Column("record", _S, _K.PROVENANCE),
    ),
)
"""`timestamp` ISO 8601; `record` is the row that shows the event (evidence)."""

OBJECTS = Table(
    "log-objects",
    "object_id",
    (
        Column("object_id", _S, _K.PROVENANCE),
        Column("object_type", _S, _K.CATEGORY),
        Column("system", _S, _K.CATEGORY),
        Column("record_table", _S, _K.CATEGORY),
        Column("record", _S, _K.PROVENANCE),
    ),
)

OBJECT_ATTRIBUTES = Table(
    "log-object-attributes",
    "object_id",
    (
        Column("object_id", _S, _K.PROVENANCE),
        Column("attribute", _S, _K.CATEGORY),
        Column("value", _S, _K.TEXT),
    ),
)

EVENT_OBJECTS = Table(
    "log-event-objects",
    "event_id",
    (
        Column("event_id", _S, _K.PROVENANCE),
        Column("object_id", _S, _K.PROVENANCE),
        Column("qualifier", _S, _K.CATEGORY),
        Column("method", _S, _K.CATEGORY),
        Column("confidence", DataType.FLOAT, _K.RATE),
    ),
)

OBJECT_OBJECTS = Table(
    "log-object-objects",
    "source_id",
    (
        Column("source_id", _S, _K.PROVENANCE),
        Column("target_id", _S, _K.PROVENANCE),
        Column("qualifier", _S, _K.CATEGORY),
        Column("method", _S, _K.CATEGORY),
        Column("confidence", DataType.FLOAT, _K.RATE),
    ),
)

CASES = Table(
    "cases",
    "case_id",
    (
        Column("case_id", _S, _K.PROVENANCE),
        Column("system", _S, _K.CATEGORY),
        Column("record", _S, _K.PROVENANCE),
        Column("kind", _S, _K.CATEGORY),
        Column("confidence", DataType.FLOAT, _K.RATE),
    ),
)
"""Which records make up which case; `record` is the number or id as the source system writes it (clean)."""

LOG_TABLES = {t.name: t for t in (EVENTS, OBJECTS, OBJECT_ATTRIBUTES, EVENT_OBJECTS, OBJECT_OBJECTS)}
