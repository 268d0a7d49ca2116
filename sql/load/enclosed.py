r"""Cut CSV text whose fields may stand in enclosing characters, and then hold separators and line ends.

    1,'a,b','it''s',\N   with enclose '   ->  1 | a,b | it's | NULL

An enclosing character inside is doubled, or has the escape character before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sql.load.request import Csv

NULL = "\\N"


def rows(text: str, form: Csv) -> Iterator[tuple[list[str | None], str]]:
    """The fields of each line, and the line itself; empty lines are left out."""
    match_field = _field(form).match
    row: list[str | None] = []
    position = start = 0
    while position < len(text):
        found = match_field(text, position)
        assert found is not None  # the second form matches anything
        inside, plain, mark = found.groups()
        row.append(_value(inside, plain, form))
        position = found.end()
        if mark == form.separator and position < len(text):
            continue
        if mark == form.separator:
            row.append("")
        if row != [""]:
            yield row, text[start:position]
        row, start = [], position


def _field(form: Csv) -> re.Pattern[str]:
    quote, separator, delimiter = re.escape(form.enclose), re.escape(form.separator), re.escape(form.delimiter)
    line_end = f"\r?{delimiter}" if form.delimiter == "\n" else delimiter
    escaped = f"{re.escape(form.escape)}.|" if form.escape else ""
    inside = f"{quote}((?:{escaped}{quote}{quote}|(?!{quote}).)*){quote}"
    plain = f"((?:(?!{separator}|{line_end}).)*)"
    return re.compile(rf"(?:{inside}(?={separator}|{line_end}|\Z)|{plain})({separator}|{line_end}|\Z)", re.DOTALL)


def _value(inside: str | None, plain: str | None, form: Csv) -> str | None:
    if inside is None:
        return None if plain == NULL else plain
    if form.escape:
        inside = inside.replace(form.escape + form.enclose, form.enclose)
    return inside.replace(form.enclose * 2, form.enclose)
