"""The errors of Stream Load: code, SQLSTATE and words."""

from __future__ import annotations

from storage.errors.kind import general

# Stream Load (Doris: Stream Load); a word in brackets is the code that its answer shows
LOAD_NO_AUTHORIZATION = general("[NOT_AUTHORIZED]no valid Basic authorization")
LOAD_FORMAT = general("[INVALID_ARGUMENT]unknown data format, format={value}")
LOAD_TIMEOUT = general("[INVALID_ARGUMENT]Invalid timeout format, {value}")
LOAD_STRICT_MODE = general("[INVALID_ARGUMENT]Invalid strict mode format. Must be bool type")
LOAD_SWITCH = general("[INVALID_ARGUMENT]Invalid value of {name}, must be bool type: {value}")
LOAD_NUMBER = general("[INVALID_ARGUMENT]Invalid value of {name}: {value}")
LOAD_SEPARATOR = general("[INVALID_ARGUMENT]Invalid separator of {name}: {value}")
LOAD_ONE_BYTE = general("[INVALID_ARGUMENT]{name} must be single-char: {value}")
LOAD_MERGE_TYPE = general("[INVALID_ARGUMENT]Invalid merge type {value}")
LOAD_DELETE_MISSING = general("[INVALID_ARGUMENT]Excepted DELETE ON clause when merge type is MERGE.")
LOAD_DELETE_SURPLUS = general("[INVALID_ARGUMENT]Not support DELETE ON clause when merge type is not MERGE.")
LOAD_MERGE_MODEL = general("load by MERGE or DELETE is only supported in unique tables.")
LOAD_PARTITIONS = general("[INVALID_ARGUMENT]Can not specify both partitions and temporary partitions")
LOAD_COMPRESSION = general("[INVALID_ARGUMENT]compress_type {value} is not supported")
LOAD_COMPRESSED_BODY = general("[DATA_QUALITY_ERROR]the body is not {value} data")
LOAD_TOO_LARGE = general("[INVALID_ARGUMENT]body exceed max size: {limit} MB ({name})")
LOAD_COLUMNS = general("[INVALID_ARGUMENT]Failed to parse columns header: {value}")
LOAD_EXPRESSION = general("[INVALID_ARGUMENT]{name} is not one expression: {value}")
LOAD_JSON_PATHS = general("[INVALID_ARGUMENT]Invalid json path: {value}")
LOAD_JSON = general("[DATA_QUALITY_ERROR]Parse json data failed: {reason}")
LOAD_JSON_ARRAY = general("[DATA_QUALITY_ERROR]JSON data is array-object, `strip_outer_array` must be TRUE.")
LOAD_JSON_OBJECT = general("[DATA_QUALITY_ERROR]JSON data is not an array-object, `strip_outer_array` must be FALSE.")
LOAD_JSON_LINE = general("[DATA_QUALITY_ERROR]Multiple JSON objects in a single line")
LOAD_TIMED_OUT = general("[TIMEOUT]load timeout after {seconds} s")
LOAD_FILTERED = general("[DATA_QUALITY_ERROR]too many filtered rows")
LOAD_NEGATIVE = general("Column is not SUM AggregateType. column:{name}")
LOAD_SEQUENCE = general("There is no sequence column in the table {table}")
LOAD_FLEXIBLE_FORMAT = general(
    "[INVALID_ARGUMENT]flexible partial update only support json format as input file currently"
)
LOAD_FLEXIBLE = general("[INVALID_ARGUMENT]Don't support flexible partial update when '{name}' is {state}")
LOAD_HIDDEN_PARTIAL = general("Partial update should not include invisible column except delete sign column: {name}")
LOAD_DATABASE = general("[ANALYSIS_ERROR]unknown database, database={name}")
LOAD_TABLE = general("[ANALYSIS_ERROR]unknown table, table={database}.{name}")
