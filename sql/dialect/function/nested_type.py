"""The types that functions of arrays, maps and structs give, by those of their arguments (Doris: array functions)."""

from __future__ import annotations

from sql.dialect.function.function import Gives, Types
from storage.types import BIGINT, BOOLEAN, DATETIME, DOUBLE, INT, MAX_DECIMAL, DorisType, array, decimal

_LEAST = 4  # digits of an average


def element(kind: DorisType | None) -> DorisType | None:
    """The type of the elements of an array, None of all else."""
    return kind.children[0][1] if kind is not None and kind.name == "array" else None


def of_first_known(types: Types) -> DorisType | None:
    """As the first argument, or the first after it whose elements are known: ``[]`` has elements of no type."""
    known = [kind for kind in types if (inner := element(kind)) is not None and inner.name != "null"]
    return known[0] if known else None


def as_first(types: Types) -> DorisType | None:
    """The type of the first argument."""
    return types[0]


def of_elements(types: Types) -> DorisType | None:
    """The type of the elements of the first argument."""
    return element(types[0])


def array_of_argument(place: int) -> Gives:
    """An array of the argument at that place."""

    def gives(types: Types) -> DorisType | None:
        kind = types[place]
        return array(kind) if kind is not None else None

    return gives


def summed(types: Types) -> DorisType | None:
    """Integers give a BIGINT, or LARGEINT, DECIMAL the widest of its scale, all else DOUBLE."""
    kind = element(types[0])
    if kind is None:
        return DOUBLE
    if kind.name == "decimal":
        return decimal(MAX_DECIMAL, kind.scale or 0)
    return kind if kind.name == "largeint" else BIGINT if kind.is_integer or kind == BOOLEAN else DOUBLE


def averaged(types: Types) -> DorisType | None:
    """DECIMAL keeps at least four digits, all else is DOUBLE."""
    kind = element(types[0])
    return decimal(MAX_DECIMAL, max(kind.scale or 0, _LEAST)) if kind is not None and kind.name == "decimal" else DOUBLE


def summed_each(types: Types) -> DorisType | None:
    """An array of what a sum of it gives."""
    kind = summed(types)
    return array(kind) if kind is not None else None


def array_of_first(types: Types) -> DorisType | None:
    """An array of the first argument."""
    return array(types[0]) if types[0] is not None else None


def flat(types: Types) -> DorisType | None:
    """The innermost array of arrays."""
    kind = types[0]
    while kind is not None and element(element(kind)) is not None:
        kind = element(kind)
    return kind


def of_range(types: Types) -> DorisType:
    """Moments give moments, and two texts do; with a step in between it has no type of a value."""
    is_moment = len(types) > 1 and types[0] is not None and (types[0].is_date or types[0].is_text)
    return array(DATETIME if is_moment and (len(types) == 2 or types[2] is None) else INT)
