"""Functions of a LATERAL VIEW: the arrays whose elements are the rows, side by side (Doris: table functions).

    LATERAL VIEW posexplode(a) x AS p, e  ->  CROSS JOIN LATERAL (SELECT unnest(range(0, len(a))) AS p, unnest(a) AS e)

The ``_outer`` form keeps a row of NULLs where there is no element. The templates are those of sql/dialect/function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect.bound import TableCall
from sql.dialect.call import formatted
from sql.dialect.function.function import Types
from sql.dialect.function.nested_type import element
from storage.errors import FUNCTION_ARITY, LATERAL_COLUMNS, UNKNOWN_FUNCTION
from storage.naming import PREFIX
from storage.types import BIGINT, DOUBLE, INT, STRING, DorisType

_OUTER = "_outer"
Columns = Callable[[Types], list[DorisType | None]]


@dataclass(frozen=True, slots=True)
class TableFunction:
    """A function of so many arguments: a template and a type for each of its columns; `kinds` are what it takes."""

    templates: tuple[str, ...]
    columns: Columns
    arguments: range = range(1, 2)
    kinds: frozenset[str] = frozenset()


def _json(value: str) -> str:
    """The elements of a JSON array, none of any other text."""
    document = "CASE WHEN json_type(TRY_CAST({0} AS JSON)) = 'ARRAY' THEN CAST(TRY_CAST({0} AS JSON) AS JSON[]) END"
    return f"list_transform({document}, lambda {PREFIX}item: {value.replace('item', PREFIX + 'item')})"


def _always(*kinds: DorisType) -> Columns:
    return lambda _: list(kinds)


def _map_columns(types: Types) -> list[DorisType | None]:
    kind = types[0]
    return [part for _, part in kind.children] if kind is not None and kind.name == "map" else [None, None]


_STRING = "json_extract_string(item, '$')"
_TRUTH = f"CASE {_STRING} WHEN 'true' THEN '1' WHEN 'false' THEN '0' ELSE {_STRING} END"
_INT = f"TRY_CAST(trunc(TRY_CAST({_TRUTH} AS DOUBLE)) AS BIGINT)"
_DOUBLE = f"TRY_CAST({_TRUTH} AS DOUBLE)"
_TEXT = "CASE WHEN json_type(item) <> 'NULL' THEN CAST(item AS VARCHAR) END"
_ARRAY, _MAP = frozenset({"array"}), frozenset({"map"})

TABLE_FUNCTIONS = {
    "explode": TableFunction(("{n}",), lambda types: [element(kind) for kind in types], range(1, 100), _ARRAY),
    "posexplode": TableFunction(
        ("CAST(range(0, len({0})) AS INTEGER[])", "{0}"), lambda types: [INT, element(types[0])], kinds=_ARRAY
    ),
    "explode_map": TableFunction(("map_keys({0})", "map_values({0})"), _map_columns, kinds=_MAP),
    "explode_split": TableFunction(("string_split({s0}, {s1})",), _always(STRING), range(2, 3)),
    "explode_numbers": TableFunction(("CAST(range(0, greatest({i0}, 0)) AS INTEGER[])",), _always(INT)),
    "explode_bitmap": TableFunction((f"{PREFIX}bitmap_values({{0}})",), _always(BIGINT), kinds=frozenset({"bitmap"})),
    "explode_json_array_int": TableFunction((_json(_INT),), _always(BIGINT)),
    "explode_json_array_double": TableFunction((_json(_DOUBLE),), _always(DOUBLE)),
    "explode_json_array_string": TableFunction((_json(_STRING),), _always(STRING)),
    "explode_json_array_json": TableFunction((_json(_TEXT),), _always(DorisType("json"))),
}


def table_function(name: str) -> TableFunction | None:
    """The function of that name, with or without ``_outer``."""
    return TABLE_FUNCTIONS.get(name.lower().removesuffix(_OUTER))


def table_call(call: exp.Expr) -> TableCall:
    """The typed node of a call that stands in a LATERAL VIEW; UNKNOWN_FUNCTION for all others."""
    if isinstance(call, exp.Anonymous) and table_function(call.name) is not None:
        return TableCall(this=exp.var(call.name), name=call.name.lower(), expressions=call.expressions)
    raise UNKNOWN_FUNCTION(name=(call.name or call.key).lower())


def lateral(generator: Generator, node: exp.Expr) -> str:
    """The join of a LATERAL VIEW; LATERAL_COLUMNS if it names another number of columns."""
    assert isinstance(node, exp.Lateral)
    if not node.args.get("view"):
        return generator.lateral_sql(node)
    alias = node.args["alias"]
    call = node.this if isinstance(node.this, TableCall) else table_call(node.this)
    names, arrays = [generator.sql(column) for column in alias.columns], _arrays(generator, call)
    if len(names) != len(arrays):
        raise LATERAL_COLUMNS(function=call.args["name"], found=len(arrays), given=len(names))
    columns = ", ".join(f"unnest({array}) AS {name}" for array, name in zip(arrays, names, strict=True))
    rows = f"LATERAL (SELECT {columns}) AS {generator.sql(alias, 'this')}"
    is_outer = call.args["name"].endswith(_OUTER) or node.args.get("outer")
    return f" LEFT JOIN {rows} ON TRUE" if is_outer else f" CROSS JOIN {rows}"


def _arrays(generator: Generator, call: TableCall) -> list[str]:
    """The text of the array of each column."""
    name, given = call.args["name"], call.expressions
    found = TABLE_FUNCTIONS[name.removesuffix(_OUTER)]
    if len(given) not in found.arguments:
        raise FUNCTION_ARITY(name=name, count=len(given))
    if found.templates == ("{n}",):
        return [generator.sql(item) for item in given]
    return [formatted(generator, call, template) for template in found.templates]
