"""Declare every error a client can see: MySQL code, SQLSTATE and Doris's words, each exactly once.

A `Kind` is called with the words of its template and returns the exception to raise:
``raise UNKNOWN_DATABASE(name="shop")``. The prefix ``errCode = 2, detailMessage = `` is not part
of any template; server/packet.py adds it to code 1105. This module imports nothing of the project.
"""

from __future__ import annotations

from dataclasses import dataclass


class DorisError(Exception):
    """An answer to the client that is not a result: code, SQLSTATE and message."""

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.code = kind.code
        self.sqlstate = kind.sqlstate
        self.message = message


@dataclass(frozen=True, slots=True)
class Kind:
    """One declared error; `template` uses the names its callers give."""

    code: int
    sqlstate: str
    template: str

    def __call__(self, **words: object) -> DorisError:
        return DorisError(self, self.template.format(**words))


def _general(template: str) -> Kind:
    """An analysis or run-time error of Doris: 1105 / HY000 (Doris: ErrorCode ERR_UNKNOWN_ERROR)."""
    return Kind(1105, "HY000", template)


# Connection and session (server-surface sections 5, 6, 8)
ACCESS_DENIED = Kind(1045, "28000", "Access denied for user '{user}@{host}' (using password: {used})")
DATABASE_DENIED = Kind(1044, "42000", "Access denied for user '{user}@{host}' to database '{name}'")
UNKNOWN_COMMAND = Kind(1047, "08S01", "Unknown command")
PACKET_TOO_LARGE = Kind(1153, "08S01", "Got a packet bigger than 'max_allowed_packet' bytes")
PACKETS_OUT_OF_ORDER = Kind(1156, "08S01", "Got packets out of order")
MALFORMED_PACKET = Kind(1835, "HY000", "Malformed communication packet")
INVALID_TEXT = Kind(1300, "HY000", "Invalid utf8mb4 character string: '{text}'")
BAD_HANDSHAKE = Kind(1043, "08S01", "Bad handshake")
LOCAL_INFILE_REFUSED = Kind(1148, "42000", "The used command is not allowed with this MySQL version")
TOO_MANY_CONNECTIONS = Kind(
    1203, "42000", "Reach limit of connections. Total: {total}, User: {user}, Current: {current}"
)
SERVER_SHUTDOWN = Kind(1053, "08S01", "Server shutdown in progress")
UNKNOWN_THREAD = Kind(1094, "HY000", "Unknown thread id: {id}")
NOT_OWNER_OF_THREAD = Kind(1095, "HY000", "You are not owner of thread {id}")
INTERRUPTED = Kind(1317, "70100", "Query execution was interrupted")
QUERY_TIMEOUT = _general("query timeout after {seconds} s (query_timeout)")
UNKNOWN_VARIABLE = Kind(1193, "HY000", "Unknown system variable '{name}'")
GLOBAL_VARIABLE = Kind(1229, "HY000", "Variable '{name}' is a GLOBAL variable and should be set with SET GLOBAL")
WRONG_VARIABLE_VALUE = Kind(1231, "42000", "Variable '{name}' can't be set to the value of '{value}'")
WRONG_VARIABLE_TYPE = Kind(1232, "42000", "Incorrect argument type to variable '{name}'")
READ_ONLY_VARIABLE = Kind(1621, "HY000", "Variable '{name}' is a read only variable")
UNKNOWN_CHARSET = Kind(1115, "42000", "Unknown character set: '{name}'")
UNKNOWN_TIME_ZONE = Kind(1298, "HY000", "Unknown or incorrect time zone: '{name}'")

# Names (server-surface section 8)
NO_DATABASE = Kind(1046, "3D000", "No database selected")
DATABASE_EXISTS = Kind(1007, "HY000", "Can't create database '{name}'; database exists")
DATABASE_MISSING = Kind(1008, "HY000", "Can't drop database '{name}'; database doesn't exist")
UNKNOWN_DATABASE = Kind(1049, "42000", "Unknown database '{name}'")
TABLE_EXISTS = Kind(1050, "42S01", "Table '{name}' already exists")
UNKNOWN_TABLE = Kind(1051, "42S02", "Unknown table '{name}'")
NO_SUCH_TABLE = Kind(1146, "42S02", "Table '{name}' doesn't exist")
DUPLICATE_COLUMN = Kind(1060, "42S21", "Duplicate column name '{name}'")
TABLE_NOT_FOUND = _general("Table [{table}] does not exist in database [{database}].")
UNKNOWN_COLUMN = _general("Unknown column '{name}' in '{place}'")
AMBIGUOUS_COLUMN = _general("Column '{name}' in '{place}' is ambiguous")
UNKNOWN_CATALOG = _general("Unknown catalog '{name}'")
UNKNOWN_FUNCTION = _general("Can not found function '{name}'")

# Statements
SYNTAX_ERROR = _general("Syntax error in line {line}, column {column}: {reason}")
NOT_SUPPORTED_YET = _general("{what} is not supported yet")
NOT_SUPPORTED = _general("{what} is not supported")
INTERNAL_ERROR = _general("internal error, see fe.log for query id {query_id}")
STORAGE_FAILURE = _general("{reason}")
EXECUTION_FAILED = _general("{reason}")

# Reading and consuming change data (table-stream sections 5 and 10, changelog section 8)
OFFSET_CONSUMED = _general("target offset already consumed: {database}-{stream}-{part}-{wanted} vs {found}")
OFFSET_EXPIRED = _general("Changelog offset has expired according to changelog.ttl_seconds{detail}")
UNKNOWN_BASE_TABLE = _general("Unknown base table '{name}' of stream {stream}")
STREAM_IS_READ_ONLY = _general("Stream {name} can not be the target of {statement}, a table stream is read only")
CONSUME_SWITCHED_OFF = _general(
    "Insert plan with Table stream failed. should enable enable_feature_changelog feature in FE config."
)
INTERNAL_STREAM = _general("Stream {name} is internal, it can not be used in INSERT INTO")
STREAM_CLAUSE = _general("{clause} is not supported on table stream {name}")
CHANGELOG_PROPERTY = _general("'{key}' is invalid property")
CHANGELOG_TABLE_REQUIRED = _general("'table' is required for changelog")
CHANGELOG_DATABASE_REQUIRED = _general("'db' is required for changelog")
CHANGELOG_NOT_ENABLED = _general("changelog is not enabled for table={table}")
CHANGELOG_NOT_OLAP = _general("changelog only supports OLAP table, table={table}")
PARTITION_NOT_FOUND = _general("Partition not found: {name}")
INVALID_PARTITION_NAMES = _general("Invalid partition names: {value}")
INVALID_TABLET_IDS = _general("Invalid tablet ids: {value}")
UNKNOWN_PARTITION = _general("partition {name} is not found in table {table}")
NOT_UNIQUE_ALIAS = Kind(1066, "42000", "Not unique table/alias: '{name}'")

# Incremental reads and images (incremental-read sections 1 to 5, table-stream section 6)
INCR_TIME_FORMAT = _general("Invalid TIMESTAMP format in incr clause: {value}")
INCR_PARAMETER = _general("Unsupported parameter in incr query: {name}")
INCR_NEEDS_CHANGELOG = _general("INCR query requires changelog enabled on base table.")
INCR_NEEDS_HISTORY = _general("MIN_DELTA INCR query requires base table to enable changelog.need_historical_value=true")
AT_TABLE = _general("Invalid param type for olap table: {name}")
AT_STREAM = _general("Invalid param type for olap table stream: {name}")
AT_PARAMETERS = _general("{name} does not accept parameters")
TRAVEL_NEEDS_CHANGELOG = _general("FOR VERSION/TIME AS OF requires changelog enabled on table {table}")
TRAVEL_NEEDS_HISTORY = _general(
    "FOR VERSION/TIME AS OF on merge-on-write table requires changelog.need_historical_value=true"
)
TRAVEL_MODEL = _general("FOR VERSION/TIME AS OF is only supported on duplicate or unique merge-on-write tables")
TRAVEL_FORMAT = _general("Invalid timestamp or version in FOR VERSION/TIME AS OF: {value}")
TRAVEL_WITH_INCR = _general("FOR VERSION/TIME AS OF can not be combined with @incr")
COMMITS_IN_FLIGHT = _general("commits inside the requested window did not finish within {seconds} s")
SNAPSHOT_NEEDS_HISTORY = _general(
    "snapshot of stream {name} requires base mow table to enable changelog.need_historical_value=true"
)

# Writing (table-models, types-and-ddl section 6)
FILTERED_IN_STRICT_MODE = _general("Insert has filtered data in strict mode. {reason}")
FILTERED_TOO_MANY = _general(
    "Insert has too many filtered data {filtered}/{total} insert_max_filter_ratio is {ratio}. first error: {reason}"
)
COLUMN_COUNT = _general("Column count doesn't match value count")
UNKNOWN_TARGET_COLUMN = _general("Unknown column '{name}' in target table {table}")
COLUMN_TWICE = _general("Duplicate column name '{name}' in the column list")
NO_DEFAULT = _general("Column has no default value, column={name}")
ONLY_UNIQUE_UPDATES = _general("Only unique table could be updated.")
KEY_UPDATED = _general("Only value columns of unique table could be updated: {name}")
UNKNOWN_ASSIGNMENT = _general("unknown column in assignment list: {name}")
ASSIGNED_TWICE = _general("duplicate column in assignment list: {name}")
DELETE_SIGN_TARGET = _general("Unknown column '__DORIS_DELETE_SIGN__' in target table {table}")
DELETE_SHAPE = _general(
    "Where clause only supports compound predicate, binary predicate, is_null predicate or in predicate."
)
DELETE_LEFT = _general("Left expr of {kind} predicate should be column name")
DELETE_RIGHT = _general("Right expr of {kind} predicate should be value")
DELETE_ALL = _general("delete all rows is forbidden temporary.")
DELETE_IN_LIMIT = _general("Element num of predicate should not be more than {limit}")
DELETE_FLOAT = _general("Column[{name}] type is float or double.")
DELETE_VALUE_COLUMN = _general(
    "delete predicate on value column only supports Unique table with merge-on-write enabled and Duplicate table, "
    "but Table[{table}] is an Aggregate table."
)
READ_ONLY_TRANSACTION = Kind(1792, "25006", "Cannot execute statement in a READ ONLY transaction.")
IN_TRANSACTION = _general("This is in a transaction, only insert, update, delete, commit, rollback is acceptable.")
TABLE_CHANGED = _general("Table {table} was altered while the statement was running, please try again")

# Configuration at run time (server-surface SRV-5)
CONFIG_NOT_FOUND = _general("Config '{key}' does not exist")
CONFIG_NOT_MUTABLE = _general("Config '{key}' is not mutable")
CONFIG_NOT_SET = _general("Failed to set config '{key}'. err: {reason}")

# Storage: the data directory, commits, locks (storage/duck.py, storage/commit.py)
DATA_DIRECTORY_LOCKED = _general("data directory {path} is in use by another process{owner}")
MEMORY_EXCEEDED = _general("Memory limit exceeded: {reason}")
DATABASE_REOPENED = _general("storage was restarted after an internal error, please retry: {reason}")
UNKNOWN_TABLE_ID = _general("unknown table, tableId={id}")
UNKNOWN_PARTITION_ID = _general("unknown partition, partitionId={id}")
ROW_CHANGED = _general("a row of table [{table}] was changed by another transaction, please retry")
LABEL_USED = _general("Label [{label}] has already been used, relate to txn [{transaction}]")

# Unique Key: sequence columns, partial column updates (table-models R40 to R70)
SEQUENCE_MODEL = _general("sequence column only support UNIQUE_KEYS")
SEQUENCE_TYPE = _general("Sequence type only support integer types and date types")
SEQUENCE_COLUMN = _general("The specified sequence column[{name}] not exists")
SEQUENCE_BOTH = _general("The sequence_col and sequence_type cannot be set at the same time")
SEQUENCE_REQUIRED = _general("Table {table} has sequence column, need to specify the sequence column")
SEQUENCE_MAPPED = _general("Table {table} takes its sequence from column {column}, {name} cannot be written")
SEQUENCE_DROP = _general("Can not drop sequence mapping column[{column}] in Unique data model table[{table}]")
SEQUENCE_MODIFY = _general("Can not alter sequence mapping column[{column}] in Unique data model table[{table}]")
SEQUENCE_EXISTS = _general("Can not enable sequence column support, already has sequence column")
SEQUENCE_FEATURE_MODEL = _general("sequence load only supported in unique tables.")
BATCH_DELETE_EXISTS = _general("Can not enable batch delete support, already supported batch delete.")
BATCH_DELETE_MODEL = _general("Batch delete only supported in unique tables.")
FEATURE_UNKNOWN = _general("unknown feature name: {name}")
FEATURE_TYPE_MISSING = _general('feature SEQUENCE_LOAD needs the property "function_column.sequence_type"')
SKIP_BITMAP_EXISTS = _general("table {table} has enabled update flexible columns feature already.")
SKIP_BITMAP_MODEL = _general("table {table} is not a unique key merge-on-write table.")
SKIP_BITMAP_PROPERTY = _general(
    "enable_unique_key_skip_bitmap_column property only support unique merge-on-write table"
)
PARTIAL_KEY_MISSING = _general("Partial update should include all key columns, missing: {name}")
PARTIAL_GENERATED = _general(
    "Partial update should include all ordinary columns referenced by generated columns, missing: {name}"
)
PARTIAL_NEW_KEY = _general(
    "Can't append new rows in partial update when partial_update_new_key_behavior is ERROR. "
    "Row with key=[{key}] is not in table."
)
PARTIAL_COLUMN_REQUIRED = _general(
    "the unmentioned column `{name}` should have default value or be nullable for newly inserted rows "
    "in non-strict mode partial update"
)
PARTIAL_MODEL = _general("Only unique key merge on write support partial update")
PARTIAL_SKIP_BITMAP = _general(
    "Flexible partial update can only support table with skip bitmap hidden column. "
    'But table {table} doesn\'t have it. You can use `ALTER TABLE {table} ENABLE FEATURE "UPDATE_FLEXIBLE_COLUMNS";` '
    "to add it to the table."
)

# Columns that fill themselves (types-and-ddl R11 and section 2)
AUTO_INCREMENT_MODEL = _general("the auto increment is only supported in duplicate table and unique table.")
AUTO_INCREMENT_TYPE = _general("the auto increment must be BIGINT type.")
AUTO_INCREMENT_NULL = _general("the auto increment column should be NOT NULL.")
AUTO_INCREMENT_DEFAULT = _general("the auto increment column can't have default value.")
AUTO_INCREMENT_TWICE = _general("there can be at most one auto increment column in OlapTable.")
ON_UPDATE_MODEL = _general(
    "'ON UPDATE CURRENT_TIMESTAMP' is only supportted in unique table with merge-on-write enabled."
)
ON_UPDATE_DEFAULT = _general(
    "You must set the default value of the column[{name}] to CURRENT_TIMESTAMP "
    "when using 'ON UPDATE CURRENT_TIMESTAMP'."
)
GENERATED_MODEL = _general("The generated columns of an aggregate table are not supported: {name}")
GENERATED_DEFAULT = _general("Generated columns cannot have default value: {name}")
GENERATED_COLUMN = _general("Unknown column '{used}' in 'generated column function' of {name}")
GENERATED_EXPRESSION = _general(
    "Expression of generated column '{name}' contains a disallowed function: subqueries, aggregates and variables"
)
GENERATED_ADDED = _general("Not supporting alter table add generated columns.")
GENERATED_USE = _general("Column '{name}' has a generated column dependency on :[{used}]")
GENERATED_GIVEN = _general("The value specified for generated column '{name}' in table '{table}' is not allowed.")

# Stream Load (stream-load sections 2 to 6); a word in brackets is the code that its answer shows
LOAD_NO_AUTHORIZATION = _general("[NOT_AUTHORIZED]no valid Basic authorization")
LOAD_FORMAT = _general("[INVALID_ARGUMENT]unknown data format, format={value}")
LOAD_TIMEOUT = _general("[INVALID_ARGUMENT]Invalid timeout format, {value}")
LOAD_STRICT_MODE = _general("[INVALID_ARGUMENT]Invalid strict mode format. Must be bool type")
LOAD_SWITCH = _general("[INVALID_ARGUMENT]Invalid value of {name}, must be bool type: {value}")
LOAD_NUMBER = _general("[INVALID_ARGUMENT]Invalid value of {name}: {value}")
LOAD_SEPARATOR = _general("[INVALID_ARGUMENT]Invalid separator of {name}: {value}")
LOAD_ONE_BYTE = _general("[INVALID_ARGUMENT]{name} must be single-char: {value}")
LOAD_MERGE_TYPE = _general("[INVALID_ARGUMENT]Invalid merge type {value}")
LOAD_DELETE_MISSING = _general("[INVALID_ARGUMENT]Excepted DELETE ON clause when merge type is MERGE.")
LOAD_DELETE_SURPLUS = _general("[INVALID_ARGUMENT]Not support DELETE ON clause when merge type is not MERGE.")
LOAD_MERGE_MODEL = _general("load by MERGE or DELETE is only supported in unique tables.")
LOAD_PARTITIONS = _general("[INVALID_ARGUMENT]Can not specify both partitions and temporary partitions")
LOAD_COMPRESSION = _general("[INVALID_ARGUMENT]compress_type {value} is not supported")
LOAD_COMPRESSED_BODY = _general("[DATA_QUALITY_ERROR]the body is not {value} data")
LOAD_TOO_LARGE = _general("[INVALID_ARGUMENT]body exceed max size: {limit} MB ({name})")
LOAD_COLUMNS = _general("[INVALID_ARGUMENT]Failed to parse columns header: {value}")
LOAD_EXPRESSION = _general("[INVALID_ARGUMENT]{name} is not one expression: {value}")
LOAD_JSON_PATHS = _general("[INVALID_ARGUMENT]Invalid json path: {value}")
LOAD_JSON = _general("[DATA_QUALITY_ERROR]Parse json data failed: {reason}")
LOAD_JSON_ARRAY = _general("[DATA_QUALITY_ERROR]JSON data is array-object, `strip_outer_array` must be TRUE.")
LOAD_JSON_OBJECT = _general("[DATA_QUALITY_ERROR]JSON data is not an array-object, `strip_outer_array` must be FALSE.")
LOAD_JSON_LINE = _general("[DATA_QUALITY_ERROR]Multiple JSON objects in a single line")
LOAD_TIMED_OUT = _general("[TIMEOUT]load timeout after {seconds} s")
LOAD_FILTERED = _general("[DATA_QUALITY_ERROR]too many filtered rows")
LOAD_NEGATIVE = _general("Column is not SUM AggregateType. column:{name}")
LOAD_SEQUENCE = _general("There is no sequence column in the table {table}")
LOAD_FLEXIBLE_FORMAT = _general(
    "[INVALID_ARGUMENT]flexible partial update only support json format as input file currently"
)
LOAD_FLEXIBLE = _general("[INVALID_ARGUMENT]Don't support flexible partial update when '{name}' is {state}")
LOAD_HIDDEN_PARTIAL = _general("Partial update should not include invisible column except delete sign column: {name}")
LOAD_DATABASE = _general("[ANALYSIS_ERROR]unknown database, database={name}")
LOAD_TABLE = _general("[ANALYSIS_ERROR]unknown table, table={database}.{name}")

# DDL: names, columns, types (types-and-ddl sections 1 and 2)
INCORRECT_DATABASE_NAME = Kind(1102, "42000", "Incorrect database name '{name}'")
INCORRECT_TABLE_NAME = Kind(1103, "42000", "Incorrect table name '{name}'")
INCORRECT_COLUMN_NAME = Kind(1166, "42000", "Incorrect column name '{name}'{reason}")
INCORRECT_PARTITION_NAME = _general("Incorrect partition name '{name}'")
NO_COLUMNS = Kind(1113, "42000", "A table must have at least 1 column")
TYPE_SIZE = _general("{type} size must be between 1 and {limit}: {value}")
DECIMAL_PRECISION = _general("decimal precision must be between 1 and 38. Precision was set to: {value}")
DECIMAL_SCALE = _general("decimal scale must be between 0 and the precision {precision}. Scale was set to: {value}")
DATETIME_SCALE = _general("Scale of Datetime/Time must between 0 and 6. Scale was set to: {value}")
TIME_COLUMN = _general("Time type is not supported for olap table")
UNKNOWN_TYPE = _general("Unknown data type {name} of column {column}")
NULL_DEFAULT = _general("Can not set null default value to non nullable column: {name}")
INVALID_DEFAULT = _general("Invalid default value of column {name}: {value} is not a value of type {type}")
DEFAULT_FUNCTION = _general("Types other than {types} cannot use {function} as the default value: {name}")
DEFAULT_EXPRESSION = _general("Default value of column {name} must be a literal or CURRENT_TIMESTAMP")

# DDL: keys, distribution, partitions (table-models section 1, types-and-ddl sections 2 and 3)
KEY_NOT_PREFIX = _general(
    "Key columns should be a ordered prefix of the schema. KeyColumns[{index}] (starts from zero) is {key}, "
    "but corresponding column is {column} in the previous columns declaration."
)
KEY_MISSING = _general("Key column[{name}] doesn't exist.")
KEY_TWICE = _general("Duplicated key column: {name}")
KEY_AGGREGATED = _general("Key column[{name}] should not specify aggregate type.")
VALUE_AGGREGATED = _general("{model}_KEYS table should not specify aggregate type for non-key column[{name}]")
VALUE_NOT_AGGREGATED = _general("AGG_KEYS table should specify aggregate type for non-key column[{name}]")
KEY_FLOAT = _general("Float or double can not used as a key, use decimal instead.")
KEY_TYPE = _general("{type} should not be used in key column[{name}]")
FIRST_COLUMN_NO_KEY = _general(
    "The olap table first column could not be float, double, string or array, struct, map, "
    "please use decimal or varchar instead."
)
CLUSTER_KEY_MODEL = _general("Cluster keys only support unique keys table")
CLUSTER_KEY_COLUMN = _general("Cluster key column[{name}] doesn't exist.")
CLUSTER_KEY_TWICE = _general("Duplicate cluster key column[{name}].")
CLUSTER_KEY_SAME = _general("Unique keys and cluster keys should be different.")
CLUSTER_KEY_TYPE = _general("{type} type should not be used in cluster key column[{name}].")
CLUSTER_KEY_MERGE_ON_WRITE = _general(
    "Cluster keys only support unique keys table which enabled enable_unique_key_merge_on_write"
)
RANDOM_UNIQUE = _general("Should not be distributed by random when keys type is unique")
RANDOM_AGGREGATE = _general("Should not be distributed by random when keys type is agg")
DISTRIBUTION_COLUMN = _general("Distribution column({name}) doesn't exist.")
DISTRIBUTION_NOT_KEY = _general("Distribution column[{name}] is not key column")
DISTRIBUTION_TYPE = _general("{type} type should not be used in distribution column[{name}].")
BUCKETS_ZERO = _general("Buckets number of hash distribution should be greater than zero.")
PARTITION_COLUMN = _general("Partition column[{name}] does not exist in table.")
PARTITION_COLUMN_TYPE = _general("Partition column[{name}] type {type} is not supported for {kind} partition")
PARTITION_COLUMN_TWICE = _general("Duplicated partition column in PARTITION BY")
PARTITION_COLUMN_NULL = _general(
    "The partition column must be NOT NULL with allow_partition_column_nullable OFF: {name}"
)
PARTITION_CLAUSE = _general("partition {name}: this form of VALUES does not belong to a table with {kind} partitions")
PARTITION_NULL = _general("partition column {name} is NOT NULL, it can not have a partition for NULL")
PARTITION_TWICE = _general("The partition key of partition {name} has duplicate values")
PARTITION_CONFLICT = _general("List partition {name} conflicts with partition {other}, both have the value {value}")
STEP_COLUMNS = _general("partition column number in multi partition clause must be one")
STEP_UNIT = _general("INTERVAL of {unit} does not fit the partition column {name} of type {type}")
STEP_ORDER = _general("Multi build partition start should less than end")
STEP_INTERVAL = _general("Multi partition time interval must be larger than zero.")
STEP_COUNT = _general("The number of Multi partitions too much, should not exceed:{limit}")
AUTO_RANGE_NULL = _general("AUTO RANGE PARTITION doesn't support NULL column")
AUTO_RANGE_FUNCTION = _general("AUTO RANGE PARTITION takes date_trunc(column, 'unit') only")
AUTO_RANGE_COLUMN = _general(
    "AUTO RANGE PARTITION needs a DATE or DATETIME column, partition column[{name}] has type {type}"
)
AUTO_RANGE_UNIT = _general("date_trunc unit '{unit}' can not partition column {name} of type {type}")
AUTO_LIST_FUNCTION = _general("LIST PARTITION takes columns only, not functions")
AUTO_COUNT = _general(
    "partition numbers of table {table} would be {count}, exceeding the limit {limit} of max_auto_partition_num"
)
PARTITION_NOT_KEY = _general(
    "The partition column could not be aggregated column and unique table's partition column must be key column: {name}"
)
PARTITION_VALUE = _general("Invalid partition value '{value}' of column {name}")
PARTITION_VALUES = _general("partition {name} has {count} values for {columns} partition columns")
PARTITION_EMPTY = _general("partition {name}: the lower bound must be less than the upper bound")
PARTITION_INTERSECTED = _general("Range of partition {name} is intersected with partition {other}")
PARTITION_EXISTS = Kind(1517, "HY000", "Duplicate partition name {name}")
PARTITION_MISSING = Kind(1507, "HY000", "Error in list of partitions to {name}")
NOT_PARTITIONED = _general("Alter table [{table}] failed. Not a partitioned table")

# DDL: aggregation, complex and state types (table-models R80 to R92, types-and-ddl section 1)
AGGREGATION_TYPE = _general("Aggregate type {aggregation} is not compatible with primitive type {type}")
AGGREGATION_COMPLEX = _general("{type} column can't support aggregation {aggregation}")
REPLACE_NOT_NULLABLE = _general("REPLACE_IF_NOT_NULL column must be nullable, maybe should use REPLACE, column:{name}")
STATE_NULLABLE = _general("complex type column must be not nullable, column:{name}")
STATE_KEY = _general("Key column can not set complex type:{name}")
STATE_MODEL = _general("{type} type is only supported in aggregate key tables: {name}")
STATE_SWITCHED_OFF = _general("agg state not enable, need set enable_agg_state=true")
STATE_DEFAULT = _general("{type} type column can not set default value: {name}")
COMPLEX_DEFAULT = _general("{type} type column default value just support {allowed}: {name}")
NESTING_DEPTH = _general("Type exceeds the maximum nesting depth of 9")
SUB_TYPE = _general("{type} unsupported sub-type: {inner}")
FIELD_TWICE = _general("Duplicate field name {field} in struct column {name}")
ROW_STORE_AGGREGATE = _general("Aggregate table can't support row column now")
STATE_USE = _general(
    "Doris hll, bitmap, array, map, struct, jsonb, variant column must use with specific function, "
    "and don't support filter, group by or order by"
)
STATE_CAST = _general("can not cast from origin type {source} to target type={target}")
NO_SIGNATURE = _general("Can not find the compatibility function signature: {function}({types})")

# DDL: dynamic partitions (types-and-ddl section 3; Doris: ErrorCode 5065 to 5075)
DYNAMIC_UNIT = Kind(5065, "42000", "Unsupported time unit {unit}. Expect HOUR/DAY/WEEK/MONTH/YEAR.")
DYNAMIC_START = Kind(5066, "42000", "Dynamic partition start must less than 0")
DYNAMIC_END = Kind(5066, "42000", "Dynamic partition end must greater than 0")
DYNAMIC_NUMBER = Kind(5066, "42000", "Invalid dynamic partition {name} {value}")
DYNAMIC_BUCKETS = Kind(5067, "42000", "Dynamic partition buckets must greater than 0")
DYNAMIC_SWITCH = Kind(5068, "42000", "Invalid dynamic partition {name}: {value}. Expect true or false")
DYNAMIC_PERIODS = Kind(
    5070, "42000", "Invalid dynamic_partition.reserved_history_periods value: {value}."
    " It must be like [yyyy-MM-dd,yyyy-MM-dd],[...,...], with time_unit HOUR [yyyy-MM-dd HH:mm:ss,...]",
)  # fmt: skip
DYNAMIC_DAY = _general("dynamic_partition.{name} should between 1 and {most}")
DYNAMIC_NAMES = _general("Invalid dynamic partition properties: {names}")
DYNAMIC_MISSING = _general("Must assign dynamic_partition.{name} properties")
DYNAMIC_COLUMNS = _general("Dynamic partition only support single-column range partition")
DYNAMIC_COLUMN = _general("Dynamic Partition Only Support DATE and DATETIME Type: {name} {type}")
DYNAMIC_UNIT_TYPE = _general(
    "dynamic_partition.time_unit could not be HOUR when type of partition column {name} is DATE"
)
DYNAMIC_AUTO_UNIT = _general(
    "If support auto partition and dynamic partition at same time, they must have the same interval unit."
)
DYNAMIC_HISTORY = _general(
    "Provide start or history_partition_num property when create_history_partition=true."
    " Otherwise set create_history_partition=false"
)
DYNAMIC_COUNT = _general("Too many dynamic partitions: {count}. Limit: {limit}")
DYNAMIC_ALTER = _general(
    "Cannot add/drop partition on a Dynamic Partition Table, Use command `ALTER TABLE {table} SET"
    ' ("dynamic_partition.enable" = "false")` firstly.'
)
RETENTION_COUNT = _general("partition.retention_count should be > 0: {value}")
RETENTION_TABLE = _general("Only AUTO RANGE PARTITION table could set partition.retention_count")

# DDL: properties (types-and-ddl section 2) and changelog (changelog section 8, E1 to E18)
UNKNOWN_PROPERTIES = _general("Unknown properties: {{{pairs}}}")
INVALID_PROPERTY = _general("Invalid value '{value}' of property {key}: it must be {expected}")
BLOOM_COLUMN = _general("Bloom filter column does not exist in table. invalid column: {name}")
BLOOM_TYPE = _general("{type} is not supported in bloom filter index. invalid column: {name}")
BLOOM_MODEL = _general(
    "Bloom filter index only used in columns of UNIQUE_KEYS/DUP_KEYS table or key columns of AGG_KEYS table."
    " invalid column: {name}"
)
BLOOM_TWICE = _general("Reduplicated bloom filter column: {name}")
BLOOM_RATE = _general("Bloom filter fpp should in [{low}, {high}]")
MOW_ON_OTHER_MODEL = _general("enable_unique_key_merge_on_write property only support unique key table")
LIGHT_DELETE_MODEL = _general("enable_mow_light_delete property is only supported for unique merge-on-write table")
FIXED_PROPERTY = _general("Property {key} of table {table} can not be changed after creation")
BINLOG_FORMAT = _general(
    'Property binlog.format is no longer supported, use "changelog.enable" = "true" to enable changelog, '
    "or remove it for CCR binlog"
)
BINLOG_HISTORY = _general(
    "Property binlog.need_historical_value is no longer supported, use changelog.need_historical_value instead"
)
BINLOG_TABLE = _general(
    'Table {table} was created with "binlog.format" = "ROW", which is no longer supported; '
    'drop the table and create it again with "changelog.enable" = "true"'
)
CHANGELOG_SWITCHED_OFF = _general("Cannot create table {table} with changelog when enable_feature_changelog=false")
CHANGELOG_TTL = _general("changelog.ttl_seconds must be greater than 0")
CHANGELOG_TTL_NUMBER = _general("changelog.ttl_seconds must be a number of seconds: {value}")
CHANGELOG_ENABLE_FIXED = _general("not support change changelog.enable from {old} to {new}")
CHANGELOG_HISTORY_FIXED = _general("not support change changelog.need_historical_value from {old} to {new}")
CHANGELOG_REQUIRED = _general('Property {key} requires "changelog.enable" = "true"')
CHANGELOG_TTL_WITHOUT = _general(
    "changelog.ttl_seconds can not be set because changelog is not enabled for table: {table}"
)
CHANGELOG_DUPLICATE_HISTORY = _general("Duplicate table model don't support record historical value")
CHANGELOG_CLUSTER_KEYS = _general("Unique merge-on-write tables with cluster keys do not support changelog")
CHANGELOG_MODEL = _general("Only duplicate and mow table model support changelog")
CHANGELOG_AND_BINLOG = _general("Table {table} can not enable both binlog and changelog")
CHANGELOG_IN_BINLOG_DATABASE = _general(
    "Can not create table {table} with changelog in database {database} because the database enables binlog"
)
CHANGELOG_TEMPORARY = _general("Cannot create temporary table with changelog enable")
CHANGELOG_OPERATION = _general("Not allowed to perform current operation on Table With changelog")
CHANGELOG_VARIANT = _general("variant column can't be created on table with changelog: {name}")
CHANGELOG_AUTO_INCREMENT = _general("auto-inc column can't be created on table with changelog: {name}")
DATABASE_BOTH_LOGS = _general("Database {database} can not enable both binlog and changelog")
DATABASE_HAS_CHANGELOG = _general("Can not enable binlog for database {database} because table {table} has changelog")

# DDL: ALTER TABLE, recycle bin
RECOVER_PARTITION = _general("No partition named '{name}' in recycle bin that belongs to table '{table}'")
RECOVER_RANGE = _general("Can not recover partition[{name}]. Range conflict.")
RECOVER_DATABASE = _general("Unknown database '{name}' in the recycle bin")
REPLACE_MISSING = _general("Partition[{name}] does not exist")
REPLACE_TEMPORARY = _general("Temp partition[{name}] does not exist")
REPLACE_RANGES = _general("2 range lists are not stricly matched. {old} vs. {new}")
REPLACE_LISTS = _general("2 list partition values are not stricly matched. {old} vs. {new}")
REPLACE_CONFLICT = _general("Can not replace partitions: {reason}")
TEMPORARY_PARTITIONS = _general("Can not alter table when there are temp partitions in table")
ALTER_TEMPORARY = _general("Do not support alter temporary table[{name}]")
VIEW_TEMPORARY = _general("do not support create view on temporary table: {name}")
INDEX_EXISTS = _general("index `{name}` already exist.")
INDEX_MISSING = _general("Index `{name}` does not exist.")
INDEX_SAME = _general("{method} index for column ({column}) already exist.")
INDEX_COLUMN = _general("Column does not exist in table. invalid column: {name}")
INDEX_COLUMN_COUNT = _general("{method} index can only apply to one column.")
INDEX_COLUMN_TYPE = _general("{type} is not supported in {method} index. invalid column: {column}")
INDEX_COLUMN_MODEL = _general(
    "{method} index only used in columns of DUP_KEYS/UNIQUE_KEYS table or key columns of AGG_KEYS table."
    " invalid column: {column}"
)
INDEX_NGRAM = _general("gram_size and bf_size of a NGRAM_BF index must be whole numbers")
ROLLUP_EXISTS = _general("Rollup index[{name}] already exists")
ROLLUP_MISSING = _general("Rollup index[{name}] does not exist")
ROLLUP_COLUMN = _general("Column[{name}] does not exist")
ROLLUP_TWICE = _general("Duplicated column in rollup index[{name}]")
ROLLUP_ORDER = _general("Invalid column order of rollup index[{name}]: keys stand in front of values")
ROLLUP_KEYS = _general("Rollup index[{name}] should contains all keys of the base table")
ROLLUP_BASE = _general("Column[{column}] can not be taken from rollup index[{name}]")
COLUMN_UNKNOWN = _general("Column[{name}] does not exists")
MODIFY_KEY = _general(
    "Can not change the KEY attribute of column[{name}], the definition must say KEY for a key column"
)
MODIFY_AGGREGATION = _general("Can not change aggregation type")
MODIFY_NULL = _general("Can not change from nullable to non-nullable")
MODIFY_DEFAULT = _general("Can not change default value")
MODIFY_KEY_TYPE = _general("Can not change key column[{name}] from {old} to {new}: keys may become equal")
MODIFY_PLACED = _general("Can not modify {role} column[{name}].")
AUTO_INCREMENT_FIXED = _general("Can't modify the column[{name}]'s auto-increment attribute.")
ADD_NUMBERED = _general("Can not add auto-increment column {name}")
TYPE_CHANGE = _general("Can not change {old} to {new}")
TYPE_SHORTER = _general("Cannot shorten string length")
ORDER_ALL = _general("Reorder stmt should contains all columns")
ORDER_TWICE = _general("Reduplicative column in ORDER BY")
ORDER_CLUSTERED = _general("Can not modify column order in Unique data model table")
CLUSTER_KEY_FIXED = _general("Can not modify cluster key column: {name}")
CLUSTER_KEY_DROP = _general("Can not drop cluster key column in Unique data model table: {name}")
RENAME_PLACED = _general("Renaming {role} columns has problems, forbidden in current Doris version")
LAST_KEY_COLUMN = _general("No key column left. index[{table}]")
DROP_IN_ROLLUP = _general("Can not drop column contained by mv, mv={name}")
ADD_KEY_COLUMN = _general("Can not add key column {name} to a table of this model")
COLUMN_POSITION = _general("Value columns must stand behind the key columns: {name}")
ADD_NOT_NULL = _general("Column {name} is NOT NULL and needs a default value, the table may hold rows")
COLUMN_MISSING = Kind(1091, "42000", "Can't DROP '{name}'; check that column/key exists")
DROP_KEY_COLUMN = _general("Can not drop key column in {model} data model table: {name}")
DROP_USED_COLUMN = _general("{role} column[{name}] cannot be dropped.")
NOT_A_TABLE = _general("'{database}.{name}' is not TABLE. Use '{instead} {name}'")
RECOVER_MISSING = _general("Unknown table '{database}.{name}' in the recycle bin")

# Streams (table-stream section 10)
STREAM_SWITCHED_OFF = _general("Table Stream is experimental. Please set enable_table_stream=true to enable it.")
STREAM_BASE_CHANGELOG = _general("Base Olap table {table} need to enable changelog for table stream")
STREAM_BASE_HISTORY = _general(
    "{type} table stream requires base mow table to enable changelog.need_historical_value=true"
)
STREAM_BASE_KIND = _general("Base table type: {kind}, StreamScanType: {type} is not supported for create table stream")
STREAM_TYPE = _general("not supported type: {value}")
STREAM_INITIAL_ROWS = _general("show_initial_rows must be `true` or `false`")
STREAM_REPLACE = _general("do not support replace currently")
STREAM_RESERVED = _general(
    "Stream name {name} is reserved, the prefix __doris_ivm_stream_ belongs to incremental views"
)
STREAM_ONLY_COMMENT = _general("Only the comment of stream {name} can be altered")
NOT_A_STREAM = _general("'{database}.{name}' is not STREAM{hint}")
STREAM_NEEDS_FORCE = _general("The base table of stream {name} does not exist, use DROP STREAM {name} FORCE to drop it")

# SHOW, SET, ADMIN
UPDATE_MODE = _general(
    "Invalid unique_key_partial_mode {value}, "
    "must be one of 'UPSERT', 'UPDATE_FIXED_COLUMNS' or 'UPDATE_FLEXIBLE_COLUMNS'"
)
NEW_KEY_BEHAVIOR = _general("{name} should be one of {{'APPEND', 'ERROR'}}, but found {value}")
SHOW_WHERE = _general("WHERE of SHOW supports column = 'value' and column LIKE 'pattern' only: {reason}")
SHOW_PARTITIONS_WHERE = _general(
    "Only the columns of PartitionId/PartitionName/State/Buckets/ReplicationNum/LastConsistencyCheckTime are supported."
)
CONFIG_PAIRS = _general("config parameter size is not equal to 1")

# Views (Doris: CREATE VIEW)
VIEW_COLUMNS = _general("View's SELECT and view's field list have different column counts")
VIEW_HIDDEN_COLUMN = _general("Column name '{name}' of view {view} starts with a reserved prefix, give it an alias")
VIEW_DEPTH = _general("View {name} expands to more than {limit} views inside each other")
VIEW_IS_READ_ONLY = _general("View {name} can not be the target of {statement}")

# Users and privileges (server-surface section 6)
NO_SUCH_GRANT = Kind(1141, "42000", "There is no such grant defined for user '{user}' on host '{host}'")
TABLE_DENIED = Kind(1142, "42000", "{command} command denied to user '{user}'@'{host}' for table '{table}'")
PRIVILEGE_NEEDED = Kind(
    1227, "42000", "Access denied; you need (at least one of) the {privilege} privilege(s) for this operation"
)
USER_EXISTS = _general("User {user} already exist")
USER_MISSING = _general("User {user} does not exist")
ROLE_EXISTS = _general("Role {role} already exists")
ROLE_MISSING = _general("Role {role} does not exist")
UNKNOWN_PRIVILEGE = _general("Unknown privilege type: {privilege}")
PRIVILEGE_LEVEL = _general("{privilege} can not be granted on {level}")
FIRST_USER_FIXED = _general("Can not drop or demote the user {user}")
PASSWORD_HASH = _general("Password hash should be a 41-digit hexadecimal number")
