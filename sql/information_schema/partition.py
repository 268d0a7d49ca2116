"""What is told of partitions: the system table `partitions`, and `told` for it and for SHOW PARTITIONS.

Source: Doris: information_schema, SHOW PARTITIONS.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sql.ddl.distribution import buckets
from sql.ddl.partition import in_order, partition_columns, range_text
from sql.information_schema.table import Request, Row, system
from storage.catalog.catalog import Catalog
from storage.catalog.model import Partition, Table
from storage.reader import PartVersion, Reader
from storage.tso import to_ms

ALLOCATION = "tag.location.default: 1"


@dataclass(frozen=True, slots=True)
class Told:
    """A partition with its latest commit, its rows, and what its own properties or the table's say."""

    part: Partition
    latest: PartVersion
    rows: int
    described: str
    buckets: int
    replicas: str
    medium: str


def row_count(table: Table, counts: Mapping[int, int]) -> int:
    """The rows of a table, of `Reader.row_counts`: dropped and temporary partitions are no part of it."""
    return sum(counts.get(part.id, 0) for part in table.visible_partitions)


def told(reader: Reader, table: Table, temporary: bool = False) -> Iterator[Told]:
    """The visible (or the temporary) partitions of a table in their order."""
    columns, counts, versions = partition_columns(table), reader.row_counts([table.id]), reader.versions(table.id)
    for part in in_order(table, temporary):
        own = dict(part.properties)
        yield Told(
            part,
            versions.get(part.id, PartVersion(part.created_tso, 1)),
            counts.get(part.id, 0),
            range_text(part, columns),
            part.buckets or buckets(table),
            own.get("replication_num", "1"),
            own.get("storage_medium", table.property("storage_medium") or "HDD").upper(),
        )


@system(
    "partitions",
    "PARTITION_ID bigint, TABLE_CATALOG, TABLE_SCHEMA varchar64, TABLE_NAME varchar64, PARTITION_NAME varchar64,"
    "SUBPARTITION_NAME varchar64, PARTITION_ORDINAL_POSITION int, SUBPARTITION_ORDINAL_POSITION int,"
    "PARTITION_METHOD varchar16, SUBPARTITION_METHOD varchar16, PARTITION_EXPRESSION varchar2048,"
    "SUBPARTITION_EXPRESSION varchar2048, PARTITION_DESCRIPTION text, TABLE_ROWS bigint, AVG_ROW_LENGTH bigint,"
    "DATA_LENGTH bigint, MAX_DATA_LENGTH bigint, INDEX_LENGTH bigint, DATA_FREE bigint, CREATE_TIME datetime,"
    "UPDATE_TIME datetime, CHECK_TIME datetime, CHECKSUM bigint, PARTITION_COMMENT text, NODEGROUP varchar256,"
    "TABLESPACE_NAME varchar256, LOCAL_DATA_SIZE text, REMOTE_DATA_SIZE text, STATE text, REPLICA_ALLOCATION text,"
    "REPLICA_NUM int, STORAGE_POLICY text, STORAGE_MEDIUM text, COOLDOWN_TIME_MS text,"
    "LAST_CONSISTENCY_CHECK_TIME text, BUCKET_NUM int, COMMITTED_VERSION bigint, VISIBLE_VERSION bigint,"
    "PARTITION_KEY text, RANGE text, DISTRIBUTION text",
)
def partitions(request: Request) -> Iterator[Row]:
    for database, found in request.seen(Catalog.tables_of):
        method = found.partitioning.kind if found.partitioning else "UNPARTITIONED"
        distribution = found.distribution.kind if found.distribution else "RANDOM"
        expression = ", ".join(column.name for column in partition_columns(found))
        for ordinal, item in enumerate(told(request.reader, found), 1):
            version = item.latest.version
            head = (item.part.id, "internal", database, found.name, item.part.name, None, ordinal, None)
            middle = (method, None, expression, None, item.described, item.rows, *(None,) * 5)
            times = (request.moment(to_ms(item.part.created_tso)), None, None, None, "", None, None)
            state = ("0.000", "0.000", "NORMAL", ALLOCATION, int(item.replicas), "", item.medium, "", "")
            tail = (item.buckets, version, version, expression, item.described, distribution)
            yield (*head, *middle, *times, *state, *tail)
