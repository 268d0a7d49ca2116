"""The errors of streams, incremental reads and images: code, SQLSTATE and words."""

from __future__ import annotations

from storage.errors.kind import Kind, general

# Reading and consuming change data (Doris: Table Stream; Changelog)
OFFSET_CONSUMED = general("target offset already consumed: {database}-{stream}-{part}-{wanted} vs {found}")
OFFSET_EXPIRED = general("Changelog offset has expired according to changelog.ttl_seconds{detail}")
UNKNOWN_BASE_TABLE = general("Unknown base table '{name}' of stream {stream}")
STREAM_IS_READ_ONLY = general("Stream {name} can not be the target of {statement}, a table stream is read only")
CONSUME_SWITCHED_OFF = general(
    "Insert plan with Table stream failed. should enable enable_feature_changelog feature in FE config."
)
INTERNAL_STREAM = general("Stream {name} is internal, it can not be used in INSERT INTO")
STREAM_CLAUSE = general("{clause} is not supported on table stream {name}")
CHANGELOG_PROPERTY = general("'{key}' is invalid property")
CHANGELOG_TABLE_REQUIRED = general("'table' is required for changelog")
CHANGELOG_DATABASE_REQUIRED = general("'db' is required for changelog")
CHANGELOG_NOT_ENABLED = general("changelog is not enabled for table={table}")
CHANGELOG_NOT_OLAP = general("changelog only supports OLAP table, table={table}")
PARTITION_NOT_FOUND = general("Partition not found: {name}")
INVALID_PARTITION_NAMES = general("Invalid partition names: {value}")
INVALID_TABLET_IDS = general("Invalid tablet ids: {value}")
UNKNOWN_PARTITION = general("partition {name} is not found in table {table}")
NOT_UNIQUE_ALIAS = Kind(1066, "42000", "Not unique table/alias: '{name}'")

# Incremental reads and images (Doris: Incremental Query; Table Stream, advanced features)
INCR_TIME_FORMAT = general("Invalid TIMESTAMP format in incr clause: {value}")
INCR_PARAMETER = general("Unsupported parameter in incr query: {name}")
INCR_NEEDS_CHANGELOG = general("INCR query requires changelog enabled on base table.")
INCR_NEEDS_HISTORY = general("MIN_DELTA INCR query requires base table to enable changelog.need_historical_value=true")
AT_TABLE = general("Invalid param type for olap table: {name}")
AT_STREAM = general("Invalid param type for olap table stream: {name}")
AT_PARAMETERS = general("{name} does not accept parameters")
TRAVEL_NEEDS_CHANGELOG = general("FOR VERSION/TIME AS OF requires changelog enabled on table {table}")
TRAVEL_NEEDS_HISTORY = general(
    "FOR VERSION/TIME AS OF on merge-on-write table requires changelog.need_historical_value=true"
)
TRAVEL_MODEL = general("FOR VERSION/TIME AS OF is only supported on duplicate or unique merge-on-write tables")
TRAVEL_FORMAT = general("Invalid timestamp or version in FOR VERSION/TIME AS OF: {value}")
TRAVEL_WITH_INCR = general("FOR VERSION/TIME AS OF can not be combined with @incr")
COMMITS_IN_FLIGHT = general("commits inside the requested window did not finish within {seconds} s")
SNAPSHOT_NEEDS_HISTORY = general(
    "snapshot of stream {name} requires base mow table to enable changelog.need_historical_value=true"
)

# Streams (Doris: Table Stream)
STREAM_SWITCHED_OFF = general("Table Stream is experimental. Please set enable_table_stream=true to enable it.")
STREAM_BASE_CHANGELOG = general("Base Olap table {table} need to enable changelog for table stream")
STREAM_BASE_HISTORY = general(
    "{type} table stream requires base mow table to enable changelog.need_historical_value=true"
)
STREAM_BASE_KIND = general("Base table type: {kind}, StreamScanType: {type} is not supported for create table stream")
STREAM_TYPE = general("not supported type: {value}")
STREAM_INITIAL_ROWS = general("show_initial_rows must be `true` or `false`")
STREAM_REPLACE = general("do not support replace currently")
STREAM_RESERVED = general("Stream name {name} is reserved, the prefix __doris_ivm_stream_ belongs to incremental views")
STREAM_ONLY_COMMENT = general("Only the comment of stream {name} can be altered")
STREAM_NEEDS_FORCE = general("The base table of stream {name} does not exist, use DROP STREAM {name} FORCE to drop it")
