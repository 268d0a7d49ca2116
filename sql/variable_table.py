"""The table of session and global variables: name, type by its default, reach, allowed values, effect in words.

Data, and how a time zone is read. What a value does is the business of its readers; `effect` names it.
Source: Doris documentation, "Variables"; MySQL's names for drivers.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from sql.accepted_variable import ACCEPTED
from sql.mysql_variable import MYSQL
from storage.errors import NEW_KEY_BEHAVIOR, UNKNOWN_TIME_ZONE, UPDATE_MODE, WRONG_VARIABLE_VALUE, Kind
from storage.zone import system_zone, zone_name

Value = bool | int | float | str

MAX = (1 << 63) - 1


class Reach(Enum):
    """Where SET may change a variable."""

    BOTH = "session and global"
    GLOBAL = "only by SET GLOBAL"
    READ_ONLY = "never"


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable; the type of `default` is its type. `aliases` always change with it.

    `effect` says what it does, for docs/variables.md; a variable without one is only stored and shown.
    """

    name: str
    default: Value
    reach: Reach = Reach.BOTH
    low: float = -MAX - 1
    high: float = 2.0**64
    choices: tuple[str, ...] = ()
    is_list: bool = False
    aliases: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()  # choices that mean what is not built
    refusal: Kind = WRONG_VARIABLE_VALUE  # of a word that is none of the choices
    reads: Callable[[object], Value] | None = None  # what a value of SET becomes, where its type does not say it
    effect: str = ""


def _zone(value: object) -> str:
    zone = zone_name(str(value))
    if zone is None:
        raise UNKNOWN_TIME_ZONE(name=value)
    return zone


OTHER_SYNTAX = ("ANSI", "ANSI_QUOTES", "NO_BACKSLASH_ESCAPES")  # gives texts another meaning
SQL_MODES = (
    "ALLOW_INVALID_DATES",
    "ANSI",
    "ANSI_QUOTES",
    "DB2",
    "ERROR_FOR_DIVISION_BY_ZERO",
    "HIGH_NOT_PRECEDENCE",
    "IGNORE_SPACE",
    "MAXDB",
    "MSSQL",
    "MYSQL323",
    "MYSQL40",
    "NO_AUTO_CREATE_USER",
    "NO_AUTO_VALUE_ON_ZERO",
    "NO_BACKSLASH_ESCAPES",
    "NO_DIR_IN_CREATE",
    "NO_ENGINE_SUBSTITUTION",
    "NO_FIELD_OPTIONS",
    "NO_KEY_OPTIONS",
    "NO_TABLE_OPTIONS",
    "NO_UNSIGNED_SUBTRACTION",
    "NO_ZERO_DATE",
    "NO_ZERO_IN_DATE",
    "ONLY_FULL_GROUP_BY",
    "ORACLE",
    "PAD_CHAR_TO_FULL_LENGTH",
    "PIPES_AS_CONCAT",
    "POSTGRESQL",
    "REAL_AS_FLOAT",
    "STRICT_ALL_TABLES",
    "STRICT_TRANS_TABLES",
    "TIME_TRUNCATE_FRACTIONAL",
    "TRADITIONAL",
)

_READ_ONLY: dict[str, Value] = {
    "version": "5.7.99",
    "version_comment": "Doris version doris-5.0.0-dorisette",
    "version_compile_os": platform.system(),
    "version_compile_machine": platform.machine(),
    "license": "Apache License, Version 2.0",
    "hostname": platform.node(),
    "port": 9030,
    "protocol_version": 10,
    "server_id": 1,
    "language": "/palo/share/english/",
    "system_time_zone": system_zone(),
    "lower_case_table_names": 0,
    "lower_case_file_system": False,
    "have_ssl": "DISABLED",
    "have_openssl": "DISABLED",
    "have_query_cache": "NO",
    "have_profiling": "NO",
    "performance_schema": "OFF",
    "log_bin": False,
    "read_only": False,
    "super_read_only": False,
    "innodb_version": "5.7.99",
    "ssl_cipher": "",
    "socket": "",
}

_GLOBAL: dict[str, Value] = {
    "init_connect": "",
    "query_cache_size": 0,
    "query_cache_type": 0,
    "default_rowset_type": "beta",
    "default_password_lifetime": 0,
    "password_history": 0,
    "validate_password_policy": "NONE",
    "show_full_dbname_in_info_schema_db": False,
    "enable_audit_plugin": False,
    "audit_plugin_max_batch_interval_sec": 60,
    "audit_plugin_max_batch_bytes": 52428800,
    "audit_plugin_max_sql_length": 4096,
    "local_infile": False,
}

_INT = (1 << 31) - 1
_MODES = (
    "without ONLY_FULL_GROUP_BY a column outside of the groups has a value of its group, with PIPES_AS_CONCAT || joins"
    " texts; ANSI, ANSI_QUOTES and NO_BACKSLASH_ESCAPES are refused; the others do nothing"
)
_ISOLATION = ("READ-UNCOMMITTED", "READ-COMMITTED", "REPEATABLE-READ", "SERIALIZABLE")

# Each of these is read somewhere; tests/docs/test_reference.py compares.
_EFFECTIVE = (
    Variable("allow_partition_column_nullable", True, effect="columns of PARTITION BY RANGE may be nullable"),
    Variable("autocommit", True, effect="a flag in answers to drivers; outside BEGIN each statement commits itself"),
    Variable("block_encryption_mode", "", effect="the mode of AES_ENCRYPT and SM4_ENCRYPT; one of 128_ECB if empty"),
    Variable("cte_max_recursion_depth", 100, low=0, high=_INT, effect="rounds that a recursive CTE may take"),
    Variable("div_precision_increment", 4, low=0, high=30, effect="digits by which a DECIMAL quotient is longer"),
    Variable("enable_agg_state", False, effect="CREATE TABLE may have AGG_STATE columns"),
    Variable("enable_auto_create_when_overwrite", False, effect="INSERT OVERWRITE makes missing AUTO partitions"),
    Variable("enable_insert_strict", True, effect="INSERT fails at a bad value, else such rows are left out or NULL"),
    Variable("enable_strict_cast", False, effect="a CAST that does not fit is an error, else NULL"),
    Variable("enable_unique_key_partial_update", False, effect="INSERT keeps the columns that it does not name"),
    Variable(
        "insert_max_filter_ratio",
        1.0,
        low=0.0,
        high=1.0,
        effect="most bad rows of an INSERT that is not strict, as a share of all",
    ),
    Variable("insert_timeout", 14400, low=1, high=_INT, effect="seconds that INSERT, UPDATE and DELETE may take"),
    Variable("net_write_timeout", 600, effect="seconds a client may take to accept what is sent"),
    Variable(
        "partial_update_new_key_behavior",
        "APPEND",
        choices=("APPEND", "ERROR"),
        refusal=NEW_KEY_BEHAVIOR,
        effect="what a partial update does with keys that are not there",
    ),
    Variable("query_timeout", 900, low=1, high=_INT, effect="seconds that other statements may take"),
    Variable("require_sequence_in_insert", True, effect="INSERT must give the sequence column of a table that has one"),
    Variable("show_hidden_columns", False, effect="SELECT * and DESC show hidden columns"),
    Variable("sql_mode", "ONLY_FULL_GROUP_BY", choices=SQL_MODES, is_list=True, refused=OTHER_SYNTAX, effect=_MODES),
    Variable("sql_select_limit", MAX, low=-1, effect="most rows of a SELECT without LIMIT"),
    Variable("time_zone", system_zone(), reads=_zone, effect="the zone in which times are read and shown"),
    Variable(
        "unique_key_update_mode",
        "UPSERT",
        choices=("UPSERT", "UPDATE_FIXED_COLUMNS", "UPDATE_FLEXIBLE_COLUMNS"),
        refusal=UPDATE_MODE,
        effect="how INSERT treats columns that it does not name",
    ),
    Variable("wait_timeout", 28800, effect="seconds after which an idle connection is closed"),
)

# Their values are checked, and that is all.
_CHECKED = (
    Variable("tx_isolation", "REPEATABLE-READ", choices=_ISOLATION, aliases=("transaction_isolation",)),
    Variable("transaction_isolation", "REPEATABLE-READ", choices=_ISOLATION, aliases=("tx_isolation",)),
    Variable("tx_read_only", False, aliases=("transaction_read_only",)),
    Variable("transaction_read_only", False, aliases=("tx_read_only",)),
    Variable("group_commit", "off_mode", choices=("off_mode", "sync_mode", "async_mode")),
    Variable("analyze_timeout", 43200, low=1, high=_INT),
    Variable("default_order_by_limit", -1),
)


def _simple(values: dict[str, Value], reach: Reach) -> Iterator[Variable]:
    return (Variable(name, default, reach) for name, default in values.items())


def _table(*groups: Iterable[Variable]) -> dict[str, Variable]:
    return {variable.name: variable for group in groups for variable in group}


TABLE = _table(
    _simple(ACCEPTED, Reach.BOTH),
    _simple(MYSQL, Reach.BOTH),
    _simple(_GLOBAL, Reach.GLOBAL),
    _simple(_READ_ONLY, Reach.READ_ONLY),
    _CHECKED,
    _EFFECTIVE,
)
