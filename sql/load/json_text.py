"""JSON text to values and back, with nothing in between that is no JSON (RFC 8259).

NaN, numbers that no DOUBLE holds, halves of surrogate pairs and endless nesting are refused like broken syntax. Of a
key that comes twice the last value counts.
"""

from __future__ import annotations

import json
import math
import re

_MOST_DIGITS = 300  # of an integer, so that a DOUBLE holds it
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class Written(float):
    """A number with a fraction or exponent, and how it was written."""

    text: str


def decoded(text: str) -> object:
    """The document of a text: integers as int, other numbers as Written; raises ValueError with the reason."""
    try:
        document: object = _DECODER.decode(text)
        if _SURROGATE.search(text):
            dumped(document).encode()
    except UnicodeEncodeError:
        raise ValueError("half of a surrogate pair in a string") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return document


def reason(error: ValueError) -> str:
    """What is wrong with a text that is no JSON: in Doris's words (simdjson's TAPE_ERROR), with the place."""
    return f"{_STRUCTURE} (at character {error.pos + 1})" if isinstance(error, json.JSONDecodeError) else str(error)


def dumped(value: object) -> str:
    """The text of a value, without blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _integer(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise ValueError(_TOO_BIG)
    return int(text)


def _written(text: str) -> Written:
    number = Written(text)
    if not math.isfinite(number):
        raise ValueError(_TOO_BIG)
    number.text = text
    return number


def _no_number(text: str) -> object:
    raise ValueError(f"invalid value {text}")


_STRUCTURE = "The JSON document has an improper structure: missing or superfluous commas, braces, missing keys, etc."
_TOO_BIG = "number too big to be stored in double"
_DECODER = json.JSONDecoder(parse_float=_written, parse_int=_integer, parse_constant=_no_number)
