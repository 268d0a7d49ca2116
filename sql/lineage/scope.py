"""What a column name stands for inside one SELECT.

Names are looked up among the sources of FROM, among the aliases of the select list, then in the query around. Which of
the first two wins depends on the clause (`Rule`): Doris looks for a column in most of them, for an alias in HAVING,
QUALIFY and ORDER BY, and never for an alias inside an aggregate function while there is a column.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

from sqlglot import exp

from sql.lineage import name
from sql.lineage.frame import Frame
from sql.lineage.source import LineageError, Opaque, Output, Relation
from sql.lineage.value import Alternative, Text, Value, settled


class Rule(Enum):
    """What a name without a table means first."""

    COLUMNS = "columns"
    ALIASES = "aliases"


@dataclass(slots=True)
class Source:
    """One relation of FROM under its name; the right side of a SEMI or ANTI JOIN is seen in its ON only."""

    name: str
    relation: Relation
    database: str = ""
    is_joined_away: bool = False


@dataclass(slots=True)
class Scope:
    """The sources of one SELECT, in order, and what was selected so far; `parent` is the query around."""

    frame: Frame
    parent: Scope | None = None
    sources: list[Source] = field(default_factory=list)
    shared: dict[str, Source] = field(default_factory=dict)  # columns of USING, and the side that stands for them
    aliases: dict[str, Value] = field(default_factory=dict)

    # -- names -------------------------------------------------------------------------------
    def column(self, column: exp.Column, rule: Rule = Rule.COLUMNS) -> Value:
        """The value of a column reference; LineageError when nothing has it, or more than one source."""
        found = self.look_up(column, rule)
        if found is not None:
            return found
        around = list(self._outwards())
        for scope in around:
            found = found or scope.look_up(column, Rule.COLUMNS)
        for scope in (self, *around):
            found = found or scope.field(column)
        if found is None:
            raise LineageError(f"no column {column.sql()}")
        return found

    def _outwards(self) -> Iterator[Scope]:
        scope = self.parent
        while scope is not None:
            yield scope
            scope = scope.parent

    def look_up(self, column: exp.Column, rule: Rule) -> Value | None:
        """The value of a column reference in this SELECT alone."""
        return self._qualified(column) if column.table else self._plain(column.name.lower(), rule)

    def _plain(self, lowered: str, rule: Rule) -> Value | None:
        alias = self.aliases.get(lowered)
        if alias is not None and rule is Rule.ALIASES:
            return alias
        return self._source_column(lowered) or alias or self._unlisted(lowered)

    def _source_column(self, lowered: str) -> Value | None:
        if lowered in self.shared:
            return self.shared[lowered].relation.find(lowered)
        found = self._in_sources(lowered, away=False) or self._in_sources(lowered, away=True)
        if len(found) > 1:
            raise LineageError(f"column {lowered} is ambiguous")
        return found[0] if found else None

    def _in_sources(self, lowered: str, away: bool) -> list[Value]:
        chosen = (source.relation.find(lowered) for source in self.sources if source.is_joined_away is away)
        return [value for value in chosen if value is not None]

    def _unlisted(self, lowered: str) -> Value | None:
        """A column of a table function whose columns are not known."""
        return next((s.relation.unlisted(lowered) for s in self.sources if isinstance(s.relation, Opaque)), None)

    def _qualified(self, column: exp.Column) -> Value | None:
        source = self.source(column.table, column.db)
        if source is None:
            return None
        lowered = column.name.lower()
        found = source.relation.find(lowered)
        return source.relation.unlisted(lowered) if found is None and isinstance(source.relation, Opaque) else found

    def source(self, wanted: str, database: str = "") -> Source | None:
        """A source by its name; in another case only if none is spelled like that."""
        fitting = [source for source in self.sources if database in ("", source.database)]
        exact = next((source for source in fitting if source.name == wanted), None)
        return exact or next((source for source in fitting if source.name.lower() == wanted.lower()), None)

    def field(self, column: exp.Column) -> Value | None:
        """`s.f` where `s` is a column: a field of a STRUCT."""
        if not column.table:
            return None
        parts = [part.copy() for part in column.parts[:-1]]
        holder = exp.Column(**dict(zip(("this", "table", "db"), reversed(parts), strict=False)))
        found = self.look_up(holder, Rule.COLUMNS)
        if found is None:
            return None
        fields = [Alternative(_field_of(text, column.name), choice) for text, choice in found.alternatives]
        return settled(fields, [found.windows], [found.conditions])

    # -- stars -------------------------------------------------------------------------------
    def star(self, table: str = "", database: str = "") -> Iterator[Output]:
        """The outputs of `*` or `table.*`; a column of USING comes once, where it is met first."""
        met: set[str] = set()
        for source in self._starred(table, database):
            for label, value in source.relation.outputs:
                lowered = label.lower()
                if lowered in self.shared:
                    if lowered in met:
                        continue
                    met.add(lowered)
                    value = self.shared[lowered].relation.find(lowered) or value
                yield label, value

    def _starred(self, table: str, database: str) -> Sequence[Source]:
        if not table:
            return [source for source in self.sources if not source.is_joined_away]
        source = self.source(table, database)
        if source is None:
            raise LineageError(f"no table {table}")
        return [source]


def _field_of(holder: Text, label: str) -> Text:
    return Text(f"{holder.operand}.{name.part(label)}", holder.columns, is_aggregate=holder.is_aggregate)
