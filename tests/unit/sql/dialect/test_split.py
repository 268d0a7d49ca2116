"""A text is split where the client meant it, and each statement keeps its own words."""

from __future__ import annotations

import pytest
from sqlglot import exp

from sql.dialect import node
from sql.dialect.doris import parse


def _texts(text: str) -> list[str]:
    return [statement.text for statement in parse(text)]


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("SELECT 1; SELECT 2", ["SELECT 1", "SELECT 2"]),
        ("SELECT ';'; SELECT \";\", `;`;", ["SELECT ';'", 'SELECT ";", `;`']),
        ("SELECT 'it''s;' ; SELECT 'a\\';b'", ["SELECT 'it''s;'", "SELECT 'a\\';b'"]),
        ("SELECT 1 -- one; two\n; # three;\nSELECT 2 /* ; */ + 1", ["SELECT 1", "SELECT 2 /* ; */ + 1"]),
        ("  \n SELECT 1 ;\n\n", ["SELECT 1"]),
        ("", []),
        (" ;; ; -- nothing\n;/* no */;#", []),
    ],
)
def test_statements_of_a_text(text: str, statements: list[str]) -> None:
    """Semicolons in strings, names and comments do not split; empty statements are none."""
    assert _texts(text) == statements


def test_comments_of_mysqldump_are_executed() -> None:
    """``/*!40101 … */`` is a statement or a part of one."""
    (named,) = parse("/*!40101 SET NAMES utf8 */;")
    assert isinstance(named.node.expressions[0], node.SetNames)
    (create,) = parse("CREATE DATABASE /*!32312 IF NOT EXISTS*/ `d` /*!40100 DEFAULT CHARACTER SET utf8mb4 */;")
    assert create.node.args["exists"]
    assert create.node.this.name == "d"


def test_comments_of_mysqldump_are_never_an_error() -> None:
    """What Doris has no words for is left out, alone or within a statement."""
    assert parse("/*!40000 ALTER TABLE `t` DISABLE KEYS */;") == []
    (select,) = parse("SELECT 1 /*!99999 NONSENSE HERE */")
    assert isinstance(select.node, exp.Select)


def test_hints_set_variables_or_mean_nothing() -> None:
    """SET_VAR is kept as a typed hint; unknown and broken hints are ignored."""
    (select,) = parse("SELECT /*+ LEADING(a b) SET_VAR(query_timeout = 1, x = on) */ 1")
    (hint,) = select.node.args["hint"].expressions
    assert [(item.this, item.expression.name) for item in hint.expressions] == [("query_timeout", "1"), ("x", "on")]
    for text in ("SELECT /*+ foo(, */ 1", "SELECT /*+ SET_VAR(a */ 1", "/*+ SET_VAR(a=1) */ SELECT 1"):
        assert parse(text)[0].node.args.get("hint") is None


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("'it''s'", "it's"),
        ('"say ""x"""', 'say "x"'),
        ("'a\\nb\\t\\\\'", "a\nb\t\\"),
        ("'\\0\\Z\\%\\_'", "\0\x1a\\%\\_"),
        ("'a\"\"b'", 'a""b'),
        ("'\\q'", "q"),
        ("'한글'", "한글"),
    ],
)
def test_escapes_of_strings(written: str, meant: str) -> None:
    """Both quotes make strings, with MySQL's escapes."""
    (literal,) = parse(f"SELECT {written}")[0].node.expressions
    assert isinstance(literal, exp.Literal)
    assert literal.is_string
    assert literal.this == meant


def test_select_items_remember_their_text() -> None:
    """A column without alias is headed by what the client wrote, in every branch and subquery."""
    text = "SELECT sum( v1 ), t.a,'x', count(*) c FROM (SELECT 1+1, b FROM t) t UNION SELECT 2"
    tree = parse(text)[0].node
    assert isinstance(tree, exp.Union)
    assert [item.meta["source"] for item in tree.selects] == ["sum( v1 )", "t.a", "'x'", "count(*) c"]
    inner = next(select for select in tree.find_all(exp.Select) if select.find_ancestor(exp.Subquery))
    assert [item.meta["source"] for item in inner.selects] == ["1+1", "b"]


def test_select_text_survives_a_copy() -> None:
    """Handlers work on copies of the shared tree."""
    copied = parse("SELECT a + 1 FROM t")[0].node.copy()
    assert isinstance(copied, exp.Select)
    assert copied.selects[0].meta["source"] == "a + 1"
