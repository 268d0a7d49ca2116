"""When a write is a partial column update, and what new keys get in the columns it leaves out.

INSERT is told by session variables, a load by its headers; both end here. The stored values are filled in under
the table lock (storage/table/probe.py). Source: Doris: Partial Column Update.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import replace

from sql.ingest.default import default
from sql.ingest.generated import check_partial
from sql.ingest.target import Mode, Targets, check_keys, constant_flags, leaves_out, require_sequence, targets
from sql.variable import Variables
from storage.catalog.model import Column, Table
from storage.catalog.sequence import has_skip_bitmap
from storage.errors import NO_DEFAULT, NOT_SUPPORTED, PARTIAL_MODEL, PARTIAL_SKIP_BITMAP, DorisError
from storage.naming import physical, sql_name
from storage.work import Partial


def insert_targets(table: Table, names: Sequence[str], variables: Variables, now: datetime.datetime) -> Targets:
    """The targets of an INSERT: a partial update if the session wants one, the table can, and a column is missing."""
    chosen = targets(table, names)
    mode = _session_mode(variables)
    if names and table.merge_on_write and mode is not Mode.UPSERT:
        check_keys(table, chosen)
        if leaves_out(table, chosen):
            append = variables.get("partial_update_new_key_behavior") == "APPEND"
            flags = constant_flags(table, chosen) if mode is Mode.FLEXIBLE else {}
            return replace(partial_update(table, chosen, mode, append, now), flags=flags)
    return _complete(table, chosen, variables)


def overwrite_targets(table: Table, names: Sequence[str], variables: Variables) -> Targets:
    """The targets of an INSERT OVERWRITE, which has no stored rows to update."""
    return _complete(table, targets(table, names), variables)


def _complete(table: Table, chosen: Targets, variables: Variables) -> Targets:
    if variables.is_on("require_sequence_in_insert"):
        require_sequence(table, chosen)
    return chosen


def is_partial(variables: Variables) -> bool:
    """Whether the session's INSERTs are partial updates where a column is missing."""
    return _session_mode(variables) is not Mode.UPSERT


def _session_mode(variables: Variables) -> Mode:
    mode = Mode(variables.get("unique_key_update_mode"))
    fixed = mode is Mode.UPSERT and variables.is_on("enable_unique_key_partial_update")
    return Mode.FIXED if fixed else mode


def partial_update(table: Table, chosen: Targets, mode: Mode, append: bool, now: datetime.datetime) -> Targets:
    """The same targets for a partial update; new keys get their defaults of `now`. Refuses tables that cannot do it."""
    if not table.merge_on_write:
        raise PARTIAL_MODEL()
    flexible = mode is Mode.FLEXIBLE
    if flexible and not has_skip_bitmap(table):
        raise PARTIAL_SKIP_BITMAP(table=table.name)
    if flexible and any(column.auto_increment is not None or column.generated for column in table.columns):
        raise NOT_SUPPORTED(what="flexible partial update of a table with columns that fill themselves")
    check_partial(table, {column.name.lower() for column in chosen.columns})
    left = [c for c in table.values if flexible or _is_kept(c, chosen)]
    defaults = {physical(column.name): _of_new_key(column, now) for column in left}
    return replace(chosen, partial=Partial(defaults, append, flexible))


def _is_kept(column: Column, chosen: Targets) -> bool:
    """Whether a column keeps its stored value: it is not given, and does not fill itself anew."""
    return chosen.position(column) is None and not column.on_update and column.generated is None


def _of_new_key(column: Column, now: datetime.datetime) -> str | None:
    """DuckDB text of what a new key gets in a column it is not given; None when it must be given."""
    if column.auto_increment is not None:
        return f"s.{sql_name(column.name)}"  # numbered with the batch
    try:
        return default(column, now)
    except DorisError as error:
        if error.kind is NO_DEFAULT:
            return None
        raise
