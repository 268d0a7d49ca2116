"""UNHEX and FROM_BASE64 give texts, which in Doris may be any bytes; those of DuckDB are UTF-8.

    unhex('E4BDA0')   ->  the text of the bytes, NULL where they are none
    hex(unhex('FF'))  ->  a function that works on bytes gets them as they are

Source: Doris: UNHEX, FROM_BASE64.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect import text
from sql.dialect.spelling import Spelling

_ON_BYTES = (exp.Hex, exp.LowerHex, exp.MD5, exp.SHA, exp.ToBase64)


def _decoded(spell: Spelling) -> Spelling:
    """The text of the bytes that are spelled, but for functions that work on bytes."""

    def spell_text(generator: Generator, node: exp.Expr) -> str:
        found, user = spell(generator, node), node.parent
        while isinstance(user, exp.Paren):
            user = user.parent
        return found if isinstance(user, _ON_BYTES) else f"TRY(decode({found}))"

    return spell_text


def _unhex(generator: Generator, node: exp.Expr) -> str:
    """What are no pairs of hexadecimal digits gives nothing."""
    digits = text.text_of(generator, node.this)
    pairs = f"regexp_full_match({digits}, '([0-9A-Fa-f][0-9A-Fa-f])*')"
    return f"CASE WHEN {pairs} THEN unhex({digits}) WHEN {digits} IS NOT NULL THEN CAST('' AS BLOB) END"


def _from_base64(generator: Generator, node: exp.Expr) -> str:
    return f"TRY(from_base64({text.text_of(generator, node.this)}))"


SPELLINGS: dict[type[exp.Expr], Spelling] = {
    exp.Unhex: _decoded(_unhex),
    exp.FromBase64: _decoded(_from_base64),
}
METADATA: dict[type[exp.Expr], dict[str, Any]] = {kind: {"returns": exp.DType.TEXT} for kind in SPELLINGS}
