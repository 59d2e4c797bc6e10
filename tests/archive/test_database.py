"""Databases: addresses, SQLite files of every kind, values as exact strings."""

from __future__ import annotations

import hashlib
import sqlite3
import tracemalloc
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest
import sqlalchemy as sa

from archive.database import Database, _next_fetch, open_database
from archive.database_urls import database_address
from archive.database_values import duration_text, finished, value_text
from archive.errors import ManifestError, SourceError


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "a b%#?.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(
            """
            CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers (id), note);
            CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE pairs (a TEXT, b TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
            CREATE TABLE tricky (rowid TEXT, source TEXT, "100% {x}" TEXT);
            CREATE TABLE hollow (a TEXT, b TEXT);
            CREATE VIEW seen AS SELECT * FROM orders;
            INSERT INTO customers VALUES (1, 'Ada');
            INSERT INTO orders VALUES (3, 1, 12.3), (1, 1, x'01ff'), (2, NULL, ' '), (9, 1, 1e22);
            INSERT INTO pairs VALUES ('b', '1'), ('a', '2');
            INSERT INTO tricky VALUES ('own', 'web', 'v');
            INSERT INTO tricky VALUES ('bad', CAST(x'ff41' AS TEXT), 'w');
            """
        )
    connection.close()
    return path


def frames(database: Database) -> dict[str, pl.DataFrame]:
    return {
        table.name: pl.concat([batch.frame for batch in database.batches(table)])
        for table in database.tables()
    }


def test_an_sqlite_file_is_read_with_keys_references_and_places(shop: Path) -> None:
    before = shop.read_bytes()
    with open_database("erp", path=shop) as database:
        tables = {table.name: table for table in database.tables()}
        assert list(tables) == ["customers", "hollow", "orders", "pairs", "tricky"]
        assert tables["orders"].references == ((("customer",), "customers", ("id",)),)
        (orders,) = database.batches(tables["orders"])
        assert (orders.place, orders.numbers.to_list(), orders.key) == (
            "orders rowid {}",
            [1, 2, 3, 9],
            ("id",),
        )
        assert orders.frame["note"].to_list() == ["01ff", None, "12.3", "10000000000000000000000"]
        (pairs,) = database.batches(tables["pairs"])
        assert (pairs.place, pairs.numbers.to_list()) == ("pairs row {}", [1, 2])
        assert pairs.frame.rows() == [("a", "2"), ("b", "1")]
        (tricky,) = database.batches(tables["tricky"])
        assert tricky.frame.columns == ["rowid", "source_", "100% {x}"]
        assert tricky.frame.rows() == [("own", "web", "v"), ("bad", "\ufffdA", "w")]
        (hollow,) = database.batches(tables["hollow"])
        assert (hollow.frame.columns, hollow.read) == (["a", "b"], 0)
        assert [row.locator for row in database.rows(tables["orders"])][:2] == ["rowid 1", "rowid 2"]
        with pytest.raises(sa.exc.DBAPIError):
            database._connection.exec_driver_sql("DELETE FROM orders")
    assert shop.read_bytes() == before


def test_a_url_of_an_sqlite_file_reads_the_same_and_creates_none(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = tmp_path / "shop.sqlite"
    plain.write_bytes(shop.read_bytes())
    monkeypatch.setenv("ERP_URL", f"sqlite:///{plain}")
    with open_database("erp", path=plain) as one, open_database("erp", url="${ERP_URL}") as two:
        first, second = frames(one), frames(two)
    assert first.keys() == second.keys()
    assert all(first[name].equals(second[name]) for name in first)
    with (
        pytest.raises(SourceError, match="source 'erp'"),
        open_database("erp", url=f"sqlite:///{tmp_path}/no.db"),
    ):
        pass
    assert not (tmp_path / "no.db").exists()


def test_a_database_with_a_write_ahead_log_leaves_no_file_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "wal.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE t (a TEXT)")
        connection.execute("INSERT INTO t VALUES ('x')")
    connection.close()
    with open_database("erp", path=path) as database:
        assert frames(database)["t"].rows() == [("x",)]
    assert [entry.name for entry in tmp_path.iterdir()] == ["wal.sqlite"]
    writer = sqlite3.connect(path)
    writer.execute("INSERT INTO t VALUES ('in the log')")
    writer.commit()
    with open_database("erp", path=path) as database:
        assert frames(database)["t"].height == 2
    writer.close()


def test_batches_end_at_their_bounds(tmp_path: Path) -> None:
    path = tmp_path / "big.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (a INTEGER, b TEXT)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", ((n, "x") for n in range(70_000)))
        connection.execute("CREATE TABLE w (b TEXT)")
        connection.executemany("INSERT INTO w VALUES (?)", (("y" * 20_000,) for _ in range(4_000)))
    connection.close()
    with open_database("erp", path=path) as database:
        narrow, wide = database.tables()
        heights = [batch.frame.height for batch in database.batches(narrow)]
        assert (sum(heights), len(heights)) == (70_000, 2)
        assert max(heights) <= 65_536
        heights = [batch.frame.height for batch in database.batches(wide)]
        assert (sum(heights), len(heights)) == (4_000, 3)
        assert max(heights) * 20_000 < 40 * 1024 * 1024


@pytest.mark.parametrize("size", [0, 1, 4_095, 4_096, 4_097, 50_000])
def test_a_long_binary_value_is_told_by_hash_and_length(size: int, tmp_path: Path) -> None:
    path = tmp_path / "b.sqlite"
    data = bytes(range(256)) * (size // 256) + bytes(size % 256)
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (a BLOB, b TEXT)")
        connection.execute("INSERT INTO t VALUES (?, ?)", (data, "x" * size))
    connection.close()
    with open_database("erp", path=path) as database:
        ((binary, text),) = frames(database)["t"].rows()
    told = data.hex() if size <= 4_096 else f"sha256:{hashlib.sha256(data).hexdigest()} {size} bytes"
    assert (binary or "", text or "") == (told, "x" * size)


@pytest.mark.slow
def test_large_binary_values_are_read_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "b.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (a BLOB, b BLOB)")
        for number in range(4):
            connection.execute("INSERT INTO t VALUES (zeroblob(20000000), ?)", (bytes([number]) * 5_000,))
    connection.close()
    tracemalloc.start()
    try:
        with open_database("erp", path=path) as database:
            assert frames(database)["t"].height == 4
        assert tracemalloc.get_traced_memory()[1] < 80 * 1024 * 1024
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("lengths", "size", "following"),
    [
        ([10] * 16, 16, 32),
        ([10] * 1_500, 1_500, 2_000),
        ([20_000_000] * 16, 16, 1),
        ([1_000_000] * 16, 16, 16),
        ([0] * 5, 16, 32),
    ],
)
def test_rows_are_fetched_by_their_bytes(lengths: list[int], size: int, following: int) -> None:
    rows = [(1, "x" * length, None) for length in lengths]
    assert _next_fetch(rows, size) == following


@pytest.mark.parametrize(
    ("url", "error", "text"),
    [
        ("$NO_SUCH_VARIABLE", ManifestError, "environment variable NO_SUCH_VARIABLE is not set"),
        ("postgresql://me:$NO_SUCH_WORD@host/db", ManifestError, "NO_SUCH_WORD is not set"),
        ("no url", ManifestError, "no database URL"),
        ("", ManifestError, "no database URL"),
        ("sqlite://", ManifestError, "names no database file"),
        ("nosuchsql://me:hush-hush@host/db", SourceError, "no driver for 'nosuchsql'"),
        ("oracle+cx_oracle://me:hush-hush@host/db", SourceError, "no driver for 'oracle'"),
        ("postgresql://me:hush-hush@127.0.0.1:1/db", SourceError, "cannot be read"),
        ("mysql://me:hush-hush@127.0.0.1:1/db", SourceError, "cannot be read"),
    ],
)
def test_what_keeps_a_database_from_being_read_is_said_without_its_url(
    url: str, error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text) as caught, open_database("erp", url=url):
        pass
    assert "source 'erp'" in str(caught.value)
    assert "hush-hush" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "driver", "arguments"),
    [
        ("postgresql://me@host/db", "postgresql+pg8000", {}),
        ("postgres://me@host/db", "postgresql+pg8000", {}),
        ("postgresql+psycopg2://me@host:5433/db?sslmode=disable", "postgresql+pg8000", {}),
        ("postgresql:///db?host=/run/pg", "postgresql+pg8000", {"unix_sock": "/run/pg/.s.PGSQL.5432"}),
        ("mariadb://me@host/db", "mariadb+pymysql", {"charset": "utf8mb4"}),
        ("mysql+mysqldb://me@host/db", "mysql+pymysql", {"charset": "utf8mb4"}),
    ],
)
def test_urls_get_a_driver_that_is_here(url: str, driver: str, arguments: dict[str, str]) -> None:
    address = database_address("erp", url)
    assert (address.url.drivername, address.arguments) == (driver, arguments)
    assert "sslmode" not in address.url.query


def test_errors_of_the_reader_itself_are_not_taken_for_the_database(shop: Path) -> None:
    with pytest.raises(OSError, match="disk full"), open_database("erp", path=shop):
        raise OSError("disk full")


def test_a_password_from_the_environment_may_hold_any_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERP_WORD", "p@ss/w:rd%")
    assert database_address("erp", "mysql://me:$ERP_WORD@host/db").url.password == "p@ss/w:rd%"


def test_tls_is_asked_for_where_the_url_says_so() -> None:
    address = database_address("erp", "postgresql://me@host/db?sslmode=verify-full")
    assert address.arguments["ssl_context"].check_hostname


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (timedelta(days=1, hours=2), "P1DT2H"),
        (timedelta(seconds=-5), "-PT5S"),
        (timedelta(), "PT0S"),
        (timedelta(days=3), "P3D"),
        (timedelta(minutes=1, microseconds=500_000), "PT1M0.5S"),
    ],
)
def test_durations_are_iso(value: timedelta, text: str) -> None:
    assert duration_text(value) == value_text(value) == text


def test_texts_are_finished_by_kind() -> None:
    assert finished(pl.Series(["1.5e+20", "2", None, "-Infinity"]), "float").to_list() == [
        "150000000000000000000",
        "2",
        None,
        "-Infinity",
    ]
    assert finished(pl.Series(["2024-01-02 03:04:05", None]), "moment").to_list() == [
        "2024-01-02T03:04:05",
        None,
    ]
    assert finished(pl.Series(["2024-01-02 03:04:05.5+00", "2024-01-02 03:04:05"]), "instant").to_list() == [
        "2024-01-02T03:04:05.5+00:00",
        "2024-01-02T03:04:05+00:00",
    ]
    assert value_text(Decimal("1E+999999999")) == "1E+999999999"
