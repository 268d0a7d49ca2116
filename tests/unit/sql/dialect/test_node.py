"""Every statement head gives a node of its own class, with a name for messages."""

from __future__ import annotations

import pytest
from sqlglot import exp

from sql.dialect import node
from sql.dialect.clause import AtClause, KeyClause, PartitionClause, Tablet, clause, clauses, pairs
from sql.dialect.doris import parse
from sql.dialect.grammar.statement import NAMED, STATEMENTS


def _one(text: str) -> exp.Expression:
    (statement,) = parse(text)
    return statement.node


@pytest.mark.parametrize("words", NAMED)
def test_statements_known_by_name_carry_it(words: str) -> None:
    """What is not built yet is answered by its name, whatever follows."""
    assert node.title(_one(f"{words} anything 'goes' (here, 1)")) == words


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("CREATE STREAM s ON TABLE t", "CREATE STREAM"),
        ("CREATE TABLE t (a INT)", "CREATE TABLE"),
        ("CREATE DATABASE d", "CREATE DATABASE"),
        ("DROP VIEW v", "DROP VIEW"),
        ("SHOW FULL COLUMNS FROM t", "SHOW COLUMNS"),
        ("TRUNCATE TABLE t", "TRUNCATE TABLE"),
        ("REVOKE ALL ON *.* FROM u", "REVOKE"),
        ("DESC t", "DESCRIBE"),
        ("SELECT 1", "SELECT"),
        ("INSERT INTO t SELECT 1", "INSERT"),
    ],
)
def test_titles(text: str, title: str) -> None:
    """The name that `… is not supported yet` uses."""
    assert node.title(_one(text)) == title


def test_heads_are_distinct() -> None:
    """No phrase is both built and only named."""
    assert not set(STATEMENTS) & set(NAMED)


def test_readers_of_create_table() -> None:
    """Handlers find keys, partitions and properties without knowing where sqlglot keeps them."""
    create = _one(
        "CREATE TABLE t (a INT) UNIQUE KEY(a) PARTITION BY RANGE(a) (PARTITION p VALUES LESS THAN (1))"
        ' PROPERTIES ("replication_num" = "1", \'a.b\' = 2)'
    )
    key, partitioning = clause(create, KeyClause), clause(create, PartitionClause)
    assert key is not None
    assert key.args["kind"] == "UNIQUE"
    assert partitioning is not None
    assert [part.this.name for part in partitioning.args["partitions"]] == ["p"]
    assert pairs(create.args["properties"]) == (("replication_num", "1"), ("a.b", "2"))
    assert len(list(clauses(create, exp.Property))) == 4
    assert pairs(None) == ()


def test_modifiers_of_a_table() -> None:
    """They may stand in any order and leave the alias alone."""
    for text in ("t@incr('a' = 'b') PARTITION (p) AS x", "t PARTITION (p) @incr('a' = 'b') x"):
        table = _one(f"SELECT * FROM d.{text}").find(exp.Table)
        assert table is not None
        at = table.args["changes"]
        assert isinstance(at, AtClause)
        assert (at.name, pairs(at.args["properties"])) == ("incr", (("a", "b"),))
        assert [part.name for part in table.args["partition"].expressions] == ["p"]
        assert (table.db, table.alias) == ("d", "x")
    tablet = _one("SELECT * FROM s TABLET (1, 2)").find(Tablet)
    assert tablet is not None
    assert [item.name for item in tablet.expressions] == ["1", "2"]


NAMES = (
    "stream", "streams", "sum", "max", "partition", "date", "status", "value", "key", "comment", "type", "rank",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_ordinary_names(name: str) -> None:
    """Words that Doris does not reserve name tables and columns, bare in DDL and in lists of columns."""
    create = _one(f"CREATE TABLE {name} (k INT, {name} INT)")
    assert create.this.expressions[1].name == name
    insert = _one(f"INSERT INTO {name} (k, {name}) SELECT 1, 2")
    assert insert.this.expressions[1].name == name


def test_trees_of_our_own_copy_and_compare() -> None:
    """Part classes behave as sqlglot's: arguments, required ones, copies."""
    alter = _one("ALTER TABLE t ADD COLUMN a INT, RENAME b")
    assert alter == alter.copy()
    assert node.CreateStream.required_args == {"this", "base"}
    assert node.Revoke.arg_types == node.Grant.arg_types
