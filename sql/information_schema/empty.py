"""MySQL's system tables that have no rows here (nor in Doris); they exist because tools join them."""

from __future__ import annotations

from sql.information_schema.table import empty

_NAMES = "CONSTRAINT_CATALOG, CONSTRAINT_SCHEMA varchar64, CONSTRAINT_NAME varchar64"
_CLIENT = "CHARACTER_SET_CLIENT varchar32, COLLATION_CONNECTION varchar32, DATABASE_COLLATION varchar32"

empty(
    "statistics",
    "TABLE_CATALOG, TABLE_SCHEMA varchar64, TABLE_NAME varchar64, NON_UNIQUE bigint, INDEX_SCHEMA varchar64,"
    "INDEX_NAME varchar64, SEQ_IN_INDEX bigint, COLUMN_NAME varchar64, COLLATION varchar1, CARDINALITY bigint,"
    "SUB_PART bigint, PACKED varchar16, NULLABLE varchar3, INDEX_TYPE varchar16, COMMENT varchar16,"
    "INDEX_COMMENT varchar2048",
)
empty(
    "key_column_usage",
    f"{_NAMES}, TABLE_CATALOG, TABLE_SCHEMA varchar64, TABLE_NAME varchar64, COLUMN_NAME varchar64,"
    "ORDINAL_POSITION bigint, POSITION_IN_UNIQUE_CONSTRAINT bigint, REFERENCED_TABLE_SCHEMA varchar64,"
    "REFERENCED_TABLE_NAME varchar64, REFERENCED_COLUMN_NAME varchar64",
)
empty(
    "referential_constraints",
    f"{_NAMES}, UNIQUE_CONSTRAINT_CATALOG, UNIQUE_CONSTRAINT_SCHEMA varchar64, UNIQUE_CONSTRAINT_NAME varchar64,"
    "MATCH_OPTION varchar64, UPDATE_RULE varchar64, DELETE_RULE varchar64, TABLE_NAME varchar64,"
    "REFERENCED_TABLE_NAME varchar64",
)
empty(
    "table_constraints",
    f"{_NAMES}, TABLE_SCHEMA varchar64, TABLE_NAME varchar64, CONSTRAINT_TYPE varchar64",
)
empty(
    "routines",
    "SPECIFIC_NAME varchar64, ROUTINE_CATALOG, ROUTINE_SCHEMA varchar64, ROUTINE_NAME varchar64,"
    "ROUTINE_TYPE varchar16, DTD_IDENTIFIER varchar80, ROUTINE_BODY varchar8, ROUTINE_DEFINITION text,"
    "EXTERNAL_NAME varchar64, EXTERNAL_LANGUAGE varchar64, PARAMETER_STYLE varchar8, IS_DETERMINISTIC varchar3,"
    "SQL_DATA_ACCESS varchar64, SQL_PATH varchar64, SECURITY_TYPE varchar8, CREATED datetime, LAST_ALTERED datetime,"
    f"SQL_MODE varchar512, ROUTINE_COMMENT varchar80, DEFINER varchar80, {_CLIENT}",
)
empty(
    "parameters",
    "SPECIFIC_CATALOG, SPECIFIC_SCHEMA varchar64, SPECIFIC_NAME varchar64, ORDINAL_POSITION int,"
    "PARAMETER_MODE varchar8, PARAMETER_NAME varchar64, DATA_TYPE varchar64, CHARACTER_MAXIMUM_LENGTH int,"
    "CHARACTER_OCTET_LENGTH int, NUMERIC_PRECISION int, NUMERIC_SCALE int, CHARACTER_SET_NAME varchar64,"
    "COLLATION_NAME varchar64, DTD_IDENTIFIER text, ROUTINE_TYPE varchar16",
)
empty(
    "triggers",
    "TRIGGER_CATALOG, TRIGGER_SCHEMA varchar64, TRIGGER_NAME varchar64, EVENT_MANIPULATION varchar8,"
    "EVENT_OBJECT_CATALOG, EVENT_OBJECT_SCHEMA varchar64, EVENT_OBJECT_TABLE varchar64, ACTION_ORDER bigint,"
    "ACTION_CONDITION text, ACTION_STATEMENT text, ACTION_ORIENTATION varchar16, ACTION_TIMING varchar8,"
    "ACTION_REFERENCE_OLD_TABLE varchar64, ACTION_REFERENCE_NEW_TABLE varchar64, ACTION_REFERENCE_OLD_ROW varchar3,"
    f"ACTION_REFERENCE_NEW_ROW varchar3, CREATED datetime, SQL_MODE varchar512, DEFINER varchar80, {_CLIENT}",
)
empty(
    "events",
    "EVENT_CATALOG, EVENT_SCHEMA varchar64, EVENT_NAME varchar64, DEFINER varchar80, TIME_ZONE varchar64,"
    "EVENT_BODY varchar8, EVENT_DEFINITION text, EVENT_TYPE varchar16, EXECUTE_AT datetime, INTERVAL_VALUE varchar256,"
    "INTERVAL_FIELD varchar32, SQL_MODE varchar512, STARTS datetime, ENDS datetime, STATUS varchar32,"
    f"ON_COMPLETION varchar16, CREATED datetime, LAST_ALTERED datetime, LAST_EXECUTED datetime,"
    f"EVENT_COMMENT varchar64, ORIGINATOR bigint, {_CLIENT}",
)
empty(
    "files",
    "FILE_ID bigint, FILE_NAME text, FILE_TYPE varchar256, TABLESPACE_NAME varchar256, TABLE_CATALOG,"
    "TABLE_SCHEMA text, TABLE_NAME text, LOGFILE_GROUP_NAME varchar256, LOGFILE_GROUP_NUMBER bigint,"
    "ENGINE varchar64, FULLTEXT_KEYS text, DELETED_ROWS text, UPDATE_COUNT text, FREE_EXTENTS bigint,"
    "TOTAL_EXTENTS bigint, EXTENT_SIZE bigint, INITIAL_SIZE bigint, MAXIMUM_SIZE bigint, AUTOEXTEND_SIZE bigint,"
    "CREATION_TIME text, LAST_UPDATE_TIME text, LAST_ACCESS_TIME text, RECOVER_TIME text, TRANSACTION_COUNTER text,"
    "VERSION bigint, ROW_FORMAT varchar256, TABLE_ROWS text, AVG_ROW_LENGTH text, DATA_LENGTH text,"
    "MAX_DATA_LENGTH text, INDEX_LENGTH text, DATA_FREE bigint, CREATE_TIME text, UPDATE_TIME text, CHECK_TIME text,"
    "CHECKSUM text, STATUS varchar256, EXTRA varchar256",
)
empty(
    "column_privileges",
    "GRANTEE varchar80, TABLE_CATALOG, TABLE_SCHEMA varchar64, TABLE_NAME varchar64, COLUMN_NAME varchar64,"
    "PRIVILEGE_TYPE varchar64, IS_GRANTABLE varchar3",
)
empty(
    "column_statistics",
    "TABLE_CATALOG, TABLE_SCHEMA varchar64, TABLE_NAME varchar64, COLUMN_NAME varchar64, HISTOGRAM text",
)
