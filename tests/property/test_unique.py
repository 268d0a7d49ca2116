"""A Unique Key table equals the reference for random batches.

They hold duplicates, NULLs, sequence values, deletes and partial columns.

Checked after each statement: rows, sequence values and delete marks, and for changelog tables the change records
and the rows that they give when they are replayed.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from sql.load.request import read
from sql.load.run import run
from storage.audit import audit
from tests.local import Local, Session
from tests.property.unique_model import Given, Key, UniqueModel

NUMBERS = itertools.count()
LOG = '"changelog.enable" = "true", "changelog.need_historical_value" = "true", '
KINDS = {
    "plain": "",
    "mapped": '"function_column.sequence_col" = "s", ',
    "hidden": '"function_column.sequence_type" = "bigint", ',
}
SIGN, SEQUENCE = "__DORIS_DELETE_SIGN__", "__DORIS_SEQUENCE_COL__"

keys = st.one_of(st.integers(0, 4), st.none())
cells = {
    "a": st.one_of(st.integers(-2, 2), st.none()),
    "b": st.sampled_from([None, "", "x", "y"]),
    "s": st.one_of(st.integers(0, 4), st.none()),
}


@dataclass(frozen=True)
class Upsert:
    """Whole rows."""

    rows: Sequence[Given]


@dataclass(frozen=True)
class Partial:
    """Rows that all name the same columns."""

    columns: tuple[str, ...]
    rows: Sequence[Given]


@dataclass(frozen=True)
class Together:
    """Statements of one transaction."""

    statements: Sequence[Upsert | Partial]


@dataclass(frozen=True)
class Flexible:
    """Rows that each name columns of their own."""

    rows: Sequence[Given]


@dataclass(frozen=True)
class Statement:
    """UPDATE (with cells) or DELETE (without) of the rows with these keys."""

    keys: frozenset[Key]
    cells: tuple[tuple[str, object], ...] = ()


def _rows(columns: Sequence[str], deletes: bool = True) -> st.SearchStrategy[list[Given]]:
    named = st.fixed_dictionaries({column: cells[column] for column in columns})
    return st.lists(st.builds(Given, keys, named, st.booleans() if deletes else st.just(False)), min_size=1, max_size=6)


columns = st.sets(st.sampled_from(["a", "b", "s"]), min_size=1, max_size=2).map(lambda found: tuple(sorted(found)))
some = st.fixed_dictionaries({}, optional=cells)
inserts = st.one_of(
    st.builds(Upsert, _rows(("a", "b", "s"))),
    columns.flatmap(lambda names: st.builds(Partial, st.just(names), _rows(names, deletes=False))),
)
steps = st.lists(
    st.one_of(
        inserts,
        st.builds(Together, st.lists(inserts, min_size=2, max_size=3)),
        st.lists(st.builds(Given, keys, some, st.booleans()), min_size=1, max_size=6).map(Flexible),
        st.builds(Statement, st.frozensets(keys, min_size=1, max_size=3)),
        st.builds(Statement, st.frozensets(keys, min_size=1), st.tuples(st.tuples(st.just("a"), cells["a"]))),
        st.builds(Statement, st.frozensets(keys, min_size=1), st.tuples(st.tuples(st.just("s"), cells["s"]))),
        st.just("checkpoint"),
    ),
    min_size=1,
    max_size=8,
)


@given(steps, st.sampled_from(sorted(KINDS)), st.booleans())
@settings(max_examples=60)
def test_writes_agree_with_the_reference(local: Local, steps: Sequence[object], kind: str, logged: bool) -> None:
    """Rows, sequence values, marks and change records after each statement."""
    table = _Table(local, kind, logged)
    for step in steps:
        table.play(step)
        table.compare()
    assert audit(local.database) == []
    table.drop()


class _Table:
    """A table t(k, a, b, s) and its model, driven in step; with a hidden sequence column s is that one."""

    def __init__(self, local: Local, kind: str, logged: bool) -> None:
        self.local = local
        self.kind = kind
        self.logged = logged
        self.model = UniqueModel(sequence=kind != "plain")
        self.session: Session = local.connect()
        self.name = f"unique_{next(NUMBERS)}"
        own = "" if kind == "hidden" else ", s BIGINT"
        self.session.execute(f"CREATE DATABASE {self.name}; USE {self.name}")
        self.session.execute(
            f'CREATE TABLE t (k INT, a INT DEFAULT "7", b VARCHAR(5){own}) UNIQUE KEY(k)'
            f" DISTRIBUTED BY HASH(k) BUCKETS 1 PROPERTIES ({KINDS[kind]}{LOG if logged else ''}"
            '"enable_unique_key_skip_bitmap_column" = "true")'
        )

    def drop(self) -> None:
        self.session.execute(f"DROP DATABASE {self.name} FORCE")

    # -- steps -----------------------------------------------------------------------------------------
    def play(self, step: object) -> None:
        match step:
            case Upsert(rows):
                self._insert(("a", "b", "s"), rows)
                self.model.write(rows)
            case Partial(names, _) if self.kind == "hidden" and set(names) == {"a", "b"}:
                pass  # names every visible column: not a partial update
            case Partial(names, rows):
                self._partially(names, rows)
                self.model.write(rows, partial=True)
            case Together(statements):
                self.session.execute("BEGIN")
                for statement in statements:
                    self.play(statement)
                self.session.execute("COMMIT")
            case Flexible(rows):
                self._load(rows)
                self.model.write(rows, partial=True, flexible=True)
            case Statement(wanted, changed):
                self._statement(wanted, dict(changed))
            case _:
                self.local.database.checkpoint()

    def _column(self, name: str) -> str:
        return SEQUENCE if name == "s" and self.kind == "hidden" else name

    def _insert(self, names: Sequence[str], rows: Sequence[Given], sign: bool = True) -> None:
        heads = ["k", *(self._column(name) for name in names), *([SIGN] if sign else [])]
        lines = [[row.key, *(row.cells[name] for name in names), *([int(row.delete)] if sign else [])] for row in rows]
        values = ", ".join(f"({', '.join(map(_literal, line))})" for line in lines)
        self.session.execute(f"INSERT INTO t ({', '.join(heads)}) VALUES {values}")

    def _partially(self, names: Sequence[str], rows: Sequence[Given]) -> None:
        variables = self.session.context.variables
        variables.set("enable_unique_key_partial_update", True)
        self._insert(names, rows, sign=False)
        variables.set("enable_unique_key_partial_update", False)

    def _load(self, rows: Sequence[Given]) -> None:
        objects = [
            {"k": row.key, SIGN: int(row.delete), **{self._column(name): value for name, value in row.cells.items()}}
            for row in rows
        ]
        headers = {
            "format": "json", "read_json_by_line": "true", "unique_key_update_mode": "UPDATE_FLEXIBLE_COLUMNS"
        }  # fmt: skip
        body = "\n".join(map(json.dumps, objects)).encode()
        context = self.local.engine.context(0, "root", "127.0.0.1")
        outcome = run(self.local.engine, context, self.name, "t", read(headers), body)
        assert (outcome.loaded, outcome.filtered) == (len(rows), 0)

    def _statement(self, wanted: frozenset[Key], changed: dict[str, object]) -> None:
        if self.kind == "hidden" and "s" in changed:
            return  # a hidden column cannot be assigned
        where = " OR ".join("k IS NULL" if key is None else f"k = {key}" for key in wanted)
        met = [key for key in wanted if key in self.model.rows]
        if changed:
            sets = ", ".join(f"{name} = {_literal(value)}" for name, value in changed.items())
            affected = self.session.execute(f"UPDATE t SET {sets} WHERE {where}")
        else:
            affected = self.session.execute(f"DELETE FROM t WHERE {where}")
        assert affected == len(met)
        self.model.write([Given(key, {**self.model.rows[key], **changed}, not changed) for key in met])

    # -- comparison --------------------------------------------------------------------------------------
    def compare(self) -> None:
        model, s = self.model, self._column("s")
        wanted = [(key, row["a"], row["b"], row["s"]) for key, row in model.rows.items()]
        assert _sorted(self.session.query(f"SELECT k, a, b, {s} FROM t")) == _sorted(wanted)
        if model.sequence:
            self.session.execute("SET show_hidden_columns = true")
            found = self.session.query(f"SELECT k, {SEQUENCE} FROM t WHERE {SIGN} = 1")
            self.session.execute("SET show_hidden_columns = false")
            assert _sorted(found) == _sorted(model.marks.items())
        if self.logged:
            self._compare_records()

    def _compare_records(self) -> None:
        rows = self.session.query(
            "SELECT __DORIS_CHANGELOG_OP__, k, a, b, __DORIS_CHANGELOG_BEFORE_a__, __DORIS_CHANGELOG_BEFORE_b__,"
            ' __DORIS_CHANGELOG_TSO__, __DORIS_CHANGELOG_LSN__ FROM changelog("table" = "t")'
        )
        found = [row[:6] for row in sorted(rows, key=lambda row: row[6:])]
        wanted = [
            (record.op, record.key, *_images(record.after or record.before), *_images(record.before))
            for record in self.model.records
        ]
        assert _sorted(found) == _sorted(wanted)
        assert self.model.replayed() == self.model.rows


def _images(cells: object) -> tuple[object, object]:
    return (cells["a"], cells["b"]) if isinstance(cells, dict) else (None, None)


def _literal(value: object) -> str:
    return "NULL" if value is None else f"'{value}'" if isinstance(value, str) else str(value)


def _sorted(rows: object) -> list[object]:
    return sorted(rows, key=repr)  # type: ignore[call-overload, no-any-return]
