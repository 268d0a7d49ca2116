"""Regular expressions in DuckDB's words; both take them from RE2 (Doris: REGEXP, REGEXP_EXTRACT).

Each function spells one node of sqlglot; `generator` is the DuckDB generator.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect.refused import refused
from sql.dialect.spelling import Spelling
from sql.dialect.text import count_of, text_of
from storage.errors import NOT_SUPPORTED

_GROUPS = 10  # that DuckDB can extract, with the whole match
_FEW_GROUPS = f"length({{pattern}}) - length(replace({{pattern}}, '(', '')) < {_GROUPS}"
_TOO_MANY = refused(NOT_SUPPORTED(what=f"regexp_extract of a group beyond {_GROUPS - 1}").message, "VARCHAR")


def matches(generator: Generator, node: exp.Expr) -> str:
    """REGEXP and RLIKE search anywhere; a dot is any character."""
    return f"regexp_matches({text_of(generator, node.this)}, {text_of(generator, node.expression)}, 's')"


def extract(generator: Generator, node: exp.Expr) -> str:
    """REGEXP_EXTRACT(text, pattern, group): the empty text where nothing matches, or there is no such group."""
    value = text_of(generator, node.expressions[0])
    return _extracting(generator, node, _extracted, f"left({value}, 0)")


def extract_or_null(generator: Generator, node: exp.Expr) -> str:
    """The same, but NULL in those cases."""
    return _extracting(generator, node, _extracted_or_null, "NULL")


def _extracting(generator: Generator, node: exp.Expr, spell: Callable[[str, str, int], str], nothing: str) -> str:
    value, pattern = (text_of(generator, item) for item in node.expressions[:2])
    group = node.expressions[2]
    if isinstance(group, exp.Literal) and group.is_int and int(group.name) < _GROUPS:
        return spell(value, pattern, int(group.name))
    index = count_of(generator, group)
    known = " ".join(f"WHEN {place} THEN {spell(value, pattern, place)}" for place in range(_GROUPS))
    beyond = f"CASE WHEN {index} < 0 OR {_FEW_GROUPS.format(pattern=pattern)} THEN {nothing} ELSE {_TOO_MANY} END"
    return f"CASE WHEN {index} IS NOT NULL AND {pattern} IS NOT NULL THEN CASE {index} {known} ELSE {beyond} END END"


def _extracted(value: str, pattern: str, group: int) -> str:
    return f"regexp_extract({value}, {pattern}, {group}, 's')"


def _extracted_or_null(value: str, pattern: str, group: int) -> str:
    """The group of the first of all matches: DuckDB refuses those of a group that the pattern has not."""
    matches = f"regexp_matches({value}, {pattern}, 's')"
    found = f"TRY(regexp_extract_all({value}, {pattern}, {group}, 's'))"
    return f"CASE WHEN {matches} AND len({found}) > 0 THEN concat({found}[1]) END"  # one that took no part is empty


def replace(options: str) -> Spelling:
    """REGEXP_REPLACE; a replacement that names a group which is not there changes nothing."""

    def spell(generator: Generator, node: exp.Expr) -> str:
        value, pattern, new = (text_of(generator, item) for item in node.expressions)
        replaced = f"regexp_replace({value}, {pattern}, {new}, '{options}')"
        written = node.expressions[2]
        if isinstance(written, exp.Literal) and "\\" not in written.name:
            return replaced
        kept = f"CASE WHEN {new} IS NOT NULL AND regexp_matches({value}, {pattern}) IS NOT NULL THEN {value} END"
        return f"COALESCE(TRY({replaced}), {kept})"

    return spell
