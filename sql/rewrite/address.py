"""The order of IPV4 and IPV6: they are stored as text, but compare as addresses do.

    ip < '10.0.0.2'   ORDER BY ip   MIN(ip)   ->   over __doris_ip_order(ip), which gives the bytes of the address

Equality, grouping and joins need nothing, since the text is canonical. `RULES` are applied by
semantics.py. Source: Doris: IPV4, IPV6.
"""

from __future__ import annotations

from sqlglot import exp

from sql.bind.type import inferred
from sql.dialect.bound import Template
from sql.rewrite.operand import Rule
from sql.rewrite.template import put
from storage.naming import PREFIX
from storage.types import DorisType

_ORDER = f"{PREFIX}ip_order({{0}})"
_SIDES = ("this", "expression", "low", "high")


def _order_sides(node: exp.Expr) -> None:
    sides = {key: side for key in _SIDES if isinstance(side := node.args.get(key), exp.Expr)}
    kind = next((found for side in sides.values() if (found := _address(side))), None)
    if kind is None:
        return
    for key, side in sides.items():
        if _address(side) or isinstance(side, exp.Literal):
            canonical = "{0}" if _address(side) else f"{PREFIX}{kind.name}({{0}})"
            node.set(key, Template(this=_ORDER.format(canonical), expressions=[side]))


def _order_extreme(extreme: exp.Expr) -> None:
    if _address(extreme.this) is not None:
        name = "arg_min" if isinstance(extreme, exp.Min) else "arg_max"
        put(extreme, f"{name}({{0}}, {_ORDER}){{over}}", [extreme.this])


def _address(node: exp.Expr) -> DorisType | None:
    kind = inferred(node.type)
    return kind if kind is not None and kind.name in ("ipv4", "ipv6") else None


RULES: dict[type[exp.Expr], Rule] = {
    **dict.fromkeys((exp.Ordered, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between), _order_sides),
    **dict.fromkeys((exp.Min, exp.Max), _order_extreme),
}
