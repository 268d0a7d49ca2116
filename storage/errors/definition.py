"""The errors of CREATE TABLE: names, columns, keys, types, partitions, properties: code, SQLSTATE and words."""

from __future__ import annotations

from storage.errors.kind import Kind, general

# DDL: names, columns, types (Doris: CREATE TABLE, columns)
INCORRECT_DATABASE_NAME = Kind(1102, "42000", "Incorrect database name '{name}'")
INCORRECT_TABLE_NAME = Kind(1103, "42000", "Incorrect table name '{name}'")
INCORRECT_COLUMN_NAME = Kind(1166, "42000", "Incorrect column name '{name}'{reason}")
INCORRECT_PARTITION_NAME = general("Incorrect partition name '{name}'")
NO_COLUMNS = Kind(1113, "42000", "A table must have at least 1 column")
TYPE_SIZE = general("{type} size must be between 1 and {limit}: {value}")
DECIMAL_PRECISION = general("decimal precision must be between 1 and 38. Precision was set to: {value}")
DECIMAL_SCALE = general("decimal scale must be between 0 and the precision {precision}. Scale was set to: {value}")
DATETIME_SCALE = general("Scale of Datetime/Time must between 0 and 6. Scale was set to: {value}")
TIME_COLUMN = general("Time type is not supported for olap table")
UNKNOWN_TYPE = general("Unknown data type {name} of column {column}")
NULL_DEFAULT = general("Can not set null default value to non nullable column: {name}")
INVALID_DEFAULT = general("Invalid default value of column {name}: {value} is not a value of type {type}")
DEFAULT_FUNCTION = general("Types other than {types} cannot use {function} as the default value: {name}")
DEFAULT_EXPRESSION = general("Default value of column {name} must be a literal or CURRENT_TIMESTAMP")

# DDL: keys, distribution, partitions (Doris: CREATE TABLE)
KEY_NOT_PREFIX = general(
    "Key columns should be a ordered prefix of the schema. KeyColumns[{index}] (starts from zero) is {key}, "
    "but corresponding column is {column} in the previous columns declaration."
)
KEY_MISSING = general("Key column[{name}] doesn't exist.")
KEY_TWICE = general("Duplicated key column: {name}")
KEY_AGGREGATED = general("Key column[{name}] should not specify aggregate type.")
VALUE_AGGREGATED = general("{model}_KEYS table should not specify aggregate type for non-key column[{name}]")
VALUE_NOT_AGGREGATED = general("AGG_KEYS table should specify aggregate type for non-key column[{name}]")
KEY_FLOAT = general("Float or double can not used as a key, use decimal instead.")
KEY_TYPE = general("{type} should not be used in key column[{name}]")
FIRST_COLUMN_NO_KEY = general(
    "The olap table first column could not be float, double, string or array, struct, map, "
    "please use decimal or varchar instead."
)
CLUSTER_KEY_MODEL = general("Cluster keys only support unique keys table")
CLUSTER_KEY_COLUMN = general("Cluster key column[{name}] doesn't exist.")
CLUSTER_KEY_TWICE = general("Duplicate cluster key column[{name}].")
CLUSTER_KEY_SAME = general("Unique keys and cluster keys should be different.")
CLUSTER_KEY_TYPE = general("{type} type should not be used in cluster key column[{name}].")
CLUSTER_KEY_MERGE_ON_WRITE = general(
    "Cluster keys only support unique keys table which enabled enable_unique_key_merge_on_write"
)
RANDOM_UNIQUE = general("Should not be distributed by random when keys type is unique")
RANDOM_AGGREGATE = general("Should not be distributed by random when keys type is agg")
DISTRIBUTION_COLUMN = general("Distribution column({name}) doesn't exist.")
DISTRIBUTION_NOT_KEY = general("Distribution column[{name}] is not key column")
DISTRIBUTION_TYPE = general("{type} type should not be used in distribution column[{name}].")
BUCKETS_ZERO = general("Buckets number of hash distribution should be greater than zero.")
PARTITION_COLUMN = general("Partition column[{name}] does not exist in table.")
PARTITION_COLUMN_TYPE = general("Partition column[{name}] type {type} is not supported for {kind} partition")
PARTITION_COLUMN_TWICE = general("Duplicated partition column in PARTITION BY")
PARTITION_COLUMN_NULL = general(
    "The partition column must be NOT NULL with allow_partition_column_nullable OFF: {name}"
)
PARTITION_CLAUSE = general("partition {name}: this form of VALUES does not belong to a table with {kind} partitions")
PARTITION_NULL = general("partition column {name} is NOT NULL, it can not have a partition for NULL")
PARTITION_TWICE = general("The partition key of partition {name} has duplicate values")
PARTITION_CONFLICT = general("List partition {name} conflicts with partition {other}, both have the value {value}")
STEP_COLUMNS = general("partition column number in multi partition clause must be one")
STEP_UNIT = general("INTERVAL of {unit} does not fit the partition column {name} of type {type}")
STEP_ORDER = general("Multi build partition start should less than end")
STEP_INTERVAL = general("Multi partition time interval must be larger than zero.")
STEP_COUNT = general("The number of Multi partitions too much, should not exceed:{limit}")
AUTO_RANGE_NULL = general("AUTO RANGE PARTITION doesn't support NULL column")
AUTO_RANGE_FUNCTION = general("AUTO RANGE PARTITION takes date_trunc(column, 'unit') only")
AUTO_RANGE_COLUMN = general(
    "AUTO RANGE PARTITION needs a DATE or DATETIME column, partition column[{name}] has type {type}"
)
AUTO_RANGE_UNIT = general("date_trunc unit '{unit}' can not partition column {name} of type {type}")
AUTO_LIST_FUNCTION = general("LIST PARTITION takes columns only, not functions")
AUTO_COUNT = general(
    "partition numbers of table {table} would be {count}, exceeding the limit {limit} of max_auto_partition_num"
)
PARTITION_NOT_KEY = general(
    "The partition column could not be aggregated column and unique table's partition column must be key column: {name}"
)
PARTITION_VALUE = general("Invalid partition value '{value}' of column {name}")
PARTITION_VALUES = general("partition {name} has {count} values for {columns} partition columns")
PARTITION_EMPTY = general("partition {name}: the lower bound must be less than the upper bound")
PARTITION_INTERSECTED = general("Range of partition {name} is intersected with partition {other}")
PARTITION_EXISTS = Kind(1517, "HY000", "Duplicate partition name {name}")
PARTITION_MISSING = Kind(1507, "HY000", "Error in list of partitions to {name}")
NOT_PARTITIONED = general("Alter table [{table}] failed. Not a partitioned table")

# DDL: aggregation, complex and state types (Doris: Aggregate Model; AGG_STATE)
AGGREGATION_TYPE = general("Aggregate type {aggregation} is not compatible with primitive type {type}")
AGGREGATION_COMPLEX = general("{type} column can't support aggregation {aggregation}")
REPLACE_NOT_NULLABLE = general("REPLACE_IF_NOT_NULL column must be nullable, maybe should use REPLACE, column:{name}")
STATE_NULLABLE = general("complex type column must be not nullable, column:{name}")
STATE_KEY = general("Key column can not set complex type:{name}")
STATE_MODEL = general("{type} type is only supported in aggregate key tables: {name}")
STATE_SWITCHED_OFF = general("agg state not enable, need set enable_agg_state=true")
STATE_DEFAULT = general("{type} type column can not set default value: {name}")
COMPLEX_DEFAULT = general("{type} type column default value just support {allowed}: {name}")
NESTING_DEPTH = general("Type exceeds the maximum nesting depth of 9")
SUB_TYPE = general("{type} unsupported sub-type: {inner}")
FIELD_TWICE = general("Duplicate field name {field} in struct column {name}")
ROW_STORE_AGGREGATE = general("Aggregate table can't support row column now")
STATE_USE = general(
    "Doris hll, bitmap, array, map, struct, jsonb, variant column must use with specific function, "
    "and don't support filter, group by or order by"
)
CAST_TYPE = general("can not cast from origin type {source} to target type={target}")
ARGUMENT_CONSTANT = general("{function} function's last argument should be constant")
PERCENT_RANGE = general("the input argument of percentage: {value} is not valid, must be in range [0,1]")
NO_SIGNATURE = general("Can not find the compatibility function signature: {function}({types})")

# DDL: properties (Doris: CREATE TABLE, properties) and changelog (Doris: Changelog)
UNKNOWN_PROPERTIES = general("Unknown properties: {{{pairs}}}")
INVALID_PROPERTY = general("Invalid value '{value}' of property {key}: it must be {expected}")
BLOOM_COLUMN = general("Bloom filter column does not exist in table. invalid column: {name}")
BLOOM_TYPE = general("{type} is not supported in bloom filter index. invalid column: {name}")
BLOOM_MODEL = general(
    "Bloom filter index only used in columns of UNIQUE_KEYS/DUP_KEYS table or key columns of AGG_KEYS table."
    " invalid column: {name}"
)
BLOOM_TWICE = general("Reduplicated bloom filter column: {name}")
BLOOM_RATE = general("Bloom filter fpp should in [{low}, {high}]")
MOW_ON_OTHER_MODEL = general("enable_unique_key_merge_on_write property only support unique key table")
LIGHT_DELETE_MODEL = general("enable_mow_light_delete property is only supported for unique merge-on-write table")
FIXED_PROPERTY = general("Property {key} of table {table} can not be changed after creation")
BINLOG_FORMAT = general(
    'Property binlog.format is no longer supported, use "changelog.enable" = "true" to enable changelog, '
    "or remove it for CCR binlog"
)
BINLOG_HISTORY = general(
    "Property binlog.need_historical_value is no longer supported, use changelog.need_historical_value instead"
)
BINLOG_TABLE = general(
    'Table {table} was created with "binlog.format" = "ROW", which is no longer supported; '
    'drop the table and create it again with "changelog.enable" = "true"'
)
CHANGELOG_SWITCHED_OFF = general("Cannot create table {table} with changelog when enable_feature_changelog=false")
CHANGELOG_TTL = general("changelog.ttl_seconds must be greater than 0")
CHANGELOG_TTL_NUMBER = general("changelog.ttl_seconds must be a number of seconds: {value}")
CHANGELOG_ENABLE_FIXED = general("not support change changelog.enable from {old} to {new}")
CHANGELOG_HISTORY_FIXED = general("not support change changelog.need_historical_value from {old} to {new}")
CHANGELOG_REQUIRED = general('Property {key} requires "changelog.enable" = "true"')
CHANGELOG_TTL_WITHOUT = general(
    "changelog.ttl_seconds can not be set because changelog is not enabled for table: {table}"
)
CHANGELOG_DUPLICATE_HISTORY = general("Duplicate table model don't support record historical value")
CHANGELOG_CLUSTER_KEYS = general("Unique merge-on-write tables with cluster keys do not support changelog")
CHANGELOG_MODEL = general("Only duplicate and mow table model support changelog")
CHANGELOG_AND_BINLOG = general("Table {table} can not enable both binlog and changelog")
CHANGELOG_IN_BINLOG_DATABASE = general(
    "Can not create table {table} with changelog in database {database} because the database enables binlog"
)
CHANGELOG_TEMPORARY = general("Cannot create temporary table with changelog enable")
CHANGELOG_OPERATION = general("Not allowed to perform current operation on Table With changelog")
CHANGELOG_VARIANT = general("variant column can't be created on table with changelog: {name}")
CHANGELOG_AUTO_INCREMENT = general("auto-inc column can't be created on table with changelog: {name}")
DATABASE_BOTH_LOGS = general("Database {database} can not enable both binlog and changelog")
DATABASE_HAS_CHANGELOG = general("Can not enable binlog for database {database} because table {table} has changelog")
PROPERTY_TWICE = general("Multiple entries with same key: {key}={first} and {key}={second}")
