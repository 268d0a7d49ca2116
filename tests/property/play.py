"""Play a random history on the engine and on the model, and compare everything a client can read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Protocol

from tests.property.model import Delete, Emitted, Key, Model, Row, Statement, Update, Upsert


class Session(Protocol):
    """A connection: the engine's own (tests/local.py), or one through the wire."""

    def execute(self, text: str) -> int: ...

    def query(self, text: str) -> list[tuple[object, ...]]: ...


COLUMNS = "k, v, w"
TYPES = ("append_only", "min_delta", "detail")
_CHANGES = "__DORIS_STREAM_CHANGE_TYPE_COL__, __DORIS_STREAM_SEQUENCE_COL__, __DORIS_STREAM_LSN_COL__"


def create_table(session: Session, model: Model, name: str = "base") -> None:
    """Create the model's table; the partition column is the key, and NULL keys go to the lowest partition."""
    model_words = "UNIQUE" if model.unique else "DUPLICATE"
    parts = ", ".join(
        f"PARTITION {part} VALUES LESS THAN {'MAXVALUE' if hi is None else f'({hi})'}" for part, hi in model.bounds
    )
    partitioned = f"PARTITION BY RANGE(k) ({parts})" if len(model.bounds) > 1 else ""
    settings = {"changelog.enable": "true"}
    if model.unique:
        settings |= {"enable_unique_key_merge_on_write": "true", "changelog.need_historical_value": "true"}
    properties = ", ".join(f'"{key}" = "{value}"' for key, value in settings.items())
    session.execute(
        f"CREATE TABLE {name} (k INT, v INT, w VARCHAR(8)) {model_words} KEY(k) {partitioned}"
        f" DISTRIBUTED BY HASH(k) BUCKETS 1 PROPERTIES ({properties})"
    )


def write(session: Session, statements: Sequence[Statement], table: str = "base") -> None:
    """Send the statements of one commit: alone, or inside BEGIN … COMMIT."""
    texts = [text for statement in statements for text in sql_of(statement, table)]
    if len(texts) == 1:
        session.execute(texts[0])
        return
    session.execute("BEGIN")
    for text in texts:
        session.execute(text)
    session.execute("COMMIT")


def sql_of(statement: Statement, table: str) -> list[str]:
    """The Doris SQL of a statement of the model."""
    if isinstance(statement, Upsert):
        signs = any(position in statement.deleted for position in range(len(statement.rows)))
        rows = [
            f"({_literal(k)}, {_literal(v)}, {_literal(w)}{f', {int(position in statement.deleted)}' if signs else ''})"
            for position, (k, v, w) in enumerate(statement.rows)
        ]
        columns = f"(k, v, w{', __DORIS_DELETE_SIGN__' if signs else ''})"
        return [f"INSERT INTO {table} {columns} VALUES {', '.join(rows)}"]
    if isinstance(statement, Update):
        return [f"UPDATE {table} SET v = {_literal(statement.value)} WHERE {_where(statement.keys)}"]
    return [f"DELETE FROM {table} WHERE {_where(statement.keys)}"]


def _where(keys: frozenset[Key]) -> str:
    listed = ", ".join(str(key) for key in sorted(key for key in keys if key is not None))
    terms = ([f"k IN ({listed})"] if listed else []) + (["k IS NULL"] if None in keys else [])
    return " OR ".join(terms)


def _literal(value: object) -> str:
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return "NULL" if value is None else str(value)


# -- comparisons -------------------------------------------------------------------------------------
def compare(session: Session, model: Model, table: str = "base") -> None:
    """Base rows, change records and every stream agree with the model."""
    rows = session.query(f"SELECT {COLUMNS} FROM {table}")
    assert Counter(rows) == Counter(model.rows)
    compare_records(session, model, table)
    for name in model.streams:
        compare_stream(session, model, name)


def compare_records(session: Session, model: Model, table: str) -> None:
    """changelog() gives the model's records: grouped by commit, and in order for each key."""
    before = ", __DORIS_CHANGELOG_BEFORE_v__, __DORIS_CHANGELOG_BEFORE_w__" if model.unique else ""
    found = session.query(
        f"SELECT __DORIS_CHANGELOG_TSO__, __DORIS_CHANGELOG_OP__, {COLUMNS}{before}"
        f' FROM changelog("table" = "{table}")'
        " ORDER BY __DORIS_CHANGELOG_TSO__, __DORIS_CHANGELOG_LSN__"
    )
    wanted: list[tuple[object, ...]] = []
    for record in model.records:
        shown = record.after or record.before or (None, None, None)
        images = (record.before or (None, None, None))[1:] if model.unique else ()
        wanted.append((record.commit, record.op, *shown, *images))
    assert by_commit(found) == by_commit(wanted)
    assert _by_key(found, 2) == _by_key(wanted, 2)


def compare_stream(session: Session, model: Model, name: str) -> None:
    """A plain read gives what the model emits, each key's rows in order."""
    found = session.query(
        f"SELECT {_CHANGES}, {COLUMNS} FROM {name} ORDER BY __DORIS_STREAM_SEQUENCE_COL__, __DORIS_STREAM_LSN_COL__"
    )
    same_changes([(str(row[0]), _row(row[3:])) for row in found], model.read(name))


def same_changes(found: Iterable[Emitted], wanted: Iterable[Emitted]) -> None:
    """The same rows, and for each key in the same order."""
    found, wanted = list(found), list(wanted)
    assert Counter(found) == Counter(wanted)
    ordered: dict[str, dict[Key, list[Emitted]]] = {"found": defaultdict(list), "wanted": defaultdict(list)}
    for side, changes in (("found", found), ("wanted", wanted)):
        for change in changes:
            ordered[side][change[1][0]].append(change)
    for key, changes in ordered["found"].items():
        assert [kind for kind, _ in changes] == [kind for kind, _ in ordered["wanted"][key]]


def by_commit(rows: Iterable[tuple[object, ...]]) -> list[Counter[tuple[object, ...]]]:
    """Rows that start with a TSO or a commit number, as one bag a commit, in commit order."""
    bags: dict[object, Counter[tuple[object, ...]]] = {}
    for first, *rest in rows:
        bags.setdefault(first, Counter())[tuple(rest)] += 1
    return list(bags.values())


def _by_key(rows: Iterable[tuple[object, ...]], position: int) -> dict[object, list[object]]:
    """The kinds of the records of each key, in order."""
    found: dict[object, list[object]] = defaultdict(list)
    for row in rows:
        found[row[position]].append(row[1])
    return dict(found)


def _row(cells: Sequence[object]) -> Row:
    k, v, w = cells
    return k, v, w  # type: ignore[return-value]


__all__ = ["COLUMNS", "TYPES", "Delete", "Update", "Upsert", "compare", "create_table", "same_changes", "write"]
