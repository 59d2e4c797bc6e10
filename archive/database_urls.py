"""Where a database is and through which driver it is reached.

Belongs here: environment references, drivers at hand, SQLite files opened read-only. Does not belong here:
reading (`archive.database`).
"""

from __future__ import annotations

import os
import re
import ssl
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError

from archive.errors import ManifestError, SourceError

_REFERENCE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_DRIVERS = {"postgresql": "pg8000", "postgres": "pg8000", "mysql": "pymysql", "mariadb": "pymysql"}
"""Drivers that come with this package; taken where the one that a URL names is not installed."""
_MODULES = {"": "", "psycopg2cffi": "psycopg2cffi", "mysqldb": "MySQLdb", "mysqlconnector": "mysql.connector"}
_UNKNOWN_TO_PG8000 = frozenset(
    "sslmode host port connect_timeout target_session_attrs channel_binding gssencmode options".split()
)


class Address(NamedTuple):
    """A URL that SQLAlchemy opens, with what its driver needs besides."""

    url: sa.URL
    arguments: dict[str, Any]


def database_address(name: str, url: str) -> Address:
    """Returns the address of a database; "$NAME" as URL or password is an environment variable.

    Raises:
        ManifestError: the variable is not set, or the text is no database URL.
        SourceError: there is no driver for that kind of database, or no such SQLite file.
    """
    match = _REFERENCE.fullmatch(url.strip())
    written = _environment(name, match) if match else url.strip()
    try:
        parsed = sa.make_url(written)
    except (ArgumentError, ValueError):
        raise ManifestError(
            f"source {name!r}: `url` is no database URL: write it as dialect://user:$PASSWORD@host/database"
        ) from None
    secret = _REFERENCE.fullmatch(parsed.password or "")
    if secret:
        parsed = parsed.set(password=_environment(name, secret))
    parsed = _with_driver(name, parsed)
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        return _sqlite(name, parsed)
    if parsed.get_driver_name() == "pg8000":
        return _pg8000(parsed)
    if parsed.get_driver_name() == "pymysql":
        return Address(parsed, {"charset": "utf8mb4"} if "charset" not in parsed.query else {})
    return Address(parsed, {})


def file_address(name: str, path: Path) -> Address:
    """Returns the address of an SQLite file, for reading only.

    Raises:
        SourceError: there is no such file.
    """
    if not path.is_file():
        raise SourceError(f"source {name!r}: no database file at its path: correct `path` in the manifest")
    place = path.resolve().as_posix().replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    query = {"mode": "ro", "uri": "true"}
    logs = [path.with_name(path.name + ending) for ending in ("-wal", "-journal")]
    if not any(log.is_file() and log.stat().st_size for log in logs):
        # Nobody writes: no lock and no shared memory file has to be made beside it.
        query["immutable"] = "1"
    return Address(sa.URL.create("sqlite", database=f"file:{place}", query=query), {})


def _environment(name: str, reference: re.Match[str]) -> str:
    variable = reference[1] or reference[2]
    value = os.environ.get(variable)
    if not value:
        raise ManifestError(
            f"source {name!r}: the environment variable {variable} is not set: set it to the database URL "
            "or password that the manifest refers to"
        )
    return value.strip()


def _with_driver(name: str, url: sa.URL) -> sa.URL:
    """Returns a URL with a driver that is installed."""
    backend, _, driver = url.drivername.partition("+")
    backend = "postgresql" if backend == "postgres" else backend
    if driver and _installed(driver):
        return url.set(drivername=f"{backend}+{driver}")
    own = _DRIVERS.get(backend)
    if own is not None:
        if not driver and backend == "postgresql" and _installed("psycopg"):
            return url.set(drivername="postgresql+psycopg")
        if _installed(own):
            return url.set(drivername=f"{backend}+{own}")
    if not driver and backend == "sqlite":
        return url
    try:
        url.get_dialect().import_dbapi()
    except (ImportError, sa.exc.NoSuchModuleError):
        raise SourceError(
            f"source {name!r}: no driver for {backend!r} is installed: install one that SQLAlchemy knows"
        ) from None
    return url


def _installed(driver: str) -> bool:
    module = _MODULES.get(driver, driver)
    try:
        return bool(module) and find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _sqlite(name: str, url: sa.URL) -> Address:
    database = (url.database or "").removeprefix("file:").split("?")[0]
    if not database or database == ":memory:":
        raise ManifestError(f"source {name!r}: `url` names no database file: name one, or use `path`")
    return file_address(name, Path(database))


def _pg8000(url: sa.URL) -> Address:
    """Returns a URL without what only libpq understands: sockets and TLS told in pg8000's own way."""
    arguments: dict[str, Any] = {}
    query = {key: value if isinstance(value, str) else value[-1] for key, value in url.query.items()}
    mode = query.get("sslmode", "prefer")
    if mode in ("require", "verify-ca", "verify-full"):
        context = ssl.create_default_context()
        context.check_hostname = mode == "verify-full"
        if mode == "require":
            context.verify_mode = ssl.CERT_NONE
        arguments["ssl_context"] = context
    host = query.get("host") or url.host or ""
    port = int(query.get("port") or url.port or 5432)
    if host.startswith("/"):
        arguments["unix_sock"] = f"{host}/.s.PGSQL.{port}"
        url = url.set(host=None, port=None)
    elif host:
        url = url.set(host=host, port=port)
    kept = {key: value for key, value in query.items() if key not in _UNKNOWN_TO_PG8000}
    return Address(url.set(query=kept), arguments)
