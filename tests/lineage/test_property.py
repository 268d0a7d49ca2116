"""Random nested queries: texts and columns agree, and the columns are those that sqlglot's own lineage finds."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlglot import exp, parse_one
from sqlglot.lineage import Node
from sqlglot.lineage import lineage as stock_lineage

from dorisette.lineage import LineageExpr, LineageInfo
from tests.lineage.shop import SHOP

TABLES = {"t": ("a", "b", "c"), "u": ("a", "x", "y"), "w": ("a", "x", "k")}
SCHEMA = {"d": {table: dict.fromkeys(columns, "INT") for table, columns in TABLES.items()}}
SHAPES = ("{0}", "{0} + {1}", "UPPER({0})", "{0} * ({1} - 1)", "IF({0} > 1, {1}, 0)", "COALESCE({0}, {1})", "7")
CONDITIONS = ("{0} = {1}", "{0} > 3 AND {1} < 4", "{0} IN (1, 2) OR {1} IS NULL", "NOT {0} = 1")


@st.composite
def selects(draw: st.DrawFn, depth: int) -> tuple[str, int]:
    """A SELECT with named outputs n0, n1, …, and how many it has."""
    count = draw(st.integers(1, 3))
    sources = [draw(relations(depth)) for _ in range(draw(st.integers(1, 2)))]
    columns = [f"s{at}.{column}" for at, (_, names) in enumerate(sources) for column in names]

    def filled(shapes: tuple[str, ...]) -> str:
        return draw(st.sampled_from(shapes)).format(draw(st.sampled_from(columns)), draw(st.sampled_from(columns)))

    items = ", ".join(f"{filled(SHAPES)} AS n{at}" for at in range(count))
    text = f"SELECT {items} FROM {sources[0][0]} s0"
    if len(sources) > 1:
        text += f" JOIN {sources[1][0]} s1 ON {filled(CONDITIONS)}"
    if draw(st.booleans()):
        text += f" WHERE {filled(CONDITIONS)}"
    return text, count


@st.composite
def relations(draw: st.DrawFn, depth: int) -> tuple[str, tuple[str, ...]]:
    """A table, a derived table or a union of two, with its columns."""
    kind = draw(st.sampled_from(("table", "derived", "union"))) if depth else "table"
    if kind == "table":
        table = draw(st.sampled_from(sorted(TABLES)))
        return f"d.{table}", TABLES[table]
    text, count = draw(selects(depth - 1))
    if kind == "union":
        other, width = draw(selects(depth - 1))
        count = min(count, width)
        names = ", ".join(f"n{at}" for at in range(count))
        text = f"SELECT {names} FROM ({text}) l UNION ALL SELECT {names} FROM ({other}) r"
    return f"({text})", tuple(f"n{at}" for at in range(count))


def told(query: str, count: int) -> LineageInfo:
    info = SHOP.lineage(f"INSERT INTO o3 ({', '.join('pqr'[:count])}) {query}")
    assert info is not None
    return info


def names(entry: LineageExpr) -> set[str]:
    return {f"{column.db}.{column.table}.{column.column}" for column in entry.columns}


def leaves(node: Node) -> set[str]:
    """The base columns below a node of sqlglot's lineage."""
    if isinstance(node.expression, exp.Table):
        column = node.name.rpartition(".")[2].strip('"`')
        return {f"{node.expression.db}.{node.expression.name}.{column}"}
    return set().union(*(leaves(child) for child in node.downstream)) if node.downstream else set()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(selects(3))
def test_columns_are_those_of_the_text(made: tuple[str, int]) -> None:
    """Each text can be read, and names the columns of its entry."""
    query, count = made
    info = told(query, count)
    direct = [entry.expr for found in info.direct.values() for entry in found]
    whole = [entry for found in info.dataset_indirect.values() for entry in found]
    single = [entry for kinds in info.output_indirect.values() for found in kinds.values() for entry in found]
    for entry in (*direct, *whole, *single):
        tree = parse_one(f"SELECT {entry.sql}", read="doris")
        assert {column.sql() for column in tree.find_all(exp.Column)} == names(entry)
        assert {f"internal.{column.db}.{column.table}" for column in entry.columns} <= info.source_tables


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(selects(2))
def test_direct_columns_are_those_that_sqlglot_finds(made: tuple[str, int]) -> None:
    """Of all branches of a column together."""
    query, count = made
    info = told(query, count)
    for at in range(count):
        ours = set().union(*(names(entry.expr) for entry in info.direct["pqr"[at]]))
        assert ours == leaves(stock_lineage(f"n{at}", query, schema=SCHEMA, dialect="doris"))
