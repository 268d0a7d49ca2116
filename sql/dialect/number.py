"""Numbers and truths in DuckDB's words: division, logarithms, bits (Doris: arithmetic, numeric functions).

Each function spells one node of sqlglot; `generator` is the DuckDB generator.
"""

from __future__ import annotations

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect.cast import family, noted, type_text
from sql.dialect.once import OPERANDS, once
from sql.dialect.spelling import Spelling, as_type
from storage.naming import PREFIX

_WIDTHS = {"TINYINT": 7, "SMALLINT": 15, "INTEGER": 31, "BIGINT": 63}  # bits beside the sign
_NUMBERS = frozenset(("integer", "decimal", "float", None))  # what nobody knows is one
_MOST = 38  # digits that ROUND and its kin are asked for at most


def guarded(template_text: str) -> Spelling:
    """A function of one argument with a domain; outside of it NULL."""
    return lambda generator, node: template_text.format(generator.sql(node.this))


def modulo(generator: Generator, node: exp.Expr) -> str:
    return f"{generator.sql(node.this)} % NULLIF({generator.sql(node.expression)}, 0)"


def int_div(generator: Generator, node: exp.Expr) -> str:
    """DIV cuts the quotient; NULL for zero."""
    left, right = generator.sql(node.this), f"NULLIF({generator.sql(node.expression)}, 0)"
    if family(node.this) == "integer" and family(node.expression) == "integer":
        return f"({left} // {right})"
    return f"CAST(trunc({left} / {right}) AS BIGINT)"


def bits(symbol: str) -> Spelling:
    """Bit operators in brackets: DuckDB gives & and | one level."""
    return lambda generator, node: f"({generator.sql(node.this)} {symbol} {generator.sql(node.expression)})"


def shift(side: str) -> Spelling:
    """Shift operators do what BIT_SHIFT_LEFT and BIT_SHIFT_RIGHT do."""

    def spell(generator: Generator, node: exp.Expr) -> str:
        value, places = (as_type(generator, item, exp.DType.BIGINT) for item in (node.this, node.expression))
        return f"{PREFIX}shift_{side}({value}, {places})"

    return spell


def bit_count(generator: Generator, node: exp.Expr) -> str:
    """BIT_COUNT counts in the bits of the type; a written number has the narrowest that holds it."""
    value = node.expressions[0]
    written = value.this if isinstance(value, exp.Neg) else value
    if isinstance(written, exp.Literal) and written.is_int:
        size = int(written.name) + (0 if value is written else -1)
        narrow = next((name for name, bits in _WIDTHS.items() if size < 1 << bits), "HUGEINT")
        return f"bit_count(CAST({generator.sql(value)} AS {narrow}))"
    is_whole = family(value) == "integer"
    return f"bit_count({generator.sql(value) if is_whole else as_type(generator, value, exp.DType.BIGINT)})"


def negative(generator: Generator, node: exp.Expr) -> str:
    """NEGATIVE(x), of an integer a BIGINT or wider."""
    value = node.expressions[0]
    spelled = generator.sql(value)
    if family(value) in ("decimal", "float"):
        return f"(-{spelled})"
    if family(value) == "integer":
        return f"(-{spelled if value.is_type('INT128') else f'CAST({spelled} AS BIGINT)'})"
    return f"(-{as_type(generator, value, exp.DType.DOUBLE)})"


def as_number(generator: Generator, value: exp.Expr) -> str:
    """A number as it is, all else as a DOUBLE."""
    return generator.sql(value) if family(value) in _NUMBERS else as_type(generator, value, exp.DType.DOUBLE)


def uniform(generator: Generator, node: exp.Expr) -> str:
    """UNIFORM(low, high, seed): a number between the bounds that the seed decides, whole for whole bounds."""
    low, high = (as_number(generator, bound) for bound in node.expressions[:2])
    seed = as_type(generator, node.expressions[2], exp.DType.BIGINT)
    drawn, seeded = f"hash({seed})", f"CASE WHEN {seed} IS NOT NULL THEN"
    if uniform_type(node).this == exp.DType.BIGINT:
        return f"{seeded} CAST({low} + CAST({drawn} % CAST({high} - {low} + 1 AS UBIGINT) AS BIGINT) AS BIGINT) END"
    share = f"(CAST({drawn} >> 11 AS DOUBLE) / {1 << 53})"
    return f"{seeded} CAST({low} AS DOUBLE) + {share} * CAST({high} - {low} AS DOUBLE) END"


def uniform_type(node: exp.Expr) -> exp.DataType:
    """BIGINT between integers, else DOUBLE."""
    is_whole = all(family(bound) == "integer" for bound in node.expressions[:2])
    return exp.DataType(this=exp.DType.BIGINT if is_whole else exp.DType.DOUBLE)


def places(name: str) -> Spelling:
    """ROUND, TRUNCATE, CEIL, FLOOR to a number of digits: exact for a DECIMAL, else computed as DOUBLE."""
    return lambda generator, node: _to_places(generator, name, node.this, node.args.get("decimals"))


def places_of_call(name: str) -> Spelling:
    """The same for a function without a node of its own: ROUND_BANKERS."""
    return lambda generator, node: _to_places(
        generator, name, node.expressions[0], next(iter(node.expressions[1:]), None)
    )


def _to_places(generator: Generator, name: str, value: exp.Expr, digits: exp.Expr | None = None) -> str:
    spelled = as_number(generator, value)
    if digits is None:
        return f"{name}({spelled})" if name != "round_even" else f"round_even({spelled}, 0)"
    count = _written(digits)
    if count is not None and name in ("round", "trunc", "round_even"):
        return f"{name}({spelled}, {count})"
    if count is not None and family(value) in ("integer", "decimal"):
        return _up_or_down(name, spelled, count)
    return _by_power(generator, name, spelled, value, digits)


def _written(digits: exp.Expr) -> int | None:
    """A number of digits that is written, with its sign; None for another."""
    plain = digits.this if isinstance(digits, exp.Neg) else digits
    if not isinstance(plain, exp.Literal) or not plain.is_int:
        return None
    return max(-_MOST, min(_MOST, int(plain.name))) * (1 if plain is digits else -1)


def _up_or_down(name: str, value: str, count: int) -> str:
    """CEIL and FLOOR of an exact number: cut off, and one step further where something was cut."""
    cut = f"trunc({OPERANDS}.x, {count})"
    step = f"0.{'0' * (count - 1)}1" if count > 0 else f"1{'0' * -count}"
    moved = (
        f"{OPERANDS}.x > {cut} THEN {cut} + {step}" if name == "ceil" else f"{OPERANDS}.x < {cut} THEN {cut} - {step}"
    )
    return once(f"CASE WHEN {moved} ELSE {cut} END", x=value)


def _by_power(generator: Generator, name: str, spelled: str, value: exp.Expr, digits: exp.Expr) -> str:
    """Where each row says how many digits; a DECIMAL keeps its own."""
    count = as_type(generator, digits, exp.DType.INT)
    power = f"pow(10, CASE WHEN abs({OPERANDS}.d) > {_MOST} THEN sign({OPERANDS}.d) * {_MOST} ELSE {OPERANDS}.d END)"
    rounded = f"{name}({OPERANDS}.x * {power}{', 0' if name == 'round_even' else ''}) / {power}"
    found = once(rounded, x=f"CAST({spelled} AS DOUBLE)", d=count)
    kind = noted(value)
    is_exact = kind is not None and kind.this == exp.DType.DECIMAL and kind.expressions
    return f"CAST({found} AS {type_text(kind)})" if kind is not None and is_exact else found


def logical_xor(generator: Generator, node: exp.Expr) -> str:
    sides = (f"CAST({generator.sql(side)} AS BOOLEAN)" for side in (node.this, node.expression))
    return f"({' <> '.join(sides)})"


def log(generator: Generator, node: exp.Expr) -> str:
    """LOG(x), LOG(base, x), LOG2, LOG10: NULL outside of their domain."""
    base, value = (generator.sql(item) if item is not None else None for item in (node.this, node.expression))
    if value is None:
        return f"CASE WHEN {base} > 0 THEN ln({base}) END"
    return f"CASE WHEN {base} > 0 AND {base} <> 1 AND {value} > 0 THEN log({base}, {value}) END"
