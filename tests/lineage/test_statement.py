"""Which statements have lineage, what their target is, and what the event looks like."""

from __future__ import annotations

import json

import pytest

from dorisette.lineage import ColumnRef, LineageInfo, QueryContext
from sql.lineage.source import LineageError
from tests.lineage.shop import SHOP, direct, lineage

SILENT = [
    "INSERT INTO o1 VALUES (1), (2)",
    "INSERT INTO o1 VALUES ((SELECT 1))",
    "INSERT INTO o1 SELECT 1",
    "INSERT INTO o1 SELECT 1 UNION ALL SELECT 2",
    "INSERT INTO o1 SELECT n FROM (SELECT 1 AS n) s",
    "INSERT INTO o1 SELECT n FROM (VALUES (1), (2)) v (n)",
    "INSERT INTO o1 WITH c AS (SELECT a FROM t) SELECT 1",
    "INSERT INTO __internal_schema.audit SELECT a FROM t",
    "INSERT INTO __INTERNAL_SCHEMA.audit SELECT a FROM t",
    "SELECT a FROM t",
    "UPDATE t SET b = a WHERE c = 'x'",
    "DELETE FROM t WHERE a = 1",
    "CREATE TABLE n (k INT) DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1",
    "CREATE TABLE n LIKE t",
    "CREATE VIEW n AS SELECT a FROM t",
    "CREATE TABLE IF NOT EXISTS o1 AS SELECT a FROM t",
    "TRUNCATE TABLE t",
]


@pytest.mark.parametrize("sql", SILENT)
def test_statements_without_lineage(sql: str) -> None:
    """They write no query's result, or a query that reads nothing, or into Doris's own database."""
    assert SHOP.lineage(sql) is None


COMMANDS = [
    ("INSERT INTO o1 SELECT a FROM t", "InsertIntoTableCommand", "internal.d.o1", ("p",)),
    ("INSERT OVERWRITE TABLE o1 SELECT a FROM t", "InsertOverwriteTableCommand", "internal.d.o1", ("p",)),
    ("INSERT OVERWRITE o1 PARTITION (o1) SELECT a FROM t", "InsertOverwriteTableCommand", "internal.d.o1", ("p",)),
    ("INSERT INTO o1 WITH LABEL l1 SELECT a FROM t", "InsertIntoTableCommand", "internal.d.o1", ("p",)),
    ("INSERT INTO internal.e.far (m) SELECT a FROM t", "InsertIntoTableCommand", "internal.e.far", ("m",)),
    ("INSERT INTO o2 (Q, P) SELECT a, b FROM t", "InsertIntoTableCommand", "internal.d.o2", ("q", "p")),
    ("INSERT INTO o1 (SELECT a FROM t)", "InsertIntoTableCommand", "internal.d.o1", ("p",)),
    ("INSERT INTO o1 ((SELECT a FROM t))", "InsertIntoTableCommand", "internal.d.o1", ("p",)),
    ("INSERT INTO o1 WITH c AS (SELECT a FROM t) SELECT a FROM c", "InsertIntoTableCommand", "internal.d.o1", ("p",)),
    ("INSERT INTO log (k, __doris_delete_sign__) SELECT a, 1 FROM t", "InsertIntoTableCommand", "internal.d.log",
     ("k", "__DORIS_DELETE_SIGN__")),
    ("CREATE TABLE n AS SELECT a, b AS q, c FROM t", "CreateTableCommand", "internal.d.n", ("a", "q", "c")),
    ("CREATE TABLE e.n (k, l) AS SELECT a, b FROM t", "CreateTableCommand", "internal.e.n", ("k", "l")),
    ("CREATE TABLE n AS (SELECT * FROM w)", "CreateTableCommand", "internal.d.n", ("a", "x", "k")),
    ("CREATE TABLE n AS SELECT COUNT(*), MAX(a) AS m FROM t", "CreateTableCommand", "internal.d.n", ("COUNT(*)", "m")),
    ("CREATE TABLE IF NOT EXISTS n AS SELECT a FROM t", "CreateTableCommand", "internal.d.n", ("a",)),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "word", "target", "columns"), COMMANDS, ids=[case[0] for case in COMMANDS])
def test_target(sql: str, word: str, target: str, columns: tuple[str, ...]) -> None:
    """The command, the table, and the written columns in their order and declared spelling."""
    info = lineage(sql)
    assert (info.context.source_command, info.target_table, info.target_columns) == (word, target, columns)
    assert set(info.direct) == set(columns)


def test_columns_that_are_not_listed_have_no_entry() -> None:
    """They get their default, which is nobody's lineage."""
    info = lineage("INSERT INTO o3 (q) SELECT a FROM t")
    assert info.target_columns == ("q",)
    assert list(info.direct) == ["q"]


REFUSED = [
    "INSERT INTO o1 SELECT nope FROM t",
    "INSERT INTO o1 SELECT z.a FROM t",
    "INSERT INTO o1 SELECT a FROM nope",
    "INSERT INTO o1 SELECT a FROM t, u",
    "INSERT INTO nope SELECT a FROM t",
    "INSERT INTO o1 SELECT a, b FROM t",
    "INSERT INTO o1 SELECT A FROM T",
    "INSERT INTO o1 WITH RECURSIVE c AS (SELECT n FROM c) SELECT n FROM c",
]


@pytest.mark.parametrize("sql", REFUSED)
def test_what_cannot_be_resolved_is_an_error_and_not_a_guess(sql: str) -> None:
    """Unknown and ambiguous names; the server logs it and goes on."""
    with pytest.raises((LineageError, ValueError)):
        SHOP.lineage(sql)


def test_columns_of_expressions() -> None:
    """A plugin needs no SQL parser."""
    info = lineage("INSERT INTO o2 SELECT t.a + f.n, COUNT(*) FROM t JOIN e.far f ON t.b = f.m GROUP BY 1")
    assert {entry.expr.columns for entry in info.direct["p"]} == {
        frozenset({ColumnRef("internal", "d", "t", "a"), ColumnRef("internal", "e", "far", "n")})
    }
    assert {entry.expr.columns for entry in info.direct["q"]} == {frozenset()}


def test_types_of_the_target() -> None:
    """As DESC prints them."""
    assert lineage("INSERT INTO e.far SELECT a, b FROM t").target_types == ("int", "int")
    assert lineage("CREATE TABLE n AS SELECT a FROM t").target_types == ("",)


def test_to_dict_is_sorted_json() -> None:
    """The same event always has the same text."""
    context = QueryContext("InsertIntoTableCommand", "1-2", "INSERT", "root", "127.0.0.1", "d", "internal", "OK", 5, 1)
    info = lineage("INSERT INTO o2 SELECT b, IF(a > 1, 1, a) FROM t WHERE b = 1 AND a = 2 ORDER BY b")
    told = LineageInfo(
        info.target_table, info.target_columns, info.source_tables, info.direct, info.dataset_indirect,
        info.output_indirect, context,
    )  # fmt: skip
    assert json.loads(json.dumps(told.to_dict())) == {
        "schema_version": 1,
        "source_command": "InsertIntoTableCommand",
        "target_table": "internal.d.o2",
        "target_columns": ["p", "q"],
        "source_tables": ["internal.d.t"],
        "direct": [
            {"column": "p", "type": "IDENTITY", "expr": "d.t.b"},
            {"column": "q", "type": "TRANSFORMATION", "expr": "IF(d.t.a > 1, 1, d.t.a)"},
        ],
        "dataset_indirect": {"FILTER": ["d.t.a = 2", "d.t.b = 1"], "SORT": ["d.t.b"]},
        "output_indirect": {"q": {"CONDITIONAL": ["d.t.a > 1"]}},
        "context": {
            "source_command": "InsertIntoTableCommand",
            "query_id": "1-2",
            "query_text": "INSERT",
            "user": "root",
            "client_ip": "127.0.0.1",
            "database": "d",
            "catalog": "internal",
            "state": "OK",
            "timestamp_ms": 5,
            "duration_ms": 1,
            "external_catalog_properties": {},
        },
    }


def test_values_are_frozen() -> None:
    """All plugins get the same object."""
    info = lineage("INSERT INTO o1 SELECT a FROM t WHERE b = 1")
    with pytest.raises(AttributeError):
        info.target_table = "x"  # type: ignore[misc]
    with pytest.raises(TypeError):
        info.direct["p"] = frozenset()  # type: ignore[index]


def test_the_tree_is_not_changed() -> None:
    """It is shared by the statement cache."""
    from sql.dialect.doris import parse

    sql = "INSERT INTO o1 SELECT SUM(n) OVER win FROM (SELECT a + 1 AS n FROM t) s WINDOW win AS (ORDER BY n)"
    before = repr(parse(sql)[0].node)
    assert direct(sql) == {"p AGGREGATION SUM(d.t.a + 1) OVER (ORDER BY d.t.a + 1)"}
    direct(sql)
    assert repr(parse(sql)[0].node) == before


def test_generated_columns_are_not_written() -> None:
    """They are nobody's lineage but their own table's."""
    SHOP.table("made", "k INT, n INT AS (k + 1), v INT")
    assert lineage("INSERT INTO made SELECT a, b FROM t").target_columns == ("k", "v")
