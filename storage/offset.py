"""Stream offsets: one row per stream and partition, read as they are and moved by compare-and-set.

Offsets move inside the transaction of the write that consumed the range and before it touches any
table: without savepoints (docs/decisions/0005-one-coordinator.md) a late mismatch would throw everything
away. Whoever calls `move` holds the locks of the streams.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from storage.catalog.catalog import Catalog
from storage.catalog.schema import DATABASE, PARTITION, STREAM, STREAM_OFFSET, TABLE
from storage.cursor import Cursor, is_conflict
from storage.errors import OFFSET_CONSUMED, UNKNOWN_BASE_TABLE, UNKNOWN_TABLE, DorisError
from storage.rows import relation, select
from storage.work import ABSENT, PENDING, Move


@dataclass(frozen=True, slots=True)
class Offset:
    """Up to where a partition is consumed: a TSO, or PENDING before the initial image; and when (ms, -1 never)."""

    tso: int
    consumed_ms: int


def read(cursor: Cursor, stream_id: int) -> dict[int, Offset]:
    """The offsets of a stream by partition id; a partition without row is read from its start."""
    rows = cursor.rows(
        f"SELECT part_id, coalesce(tso, {PENDING}), consumed_ms FROM {STREAM_OFFSET.name} WHERE stream_id = ?",
        (stream_id,),
    )
    return {part: Offset(tso, ms) for part, tso, ms in rows}  # type: ignore[arg-type, misc]


def check(catalog: Catalog, moves: Iterable[Move]) -> None:
    """Refuse to move an offset whose stream, base table or partition has gone since the range was read.

    A dropped partition may wait in the recycle bin with its offset unchanged, and a partition that was never
    consumed has none to compare: both would let changes in that nobody can see any more.
    """
    known: dict[int, set[int]] = {}
    for move in moves:
        if move.stream_id not in known:
            known[move.stream_id] = _partitions(catalog, move)
        if move.part_id not in known[move.stream_id]:
            raise _error(move, "N/A")


def _partitions(catalog: Catalog, move: Move) -> set[int]:
    stream = catalog.streams.get(move.stream_id)
    if stream is None:
        raise UNKNOWN_TABLE(name=move.names[1])
    base = catalog.live_table(stream.base_id)
    if base is None:
        gone = catalog.tables.get(stream.base_id)
        raise UNKNOWN_BASE_TABLE(name=gone.name if gone else stream.base_name, stream=stream.name)
    return {part.id for part in base.visible_partitions}


def forget_dropped(cursor: Cursor) -> int:
    """Delete the offsets of partitions that their live base table does not show any more; how many.

    Those of a base table in the recycle bin stay, since RECOVER brings it back as it was. The caller keeps
    DDL out.
    """
    live = "dropped_at IS NULL"
    stale = (
        f"SELECT o.stream_id, o.part_id FROM {STREAM_OFFSET.name} o JOIN {STREAM.name} s USING (stream_id)"
        f" JOIN {TABLE.name} t ON t.table_id = s.base_id AND t.{live}"
        f" JOIN {DATABASE.name} d ON d.database_id = t.database_id AND d.{live}"
        f" ANTI JOIN {PARTITION.name} p ON p.part_id = o.part_id AND p.{live}"
    )
    if not cursor.rows(f"{stale} LIMIT 1"):
        return 0
    return cursor.execute(
        f"DELETE FROM {STREAM_OFFSET.name} o USING ({stale}) g"
        " WHERE g.stream_id = o.stream_id AND g.part_id = o.part_id"
    )


def move(cursor: Cursor, moves: Sequence[Move], now_ms: int) -> None:
    """Move offsets that still are what the reads started from; OFFSET_CONSUMED when one is not."""
    present = [move for move in moves if move.expected != ABSENT]
    if present and _delete(cursor, present) != len(present):
        raise _conflict(cursor, moves)
    absent = [move for move in moves if move.expected == ABSENT]
    if absent and _any_present(cursor, absent):
        raise _conflict(cursor, moves)
    rows = select([(move.stream_id, move.part_id, move.to, now_ms) for move in moves], ["BIGINT"] * 4)
    cursor.execute(f"INSERT INTO {STREAM_OFFSET.name} {rows}")


def _delete(cursor: Cursor, moves: Sequence[Move]) -> int:
    rows = [(move.stream_id, move.part_id, None if move.expected == PENDING else move.expected) for move in moves]
    values = relation(rows, ["BIGINT"] * 3)
    try:
        return cursor.execute(
            f"DELETE FROM {STREAM_OFFSET.name} o USING {values} m(stream_id, part_id, tso)"
            " WHERE o.stream_id = m.stream_id AND o.part_id = m.part_id AND o.tso IS NOT DISTINCT FROM m.tso"
        )
    except DorisError as error:
        if is_conflict(error):  # a second net: our locks exclude it
            raise _error(moves[0], "another transaction") from error
        raise


def _any_present(cursor: Cursor, moves: Sequence[Move]) -> bool:
    values = relation([(move.stream_id, move.part_id) for move in moves], ["BIGINT"] * 2)
    return bool(
        cursor.rows(
            f"SELECT 1 FROM {STREAM_OFFSET.name} o JOIN {values} m(stream_id, part_id)"
            " ON o.stream_id = m.stream_id AND o.part_id = m.part_id LIMIT 1"
        )
    )


def _found(cursor: Cursor, move: Move) -> int:
    rows = cursor.rows(
        f"SELECT coalesce(tso, {PENDING}) FROM {STREAM_OFFSET.name} WHERE stream_id = ? AND part_id = ?",
        (move.stream_id, move.part_id),
    )
    found = rows[0][0] if rows else ABSENT
    assert isinstance(found, int)
    return found


def _conflict(cursor: Cursor, moves: Sequence[Move]) -> DorisError:
    """The error that names the first offset which is not as expected; the deleted ones read as absent."""
    cursor.rollback()
    for move in moves:
        found = _found(cursor, move)
        if found != move.expected:
            return consumed(move, found)
    return _error(moves[0], "another transaction")


def consumed(move: Move, found: int) -> DorisError:
    """The error of a consumption that comes second: its offset is not what its read started from but `found`."""
    return _error(move, _word(found))


def _word(tso: int) -> str:
    return str(tso) if tso >= 0 else "N/A"


def _error(move: Move, found: str) -> DorisError:
    """Doris: <database>-<stream>-<partition id>-<old offset> vs <current offset>."""
    database, stream = move.names
    wanted = _word(move.expected)
    return OFFSET_CONSUMED(database=database, stream=stream, part=move.part_id, wanted=wanted, found=found)
