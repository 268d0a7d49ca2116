"""The server as one FE and one BE: nodes, configuration, compaction, processes, KILL, engines, character sets.

Source: Doris: ADMIN SET FRONTEND CONFIG, ADMIN COMPACT TABLE, SHOW FRONTEND CONFIG, SHOW FRONTENDS, SHOW BACKENDS,
KILL.
"""

from __future__ import annotations

from sqlglot import exp

from sql.bind.name import resolve_table
from sql.dialect import node
from sql.dialect.clause import pairs
from sql.information_schema.session import CHARSETS, COLLATIONS, ENGINES, visible
from sql.listing import listed, words
from sql.privilege import may
from sql.result import Done, Result
from sql.rewrite.table import chosen_partitions
from sql.statement import Call, handles
from sql.statement.show import moment
from storage.catalog.account import ADMIN
from storage.config import HTTP_PORT, QUERY_PORT
from storage.errors import COMPACTION_TYPE, CONFIG_PAIRS, NOT_OWNER_OF_THREAD, UNKNOWN_THREAD
from storage.tso import to_ms
from storage.work import Sort, Work

_HOST = "127.0.0.1"
_NODE_ID = 10001

_FRONTENDS = words(
    "Name Host EditLogPort HttpPort QueryPort RpcPort ArrowFlightSqlPort Role IsMaster ClusterId Join Alive "
    "ReplayedJournalId LastStartTime LastHeartbeat IsHelper ErrMsg Version CurrentConnected"
)
_BACKENDS = words(
    "BackendId Host HeartbeatPort BePort HttpPort BrpcPort ArrowFlightSqlPort LastStartTime LastHeartbeat Alive "
    "SystemDecommissioned TabletNum DataUsedCapacity TrashUsedCapacity AvailCapacity TotalCapacity UsedPct "
    "MaxDiskUsedPct RemoteUsedCapacity Tag ErrMsg Version Status HeartbeatFailureCounter NodeRole"
)


def _version(call: Call[exp.Show]) -> str:
    return call.context.variables.text("version_comment").removeprefix("Doris version ")


def _now(call: Call[exp.Show]) -> str:
    return moment(call.context, to_ms(call.engine.database.reference_tso()))


@handles(exp.Show, "FRONTENDS")
def show_frontends(call: Call[exp.Show]) -> Result:
    config, now = call.engine.config, _now(call)
    ports = (-1, config[HTTP_PORT], config[QUERY_PORT], -1, -1)
    state = ("FOLLOWER", True, 1, True, True, call.engine.database.catalog.version, now, now, True)
    return listed(call.node, _FRONTENDS, [("fe_1", _HOST, *ports, *state, "", _version(call), "Yes")])


@handles(exp.Show, "BACKENDS")
def show_backends(call: Call[exp.Show]) -> Result:
    """One backend: this process; capacities are not measured."""
    now = _now(call)
    parts = sum(len(table.visible_partitions) for table in call.engine.database.catalog.tables.values())
    ports = (-1, -1, call.engine.config[HTTP_PORT], -1, -1)
    sizes = (parts, "0.000", "0.000", "1.000 B", "1.000 B", "0.00 %", "0.00 %", "0.000")
    tail = ('{"location" : "default"}', "", _version(call), "{}", 0, "mix")
    return listed(call.node, _BACKENDS, [(_NODE_ID, _HOST, *ports, now, now, True, False, *sizes, *tail)])


@handles(exp.Show, "FRONTEND CONFIG")
def show_frontend_config(call: Call[exp.Show]) -> Result:
    """[ADMIN] SHOW FRONTEND CONFIG [LIKE]."""
    columns = ("Key", "Value", "Type", "IsMutable", "MasterOnly", "Comment")
    return listed(call.node, columns, call.engine.config.rows(), sensitive=False)


@handles(node.AdminCompactTable)
def admin_compact_table(call: Call[node.AdminCompactTable]) -> Result:
    """Sort the rows of a Unique Key table by key now, as the background would later; other tables have nothing to do.

    The whole table, whatever the partitions and the kind of compaction: both only choose how much Doris merges.
    """
    kind = call.node.args["kind"].name
    if kind.upper() not in ("BASE", "CUMULATIVE"):
        raise COMPACTION_TYPE(type=kind)
    database = call.engine.database
    table = resolve_table(database.catalog, call.node.this, call.context)
    chosen_partitions(table, call.node)
    if table.is_unique:
        database.apply(Work(sorts=(Sort(table.id),)), call.context)
    return Done()


@handles(node.AdminSetConfig)
def admin_set_config(call: Call[node.AdminSetConfig]) -> Result:
    """ADMIN SET FRONTEND CONFIG ("k" = "v"): exactly one mutable key, until restart."""
    given = pairs(call.node.args["properties"])
    if len(given) != 1:
        raise CONFIG_PAIRS()
    call.engine.config.set(*given[0])
    return Done()


@handles(node.KillStatement)
def kill(call: Call[node.KillStatement]) -> Result:
    """KILL [CONNECTION] n, KILL QUERY n | 'query id'; others' connections only by an administrator."""
    target, query_only = call.node.this, call.node.args["kind"] == "QUERY"
    sessions, query_id = call.engine.sessions, target.name if target.is_string else ""
    wanted = sessions.find_query(query_id) if target.is_string else int(target.name)
    if wanted is None:
        raise UNKNOWN_THREAD(id=query_id)
    owner = next((process.user for process in sessions.processes() if process.id == wanted), None)
    if owner is not None and owner != call.context.user and not may(call.engine.database.catalog, call.context, ADMIN):
        raise NOT_OWNER_OF_THREAD(id=wanted)
    sessions.kill(wanted, query_only, query_id)
    return Done()


_PROCESS_INFO = 100  # characters of the statement without FULL


@handles(exp.Show, "PROCESSLIST")
def show_processlist(call: Call[exp.Show]) -> Result:
    columns = words(
        "CurrentConnected Id User Host LoginTime Catalog Db Command Time State QueryId Info FE CloudCluster"
    )
    full = bool(call.node.args.get("full"))
    content = []
    for process in visible(call.engine.sessions.processes(), call.engine.database.catalog, call.context):
        own = "Yes" if process.id == call.context.connection_id else "No"
        head = (own, process.id, process.user, process.host, moment(call.context, process.login_ms), "internal")
        info = process.info if full or process.info is None else process.info[:_PROCESS_INFO]
        state = (process.database, process.command, process.seconds, process.state, process.query_id, info)
        content.append((*head, *state, _HOST, None))
    return listed(call.node, columns, content)


@handles(exp.Show, "WARNINGS", "ERRORS")
def show_warnings(call: Call[exp.Show]) -> Result:
    return listed(call.node, ("Level", "Code", "Message"), list(call.context.warnings))


@handles(exp.Show, "COUNT(*) WARNINGS")
def count_warnings(call: Call[exp.Show]) -> Result:
    return listed(call.node, ("@@session.warning_count",), [(len(call.context.warnings),)])


@handles(exp.Show, "COUNT(*) ERRORS")
def count_errors(call: Call[exp.Show]) -> Result:
    return listed(call.node, ("@@session.error_count",), [(0,)])


@handles(exp.Show, "ENGINES")
def show_engines(call: Call[exp.Show]) -> Result:
    return listed(call.node, ("Engine", "Support", "Comment", "Transactions", "XA", "Savepoints"), ENGINES)


@handles(exp.Show, "CHARACTER SET")
def show_character_set(call: Call[exp.Show]) -> Result:
    content = [(name, words, collation, size) for name, collation, words, size in CHARSETS]
    return listed(call.node, ("Charset", "Description", "Default collation", "Maxlen"), content)


@handles(exp.Show, "COLLATION")
def show_collation(call: Call[exp.Show]) -> Result:
    return listed(call.node, ("Collation", "Charset", "Id", "Default", "Compiled", "Sortlen"), COLLATIONS)
