"""JSON documents in DuckDB's words: what is read as one, what lies at a path of it, values as JSON texts.

A document is a text for DuckDB, never its own JSON type, which would read the text that it is compared with as JSON.
Plain paths are DuckDB's; all others go through storage/text/document.py. Source: Doris: JSON functions.
"""

from __future__ import annotations

import re

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect.cast import digits_of, family, noted
from sql.dialect.refused import refused
from sql.dialect.text import text_of
from sql.dialect.to_text import text_of as plain_text
from storage.errors import JSON_NULL_KEY
from storage.naming import PREFIX, literal

_PLAIN_PATH = re.compile(r"\$(\.[^\W\d]\w*|\[\d{1,9}\])*")
_DOCUMENTS = frozenset((exp.DType.JSON, exp.DType.VARIANT))
_NO_KEY = refused(JSON_NULL_KEY().message, "VARCHAR")


def document(generator: Generator, node: exp.Expr) -> str:
    """A JSON document; NULL for a text that is none. Numbers and truths are documents themselves."""
    spelled, found = generator.sql(node), family(node)
    if found in (None, "text", "document"):
        return f"TRY_CAST({spelled} AS JSON)"
    return f"CAST({value(generator, node)} AS JSON)"


def part(generator: Generator, node: exp.Expr) -> str:
    """What of the document, the first argument of a call, lies at the path `node`; NULL for nothing."""
    assert node.parent is not None
    whole = document(generator, node.parent.expressions[0])
    if isinstance(node, exp.Literal) and node.is_string and _PLAIN_PATH.fullmatch(node.this):
        return f"CAST(json_extract({whole}, {literal(node.this)}) AS VARCHAR)"
    return f"{PREFIX}json_part(CAST({whole} AS VARCHAR), {text_of(generator, node)})"


def value(generator: Generator, node: exp.Expr) -> str:
    """Any value as a JSON text: texts in quotes, documents as they are, NULL for NULL (Doris: TO_JSON)."""
    spelled, found, kind = generator.sql(node), family(node), noted(node)
    if found in ("text", "date", "datetime"):
        return f"CAST(to_json({text_of(generator, node)}) AS VARCHAR)"
    if kind is not None and kind.this in _DOCUMENTS:
        plain = f"CAST(json_extract(TRY_CAST({spelled} AS JSON), '$') AS VARCHAR)"
        return plain if found == "document" else f"COALESCE({plain}, CAST(to_json({spelled}) AS VARCHAR))"
    if found in ("integer", "decimal", "float"):
        return plain_text(spelled, found, digits_of(node))
    return f"CAST(to_json({spelled}) AS VARCHAR)"


def key(generator: Generator, node: exp.Expr) -> str:
    """The key of a member, in quotes; there is none without a name."""
    name = text_of(generator, node)
    return f"CAST(to_json(COALESCE({name}, {_NO_KEY})) AS VARCHAR)"
