"""The errors of writes, of the data directory and of commits: code, SQLSTATE and words."""

from __future__ import annotations

from storage.errors.kind import Kind, general

# Writing (Doris: INSERT, UPDATE, DELETE)
FILTERED_IN_STRICT_MODE = general("Insert has filtered data in strict mode. {reason}")
FILTERED_TOO_MANY = general(
    "Insert has too many filtered data {filtered}/{total} insert_max_filter_ratio is {ratio}. first error: {reason}"
)
COLUMN_COUNT = general("Column count doesn't match value count")
UNKNOWN_TARGET_COLUMN = general("Unknown column '{name}' in target table {table}")
COLUMN_TWICE = general("Duplicate column name '{name}' in the column list")
NO_DEFAULT = general("Column has no default value, column={name}")
ONLY_UNIQUE_UPDATES = general("Only unique table could be updated.")
KEY_UPDATED = general("Only value columns of unique table could be updated: {name}")
UNKNOWN_ASSIGNMENT = general("unknown column in assignment list: {name}")
FOREIGN_ASSIGNMENT = general("column in assignment list is invalid, {name}")
ASSIGNED_TWICE = general("duplicate column in assignment list: {name}")
DELETE_SIGN_TARGET = general("Unknown column '__DORIS_DELETE_SIGN__' in target table {table}")
DELETE_SHAPE = general(
    "Where clause only supports compound predicate, binary predicate, is_null predicate or in predicate."
)
DELETE_LEFT = general("Left expr of {kind} predicate should be column name")
DELETE_RIGHT = general("Right expr of {kind} predicate should be value")
DELETE_ALL = general("delete all rows is forbidden temporary.")
DELETE_IN_LIMIT = general("Element num of predicate should not be more than {limit}")
DELETE_FLOAT = general("Column[{name}] type is float or double.")
DELETE_VALUE_COLUMN = general(
    "delete predicate on value column only supports Unique table with merge-on-write enabled and Duplicate table, "
    "but Table[{table}] is an Aggregate table."
)
READ_ONLY_TRANSACTION = Kind(1792, "25006", "Cannot execute statement in a READ ONLY transaction.")
IN_TRANSACTION = general("This is in a transaction, only insert, update, delete, commit, rollback is acceptable.")
LABEL_IN_TRANSACTION = general(
    "This is in a transaction, a label of its own is not acceptable: {label}. BEGIN WITH LABEL names the transaction."
)
TABLE_CHANGED = general("Table {table} was altered while the statement was running, please try again")

# Storage: the data directory, commits, locks (storage/duck.py, storage/commit.py)
DATA_DIRECTORY_LOCKED = general("data directory {path} is in use by another process{owner}")
MEMORY_EXCEEDED = general("Memory limit exceeded: {reason}")
DATABASE_REOPENED = general("storage was restarted after an internal error, please retry: {reason}")
UNKNOWN_TABLE_ID = general("unknown table, tableId={id}")
UNKNOWN_PARTITION_ID = general("unknown partition, partitionId={id}")
ROW_CHANGED = general("a row of table [{table}] was changed by another transaction, please retry")
LABEL_FORMAT = general("Label format error. regex: {regex}, label: {label}")
LABEL_USED = general("Label [{label}] has already been used, relate to txn [{transaction}]")

# Unique Key: sequence columns, partial column updates (Doris: Concurrency Control for Updates)
SEQUENCE_MODEL = general("sequence column only support UNIQUE_KEYS")
SEQUENCE_TYPE = general("Sequence type only support integer types and date types")
SEQUENCE_COLUMN = general("The specified sequence column[{name}] not exists")
SEQUENCE_BOTH = general("The sequence_col and sequence_type cannot be set at the same time")
SEQUENCE_REQUIRED = general("Table {table} has sequence column, need to specify the sequence column")
SEQUENCE_MAPPED = general("Table {table} takes its sequence from column {column}, {name} cannot be written")
SEQUENCE_DROP = general("Can not drop sequence mapping column[{column}] in Unique data model table[{table}]")
SEQUENCE_MODIFY = general("Can not alter sequence mapping column[{column}] in Unique data model table[{table}]")
SEQUENCE_EXISTS = general("Can not enable sequence column support, already has sequence column")
SEQUENCE_FEATURE_MODEL = general("sequence load only supported in unique tables.")
BATCH_DELETE_EXISTS = general("Can not enable batch delete support, already supported batch delete.")
BATCH_DELETE_MODEL = general("Batch delete only supported in unique tables.")
FEATURE_UNKNOWN = general("unknown feature name: {name}")
FEATURE_TYPE_MISSING = general('feature SEQUENCE_LOAD needs the property "function_column.sequence_type"')
SKIP_BITMAP_EXISTS = general("table {table} has enabled update flexible columns feature already.")
SKIP_BITMAP_MODEL = general("table {table} is not a unique key merge-on-write table.")
SKIP_BITMAP_PROPERTY = general("enable_unique_key_skip_bitmap_column property only support unique merge-on-write table")
PARTIAL_KEY_MISSING = general("Partial update should include all key columns, missing: {name}")
PARTIAL_GENERATED = general(
    "Partial update should include all ordinary columns referenced by generated columns, missing: {name}"
)
PARTIAL_NEW_KEY = general(
    "Can't append new rows in partial update when partial_update_new_key_behavior is ERROR. "
    "Row with key=[{key}] is not in table."
)
PARTIAL_COLUMN_REQUIRED = general(
    "the unmentioned column `{name}` should have default value or be nullable for newly inserted rows "
    "in non-strict mode partial update"
)
PARTIAL_MODEL = general("Only unique key merge on write support partial update")
PARTIAL_SKIP_BITMAP = general(
    "Flexible partial update can only support table with skip bitmap hidden column. "
    'But table {table} doesn\'t have it. You can use `ALTER TABLE {table} ENABLE FEATURE "UPDATE_FLEXIBLE_COLUMNS";` '
    "to add it to the table."
)

# Columns that fill themselves (Doris: Auto-Increment Column, Generated Columns)
AUTO_INCREMENT_MODEL = general("the auto increment is only supported in duplicate table and unique table.")
AUTO_INCREMENT_TYPE = general("the auto increment must be BIGINT type.")
AUTO_INCREMENT_NULL = general("the auto increment column should be NOT NULL.")
AUTO_INCREMENT_DEFAULT = general("the auto increment column can't have default value.")
AUTO_INCREMENT_TWICE = general("there can be at most one auto increment column in OlapTable.")
ON_UPDATE_MODEL = general(
    "'ON UPDATE CURRENT_TIMESTAMP' is only supportted in unique table with merge-on-write enabled."
)
ON_UPDATE_DEFAULT = general(
    "You must set the default value of the column[{name}] to CURRENT_TIMESTAMP "
    "when using 'ON UPDATE CURRENT_TIMESTAMP'."
)
GENERATED_MODEL = general("The generated columns of an aggregate table are not supported: {name}")
GENERATED_DEFAULT = general("Generated columns cannot have default value: {name}")
GENERATED_COLUMN = general("Unknown column '{used}' in 'generated column function' of {name}")
GENERATED_EXPRESSION = general("Expression of generated column '{name}' contains a disallowed function:'{what}'")
GENERATED_ADDED = general("Not supporting alter table add generated columns.")
GENERATED_USE = general("Column '{name}' has a generated column dependency on :[{used}]")
GENERATED_GIVEN = general("The value specified for generated column '{name}' in table '{table}' is not allowed.")
