"""System tables of the server and the session: variables, processes, engines, character sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sql.context import Context, Process
from sql.information_schema.table import Request, Row, system
from sql.privilege import may
from sql.variable import Scope
from storage.catalog.account import ADMIN
from storage.catalog.catalog import Catalog

_VARIABLE = "VARIABLE_NAME varchar64, VARIABLE_VALUE varchar2048, DEFAULT_VALUE varchar2048, CHANGED varchar3"

CHARSETS: tuple[Row, ...] = (("utf8mb4", "utf8mb4_0900_bin", "UTF-8 Unicode", 4),)
COLLATIONS: tuple[Row, ...] = (
    ("utf8mb4_0900_bin", "utf8mb4", 309, "Yes", "Yes", 1),
    ("utf8mb4_general_ci", "utf8mb4", 45, "", "Yes", 1),
    ("utf8mb4_0900_ai_ci", "utf8mb4", 255, "", "Yes", 1),
    ("utf8mb4_bin", "utf8mb4", 46, "", "Yes", 1),
    ("utf8mb3_general_ci", "utf8mb3", 33, "", "Yes", 1),
)
ENGINES: tuple[Row, ...] = (
    ("Olap", "YES", "Default storage engine of Doris", "NO", "NO", "NO"),
    ("MySQL", "NO", "MySQL server which data is in it", "NO", "NO", "NO"),
)


def variable_rows(request: Request, scope: Scope) -> Iterator[Row]:
    """Name, value, default, and whether it was changed (1 or 0)."""
    for row in request.context.variables.listing(scope):
        yield row.name, row.value, row.default, str(int(row.changed))


@system("session_variables", _VARIABLE)
def session_variables(request: Request) -> Iterable[Row]:
    return variable_rows(request, "SESSION")


@system("global_variables", _VARIABLE)
def global_variables(request: Request) -> Iterable[Row]:
    return variable_rows(request, "GLOBAL")


@system("session_status", "VARIABLE_NAME varchar64, VARIABLE_VALUE varchar2048")
def session_status(request: Request) -> Iterable[Row]:
    return ()


@system("global_status", "VARIABLE_NAME varchar64, VARIABLE_VALUE varchar2048")
def global_status(request: Request) -> Iterable[Row]:
    return ()


def visible(processes: Iterable[Process], catalog: Catalog, context: Context) -> Iterator[Process]:
    """The connections that this user may see: all for an administrator, else the own ones."""
    administrator = may(catalog, context, ADMIN)
    return (process for process in processes if administrator or process.user == context.user)


@system(
    "processlist",
    "CURRENT_CONNECTED varchar16, ID bigint, USER varchar32, HOST varchar256, LOGIN_TIME datetime, CATALOG varchar64,"
    "DB varchar64, COMMAND varchar16, TIME int, STATE varchar64, QUERY_ID varchar256, INFO text, FE varchar64,"
    "CLOUD_CLUSTER varchar64",
)
def processlist(request: Request) -> Iterator[Row]:
    for process in visible(request.engine.sessions.processes(), request.reader.catalog, request.context):
        yield (
            "Yes" if process.id == request.context.connection_id else "No",
            process.id,
            process.user,
            process.host,
            request.moment(process.login_ms),
            "internal",
            process.database,
            process.command,
            process.seconds,
            process.state,
            process.query_id,
            process.info,
            "127.0.0.1",
            None,
        )


@system(
    "engines",
    "ENGINE varchar64, SUPPORT varchar8, COMMENT varchar80, TRANSACTIONS varchar3, XA varchar3, SAVEPOINTS varchar3",
)
def engines(request: Request) -> Iterable[Row]:
    return ENGINES


@system(
    "character_sets",
    "CHARACTER_SET_NAME varchar64, DEFAULT_COLLATE_NAME varchar64, DESCRIPTION varchar64, MAXLEN bigint",
)
def character_sets(request: Request) -> Iterable[Row]:
    return CHARSETS


@system(
    "collations",
    "COLLATION_NAME varchar64, CHARACTER_SET_NAME varchar64, ID bigint, IS_DEFAULT varchar8, IS_COMPILED varchar8,"
    "SORTLEN bigint",
)
def collations(request: Request) -> Iterable[Row]:
    return COLLATIONS
