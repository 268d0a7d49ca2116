"""The types of functions without a node of their own, where their entry in sql/dialect/function names one."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from sql.bind.type import inferred, spelled
from sql.dialect.function.known import FUNCTIONS
from sql.dialect.named import NAMED


def _annotate(_: object, node: exp.Anonymous) -> None:
    named = NAMED.get(node.name.upper())
    if named is not None and len(node.expressions) in named.takes:
        node.type = named.type_of(node)
        return
    known = FUNCTIONS.get(node.name.upper())
    kind = known.type_of([inferred(item.type) for item in node.expressions]) if known is not None else None
    node.type = exp.DataType(this=exp.DType.UNKNOWN) if kind is None else spelled(kind)


METADATA: dict[type[exp.Expr], dict[str, Any]] = {exp.Anonymous: {"annotator": _annotate}}
