"""The SHOW statements that have nothing to show here, with the columns that tools expect.

A table, no code: nothing of these kinds exists in this server (MySQL: events, triggers, plugins …).
"""

from __future__ import annotations

from sqlglot import exp

from sql.listing import listed, words
from sql.result import Result
from sql.statement import Call, handles, kind_of
from sql.statement.show import database_of

_CLIENT = "character_set_client collation_connection"
_ROUTINE = f"Db Name Type Definer Modified Created Security_type Comment {_CLIENT} Database_Collation"

COLUMNS: dict[str, str] = {
    "TRIGGERS": f"Trigger Event Table Statement Timing Created sql_mode Definer {_CLIENT} Database_Collation",
    "EVENTS": (
        "Db Name Definer Time_zone Type Execute_at Interval_value Interval_field Starts Ends Status Originator "
        f"{_CLIENT} Database_Collation"
    ),
    "PROCEDURE STATUS": _ROUTINE,
    "FUNCTION STATUS": _ROUTINE,
    "PLUGINS": "Name Status Type Library License",
    "OPEN TABLES": "Database Table In_use Name_locked",
    "FUNCTIONS": "Function_Name",
    "GLOBAL FUNCTIONS": "Function_Name",
    "BROKER": "Name Host Port Alive LastStartTime LastUpdateTime ErrMsg",
    "RESOURCES": "Name ResourceType Item Value",
    "REPOSITORIES": "RepoId RepoName CreateTime IsReadOnly Location Broker Type ErrMsg",
}


_FULL_FUNCTIONS = ("Signature", "Return Type", "Function Type", "Intermediate Type", "Properties")


@handles(exp.Show, *COLUMNS)
def show_nothing(call: Call[exp.Show]) -> Result:
    """Nothing, of a database that must exist if it is named."""
    kind = kind_of(call.node) or ""
    if call.node.args.get("db") is not None:
        database_of(call)
    is_full = kind == "FUNCTIONS" and call.node.args.get("full")
    return listed(call.node, _FULL_FUNCTIONS if is_full else words(COLUMNS[kind]), ())
