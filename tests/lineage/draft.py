"""A catalog made by statements, and the lineage of a statement over it: neither storage nor server."""

from __future__ import annotations

from itertools import count

from sqlglot import exp

from dorisette.lineage import LineageInfo, QueryContext
from sql.ddl.partition import Stamp
from sql.ddl.table import Place as TablePlace
from sql.ddl.table import build
from sql.dialect.doris import parse
from sql.dialect.node import CreateStream
from sql.lineage.extract import command, extract
from sql.lineage.source import Place
from storage.catalog.catalog import Catalog
from storage.catalog.model import DatabaseEntry, Stream, StreamType, View
from storage.types import STRING

NOW = 1_700_000_000_000 << 18
LAYOUT = " DISTRIBUTED BY HASH({0}) BUCKETS 1 PROPERTIES ('replication_num' = '1')"


class Draft:
    """What a session of statements leaves behind."""

    def __init__(self, *statements: str) -> None:
        self.catalog = Catalog()
        self.database: str | None = None
        self._ids = count(100)
        for statement in statements:
            self.run(statement)

    def run(self, text: str) -> None:
        """Apply CREATE DATABASE, USE, CREATE TABLE, CREATE VIEW and CREATE STREAM; leave the others alone."""
        node = parse(text)[0].node
        if isinstance(node, exp.Use):
            self.database = node.this.name
        elif isinstance(node, CreateStream):
            self._stream(node)
        elif isinstance(node, exp.Create) and command(node) is None:
            {"DATABASE": self._database, "TABLE": self._table, "VIEW": self._view}[str(node.kind)](node)

    def table(self, name: str, columns: str) -> None:
        """A Duplicate Key table with its first column as key, in the current database."""
        self.run(f"CREATE TABLE {name} ({columns})" + LAYOUT.format(columns.split()[0]))

    def lineage(self, text: str, show_hidden: bool = False) -> LineageInfo | None:
        """The lineage of a statement that is taken to have succeeded."""
        node = parse(text)[0].node
        place = Place(self.catalog, self.database, show_hidden=show_hidden)
        return extract(node, place, QueryContext(command(node) or "", query_text=text))

    def _entry(self, reference: exp.Table) -> DatabaseEntry:
        entry = self.catalog.database(reference.db or self.database or "")
        assert entry is not None, reference.db
        return entry

    def _database(self, node: exp.Create) -> None:
        self.catalog = self.catalog.with_database(DatabaseEntry(next(self._ids), node.this.this.name))

    def _table(self, node: exp.Create) -> None:
        reference = node.this.this
        stamp = Stamp(lambda: next(self._ids), NOW)
        made = build(node, TablePlace(self._entry(reference), reference.name, True, stamp))
        self.catalog = self.catalog.with_table(made)

    def _view(self, node: exp.Create) -> None:
        reference = node.this.this if isinstance(node.this, exp.Schema) else node.this
        listed = node.this.expressions if isinstance(node.this, exp.Schema) else []
        columns = tuple((item.name, STRING, "") for item in listed)
        query = node.expression.sql(dialect="doris")
        view = View(next(self._ids), self._entry(reference).id, reference.name, query, columns)
        self.catalog = self.catalog.with_view(view)

    def _stream(self, node: CreateStream) -> None:
        base_entry, entry = self._entry(node.args["base"]), self._entry(node.this)
        base = self.catalog.table(base_entry.id, node.args["base"].name)
        assert base is not None
        stream = Stream(next(self._ids), entry.id, node.this.name, base.id, StreamType.MIN_DELTA, False)
        self.catalog = self.catalog.with_stream(stream)
