"""AUTO PARTITION: which partitions rows need that have none, and the table with them.

A key names the partition that a row wants: the beginning of its range, or its values, as canonical texts. Rows
are counted elsewhere (sql/ingest/auto_partition.py). Pure. Source: Doris: Auto partitioning; names as Doris makes
them (apache/doris: PartitionExprUtil).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sql.ddl.date_step import compact, moved, read, spelled
from sql.ddl.partition import Stamp, partition_columns, taken
from storage.catalog.model import Bound, Partition, Table, partition_key
from storage.errors import AUTO_COUNT, PARTITION_VALUE, TABLE_CHANGED

Key = tuple[str | None, ...]

LONGEST_NAME = 50


def wanted(table: Table, keys: Iterable[Key], stamp: Stamp, limit: int) -> tuple[Partition, ...]:
    """The new partitions of these keys; raises AUTO_COUNT beyond `limit` partitions of the table."""
    assert table.partitioning is not None
    make = _range if table.partitioning.kind == "RANGE" else _list
    parts = tuple(make(table, key, stamp) for key in sorted(set(keys), key=repr))
    count = len(table.visible_partitions) + len(parts)
    if count > limit:
        raise AUTO_COUNT(table=table.name, count=count, limit=limit)
    return _with_free_names(table, parts)


def _range(table: Table, key: Key, stamp: Stamp) -> Partition:
    """The unit of the calendar that begins at the key; behind the last year there is MAXVALUE."""
    column, unit = partition_columns(table)[0], str(table.partitioning.unit if table.partitioning else "").upper()
    begin = read(key[0] or "")
    if begin is None:
        raise PARTITION_VALUE(value=key[0], name=column.name)
    end = moved(begin, unit, 1)
    low, high = spelled(begin, column.type), None if end is None else spelled(end, column.type)
    name = f"p{compact(begin, 'DAY')}{begin:%H%M%S}"
    return Partition(stamp.take_id(), name, Bound((low,)), Bound((high,)), created_tso=stamp.tso)


def _list(table: Table, key: Key, stamp: Stamp) -> Partition:
    return Partition(stamp.take_id(), list_name(key), created_tso=stamp.tso, values=(key,))


def list_name(key: Key) -> str:
    """``p`` and each value with its length, X for NULL: ``pOslo4``; what is no letter or digit becomes its code.

    Doris counts and walks UTF-16 units: a character beyond U+FFFF has length 2, and its second half follows its code.
    """
    joined = "".join("X" if value is None else f"{value}{len(value.encode('utf-16-le')) // 2}" for value in key)
    name = f"p{'_' if joined.startswith('-') else ''}{''.join(map(_coded, joined))}"
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[:LONGEST_NAME]}_{_hash(name):x}"


def _coded(char: str) -> str:
    if char.isascii() and char.isalnum():
        return char
    code = ord(char)
    return f"{code:x}" if code <= 0xFFFF else f"{code:x}{0xDC00 | code & 0x3FF:x}"


def _hash(name: str) -> int:
    """A 32-bit hash of the whole name, so that two long values keep apart."""
    number = 0
    for char in name:
        number = (31 * number + ord(char)) & 0xFFFFFFFF
    return number


def _with_free_names(table: Table, parts: Iterable[Partition]) -> tuple[Partition, ...]:
    """Two different values may spell the same name, and somebody may have taken one: then a number follows."""
    names = {part.key for part in (*table.visible_partitions, *table.temporary_partitions)}
    found = []
    for part in parts:
        name, number = part.name, 1
        while partition_key(name) in names:
            number += 1
            name = f"{part.name}_{number}"
        names.add(partition_key(name))
        found.append(replace(part, name=name))
    return tuple(found)


def added(table: Table, parts: Iterable[Partition]) -> Table:
    """The table with these partitions, but for those that somebody else has made in the meantime."""
    missing = [part for part in parts if holder(table, part) is None]
    if not missing:
        return table
    kind = table.partitioning.kind if table.partitioning else "RANGE"
    covered = taken(kind, table.visible_partitions, partition_columns(table))
    for part in _with_free_names(table, missing):
        covered.take(part)
        table = replace(table, partitions=(*table.partitions, part))
    return table


def holder(table: Table, wish: Partition) -> Partition | None:
    """The visible partition that takes the rows of `wish`."""
    for part in table.visible_partitions:
        if part.id == wish.id or (wish.values is None and (part.lo, part.hi) == (wish.lo, wish.hi)):
            return part
        if wish.values is not None and wish.values[0] in (part.values or ()):
            return part
    return None


def settled(table: Table, parts: Iterable[Partition]) -> dict[int, int]:
    """The final partition of each provisional one by id; TABLE_CHANGED when one is not there."""
    found = {}
    for part in parts:
        home = holder(table, part)
        if home is None:
            raise TABLE_CHANGED(table=table.name)
        found[part.id] = home.id
    return found
