"""SHOW TABLES, STREAMS, TABLE STATUS, CREATE TABLE, PARTITIONS: what the databases hold.

Source: Doris: SHOW TABLES, SHOW TABLE STATUS, SHOW CREATE TABLE, SHOW PARTITIONS, SHOW STREAMS.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing

from sqlglot import exp

from sql.bind.name import (
    Named,
    check_catalog,
    current_database,
    find,
    is_system,
    only,
    resolve_database,
    resolve_table,
)
from sql.context import Context
from sql.ddl.partition import partition_columns
from sql.ddl.show_create import create_table as table_text
from sql.ddl.view import VIEW_COLUMNS, view_line
from sql.dialect.to_text import SECONDS
from sql.information_schema import names as system_tables
from sql.information_schema.partition import ALLOCATION, row_count, told
from sql.listing import listed, rows, words
from sql.privilege import Lister, require_database, seen_in
from sql.result import Result
from sql.statement import Call, handles
from storage.catalog.catalog import Catalog
from storage.catalog.model import Table, View
from storage.errors import SHOW_PARTITIONS_WHERE
from storage.reader import Reader
from storage.tso import to_ms
from storage.zone import local_time

Row = tuple[object, ...]


def database_of(call: Call[exp.Show]) -> str:
    """The database of SHOW … [FROM [internal.]db], by default the current one; it must exist, and the user see it."""
    catalog_name = call.node.args.get("catalog")
    check_catalog(catalog_name.name if catalog_name is not None else "")
    named = call.node.args.get("db")
    name: str = named.name if named is not None else current_database(call.context)
    if is_system(name):
        return name.lower()
    catalog = call.engine.database.catalog
    require_database(catalog, call.context, name)
    return resolve_database(catalog, name).name


def seen(call: Call[exp.Show], lister: Lister[Named], database: str) -> list[Named]:
    """The tables, views or streams of a database that the user sees, by name; none in the system databases."""
    catalog = call.engine.database.catalog
    return seen_in(catalog.database(database), lister, catalog, call.context)


@handles(exp.Show, "TABLES")
def show_tables(call: Call[exp.Show]) -> Result:
    """SHOW [FULL] TABLES [FROM db] [LIKE | WHERE]; streams are not among them."""
    database = database_of(call)
    content: list[Row] = [(table.name, "BASE TABLE", "V2", "V2") for table in seen(call, Catalog.tables_of, database)]
    content += _views(call, database)
    content.sort()
    if is_system(database):
        content = [(name, "SYSTEM VIEW", "NONE", "NONE") for name in system_tables(database)]
    return _typed(call, database, content)


def _typed(call: Call[exp.Show], database: str, content: list[Row]) -> Result:
    """Names, with FULL also what they are."""
    columns = (f"Tables_in_{database}", "Table_type", "Storage_format", "Inverted_index_storage_format")
    width = 4 if call.node.args.get("full") else 1
    return listed(call.node, columns[:width], [row[:width] for row in content])


@handles(exp.Show, "VIEWS")
def show_views(call: Call[exp.Show]) -> Result:
    """SHOW [FULL] VIEWS [FROM db] [LIKE | WHERE]."""
    database = database_of(call)
    return _typed(call, database, _views(call, database))


def _views(call: Call[exp.Show], database: str) -> list[Row]:
    return [(view.name, "VIEW", "NONE", "NONE") for view in seen(call, Catalog.views_of, database)]


@handles(exp.Show, "STREAMS")
def show_streams(call: Call[exp.Show]) -> Result:
    """SHOW STREAMS [FROM db] [LIKE | WHERE]."""
    database = database_of(call)
    streams = seen(call, Catalog.streams_of, database)
    return listed(call.node, (f"Tables_in_{database}",), [(stream.name,) for stream in streams])


@handles(exp.Show, "CREATE TABLE")
def show_create_table(call: Call[exp.Show]) -> Result:
    catalog, reference = call.engine.database.catalog, call.node.args["target"]
    found = find(catalog, reference, call.context)
    if isinstance(found, View):
        return rows(VIEW_COLUMNS, [view_line(found)])
    only(catalog, found, Table, "SHOW CREATE")
    table = resolve_table(catalog, reference, call.context)
    return rows(("Table", "Create Table"), [(table.name, table_text(table, catalog.databases[table.database_id]))])


_STATUS = words(
    "Name Engine Version Row_format Rows Avg_row_length Data_length Max_data_length Index_length Data_free "
    "Auto_increment Create_time Update_time Check_time Collation Checksum Create_options Comment"
)


@handles(exp.Show, "TABLE STATUS")
def show_table_status(call: Call[exp.Show]) -> Result:
    """SHOW TABLE STATUS [FROM db] [LIKE | WHERE]: tables and views."""
    database = database_of(call)
    with closing(call.engine.database.reader()) as reader:
        call.context.running(reader)
        catalog, context = reader.catalog, call.context
        entry = catalog.database(database)
        tables = list(seen_in(entry, Catalog.tables_of, catalog, context))
        counts = reader.row_counts(table.id for table in tables)
        content = [_status_row(context, table, counts) for table in tables]
    views = seen_in(entry, Catalog.views_of, catalog, context)
    content += [(view.name, "View", *(None,) * (len(_STATUS) - 3), view.comment) for view in views]
    return listed(call.node, _STATUS, sorted(content, key=lambda row: str(row[0])))


def _status_row(context: Context, table: Table, counts: Mapping[int, int]) -> Row:
    head = (table.name, "Doris", None, None, row_count(table, counts), 0, 0, None, None, None, None)
    return (*head, moment(context, table.created_ms), None, None, "utf-8", None, None, table.comment)


def moment(context: Context, unix_ms: int) -> str:
    """A moment as text in the session's time zone."""
    return f"{local_time(unix_ms, context.variables.zone):{SECONDS}}"


_PARTITIONS = words(
    "PartitionId PartitionName VisibleVersion VisibleVersionTime State PartitionKey Range DistributionKey Buckets "
    "ReplicationNum StorageMedium CooldownTime RemoteStoragePolicy LastConsistencyCheckTime DataSize IsInMemory "
    "ReplicaAllocation IsMutable SyncWithBaseTables UnsyncTables CommittedVersion RowCount"
)
_PARTITION_FILTERS = frozenset(
    ("partitionid", "partitionname", "state", "buckets", "replicationnum", "lastconsistencychecktime")
)


@handles(exp.Show, "PARTITIONS", "TEMPORARY PARTITIONS")
def show_partitions(call: Call[exp.Show]) -> Result:
    """SHOW [TEMPORARY] PARTITIONS FROM t [WHERE] [ORDER BY] [LIMIT].

    VisibleVersion counts the partition's writes from 2 on.
    """
    where = call.node.args.get("where")
    columns = where.find_all(exp.Column) if where is not None else ()
    if any(column.name.lower() not in _PARTITION_FILTERS for column in columns):
        raise SHOW_PARTITIONS_WHERE()
    with closing(call.engine.database.reader()) as reader:
        call.context.running(reader)
        table = resolve_table(reader.catalog, call.node.args["target"], call.context)
        temporary = call.node.name.upper().startswith("TEMPORARY")
        content = list(_partition_rows(call.context, table, reader, temporary))
    return listed(call.node, _PARTITIONS, content, like=1)


def _partition_rows(context: Context, table: Table, reader: Reader, temporary: bool) -> Iterator[Row]:
    keys = ", ".join(column.name for column in partition_columns(table))
    spread = table.distribution
    over = ", ".join(spread.columns) if spread is not None and spread.columns else "RANDOM"
    for item in told(reader, table, temporary):
        version = item.latest.version
        at = moment(context, to_ms(item.latest.tso))
        head = (item.part.id, item.part.name, version, at, "NORMAL", keys, item.described, over, item.buckets)
        middle = (item.replicas, item.medium, "9999-12-31 23:59:59", "", None, "0.000", False)
        yield (*head, *middle, ALLOCATION, True, True, "\\N", version, item.rows)
