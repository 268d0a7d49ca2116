r"""Cut a CSV body into rows of text.

``\N`` is NULL, nothing between two separators is the empty text, an empty line is no row, a line with the wrong
number of fields is rejected (Doris: Stream Load). Bodies of the usual form go through Arrow's reader; what it reads
otherwise than Doris (separators of several characters, lone carriage returns, broken UTF-8) is cut line by line.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from sql.load import enclosed
from sql.load.request import Csv
from sql.load.rows import Rejected, Rows, text_columns

_BLOCK = 1 << 24
_SHOWN = 200  # characters of a rejected line that are kept


def decode(body: bytes, form: Csv, width: int) -> Rows:
    """The rows of a body with `width` fields each."""
    body = _skipped(body, form)
    if not body.strip(b"\r\n"):
        return Rows(text_columns((), width), 0)
    if form.enclose:
        return sorted_out(enclosed.rows(body, form), width)
    if _is_plain(body, form):
        with suppress(pa.ArrowInvalid):
            return _read(body, form, width)
    return _cut(body, form, width)


def _skipped(body: bytes, form: Csv) -> bytes:
    """Without a byte order mark, and without the first lines."""
    body, mark = body.removeprefix(codecs.BOM_UTF8), form.delimiter.encode()
    for _ in range(form.skip):
        _, _, body = body.partition(mark)
    return body


def _is_plain(body: bytes, form: Csv) -> bool:
    single = len(form.separator.encode()) == 1 and form.separator not in '\r\n"'
    return single and form.delimiter == "\n" and body.count(b"\r") == body.count(b"\r\n")


def _read(body: bytes, form: Csv, width: int) -> Rows:
    """By Arrow's reader."""
    rejected: list[Rejected] = []

    def refuse(row: csv.InvalidRow) -> str:
        rejected.append(Rejected(_wrong_count(row.actual_columns, width), str(row.text)[:_SHOWN]))
        return "skip"

    names = [f"c{place}" for place in range(width)]
    parse = csv.ParseOptions(
        delimiter=form.separator, quote_char=False, double_quote=False, escape_char=False, invalid_row_handler=refuse
    )
    types = dict.fromkeys(names, pa.string())
    convert = csv.ConvertOptions(column_types=types, null_values=[enclosed.NULL], strings_can_be_null=True)
    read = csv.ReadOptions(column_names=names, block_size=_BLOCK, use_threads=False)
    table = csv.read_csv(pa.BufferReader(body), read, parse, convert)
    columns = tuple(_trimmed(column, form) for column in table.columns)
    return Rows(columns, table.num_rows, tuple(rejected))


def _trimmed(column: pa.Array, form: Csv) -> pa.Array:
    """Without the double quotes around a whole field (trim_double_quotes)."""
    return pc.replace_substring_regex(column, '^"(.*)"$', r"\1") if form.trim_double_quotes else column


def _cut(body: bytes, form: Csv, width: int) -> Rows:
    """Line by line."""
    found = sorted_out(((_fields(line, form.separator), line) for line in _lines(body, form) if line), width)
    columns = (pc.if_else(pc.equal(column, enclosed.NULL), None, column) for column in found.columns)
    return replace(found, columns=tuple(_trimmed(column, form) for column in columns))


def _lines(body: bytes, form: Csv) -> list[str] | list[bytes]:
    """The lines as text, or as bytes where the body is not UTF-8 throughout."""
    line_end = "\r" if form.delimiter == "\n" else ""
    try:
        return [line.removesuffix(line_end) for line in body.decode().split(form.delimiter)]
    except UnicodeDecodeError:
        return [line.removesuffix(line_end.encode()) for line in body.split(form.delimiter.encode())]


def _fields(line: str | bytes, separator: str) -> list[str] | None:
    """The fields of a line; None when it is not UTF-8."""
    if isinstance(line, str):
        return line.split(separator)
    try:
        return line.decode().split(separator)
    except UnicodeDecodeError:
        return None


def sorted_out(cut: Iterable[tuple[Sequence[str | None] | None, str | bytes]], width: int) -> Rows:
    """Part lines of the right number of fields from the others; a line that is no text has None."""
    rows: list[Sequence[str | None]] = []
    rejected: list[Rejected] = []
    for row, line in cut:
        if row is not None and len(row) == width:
            rows.append(row)
        else:
            reason = "Only support csv data in utf8 codec" if row is None else _wrong_count(len(row), width)
            shown = line if isinstance(line, str) else line.decode(errors="replace")
            rejected.append(Rejected(reason, shown[:_SHOWN]))
    return Rows(text_columns(rows, width), len(rows), tuple(rejected))


def _wrong_count(actual: int, width: int) -> str:
    word = "more" if actual > width else "less"
    return (
        f"actual column number in csv file is {word} than schema column number."
        f" actual number: {actual}, schema column number: {width}"
    )
