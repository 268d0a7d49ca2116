"""sqlglot must be its Python source: classes of the compiled build cannot be given subclasses that work."""

from __future__ import annotations

import sqlglot.generator
import sqlglot.parser
import sqlglot.tokenizer_core

from sql.dialect.doris import parse
from sql.dialect.duckdb import to_duckdb


def test_sqlglot_is_python_source() -> None:
    """The launcher's finder sees to it in the product; here the plain package is installed."""
    for module in (sqlglot.parser, sqlglot.generator, sqlglot.tokenizer_core):
        assert str(module.__file__).endswith(".py")


def test_our_subclasses_work_on_it() -> None:
    """Tokenizer, parser, nodes and generator, once through."""
    (statement,) = parse("SELECT `a` FROM t WHERE b LIKE 'x%'")
    assert to_duckdb(statement.node) == """SELECT "a" FROM "t" WHERE CAST("b" AS VARCHAR) LIKE 'x%'"""
