"""Arrays in DuckDB's words, where a template in sql/dialect/function/array.py says too little (Doris: array functions).

`generator` is the DuckDB generator.
"""

from __future__ import annotations

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect.bound import Parameter
from sql.dialect.text import text_of
from storage.naming import PREFIX

ITEM = PREFIX + "item"


def texts_of(generator: Generator, node: exp.Expr) -> str:
    """An array of the texts of an array's elements, each as CAST gives it."""
    array = generator.sql(node)
    item = Parameter(this=ITEM)
    item.type = element_of(node)
    text = text_of(generator, item)
    return array if text == generator.sql(item) else f"list_transform({array}, lambda {ITEM}: {text})"


def element_of(array: exp.Expr) -> exp.DataType | None:
    """The type of an array's elements, None when nobody noted it."""
    kind = array.type
    return kind.expressions[0] if kind is not None and kind.this is exp.DType.ARRAY and kind.expressions else None
