"""SHOW CREATE TABLE runs again and makes the same table, whatever the table is and has gone through."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from storage.catalog.model import Table
from storage.errors import DorisError
from tests.local import Local, Session
from tests.property.definition import statements

ALTERATIONS = (
    "ADD COLUMN extra INT DEFAULT '7' AFTER `{first}`",
    "ADD COLUMN (m VARCHAR(9), n DATE)",
    "ADD COLUMN f BIGINT KEY FIRST",
    "DROP COLUMN `{last}`",
    "RENAME COLUMN `{first}` renamed",
    "RENAME COLUMN `{last}` `new name`",
    "MODIFY COLUMN `{last}` STRING",
    "MODIFY COLUMN `{last}` COMMENT 'it''s'",
    "MODIFY COMMENT 'other'",
    "ADD PARTITION extra VALUES [(100), (200))",
    "DROP PARTITION p1",
    "RENAME PARTITION p1 `the first`",
    "ADD INDEX ii (`{first}`)",
    "ADD ROLLUP rr (`{first}`)",
    "RENAME ROLLUP r1 r3",
    "SET ('bloom_filter_columns' = '')",
)


def named(table: Table) -> Table:
    """The table without what another one of the same definition may have differently; the text tells its properties."""
    numbers = {column.uid: place for place, column in enumerate(table.columns)}
    columns = tuple(replace(column, uid=numbers[column.uid]) for column in table.columns)
    parts = sorted((replace(part, id=0, created_tso=0) for part in table.visible_partitions), key=lambda p: p.name)
    indexes = tuple(replace(index, columns=tuple(numbers[uid] for uid in index.columns)) for index in table.indexes)
    rollups = tuple(
        replace(r, columns=tuple(numbers[u] for u in r.columns), keys=tuple(numbers[u] for u in r.keys))
        for r in table.rollups
    )
    rest = {"id": 0, "database_id": 0, "schema_version": 0, "next_uid": 0, "created_ms": 0}
    plain = replace(table, columns=columns, partitions=tuple(parts), indexes=indexes, rollups=rollups)
    return replace(plain, properties=(), **rest)  # type: ignore[arg-type]


@given(st.data())
@settings(max_examples=60)
def test_the_printed_statement_makes_the_same_table(local: Local, data: st.DataObject) -> None:
    session = local.connect()
    for text in ("DROP DATABASE IF EXISTS def FORCE", "CREATE DATABASE def", "USE def"):
        session.execute(text)
    session.execute(data.draw(statements(), label="create"))
    _alter(local, session, data)
    once = session.query("SHOW CREATE TABLE t")[0][1]
    first = local.table(session.context.database or "", "t")
    session.execute("ALTER TABLE t RENAME before")
    session.execute(str(once))
    assert named(local.table(session.context.database or "", "t")) == named(first)
    assert session.query("SHOW CREATE TABLE t")[0][1] == once


def _alter(local: Local, session: Session, data: st.DataObject) -> None:
    """Up to three changes; those that this table refuses are left out."""
    for form in data.draw(st.lists(st.sampled_from(ALTERATIONS), max_size=3), label="alterations"):
        columns = local.table(session.context.database or "", "t").columns
        names = {"first": columns[0].name.replace("`", "``"), "last": columns[-1].name.replace("`", "``")}
        try:
            session.execute("ALTER TABLE t " + form.format(**names))
        except DorisError:
            continue
