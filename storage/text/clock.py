"""Texts that are times: ``12:30``, ``-838:59:59.5``, ``123456`` (12:34:56), as microseconds.

A text beyond 838:59:59 in either direction is none. Source: Doris: TIME.
"""

from __future__ import annotations

import re

_PARTED = re.compile(r"([+-]?)(\d+):(\d{1,2})(?::(\d{1,2})(?:\.(\d*))?)?", re.ASCII)
_SIXTY, _SECOND = 60, 1_000_000
LARGEST = (838 * _SIXTY * _SIXTY + 59 * _SIXTY + 59) * _SECOND


def microseconds(text: str) -> int | None:
    """The microseconds of one time, None where the text is none."""
    text = text.strip()
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
