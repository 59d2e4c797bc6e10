"""Held tables: read once while they fit, the same frames as from their store always."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from anonymize.held_tables import HeldTables
from archive.errors import StoreError
from archive.store import TableStore
from contracts.tables import RECORD_ID

HEAD = (RECORD_ID.name, "source", "path", "locator", "content_hash")
NAMES = [f"records-crm-{letter}" for letter in "abc"]


class CountingStore(TableStore):
    """A store that notes what was read."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.reads: list[str] = []

    def read(self, name: str, columns: object = None) -> pl.DataFrame:
        self.reads.append(name)
        return super().read(name)


@pytest.fixture
def store(tmp_path: Path) -> CountingStore:
    store = CountingStore(tmp_path)
    for name in NAMES:
        store.write(name, pl.DataFrame({**{column: ["x"] * 1000 for column in HEAD}, "note": [name] * 1000}))
    return store


@pytest.mark.parametrize(("most", "reads"), [(10**9, NAMES), (0, [*NAMES, *NAMES, NAMES[0]])])
def test_what_fits_is_read_once(store: CountingStore, most: int, reads: list[str]) -> None:
    held = HeldTables(store, most)
    for name in [*NAMES, *NAMES, NAMES[0], NAMES[0]]:
        assert held.read(name, ["note"])["note"].unique().to_list() == [name]
    assert store.reads == reads
    assert held.names() == NAMES and held.columns(NAMES[0]) == [*HEAD, "note"]
    assert held.scan(NAMES[1]).collect().equals(held.read(NAMES[1]))


def test_a_table_that_is_missing_is_told_as_by_the_store(store: CountingStore) -> None:
    held = HeldTables(store)
    assert held.has(NAMES[0]) and not held.has("records-crm-z")
    with pytest.raises(StoreError):
        held.read("records-crm-z")
