"""CREATE, ALTER and DROP STREAM as functions from one catalog to the next.

Source: Doris: Table Stream, creating; limits; CREATE STREAM, ALTER STREAM, DROP STREAM.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sql.ddl.name import check_object
from storage.catalog.catalog import Catalog
from storage.catalog.model import DatabaseEntry, Stream, StreamType, Table, View
from storage.errors import (
    STREAM_BASE_CHANGELOG,
    STREAM_BASE_HISTORY,
    STREAM_BASE_KIND,
    STREAM_INITIAL_ROWS,
    STREAM_NEEDS_FORCE,
    STREAM_RESERVED,
    STREAM_TYPE,
    TABLE_EXISTS,
    UNKNOWN_PROPERTIES,
)
from storage.naming import PREFIX

INTERNAL_PREFIX = f"{PREFIX}ivm_stream_"


@dataclass(frozen=True, slots=True)
class Options:
    """What PROPERTIES of CREATE STREAM say."""

    type: StreamType = StreamType.MIN_DELTA
    show_initial_rows: bool = False


def options(pairs: Iterable[tuple[str, str]]) -> Options:
    """Read the properties; the type in any case, the switch as true or false exactly (Doris: CREATE STREAM)."""
    given = dict(pairs)
    unknown = [f"{key}={value}" for key, value in given.items() if key not in ("type", "show_initial_rows")]
    if unknown:
        raise UNKNOWN_PROPERTIES(pairs=", ".join(unknown))
    return Options(_type(given.get("type", "min_delta")), _switch(given.get("show_initial_rows", "false")))


def _type(value: str) -> StreamType:
    try:
        return StreamType(value.upper())
    except ValueError:
        raise STREAM_TYPE(value=value) from None


def _switch(value: str) -> bool:
    if value.lower() not in ("true", "false"):
        raise STREAM_INITIAL_ROWS()
    return value.lower() == "true"


def check_name(name: str) -> None:
    """Refuse the names of internal streams (Doris: Table Stream, limits) and malformed ones."""
    if name.lower().startswith(INTERNAL_PREFIX):
        raise STREAM_RESERVED(name=name)
    check_object("table", name)


def check_free(catalog: Catalog, database: DatabaseEntry, name: str) -> None:
    """Refuse a name that a table, a stream or a view of the database has."""
    if catalog.named(database.id, name):
        raise TABLE_EXISTS(name=name)


def check_base(base: Table | Stream | View, wanted: StreamType, base_name: str) -> Table:
    """The base as a table that can feed this type of stream (Doris: Table Stream, prerequisites)."""
    if not isinstance(base, Table):
        raise STREAM_BASE_KIND(kind="STREAM" if isinstance(base, Stream) else "VIEW", type=wanted.value)
    if base.changelog is None:
        raise STREAM_BASE_CHANGELOG(table=base_name)
    if base.is_unique and not base.changelog.history and wanted is not StreamType.APPEND_ONLY:
        raise STREAM_BASE_HISTORY(type=wanted.value)
    return base


def commented(catalog: Catalog, stream: Stream, comment: str) -> Catalog:
    """ALTER STREAM SET COMMENT; the empty text clears it (Doris: ALTER STREAM)."""
    return catalog.with_stream(replace(stream, comment=comment))


def dropped(catalog: Catalog, stream: Stream, force: bool) -> Catalog:
    """DROP STREAM; without its base only by FORCE (Doris: DROP STREAM)."""
    if catalog.live_table(stream.base_id) is None and not force:
        raise STREAM_NEEDS_FORCE(name=stream.name)
    return catalog.without_stream(stream.id)
