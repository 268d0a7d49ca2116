"""Texts read by a format of MySQL's codes: ``05/03/2024 3:45 PM`` by ``%d/%m/%Y %l:%i %p``.

Text and format are walked side by side: blanks in either are passed over, a code takes what it can, any other sign must
stand in both. What is left of the text is ignored, what is left of the format stays zero; a text that does not fit, or
is no day of the calendar, gives None. Source: Doris: STR_TO_DATE.
"""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass, field

_WORDS = {"yyyyMMdd": "%Y%m%d", "yyyy-MM-dd": "%Y-%m-%d", "yyyy-MM-dd HH:mm:ss": "%Y-%m-%d %H:%i:%s"}
_WHOLE = {"r": "%I:%i:%S %p", "T": "%H:%i:%S"}
_NUMBERS = {
    "m": ("month", 2), "c": ("month", 2), "d": ("day", 2), "e": ("day", 2), "H": ("hour", 2), "k": ("hour", 2),
    "h": ("hour", 2), "I": ("hour", 2), "l": ("hour", 2), "i": ("minute", 2), "s": ("second", 2), "S": ("second", 2),
    "j": ("yearday", 3), "w": ("weekday", 1), "u": ("week", 2), "U": ("week", 2), "v": ("week", 2), "V": ("week", 2),
    "x": ("weekyear", 4), "X": ("weekyear", 4),
}  # fmt: skip
_SKIPPED = {"@": re.compile(r"[^\W\d_]*"), "#": re.compile(r"\d*", re.ASCII), ".": re.compile(r"[!-/:-@\[-`{-~]*")}
_DIGITS = re.compile(r"\d+", re.ASCII)
_SUFFIX = 2  # characters of the th in 5th
_CENTURY = 70  # years of two digits below are of this century


class _Unfit(Exception):  # noqa: N818  an outcome, no error
    """The text does not fit the format."""


@dataclass(slots=True)
class _Reading:
    """A text on its way, and the numbers found so far."""

    text: str
    at: int = 0
    found: dict[str, int] = field(default_factory=dict)
    codes: str = ""

    def rest(self) -> str:
        self.at += len(self.text[self.at :]) - len(self.text[self.at :].lstrip())
        return self.text[self.at :]

    def number(self, width: int) -> tuple[int, int]:
        """The digits that stand here, at most `width`: their value, and how many they are."""
        digits = _DIGITS.match(self.rest()[:width])
        if digits is None:
            raise _Unfit
        self.at += len(digits[0])
        return int(digits[0]), len(digits[0])

    def word(self, names: list[str]) -> int:
        """The place of the name that stands here, in any case."""
        here = self.rest().lower()
        for place, name in enumerate(names):
            if name and here.startswith(name.lower()):
                self.at += len(name)
                return place
        raise _Unfit


def moment(text: str, shape: str) -> datetime.datetime | None:
    """One moment, None where the text does not fit."""
    reading = _Reading(text)
    try:
        _walk(reading, _WORDS.get(shape, shape))
        return _made(reading) if text and shape else None
    except (_Unfit, ValueError, OverflowError):
        return None


def _walk(reading: _Reading, shape: str) -> None:
    place = 0
    while place < len(shape) and reading.rest():
        sign, code = shape[place], shape[place + 1 : place + 2]
        if sign == "%" and code:
            _take(reading, code)
            place += 2
            continue
        if not sign.isspace():
            if reading.rest()[0] != sign:
                raise _Unfit
            reading.at += 1
        place += 1


def _take(reading: _Reading, code: str) -> None:
    """Let one code take its part of the text."""
    reading.codes += code
    if code in _WHOLE:
        _walk(reading, _WHOLE[code])
    elif code in _NUMBERS:
        name, width = _NUMBERS[code]
        reading.found[name] = reading.number(width)[0]
    elif code in _SKIPPED:
        skipped = _SKIPPED[code].match(reading.rest())
        reading.at += len(skipped[0]) if skipped else 0
    elif code in _READERS:
        name, read = _READERS[code]
        reading.found[name] = read(reading)
    elif code == "%" and reading.rest().startswith("%"):
        reading.at += 1
    else:
        raise _Unfit


def _year(width: int) -> Callable[[_Reading], int]:
    def read(reading: _Reading) -> int:
        number, digits = reading.number(width)
        return number if digits > 2 else number + (2000 if number < _CENTURY else 1900)

    return read


def _nth(reading: _Reading) -> int:
    number, _ = reading.number(2)
    reading.at += _SUFFIX
    return number


def _fraction(reading: _Reading) -> int:
    digits = _DIGITS.match(reading.rest())
    if digits is None:
        raise _Unfit
    reading.at += len(digits[0])
    return int(digits[0][:6].ljust(6, "0"))


def _half(reading: _Reading) -> int:
    return 12 * reading.word(["AM", "PM"])


_READERS: dict[str, tuple[str, Callable[[_Reading], int]]] = {
    "y": ("year", _year(2)),
    "Y": ("year", _year(4)),
    "D": ("day", _nth),
    "f": ("microsecond", _fraction),
    "p": ("half", _half),
    "M": ("month", lambda reading: reading.word(list(calendar.month_name))),
    "b": ("month", lambda reading: reading.word(list(calendar.month_abbr))),
    "W": ("weekday", lambda reading: 1 + reading.word(list(calendar.day_name))),
    "a": ("weekday", lambda reading: 1 + reading.word(list(calendar.day_abbr))),
}


def _made(reading: _Reading) -> datetime.datetime:
    found = reading.found
    hour = found.get("hour", 0)
    if set("hIl") & set(reading.codes):
        if not 1 <= hour <= 12:
            raise _Unfit
        hour = hour % 12 + found.get("half", 0)
    elif "half" in found:
        raise _Unfit
    time = datetime.time(hour, found.get("minute", 0), found.get("second", 0), found.get("microsecond", 0))
    return datetime.datetime.combine(_day(reading), time)


def _day(reading: _Reading) -> datetime.date:
    """The day that was named: by month, by its number in the year, or by week and weekday."""
    found = reading.found
    if found.get("week", -1) >= 0 and found.get("weekday", -1) >= 0:
        return _by_week(reading)
    year = found.get("year", 0)
    if found.get("yearday", 0) > 0:
        return datetime.date(year, 1, 1) + datetime.timedelta(days=found["yearday"] - 1)
    others = {"month": 1, "day": 1} if "year" in found else {}  # a year alone, or with a month, begins
    return datetime.date(year, *((others | found).get(name, 0) for name in ("month", "day")))


def _by_week(reading: _Reading) -> datetime.date:
    """A day of a numbered week: %U and %V begin it on Sunday, %V and %v stand with the year of %X and %x."""
    found, codes = reading.found, set(reading.codes)
    from_sunday, is_strict = bool(codes & set("UV")), bool(codes & set("Vv"))
    if is_strict != ("weekyear" in found) or (is_strict and from_sunday != ("X" in codes)):
        raise _Unfit
    week, weekday = found["week"], found["weekday"] % 7
    first = datetime.date(found["weekyear"] if is_strict else found.get("year", 0), 1, 1)
    if from_sunday:
        offset = -((first.weekday() + 1) % 7) + (0 if first.weekday() == 6 else 7)
        return first + datetime.timedelta(days=offset + (week - 1) * 7 + weekday)
    offset = -first.weekday() + (0 if first.weekday() <= 3 else 7)
    return first + datetime.timedelta(days=offset + (week - 1) * 7 + (weekday or 7) - 1)
