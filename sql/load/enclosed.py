r"""Cut CSV text whose fields may stand in enclosing characters, and then hold separators and line ends.

    1,'a,b','it''s',\N,'a 'b' c','a'b   with enclose '   ->  1 | a,b | it's | NULL | a 'b' c | 'a'b

An enclosing character inside is doubled, or has the escape character before it, which escapes itself, too. Behind
the closing one a field goes on to its separator; enclosing characters go only where they are first and last. One that
is never closed is text. Source: Doris: Stream Load, enclose and escape.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sql.load.request import Csv

NULL = "\\N"
_KEPT = "surrogateescape"  # bytes that are no UTF-8 stay what they are
_BROKEN = re.compile("[\udc80-\udcff]")


def rows(body: bytes, form: Csv) -> Iterator[tuple[list[str | None] | None, str | bytes]]:
    """The fields of each line, and the line itself; None for one that is not UTF-8. Empty lines are left out."""
    text = body.decode(errors=_KEPT)
    match_field, value = _field(form).match, _value(form)
    row: list[str | None] = []
    position = start = 0
    while position < len(text):
        found = match_field(text, position)
        assert found is not None  # the plain form matches anything
        field, mark = found.groups()
        row.append(value(field))
        position = found.end()
        if mark == form.separator and position < len(text):
            continue
        if mark == form.separator:
            row.append("")
        if field or len(row) > 1:
            yield _checked(row, text[start:position])
        row, start = [], position


def _checked(row: list[str | None], line: str) -> tuple[list[str | None] | None, str | bytes]:
    """The fields, unless some bytes of the line are no text."""
    return (None, line.encode(errors=_KEPT)) if _BROKEN.search(line) else (row, line)


def _field(form: Csv) -> re.Pattern[str]:
    """A field as it stands there, and what ends it; line ends are found before separators."""
    quote, separator, delimiter = re.escape(form.enclose), re.escape(form.separator), re.escape(form.delimiter)
    line_end = f"\r?{delimiter}" if form.delimiter == "\n" else delimiter
    pair = f"{re.escape(form.escape)}.|" if _escapes(form) else ""
    enclosed = f"{quote}(?:{pair}{quote}{quote}|[^{quote}])*+{quote}"  # possessive: no second thoughts about pairs
    return re.compile(rf"((?:{enclosed})?+(?:(?!{line_end}|{separator}).)*)({line_end}|{separator}|\Z)", re.DOTALL)


def _value(form: Csv) -> Callable[[str], str | None]:
    """From a field to its value."""
    quote, doubled = form.enclose, re.escape(form.enclose) * 2
    escape = re.escape(form.escape)
    pair = re.compile(f"{doubled}|{escape}(?:{escape}|{re.escape(quote)})" if _escapes(form) else doubled)

    def value(field: str) -> str | None:
        if len(field) > 1 and field[0] == field[-1] == quote:
            return pair.sub(lambda found: found[0][-1], field[1:-1])
        return None if field == NULL else field

    return value


def _escapes(form: Csv) -> bool:
    """Whether there is an escape character other than the enclosing one, which is doubled anyway."""
    return form.escape not in ("", form.enclose)
