"""Play the records of one scenario against a server, each on the connection it names."""

from __future__ import annotations

import contextlib
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pymysql

from dorisette.process import ServerError, ServerProcess
from tests.slt import load
from tests.slt.record import Record, read, show, squeeze

_SYSTEM = frozenset({"information_schema", "mysql", "__internal_schema", "sys", "performance_schema"})
_FIRST_USERS = frozenset({"'root'@'%'", "'admin'@'%'"})
_FIRST_ROLES = frozenset({"operator", "admin"})
_LOST = frozenset({2006, 2013})
_SECONDS = 120
_USE = re.compile(r"\s*USE\s+`?([\w.]+)`?", re.IGNORECASE)


class CaseError(Exception):
    """A record did not hold."""


class Scenario:
    """The state of one run: named values, named connections, the database of the default connection."""

    def __init__(self, server: ServerProcess, user: str = "root") -> None:
        self.server = server
        self.user = user
        self.names: dict[str, str] = {}
        self.connections: dict[str, pymysql.connections.Connection] = {}
        self.pending: tuple[str, dict[str, str]] | None = None
        self.database: str | None = None
        self._kinds: dict[str, Callable[[Record], None]] = {
            "connection": self._connection,
            "sleep": self._sleep,
            "restart": lambda record: self._again(signal.SIGTERM),
            "kill": lambda record: self._again(signal.SIGKILL),
            "set_config": self._set_config,
            "let": self._let,
            "stream_load": self._stream_load,
            "statement": self._statement,
            "query": self._query,
        }

    def run(self, record: Record) -> None:
        """Play one record; raises CaseError when it does not hold, pymysql.Error when it fails unexpectedly."""
        if record.kind not in self._kinds:
            raise CaseError(f"unknown record {record.kind!r}")
        self._kinds[record.kind](record)

    def close(self) -> None:
        """Close all connections, also those that the server has left."""
        for connection in self.connections.values():
            with contextlib.suppress(pymysql.Error):
                connection.close()
        self.connections.clear()

    # -- records -------------------------------------------------------------------------------------
    def _connection(self, record: Record) -> None:
        options = dict(word.split("=", 1) for word in record.head.split()[2:])
        self.pending = (record.words[0], options)

    def _sleep(self, record: Record) -> None:
        amount = record.words[0]
        time.sleep(float(amount[:-2]) / 1000 if amount.endswith("ms") else float(amount.rstrip("s")))

    def _again(self, how: signal.Signals) -> None:
        self.close()
        self.server.restart(how)
        if self.database:
            self._execute(f"USE `{self.database}`")

    def _set_config(self, record: Record) -> None:
        key, _, value = record.head.removeprefix("set_config").partition("=")
        self.server.conf[key.strip()] = value.strip()
        self._again(signal.SIGTERM)

    def _let(self, record: Record) -> None:
        _, rows = self._execute(record.sql)
        if len(rows) != 1 or len(rows[0]) != 1:
            raise CaseError(f"let wants one value, got {len(rows)} rows")
        self.names[record.words[0]] = show(rows[0][0])

    def _statement(self, record: Record) -> None:
        want, *rest = record.words
        if want == "error":
            return self._expect_error(record.sql, rest[0] if rest else "")
        affected, _ = self._execute(record.sql)
        if want == "count" and affected != int(rest[0]):
            raise CaseError(f"affected rows: wanted {rest[0]}, got {affected}")
        return None

    def _query(self, record: Record) -> None:
        words = record.words
        if words and words[0] == "error":
            return self._expect_error(record.sql, words[1] if len(words) > 1 else "")
        options = " ".join(words).split()
        patience = float(options[options.index("retry") + 1].rstrip("s")) if "retry" in options else 0.0
        deadline, session = time.monotonic() + patience, self.pending
        while True:
            self.pending = session
            try:
                return self._compare(options, record.sql, record.expected or [])
            except (CaseError, pymysql.Error):
                if time.monotonic() >= deadline:
                    raise
                time.sleep(0.1)

    def _stream_load(self, record: Record) -> None:
        database, table = record.words[0].split(".")
        want = record.words[1] if len(record.words) > 1 else "ok"
        headers = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in record.body)}
        body = self._fill("".join(line + "\n" for line in record.expected or []))
        url = f"http://{self.server.host}:{self.server.http_port}/api/{database}/{table}/_stream_load"
        status, text = load.send(url, headers, body, self.user)
        if want == "ok" and status != "Success":
            raise CaseError(f"stream load failed: {text[:400]}")
        if want.startswith("error"):
            if status == "Success":
                raise CaseError("wanted the stream load to fail, it succeeded")
            _match(want.removeprefix("error").strip(), text[:400])

    # -- talking to the server -----------------------------------------------------------------------
    def _session(self) -> pymysql.connections.Connection:
        name, options = self.pending or ("default", {})
        self.pending = None
        if name not in self.connections:
            self.connections[name] = self.server.connect(
                user=options.get("user", self.user),
                password=options.get("password", ""),
                database=self.database if name != "default" else None,
                charset="utf8mb4",
                autocommit=None,
                read_timeout=_SECONDS,
                write_timeout=_SECONDS,
                conv={},
            )
        return self.connections[name]

    def _fill(self, text: str) -> str:
        for name, value in self.names.items():
            text = text.replace("${" + name + "}", value)
        return text

    def _execute(self, sql: str) -> tuple[int, list[tuple[object, ...]]]:
        sql = self._fill(sql)
        session = self._session()
        with session.cursor() as cursor:
            affected = cursor.execute(sql)
            rows = list(cursor.fetchall()) if cursor.description else []
        used = _USE.match(sql)
        if used and session is self.connections.get("default"):
            self.database = used.group(1)
        return affected, rows

    def _compare(self, options: list[str], sql: str, expected: list[str]) -> None:
        _, rows = self._execute(sql)
        got = [squeeze(" ".join(show(value) for value in row)) for row in rows]
        want = [self._fill(squeeze(line)) for line in expected]
        if "rowsort" in options:
            got, want = sorted(got), sorted(want)
        if "like" in options and not want:
            raise CaseError("say which pieces are wanted")
        holds = _occurs(want, " ".join(got)) if "like" in options else got == want
        if not holds:
            raise CaseError(f"wanted{_listed(want)}\n  got{_listed(got)}")

    def _expect_error(self, sql: str, pattern: str) -> None:
        try:
            self._execute(sql)
        except pymysql.Error as error:
            text = " ".join(map(str, error.args))
            if error.args and error.args[0] in _LOST:
                raise CaseError(f"connection lost instead of an error: {text}") from None
            return _match(pattern, text)
        raise CaseError(f"wanted an error matching {pattern!r}, the statement succeeded")


def play(path: Path, server: ServerProcess, keep_going: bool = False) -> list[str]:
    """Play one file and return what did not hold, with file and line; stops at the first unless `keep_going`."""
    scenario, problems = Scenario(server), []
    for record in read(path):
        try:
            scenario.run(record)
        except (CaseError, ServerError, pymysql.Error, OSError, ValueError, KeyError) as error:
            problems.append(f"{path}:{record.line}: {record.head}: {type(error).__name__}: {error}"[:1500])
            if not keep_going or server.exit_code is not None:
                break
    scenario.close()
    return problems


def clean(server: ServerProcess) -> None:
    """Drop what a finished scenario left behind, so that the next starts from an empty server."""
    with server.connect() as connection, connection.cursor() as cursor:

        def drop(shown: str, statement: str, kept: frozenset[str]) -> None:
            cursor.execute(shown)
            for name, *_ in cursor.fetchall():
                if name.lower() not in kept:
                    cursor.execute(statement.format(name))

        drop("SHOW DATABASES", "DROP DATABASE `{}` FORCE", _SYSTEM)
        drop("SHOW ALL GRANTS", "DROP USER {}", _FIRST_USERS)
        drop("SHOW ROLES", "DROP ROLE '{}'", _FIRST_ROLES)


def _occurs(pieces: list[str], text: str) -> bool:
    """Each piece occurs in the text; one that starts with ! does not."""
    return all((piece[1:].strip() not in text) if piece.startswith("!") else (piece in text) for piece in pieces)


def _match(pattern: str, text: str) -> None:
    if not pattern:
        raise CaseError(f"say which error is wanted, any would do here: {text}")
    if not re.search(pattern, text, re.IGNORECASE | re.DOTALL):
        raise CaseError(f"error does not match {pattern!r}: {text}")


def _listed(rows: list[str]) -> str:
    return "".join(f"\n    {row}" for row in rows or ["(no rows)"])
