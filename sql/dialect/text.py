"""Texts in DuckDB's words: length, position, padding, patterns (Doris: string functions).

Each function spells one node of sqlglot; `generator` is the DuckDB generator.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect import to_text
from sql.dialect.cast import digits_of, family
from sql.dialect.refused import bounded
from sql.dialect.spelling import as_type, called
from storage.naming import PREFIX


def text_of(generator: Generator, node: exp.Expr) -> str:
    """A value as the text that CAST gives; what already is one is not cast."""
    spelled, found = generator.sql(node), family(node)
    return spelled if found == "text" else to_text.text_of(spelled, found, digits_of(node))


def length(generator: Generator, node: exp.Expr) -> str:
    """LENGTH counts bytes, CHAR_LENGTH characters (Doris: LENGTH, CHAR_LENGTH)."""
    if not called(node):
        return f"length({generator.sql(node.this)})"
    name = "strlen" if node.args.get("binary") else "length"
    return f"CAST({name}({text_of(generator, node.this)}) AS INTEGER)"


def count_of(generator: Generator, node: exp.Expr) -> str:
    """A position or length as INT, NULL where it is none."""
    if isinstance(node, exp.Literal) and node.is_int and int(node.name) <= _LARGEST_INT:
        return generator.sql(node)
    return as_type(generator, node, exp.DType.INT)


_LARGEST_INT = 2**31 - 1


def substring(generator: Generator, node: exp.Expr) -> str:
    """Position 0 gives the empty text, as does a negative one before the text, and a negative length."""
    value, start, length = text_of(generator, node.this), node.args.get("start"), node.args.get("length")
    position = count_of(generator, start) if start is not None else "1"
    plain = f"substring({value}, {position}{f', {_not_negative(generator, length)}' if length is not None else ''})"
    if isinstance(start, exp.Literal) and start.this not in ("0", ""):
        return plain
    return f"CASE WHEN {position} = 0 OR -({position}) > length({value}) THEN substring({value}, 1, 0) ELSE {plain} END"


def _not_negative(generator: Generator, node: exp.Expr) -> str:
    """A length, 0 instead of a negative one."""
    length = count_of(generator, node)
    return length if isinstance(node, exp.Literal) else f"CASE WHEN {length} < 0 THEN 0 ELSE {length} END"


def left(generator: Generator, node: exp.Expr) -> str:
    return f"left({text_of(generator, node.this)}, {_not_negative(generator, node.expression)})"


def right(generator: Generator, node: exp.Expr) -> str:
    """A negative length is a position from the left."""
    value, length = text_of(generator, node.this), count_of(generator, node.expression)
    plain = f"right({value}, {length})"
    if isinstance(node.expression, exp.Literal):
        return plain
    return f"CASE WHEN {length} < 0 THEN substring({value}, -({length})) ELSE {plain} END"


def position(generator: Generator, node: exp.Expr) -> str:
    """LOCATE, INSTR, POSITION: 0 when absent, and for a start that is no place of the text."""
    text, part, start = (
        text_of(generator, node.this),
        text_of(generator, node.args["substr"]),
        node.args.get("position"),
    )
    if start is None:
        return f"CAST(strpos({text}, {part}) AS INTEGER)"
    begin = count_of(generator, start)
    found = f"strpos(substring({text}, {begin}), {part})"
    outside = f"{begin} < 1 OR {begin} > greatest(length({text}), 1)"
    return f"CAST(CASE WHEN {outside} OR {found} = 0 THEN 0 ELSE {found} + {begin} - 1 END AS INTEGER)"


def field(generator: Generator, node: exp.Expr) -> str:
    """FIELD(x, a, b …): the place of the first value that equals x, 0 for none; numbers are compared as such."""
    sought, *others = _alike(generator, node.expressions)
    found = f"CASE WHEN {sought} IS NOT NULL THEN list_position([{', '.join(others)}], {sought}) END"
    return f"CAST(COALESCE({found}, 0) AS INTEGER)"


def _alike(generator: Generator, values: list[exp.Expr]) -> list[str]:
    """Values of one type as they are, numbers of several as DOUBLE, others as texts."""
    families = {family(value) for value in values}
    if not families <= _NUMBERS:
        return [text_of(generator, value) for value in values]
    if len(families) == 1:
        return [generator.sql(value) for value in values]
    return [as_type(generator, value, exp.DType.DOUBLE) for value in values]


_NUMBERS = frozenset({"boolean", "integer", "decimal", "float"})


def changed(name: str) -> Callable[[Generator, exp.Expr], str]:
    """LOWER, UPPER and REVERSE, also of bytes, as which sqlglot would spell the result."""
    return lambda generator, node: f"{name}({text_of(generator, node.this)})"


def concat(generator: Generator, node: exp.Expr) -> str:
    """CONCAT is NULL if any argument is."""
    return f"({' || '.join(text_of(generator, item) for item in node.expressions)})"


def concat_ws(generator: Generator, node: exp.Expr) -> str:
    """CONCAT_WS skips NULLs; only a NULL separator gives NULL. What is no single value (an array) stays one."""
    items = (text_of(generator, item) if family(item) else generator.sql(item) for item in node.expressions)
    return f"concat_ws({', '.join(items)})"


def like(generator: Generator, node: exp.Expr) -> str:
    """The backslash escapes without being told; only a pattern that may hold one pays for it."""
    pattern = node.expression
    operator = "NOT LIKE" if node.args.get("negate") else "LIKE"
    plain = f"{text_of(generator, node.this)} {operator} {generator.sql(pattern)}"
    harmless = isinstance(pattern, exp.Literal) and "\\" not in pattern.this
    return plain if harmless or isinstance(node.parent, exp.Escape) else f"{plain} ESCAPE '\\'"


def trim(generator: Generator, node: exp.Expr) -> str:
    """TRIM(x, 'ab') removes the whole text ab, repeatedly, not its letters."""
    value, removed = text_of(generator, node.this), node.expression
    side = str(node.args.get("position") or "BOTH").upper()
    if removed is None:
        return f"{_TRIMS[side]}({value})"
    quoted = f"'(' || regexp_escape({text_of(generator, removed)}) || ')+'"
    patterns = {"LEADING": f"'^' || {quoted}", "TRAILING": f"{quoted} || '$'"}
    pattern = patterns.get(side) or f"'^' || {quoted} || '|' || {quoted} || '$'"
    return f"regexp_replace({value}, {pattern}, '', 'g')"


_MANY_DIGITS = 8  # a written width that has so many may be too much
_TRIMS = {"BOTH": "trim", "LEADING": "ltrim", "TRAILING": "rtrim"}


def pad(generator: Generator, node: exp.Expr) -> str:
    """LPAD and RPAD; with nothing to pad with, a longer text than there is becomes empty."""
    name = "lpad" if node.args.get("is_left") else "rpad"
    fill = node.args.get("fill_pattern") or exp.Literal.string(" ")
    value, width, filler = text_of(generator, node.this), count_of(generator, node.expression), text_of(generator, fill)
    known = isinstance(node.expression, exp.Literal)
    is_short = known and len(node.expression.name) < _MANY_DIGITS
    plain = f"{name}({value}, {width if is_short else bounded(width)}, {filler})"
    if isinstance(fill, exp.Literal) and fill.this:
        return plain if known else f"CASE WHEN {width} >= 0 THEN {plain} END"
    return f"CASE WHEN {filler} = '' AND length({value}) < {width} THEN '' WHEN {width} >= 0 THEN {plain} END"


def grouped(generator: Generator, node: exp.Expr) -> str:
    """MONEY_FORMAT(number), FORMAT_ROUND(number, places): with commas; a DOUBLE is rounded as one."""
    number, *places = node.expressions
    count = count_of(generator, places[0]) if places else "2"
    if family(number) == "float":
        return f"{PREFIX}grouped_double({generator.sql(number)}, {count})"
    return f"{PREFIX}grouped({text_of(generator, number)}, {count})"
