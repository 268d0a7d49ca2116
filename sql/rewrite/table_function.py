"""The calls of LATERAL VIEWs: bound as sources whose columns have types (Doris: LATERAL VIEW).

    LATERAL VIEW explode_map(m) x AS k, v   ->  a source x with the columns k and v, typed as the map's keys and values

`name_table_functions` comes before names are bound; sql/dialect/table_function.py spells them.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from sql.bind.type import inferred, spelled
from sql.dialect.bound import TableCall
from sql.dialect.table_function import table_call, table_function
from sql.rewrite.operand import Rule
from sql.rewrite.state import argument_type
from storage.errors import GENERATOR_PLACE, NO_SIGNATURE


def name_table_functions(tree: exp.Expr) -> exp.Expr:
    """Put a typed node in the place of the call of each LATERAL VIEW, in place; none may stand elsewhere."""
    for view in list(tree.find_all(exp.Lateral)):
        if view.args.get("view"):
            view.set("this", table_call(view.this))
    for call in tree.find_all(exp.Anonymous):
        if table_function(call.name) is not None and not isinstance(call.parent, exp.Table):
            raise GENERATOR_PLACE(name=call.name.lower())
    return tree


def _annotate(_: object, node: TableCall) -> None:
    """A struct of the columns: what sqlglot gives a source that is a function."""
    found, view = table_function(node.args["name"]), node.parent
    kinds = found.columns([inferred(item.type) for item in node.expressions]) if found is not None else []
    names = view.alias_column_names if isinstance(view, exp.Lateral) else []
    fields = [
        exp.ColumnDef(
            this=exp.to_identifier(name),
            kind=spelled(kind) if kind is not None else exp.DataType(this=exp.DType.UNKNOWN),
        )
        for name, kind in zip(names, kinds, strict=False)
    ]
    node.type = exp.DataType(this=exp.DType.STRUCT, expressions=fields, nested=True)


METADATA: dict[type[exp.Expr], dict[str, Any]] = {TableCall: {"annotator": _annotate}}


def check_kinds(node: exp.Expr) -> None:
    """Refuse arguments that a function of a LATERAL VIEW does not take."""
    name = node.args["name"]
    found = table_function(name)
    types = [None if isinstance(item.unnest(), exp.Null) else argument_type(item) for item in node.expressions]
    if found is not None and found.kinds and any(kind is not None and kind.name not in found.kinds for kind in types):
        raise NO_SIGNATURE(function=name, types=", ".join("unknown" if kind is None else str(kind) for kind in types))


RULES: dict[type[exp.Expr], Rule] = {TableCall: check_kinds}
