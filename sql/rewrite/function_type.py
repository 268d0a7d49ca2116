"""The types of functions without a node of their own, as their code or their template in sql/dialect/function says."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from sql.bind.type import inferred, spelled
from sql.dialect.coded import CODED
from sql.dialect.function.known import FUNCTIONS


def _annotate(_: object, node: exp.Anonymous) -> None:
    coded = CODED.get(node.name.upper())
    if coded is not None:
        node.type = coded.type_of(node)
        return
    known = FUNCTIONS.get(node.name.upper())
    kind = known.type_of([inferred(item.type) for item in node.expressions]) if known is not None else None
    node.type = exp.DataType(this=exp.DType.UNKNOWN) if kind is None else spelled(kind)


METADATA: dict[type[exp.Expr], dict[str, Any]] = {exp.Anonymous: {"annotator": _annotate}}
