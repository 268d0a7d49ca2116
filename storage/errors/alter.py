"""The errors of ALTER TABLE, the recycle bin and dynamic partitions: code, SQLSTATE and words."""

from __future__ import annotations

from storage.errors.kind import Kind, general

# DDL: dynamic partitions (Doris: ErrorCode 5065 to 5075)
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
DYNAMIC_DAY = general("dynamic_partition.{name} should between 1 and {most}")
DYNAMIC_NAMES = general("Invalid dynamic partition properties: {names}")
DYNAMIC_MISSING = general("Must assign dynamic_partition.{name} properties")
DYNAMIC_COLUMNS = general("Dynamic partition only support single-column range partition")
DYNAMIC_COLUMN = general("Dynamic Partition Only Support DATE and DATETIME Type: {name} {type}")
DYNAMIC_UNIT_TYPE = general(
    "dynamic_partition.time_unit could not be HOUR when type of partition column {name} is DATE"
)
DYNAMIC_AUTO_UNIT = general(
    "If support auto partition and dynamic partition at same time, they must have the same interval unit."
)
DYNAMIC_HISTORY = general(
    "Provide start or history_partition_num property when create_history_partition=true."
    " Otherwise set create_history_partition=false"
)
DYNAMIC_COUNT = general("Too many dynamic partitions: {count}. Limit: {limit}")
DYNAMIC_ALTER = general(
    "Cannot add/drop partition on a Dynamic Partition Table, Use command `ALTER TABLE {table} SET"
    ' ("dynamic_partition.enable" = "false")` firstly.'
)
RETENTION_COUNT = general("partition.retention_count should be > 0: {value}")
RETENTION_TABLE = general("Only AUTO RANGE PARTITION table could set partition.retention_count")

# DDL: ALTER TABLE, recycle bin
RECOVER_PARTITION = general("No partition named '{name}' in recycle bin that belongs to table '{table}'")
RECOVER_RANGE = general("Can not recover partition[{name}]. Range conflict.")
RECOVER_DATABASE = general("Unknown database '{name}' in the recycle bin")
REPLACE_MISSING = general("Partition[{name}] does not exist")
REPLACE_TEMPORARY = general("Temp partition[{name}] does not exist")
REPLACE_RANGES = general("2 range lists are not stricly matched. {old} vs. {new}")
REPLACE_LISTS = general("2 list partition values are not stricly matched. {old} vs. {new}")
REPLACE_CONFLICT = general("Can not replace partitions: {reason}")
PARTITION_DISTRIBUTION = general("Cannot assign different distribution type. default is: {kind}")
PARTITION_HASH = general(
    "Cannot assign hash distribution with different distribution cols. new is: [{new}] default is: [{old}]"
)
TEMPORARY_PARTITIONS = general("Can not alter table when there are temp partitions in table")
ALTER_TEMPORARY = general("Do not support alter temporary table[{name}]")
VIEW_TEMPORARY = general("do not support create view on temporary table: {name}")
INDEX_EXISTS = general("index `{name}` already exist.")
INDEX_MISSING = general("Index `{name}` does not exist.")
INDEX_SAME = general("{method} index for column ({column}) already exist.")
INDEX_COLUMN = general("Column does not exist in table. invalid column: {name}")
INDEX_COLUMN_COUNT = general("{method} index can only apply to one column.")
INDEX_COLUMN_TYPE = general("{type} is not supported in {method} index. invalid column: {column}")
INDEX_COLUMN_MODEL = general(
    "{method} index only used in columns of DUP_KEYS/UNIQUE_KEYS table or key columns of AGG_KEYS table."
    " invalid column: {column}"
)
INDEX_NGRAM = general("gram_size and bf_size of a NGRAM_BF index must be whole numbers")
ROLLUP_EXISTS = general("Rollup index[{name}] already exists")
ROLLUP_MISSING = general("Rollup index[{name}] does not exist")
ROLLUP_COLUMN = general("Column[{name}] does not exist")
ROLLUP_TWICE = general("Duplicated column in rollup index[{name}]")
ROLLUP_ORDER = general("Invalid column order of rollup index[{name}]: keys stand in front of values")
ROLLUP_KEYS = general("Rollup index[{name}] should contains all keys of the base table")
ROLLUP_BASE = general("Column[{column}] can not be taken from rollup index[{name}]")
COLUMN_UNKNOWN = general("Column[{name}] does not exists")
MODIFY_KEY = general("Can not change the KEY attribute of column[{name}], the definition must say KEY for a key column")
MODIFY_AGGREGATION = general("Can not change aggregation type")
MODIFY_NULL = general("Can not change from nullable to non-nullable")
MODIFY_DEFAULT = general("Can not change default value")
MODIFY_KEY_TYPE = general("Can not change key column[{name}] from {old} to {new}: keys may become equal")
MODIFY_PLACED = general("Can not modify {role} column[{name}].")
AUTO_INCREMENT_FIXED = general("Can't modify the column[{name}]'s auto-increment attribute.")
ADD_NUMBERED = general("Can not add auto-increment column {name}")
TYPE_CHANGE = general("Can not change {old} to {new}")
TYPE_SHORTER = general("Cannot shorten string length")
ORDER_ALL = general("Reorder stmt should contains all columns")
ORDER_TWICE = general("Reduplicative column in ORDER BY")
ORDER_CLUSTERED = general("Can not modify column order in Unique data model table")
CLUSTER_KEY_FIXED = general("Can not modify cluster key column: {name}")
CLUSTER_KEY_DROP = general("Can not drop cluster key column in Unique data model table: {name}")
RENAME_PLACED = general("Renaming {role} columns has problems, forbidden in current Doris version")
LAST_KEY_COLUMN = general("No key column left. index[{table}]")
DROP_IN_ROLLUP = general("Can not drop column contained by mv, mv={name}")
ADD_KEY_COLUMN = general("Can not add key column {name} to a table of this model")
VALUE_BEFORE_KEY = general("Invalid column order. value should be after key. index[{table}]: {name}")
COLUMN_AFTER_ITSELF = general("Can not modify column position after itself")
ADD_NOT_NULL = general("Column {name} is NOT NULL and needs a default value, the table may hold rows")
COLUMN_MISSING = Kind(1091, "42000", "Can't DROP '{name}'; check that column/key exists")
DROP_KEY_COLUMN = general("Can not drop key column in {model} data model table: {name}")
DROP_USED_COLUMN = general("{role} column[{name}] cannot be dropped.")
NOT_A_TABLE = general("'{name}' is not TABLE but {kind}")
WRONG_OBJECT = general("'{name}' is not {wanted}. Use '{instead}'")
RECOVER_MISSING = general("Unknown table '{database}.{name}' in the recycle bin")
