"""Texts that are times: ``12:30``, ``-838:59:59.5``, ``123456`` (12:34:56), as microseconds.

Works on columns; a text that is none, or is beyond 838:59:59 in either direction, gives NULL. Source: Doris: TIME.
"""

from __future__ import annotations

import re

import pyarrow as pa

from storage.column import Column, whole

_PARTED = re.compile(r"([+-]?)(\d+):(\d{1,2})(?::(\d{1,2})(?:\.(\d*))?)?", re.ASCII)
_SIXTY, _SECOND = 60, 1_000_000
LARGEST = (838 * _SIXTY * _SIXTY + 59 * _SIXTY + 59) * _SECOND


def microseconds(texts: Column) -> pa.Array:
    """The microseconds of times."""
    return pa.array(
        (None if text is None else _microseconds(text.strip()) for text in whole(texts).to_pylist()), pa.int64()
    )


def _microseconds(text: str) -> int | None:
    found = _PARTED.fullmatch(text)
    if found is not None:
        sign, hours, minutes, seconds, fraction = found.groups()
    elif (digits := re.fullmatch(r"([+-]?)(\d+)(?:\.(\d*))?", text, re.ASCII)) is not None:
        sign, number, fraction = digits.groups()
        padded = number.zfill(6)
        hours, minutes, seconds = padded[:-4], padded[-4:-2], padded[-2:]
    else:
        return None
    if int(minutes) >= _SIXTY or int(seconds or 0) >= _SIXTY:
        return None
    seven = (fraction or "").ljust(7, "0")[:7]  # the seventh digit rounds half up
    whole_seconds = (int(hours) * _SIXTY + int(minutes)) * _SIXTY + int(seconds or 0)
    value = whole_seconds * _SECOND + (int(seven) + 5) // 10
    return None if value > LARGEST else -value if sign == "-" else value
