"""The one table of fe.conf keys, and the values one server runs with (Doris: FE Configuration).

A key is a typed constant, so that ``config[QUERY_PORT]`` is an int to the type checker. This module reads
no environment but for ``${NAME}`` in the file, and touches nothing else of the outside.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar, cast

from storage.errors import CONFIG_NOT_FOUND, CONFIG_NOT_MUTABLE, CONFIG_NOT_SET
from storage.properties import properties

T = TypeVar("T", bool, int, str, tuple[str, ...])

KEYS: dict[str, Key[bool] | Key[int] | Key[str] | Key[tuple[str, ...]]] = {}


class ConfigError(Exception):
    """fe.conf cannot be used; the message is the one line to print."""


@dataclass(frozen=True, slots=True)
class Key(Generic[T]):
    """One configuration key; `comment` is its sentence in the documentation and in SHOW FRONTEND CONFIG."""

    name: str
    default: T
    comment: str
    mutable: bool = False
    minimum: int | None = None
    maximum: int | None = None

    def __post_init__(self) -> None:
        KEYS[self.name] = self

    @property
    def type(self) -> str:
        """Doris's word for the type: boolean, int, String or String[]."""
        return {bool: "boolean", int: "int", str: "String", tuple: "String[]"}[type(self.default)]

    def parse(self, text: str) -> T:
        """Read a value; ValueError with the reason when it is not one."""
        return cast(T, _PARSERS[self.type](text, self))

    def show(self, value: object) -> str:
        """Print a value as SHOW FRONTEND CONFIG does."""
        if isinstance(value, bool):
            return str(value).lower()
        return f"[{', '.join(value)}]" if isinstance(value, tuple) else str(value)


def _boolean(text: str, key: Key[T]) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(f"'{text}' is not a boolean")
    return text.lower() == "true"


def _integer(text: str, key: Key[T]) -> int:
    if not re.fullmatch(r"[+-]?\d{1,19}", text):
        raise ValueError(f"'{text}' is not an integer")
    if key.minimum is not None and int(text) < key.minimum:
        raise ValueError(f"'{text}' is less than {key.minimum}")
    if key.maximum is not None and int(text) > key.maximum:
        raise ValueError(f"'{text}' is more than {key.maximum}")
    return int(text)


def _string(text: str, key: Key[T]) -> str:
    return text


def _strings(text: str, key: Key[T]) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())


_PARSERS: dict[str, Callable[[str, Key[T]], object]] = {
    "boolean": _boolean,
    "int": _integer,
    "String": _string,
    "String[]": _strings,
}

# -- the keys; Doris: FE Configuration ---------------------------------------------------------
QUERY_PORT = Key("query_port", 9030, "Port of the MySQL protocol.", minimum=0)
HTTP_PORT = Key("http_port", 8030, "Port of the HTTP service.", minimum=0)
PRIORITY_NETWORKS = Key("priority_networks", "", "Networks (CIDR) to listen on; empty means loopback only.")
META_DIR = Key("meta_dir", "", "Data directory; empty means <home>/doris-meta.")
SYS_LOG_DIR = Key("sys_log_dir", "", "Directory of fe.log and fe.audit.log; empty means <home>/log.")
SYS_LOG_LEVEL = Key("sys_log_level", "INFO", "Lowest level that fe.log records: DEBUG, INFO, WARN or ERROR.")
ENABLE_FEATURE_CHANGELOG = Key(
    "enable_feature_changelog", False, "Allow tables with changelog, and their consumption and cleanup."
)
ENABLE_TABLE_STREAM = Key("enable_table_stream", False, "Allow table streams.")
ENABLE_CONCURRENT_UPDATE = Key(
    "enable_concurrent_update", False, "Let UPDATE statements of one Unique Key table run at the same time."
)
PLUGIN_DIR = Key("plugin_dir", "", "Directory of plugins; empty means <home>/plugins.")
ACTIVATE_LINEAGE_PLUGIN: Key[tuple[str, ...]] = Key("activate_lineage_plugin", (), "Lineage plugins to activate.")
LINEAGE_EVENT_QUEUE_SIZE = Key("lineage_event_queue_size", 50000, "Lineage events kept for the plugins.", minimum=1)
QE_MAX_CONNECTION = Key("qe_max_connection", 1024, "Most MySQL connections at one time.", minimum=1)
MAX_IN_ELEMENTS_OF_DELETE = Key(
    "max_allowed_in_element_num_of_delete", 1024, "Most elements of an IN list in a DELETE.", mutable=True
)
STREAM_LOAD_TIMEOUT = Key(
    "stream_load_default_timeout_second", 259200, "Time limit of a Stream Load in seconds.", mutable=True
)
STREAMING_LOAD_MAX_MB = Key(
    "streaming_load_max_mb", 10240, "Largest body of a Stream Load in megabytes.", mutable=True, minimum=1
)
STREAMING_LOAD_JSON_MAX_MB = Key(
    "streaming_load_json_max_mb", 100, "The same for JSON that is not read line by line.", mutable=True, minimum=1
)
LABEL_KEEP = Key("label_keep_max_second", 259200, "Age in seconds at which finished labels may be used again.", True, 0)
STREAMING_LABEL_KEEP = Key(
    "streaming_label_keep_max_second", 43200, "The same for labels of INSERT and Stream Load.", True, 0
)
MAX_RUNNING_TXN = Key("max_running_txn_num_per_db", 10000, "Most running transactions of a database.", mutable=True)
DEFAULT_REPLICATION = Key("default_replication", 1, "Replicas shown for new tables; data is stored once.", mutable=True)
FORCE_REPLICATION = Key(
    "force_olap_table_replication_num", 0, "Accepted for compatibility; data is stored once.", mutable=True
)
LOWER_CASE_TABLE_NAMES = Key(
    "lower_case_table_names", 0, "Only 0 is built: table names are case-sensitive.", minimum=0, maximum=0
)
DISABLE_BALANCE = Key("disable_balance", False, "Accepted for compatibility, without effect.", mutable=True)
TABLET_CREATE_TIMEOUT = Key(
    "tablet_create_timeout_second", 2, "Accepted for compatibility, without effect.", mutable=True
)
CATALOG_TRASH_EXPIRE = Key(
    "catalog_trash_expire_second", 86400, "Seconds a dropped table or partition can be recovered.", True, 0
)
MAX_AUTO_PARTITION_NUM = Key(
    "max_auto_partition_num", 2000, "Most partitions that a table may have by AUTO PARTITION.", True, 1
)
DYNAMIC_PARTITION_ENABLE = Key(
    "dynamic_partition_enable", True, "Let the scheduler add and drop dynamic partitions.", mutable=True
)
DYNAMIC_PARTITION_INTERVAL = Key(
    "dynamic_partition_check_interval_seconds", 600, "Pause in seconds between two runs of that scheduler.", True, 1
)
OFFSET_CLEANUP_INTERVAL = Key(
    "table_stream_partition_offset_cleanup_interval_second",
    3600,
    "Pause in seconds between two cleanups of stream offsets whose partition was dropped; 0 = off.",
    mutable=True,
    minimum=0,
)
DISABLE_AUTO_COMPACTION = Key(
    "disable_auto_compaction",
    False,
    "Keep expired changes of all tables on disk, which reads leave out all the same, and do not sort rows by key.",
)
CLEANUP_INTERVAL = Key(
    "changelog_cleanup_interval_second",
    60,
    "Seconds between two rounds of background work: expired changes, dropped objects, labels, key order; 0 = off.",
    mutable=True,
    minimum=0,
)


class Config:
    """The values of all keys; safe to read and set from any thread."""

    def __init__(self) -> None:
        self.warnings: list[str] = []
        self._values: dict[str, object] = {}
        self._lock = threading.Lock()

    @classmethod
    def read(cls, path: Path) -> Config:
        """Read fe.conf; unknown keys go to `warnings`, wrong values raise ConfigError."""
        config = cls()
        for name, text in properties(path.read_text("utf-8")).items():
            config._assign(path, name, _environment(text))
        return config

    def _assign(self, path: Path, name: str, text: str) -> None:
        key = KEYS.get(name) or KEYS.get(name.removeprefix("experimental_"))
        if key is None:
            if not re.fullmatch(r"[A-Z0-9_]+", name):
                self.warnings.append(
                    f"[WARN] Unknown config '{name}' in {path} is ignored, "
                    "please check whether it is a typo or has been removed in this version."
                )
        elif text:
            self.override(key.name, text)

    def __getitem__(self, key: Key[T]) -> T:
        """The value of a key: as set, else its default."""
        return cast(T, self._values.get(key.name, key.default))

    def override(self, name: str, text: str) -> None:
        """Set a key at start (file, command line), mutable or not; ConfigError when the value is wrong."""
        try:
            value = KEYS[name].parse(text)
        except ValueError as error:
            raise ConfigError(f"Failed to set config, name: {name}, value: {text}") from error
        self._values[name] = value

    def set(self, name: str, text: str) -> None:
        """Change a mutable key until restart (Doris: ADMIN SET FRONTEND CONFIG)."""
        key = KEYS.get(name)
        if key is None:
            raise CONFIG_NOT_FOUND(key=name)
        if not key.mutable:
            raise CONFIG_NOT_MUTABLE(key=name)
        try:
            value = key.parse(text.strip())
        except ValueError as error:
            raise CONFIG_NOT_SET(key=name, reason=error) from error
        with self._lock:
            self._values = {**self._values, name: value}

    def rows(self) -> list[tuple[str, str, str, str, str, str]]:
        """SHOW FRONTEND CONFIG: Key, Value, Type, IsMutable, MasterOnly, Comment, sorted by key."""
        values = self._values
        return [
            (name, key.show(values.get(name, key.default)), key.type, str(key.mutable).lower(), "false", key.comment)
            for name, key in sorted(KEYS.items())
        ]


def _environment(text: str) -> str:
    """Replace ``${NAME}`` by the environment variable; an unset one stops the start."""

    def value(found: re.Match[str]) -> str:
        if found[1] not in os.environ:
            raise ConfigError(f"no such env variable: {found[1]}")
        return os.environ[found[1]]

    return re.sub(r"\$\{([^}]*)\}", value, text)
