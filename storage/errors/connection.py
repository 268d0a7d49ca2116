"""The errors of connections, sessions, configuration, SHOW, users and privileges: code, SQLSTATE and words."""

from __future__ import annotations

from storage.errors.kind import Kind, general

# Connection and session (MySQL: Server Error Message Reference)
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
QUERY_TIMEOUT = general("query timeout after {seconds} s (query_timeout)")
UNKNOWN_VARIABLE = Kind(1193, "HY000", "Unknown system variable '{name}'")
GLOBAL_VARIABLE = Kind(1229, "HY000", "Variable '{name}' is a GLOBAL variable and should be set with SET GLOBAL")
WRONG_VARIABLE_VALUE = Kind(1231, "42000", "Variable '{name}' can't be set to the value of '{value}'")
WRONG_VARIABLE_TYPE = Kind(1232, "42000", "Incorrect argument type to variable '{name}'")
READ_ONLY_VARIABLE = Kind(1621, "HY000", "Variable '{name}' is a read only variable")
UNKNOWN_CHARSET = Kind(1115, "42000", "Unknown character set: '{name}'")
UNKNOWN_TIME_ZONE = Kind(1298, "HY000", "Unknown or incorrect time zone: '{name}'")

# Configuration at run time (Doris: ADMIN SET FRONTEND CONFIG)
CONFIG_NOT_FOUND = general("Config '{key}' does not exist")
CONFIG_NOT_MUTABLE = general("Config '{key}' is not mutable")
CONFIG_NOT_SET = general("Failed to set config '{key}'. err: {reason}")

# SHOW, SET, ADMIN
UPDATE_MODE = general(
    "Invalid unique_key_partial_mode {value}, "
    "must be one of 'UPSERT', 'UPDATE_FIXED_COLUMNS' or 'UPDATE_FLEXIBLE_COLUMNS'"
)
NEW_KEY_BEHAVIOR = general("{name} should be one of {{'APPEND', 'ERROR'}}, but found {value}")
SHOW_WHERE = general("WHERE of SHOW supports comparisons of its columns with values only: {reason}")
SHOW_ORDER = general("ORDER BY of SHOW supports its columns only: {reason}")
SHOW_PARTITIONS_WHERE = general(
    "Only the columns of PartitionId/PartitionName/State/Buckets/ReplicationNum/LastConsistencyCheckTime are supported."
)
COMPACTION_TYPE = general("Where clause should look like: TYPE = 'BASE' or TYPE = 'CUMULATIVE', not '{type}'")
CONFIG_PAIRS = general("config parameter size is not equal to 1")

# Users and privileges (Doris: CREATE USER, GRANT)
NO_SUCH_GRANT = Kind(1141, "42000", "There is no such grant defined for user '{user}' on host '{host}'")
TABLE_DENIED = Kind(1142, "42000", "{command} command denied to user '{user}'@'{host}' for table '{table}'")
PRIVILEGE_NEEDED = Kind(
    1227, "42000", "Access denied; you need (at least one of) the {privilege} privilege(s) for this operation"
)
USER_EXISTS = general("User {user} already exist")
USER_MISSING = general("User {user} does not exist")
ROLE_EXISTS = general("Role {role} already exists")
ROLE_MISSING = general("Role {role} does not exist")
UNKNOWN_PRIVILEGE = general("Unknown privilege type: {privilege}")
PRIVILEGE_LEVEL = general("{privilege} can not be granted on {level}")
PRIVILEGE_PATTERN = general("Do not support format: {pattern}")
FIRST_USER_FIXED = general("Can not drop or demote the user {user}")
ROOT_USER_FIXED = general("Can not set password for root user, except root itself")
FIRST_ROLE_FIXED = general("Can not {action}: {role}")
ANONYMOUS_USER = general("Does not support anonymous user")
PASSWORD_HASH = general("Password hash should be a 41-digit hexadecimal number")
PREPARED_ONE = general("A prepared statement must be exactly one statement")
UNKNOWN_PREPARED = Kind(1243, "HY000", "Unknown prepared statement handler ({id}) given to {command}")
NO_CURSOR = Kind(1421, "HY000", "The statement ({id}) has no open cursor.")
PREPARED_TOO_MANY = Kind(
    1461, "42000", "Can't create more than max_prepared_stmt_count statements (current value: {most})"
)
