"""The errors of names and of statements as such: code, SQLSTATE and words."""

from __future__ import annotations

from storage.errors.kind import Kind, general

# Names (MySQL: Server Error Message Reference)
NO_DATABASE = Kind(1046, "3D000", "No database selected")
DATABASE_EXISTS = Kind(1007, "HY000", "Can't create database '{name}'; database exists")
DATABASE_MISSING = Kind(1008, "HY000", "Can't drop database '{name}'; database doesn't exist")
UNKNOWN_DATABASE = Kind(1049, "42000", "Unknown database '{name}'")
TABLE_EXISTS = Kind(1050, "42S01", "Table '{name}' already exists")
UNKNOWN_TABLE = Kind(1051, "42S02", "Unknown table '{name}'")
NO_SUCH_TABLE = Kind(1146, "42S02", "Table '{name}' doesn't exist")
DUPLICATE_COLUMN = Kind(1060, "42S21", "Duplicate column name '{name}'")
TABLE_NOT_FOUND = general("Table [{table}] does not exist in database [{database}].")
UNKNOWN_COLUMN = general("Unknown column '{name}' in '{place}'")
AMBIGUOUS_COLUMN = general("Column '{name}' in '{place}' is ambiguous")
UNKNOWN_CATALOG = general("Unknown catalog '{name}'")
UNKNOWN_FUNCTION = general("Can not found function '{name}'")
FUNCTION_ARITY = general("Can not found function '{name}' which has {count} arity. Candidate functions are: [{name}]")

# Statements
PLACEHOLDER = general("Placeholder {name} has no value outside of a prepared statement")
SYNTAX_ERROR = general("Syntax error in line {line}, column {column}: {reason}")
NOT_SUPPORTED_YET = general("{what} is not supported yet")
NOT_SUPPORTED = general("{what} is not supported")
INTERNAL_ERROR = general("internal error, see fe.log for query id {query_id}")
STORAGE_FAILURE = general("{reason}")
EXECUTION_FAILED = general("{reason}")
OUT_OF_CALENDAR = general("Operation {operation} of {operands} out of range")

# Views (Doris: CREATE VIEW)
VIEW_COLUMNS = general("View's SELECT and view's field list have different column counts")
VIEW_HIDDEN_COLUMN = general("Column name '{name}' of view {view} starts with a reserved prefix, give it an alias")
VIEW_DEPTH = general("View {name} expands to more than {limit} views inside each other")
VIEW_IS_READ_ONLY = general("View {name} can not be the target of {statement}")
