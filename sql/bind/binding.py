"""The state of one statement while it is bound: reader, context, one clock, what it reads of streams.

All references of a statement share it, so that every reference to one stream sees the same range and
its offset moves once (Doris: Table Stream, reading and consuming).
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyarrow as pa

from sql.bind.relation import Relation
from storage.catalog.catalog import Catalog
from storage.catalog.model import Stream, Table
from storage.naming import PREFIX
from storage.reader import Reader
from storage.tso import to_ms
from storage.work import Move
from storage.zone import local_time

if TYPE_CHECKING:
    from sql.context import Context
    from sql.engine import Engine

FULL_GROUPS, CONCATENATING = "ONLY_FULL_GROUP_BY", "PIPES_AS_CONCAT"  # words of sql_mode


@dataclass(slots=True)
class Binding:
    """One statement's view: catalog and data of `reader`, one reference TSO, the moves of its streams."""

    engine: Engine
    context: Context
    reader: Reader
    reference_tso: int
    relations: dict[str, Relation] = field(default_factory=dict)
    streams: list[Stream] = field(default_factory=list)
    moves: dict[tuple[int, int], Move] = field(default_factory=dict)
    spelling: dict[str, str] = field(default_factory=dict)  # lower-case column name -> as the client wrote it
    given: set[str] = field(default_factory=set)  # those of them that an alias or an item of a SELECT gives
    tables: dict[int, Table] = field(default_factory=dict)  # whatever is read of them
    reads_arrow: bool = False  # the bound text reads tables that end with the reader
    describes: bool = False  # only columns and types are asked for, so that the age of what is read does not matter
    volatile: bool = False  # the bound text depends on more than statement, database and catalog version

    @property
    def catalog(self) -> Catalog:
        return self.reader.catalog

    @property
    def now_ms(self) -> int:
        """The statement's clock, in unix milliseconds."""
        return to_ms(self.reference_tso)

    @property
    def full_groups(self) -> bool:
        """Whether a grouped SELECT may name only what is grouped or aggregated (Doris: sql_mode)."""
        return self.context.variables.has_mode(FULL_GROUPS)

    @property
    def pipes_as_concat(self) -> bool:
        """Whether `||` is a concatenation (Doris: sql_mode)."""
        return self.context.variables.has_mode(CONCATENATING)

    @property
    def now(self) -> datetime.datetime:
        """The statement's clock in the session's time zone, without zone."""
        return local_time(self.now_ms, self.context.variables.zone)

    @property
    def zone(self) -> str:
        """The name of the session's time zone."""
        return self.context.variables.text("time_zone")

    @property
    def show_hidden(self) -> bool:
        return bool(self.context.variables.get("show_hidden_columns"))

    @property
    def more_digits(self) -> int:
        """How many digits a quotient has more than what is divided (Doris: div_precision_increment)."""
        return self.context.variables.number("div_precision_increment")

    @property
    def strict_cast(self) -> bool:
        """Whether a CAST that does not fit is an error (Doris: enable_strict_cast)."""
        return self.context.variables.is_on("enable_strict_cast")

    def add(self, relation: Relation) -> str:
        """Give a relation its name in the bound tree."""
        name = f"{PREFIX}r{len(self.relations)}"
        self.relations[name] = relation
        return name

    def read(self, table: Table) -> Table:
        """Note a table whose columns and partitions the bound text depends on."""
        self.tables[table.id] = table
        return table

    def register(self, table: pa.Table) -> str:
        """Make an Arrow table readable by this statement; gives its name in DuckDB text."""
        self.reads_arrow = True
        return self.reader.source(table)

    def consume(self, move: Move) -> None:
        """Note that the range of a stream partition was read; once per partition."""
        self.moves.setdefault((move.stream_id, move.part_id), move)
