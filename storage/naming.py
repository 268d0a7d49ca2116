"""Physical names: tables by id, user columns by their name, hidden columns under one reserved prefix."""

from __future__ import annotations

PREFIX = "__doris_"  # CREATE TABLE and ADD COLUMN refuse it in any case

TSO = PREFIX + "tso"  # BIGINT: commit TSO at which the version began
LSN = PREFIX + "lsn"  # BIGINT: number of the change in its transaction
OP = PREFIX + "op"  # TINYINT: 0 began as an insert, 1 as an update
VERSION = PREFIX + "version"  # BIGINT: partition version of the write (Unique Key only)
PART = PREFIX + "part"  # INTEGER: partition id
SEQUENCE = PREFIX + "sequence"  # hidden sequence column; its type is the table's sequence type
END_TSO = PREFIX + "end_tso"  # BIGINT: TSO that ended the version (history only)
END_LSN = PREFIX + "end_lsn"
END_OP = PREFIX + "end_op"  # TINYINT: how it ended, one of the next three
SUPERSEDED, DELETED, REMOVED = 1, 2, 3  # by an update, with a delete record, without a record

DELETE = PREFIX + "delete"  # BOOLEAN of a batch: the row removes its key
MET_TSO = PREFIX + "met_tso"  # BIGINT of a batch: the version an UPDATE inside BEGIN met
MET_LSN = PREFIX + "met_lsn"
ROW_ID = PREFIX + "row_id"  # BIGINT of a lookup: where the row of the key is, NULL for a new key
STORED = PREFIX + "stored"  # a table seen from a subquery, where a column of that name would hide it (docs/duckdb.md)
GIVEN = PREFIX + "given_"  # BOOLEAN of a flexible partial update: the row names the column of this uid
HIDDEN_UID = (1 << 31) - 1  # stands for the hidden sequence column among these flags

_RESERVED_BY_DUCKDB = frozenset({"rowid"})


def quote(name: str) -> str:
    """Quote an identifier for DuckDB."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Quote a string literal for DuckDB."""
    return "'" + text.replace("'", "''") + "'"


def physical(column: str) -> str:
    """The unquoted DuckDB name of a user column; only names that DuckDB reserves differ."""
    return f"{PREFIX}c_{column}" if column.lower() in _RESERVED_BY_DUCKDB else column


def sql_name(column: str) -> str:
    """The DuckDB name of a user column as SQL text."""
    return quote(physical(column))


def current(table_id: int) -> str:
    """The table of current row versions."""
    return f"t_{table_id}"


def history(table_id: int) -> str:
    """The table of ended row versions."""
    return f"h_{table_id}"


def marks(table_id: int) -> str:
    """The table of delete marks; only tables with a sequence column have it."""
    return f"d_{table_id}"


COPY = PREFIX + "copy_"


def copy(table_id: int) -> str:
    """A copy of the current rows, made to take their place."""
    return f"{COPY}{table_id}"


def given(uid: int) -> str:
    """The flag of a flexible batch that tells whether a row names a column."""
    return f"{GIVEN}{uid}"
