"""The lineage of one written statement, as a pure function of its tree, its catalog and its context.

    extract(INSERT INTO s SELECT id, a + 1 FROM t, …)  ->  LineageInfo of internal.d.s with two direct entries

Works on a copy of the tree. Doris: Data Lineage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from dorisette.lineage import DirectLineage, LineageExpr, LineageInfo, OutputType, QueryContext, frozen
from sql.dialect.clause import clause, target
from sql.lineage import name
from sql.lineage.frame import Frame
from sql.lineage.query import Queries
from sql.lineage.source import LineageError, Output, Place, find
from sql.lineage.value import Value
from storage.catalog.catalog import Catalog
from storage.catalog.model import Table
from storage.naming import PREFIX

SILENT_DATABASE = "__internal_schema"  # writes into it are Doris's own


def command(node: exp.Expr) -> str | None:
    """Doris's word for a statement that has lineage: one that writes what a query gives (Doris: Data Lineage)."""
    if isinstance(node, exp.Insert) and isinstance(node.expression, exp.Query):
        return "InsertOverwriteTableCommand" if node.args.get("overwrite") else "InsertIntoTableCommand"
    if isinstance(node, exp.Create) and node.kind == "TABLE" and isinstance(node.expression, exp.Query):
        return "CreateTableCommand"
    return None


def extract(node: exp.Expr, place: Place, context: QueryContext) -> LineageInfo | None:
    """The lineage of a statement that succeeded; None where Doris sends no event.

    `place` is the snapshot the statement was analysed with; the target of a CREATE TABLE … AS SELECT need not be in
    it. Raises LineageError, or DorisError of a view's text, when the lineage cannot be told.
    """
    if command(node) is None:
        return None
    written_to, _ = target(node)
    database = written_to.db or place.database or ""
    if database.lower() == SILENT_DATABASE or _was_there(node, place, database, written_to.name):
        return None
    frame = Frame(place.database, place.session)
    outputs = Queries(place).relation(_query(node), frame).outputs
    if frame.notes.reads_nothing:
        return None
    columns = _target_columns(node, place, database, outputs)
    written = [(column, value) for column, (_, value) in zip(columns, outputs, strict=True)]
    return LineageInfo(
        target_table=name.table(database, written_to.name),
        target_columns=columns,
        source_tables=frozenset(frame.notes.tables),
        direct=frozen({column: _direct(value) for column, value in written}),
        dataset_indirect=frozen({kind: frozenset(found) for kind, found in frame.notes.dataset.items() if found}),
        output_indirect=frozen({column: kinds for column, value in written if (kinds := _indirect(value))}),
        context=context,
        target_types=_types(node, place, database, columns),
    )


def _was_there(node: exp.Expr, place: Place, database: str, created: str) -> bool:
    """Whether CREATE TABLE IF NOT EXISTS had nothing to do."""
    if not isinstance(node, exp.Create):
        return False
    found = find(place.catalog, database, created, place.session)
    is_temporary = clause(node, exp.TemporaryProperty) is not None
    return found is not None and (not is_temporary or (isinstance(found, Table) and found.session is not None))


def _query(node: exp.Expr) -> exp.Expr:
    """The query of the statement, as a tree of its own; a WITH before INSERT belongs to it."""
    query: exp.Expr = node.expression.copy()
    if with_ := node.args.get("with_"):
        query.set("with_", with_.copy())
    return query


def _target_columns(node: exp.Expr, place: Place, database: str, outputs: Sequence[Output]) -> tuple[str, ...]:
    """The written columns as they were declared, in the order of the query's outputs."""
    reference, members = target(node)
    listed = [item.name for item in members]
    if isinstance(node, exp.Create):
        return tuple(listed or [label for label, _ in outputs])
    table = _table(place.catalog, place, database, node)
    if table is None:
        raise LineageError(f"no table {database}.{reference.name}")
    if not listed:  # generated columns take no value (sql/statement/insert.py)
        plain = tuple(column.name for column in table.columns if column.generated is None)
        return plain if len(plain) == len(outputs) else tuple(column.name for column in table.columns)
    declared = ((label, table.column(label)) for label in listed)
    return tuple(column.name if column else _hidden(label) for label, column in declared)


def _types(node: exp.Expr, place: Place, database: str, columns: Sequence[str]) -> tuple[str, ...]:
    """The types of the written columns; a created table is in the later catalog only."""
    later = place.catalog_after if isinstance(node, exp.Create) else place.catalog
    table = _table(later, place, database, node) if later is not None else None
    declared = [table.column(label) if table is not None else None for label in columns]
    return tuple("" if column is None else str(column.type) for column in declared)


def _table(catalog: Catalog, place: Place, database: str, node: exp.Expr) -> Table | None:
    found = find(catalog, database, target(node)[0].name, place.session)
    return found if isinstance(found, Table) else None


def _hidden(label: str) -> str:
    return label.upper() if label.lower().startswith(PREFIX) else label


def _direct(value: Value) -> frozenset[DirectLineage]:
    return frozenset(DirectLineage(text.type, text.entry) for text in value.texts)


def _indirect(value: Value) -> Mapping[OutputType, frozenset[LineageExpr]]:
    kinds: dict[OutputType, frozenset[LineageExpr]] = {}
    if value.windows:
        kinds["WINDOW"] = value.windows
    if value.conditions:
        kinds["CONDITIONAL"] = value.conditions
    return frozen(kinds)
