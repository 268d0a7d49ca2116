"""information_schema.table_streams and table_stream_consumption (Doris: Table Stream, system tables)."""

from __future__ import annotations

from collections.abc import Iterator

from sql.information_schema.table import Request, Row, system
from storage.catalog.catalog import Catalog
from storage.catalog.model import Stream, Table

_NONE = "N/A"


@system(
    "table_streams",
    "DB_NAME varchar64, STREAM_NAME varchar64, STREAM_ID bigint, STREAM_TYPE varchar64, CONSUME_TYPE varchar64,"
    "STREAM_COMMENT text, BASE_TABLE_NAME varchar64, BASE_TABLE_DB varchar64, BASE_TABLE_CTL varchar64,"
    "BASE_TABLE_TYPE varchar64, ENABLED boolean, IS_STALE boolean, STALE_REASON text",
)
def table_streams(request: Request) -> Iterator[Row]:
    """One row per stream; a stream is stale when its base table is gone, never by age of its offset."""
    catalog = request.reader.catalog
    for database, stream in request.seen(Catalog.streams_of):
        head = (database, stream.name, stream.id, "OLAP_TABLE_STREAM", stream.type.value, stream.comment)
        yield (*head, *_base(catalog, stream))


def _base(catalog: Catalog, stream: Stream) -> Row:
    base = catalog.live_table(stream.base_id)
    if base is None:
        return (_NONE, _NONE, _NONE, _NONE, False, True, "Base table does not exist")
    return (base.name, catalog.databases[base.database_id].name, "internal", "OLAP", True, False, _NONE)


@system(
    "table_stream_consumption",
    "DB_NAME varchar64, STREAM_NAME varchar64, STREAM_ID bigint, UNIT varchar64, CONSUMPTION_STATUS varchar64,"
    "LAG varchar64, LAST_CONSUMPTION_TIME bigint",
)
def table_stream_consumption(request: Request) -> str:
    """One row per stream and partition of its live base table, in order; cheap with many partitions, as one join.

    An offset row with tso NULL is a pending initial image, no row an offset that was never set: both print N/A.
    """
    streams = list(_readable(request))
    ids = ", ".join(str(stream.id) for stream, _ in streams) or "NULL"
    hidden = {part.id for _, base in streams for part in base.temporary_partitions}
    shown = f" AND p.part_id NOT IN ({', '.join(map(str, sorted(hidden)))})" if hidden else ""
    return f"""
        SELECT d.name AS DB_NAME, s.name AS STREAM_NAME, s.stream_id AS STREAM_ID, p.name AS UNIT,
            coalesce(CAST(o.tso AS VARCHAR), '{_NONE}') AS CONSUMPTION_STATUS,
            CASE WHEN coalesce(v.tso, 0) = 0 THEN '0' WHEN o.tso IS NULL THEN '{_NONE}'
                ELSE CAST(v.tso - o.tso AS VARCHAR) END AS LAG,
            coalesce(o.consumed_ms, -1) AS LAST_CONSUMPTION_TIME
        FROM sys_stream s
        JOIN sys_database d ON d.database_id = s.database_id
        JOIN sys_partition p ON p.table_id = s.base_id AND p.dropped_at IS NULL{shown}
        LEFT JOIN sys_stream_offset o ON o.stream_id = s.stream_id AND o.part_id = p.part_id
        LEFT JOIN part_version v ON v.part_id = p.part_id
        WHERE s.stream_id IN ({ids})
        ORDER BY s.stream_id, p.part_id"""


def _readable(request: Request) -> Iterator[tuple[Stream, Table]]:
    """The streams that the user sees and whose base table lives, with that table."""
    catalog = request.reader.catalog
    for _, stream in request.seen(Catalog.streams_of):
        base = catalog.live_table(stream.base_id)
        if base is not None:
            yield stream, base
