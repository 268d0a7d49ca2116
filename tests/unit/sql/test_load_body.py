"""From the bytes of a load to rows of text: CSV in all its forms, JSON, compression; no table, no server."""

from __future__ import annotations

import bz2
import gzip
import zlib
from collections.abc import Callable

import pyarrow as pa
import pytest

from sql.load import csv, json_body
from sql.load.compress import unpacked
from sql.load.json_body import Field
from sql.load.request import Csv, Json
from sql.load.rows import Rows
from storage import errors
from tests.unit.sql.draft import refuses

COMMA = Csv(separator=",")
FIELDS = [Field("id"), Field("city", "nowhere"), Field("n")]


def _rows(found: Rows) -> list[tuple[str | None, ...]]:
    return list(zip(*(column.to_pylist() for column in found.columns), strict=True))


@pytest.mark.parametrize(
    ("body", "form", "rows"),
    [
        (b"1,a\n2,\\N\n3,\n\n", COMMA, [("1", "a"), ("2", None), ("3", "")]),
        (b"1,a\r\n2,b\r\n", COMMA, [("1", "a"), ("2", "b")]),
        (b"a\rb\t1\nc\t2", Csv(), [("a\rb", "1"), ("c", "2")]),
        (b"1||a\r\n2||\\N\n", Csv(separator="||"), [("1", "a"), ("2", None)]),
        (b"1\x012\x023\x014\x02", Csv(separator="\x01", delimiter="\x02"), [("1", "2"), ("3", "4")]),
        (b'"a","b"\n"c",d\n"",x', Csv(separator=",", trim_double_quotes=True), [("a", "b"), ("c", "d"), ("", "x")]),
        (b'1,"x\n2,y"\n', COMMA, [("1", '"x'), ("2", 'y"')]),
        (b"head\n1\t2\n", Csv(skip=1), [("1", "2")]),
        ("1,ä€\n".encode(), COMMA, [("1", "ä€")]),
        (b"", COMMA, []),
        (b"\n\n", COMMA, []),
    ],
)
def test_csv_rows(body: bytes, form: Csv, rows: list[tuple[str | None, ...]]) -> None:
    """NULL is backslash N, nothing is the empty text, an empty line is no row."""
    found = csv.decode(body, form, 2)
    assert _rows(found) == rows
    assert (found.count, found.rejected) == (len(rows), ())


@pytest.mark.parametrize("separator", [",", ",,"])
def test_csv_lines_with_the_wrong_number_of_fields_are_rejected(separator: str) -> None:
    """Both ways of cutting say so in the same words, with the line."""
    body = "1,2\n1\n1,2,3\n4,5\n".replace(",", separator).encode()
    found = csv.decode(body, Csv(separator=separator), 2)
    assert _rows(found) == [("1", "2"), ("4", "5")]
    less, more = found.rejected
    assert "is less than schema column number. actual number: 1, schema column number: 2" in less.reason
    assert "is more than" in more.reason and more.text == f"1{separator}2{separator}3"


def test_csv_lines_that_are_no_utf8_are_rejected() -> None:
    found = csv.decode(b"1,a\n\xff\xfe,b\n2,c\n", COMMA, 2)
    assert _rows(found) == [("1", "a"), ("2", "c")]
    assert [row.reason for row in found.rejected] == ["Only support csv data in utf8 codec"]


def test_csv_fields_may_be_enclosed() -> None:
    """Inside, separators and line ends are plain; the enclosing character is doubled or escaped; NULL is not quoted."""
    form = Csv(separator=",", enclose="'", escape="\\")
    body = b"'a,b','c''d'\n'x\ny',\\N\n'it\\'s','\\N'\n'open,5\nlast,\n"
    wanted = [("a,b", "c'd"), ("x\ny", None), ("it's", "\\N"), ("'open", "5"), ("last", "")]
    assert _rows(csv.decode(body, form, 2)) == wanted


QUOTED = Csv(separator=",", enclose='"')
ESCAPED = Csv(separator=",", enclose="'", escape="\\")


@pytest.mark.parametrize(
    ("body", "form", "rows"),
    [
        ('\ufeff"ä,€",ß\n😀,""\n', QUOTED, [("ä,€", "ß"), ("😀", "")]),
        ('"",\\N\n,"\\N"\n"""",""""""\n', QUOTED, [("", None), ("", "\\N"), ('"', '""')]),
        ('"a "b" c","d"e\n"f, "g,h\n', QUOTED, [('a "b" c', '"d"e'), ('"f, "g', "h")]),
        ('"a,1\n', QUOTED, [('"a', "1")]),
        ("'a\\\\','b\\'c'\n'd\\n','e\\\\\\'f'\n", ESCAPED, [("a\\", "b'c"), ("d\\n", "e\\'f")]),
        ('"a""b","c"\n', Csv(separator=",", enclose='"', escape='"'), [('a"b', "c")]),
        ('"a||b"||"c\r\nd"\r\ne|f||g\r\n', Csv(separator="||", enclose='"'), [("a||b", "c\r\nd"), ("e|f", "g")]),
        ('"a|b"|c||d|"e||"', Csv(separator="|", delimiter="||", enclose='"'), [("a|b", "c"), ("d", "e||")]),
        ("'" + "\\" * 99 + ",1\n", ESCAPED, [("'" + "\\" * 99, "1")]),
    ],
)
def test_csv_enclosed_rows(body: str, form: Csv, rows: list[tuple[str | None, ...]]) -> None:
    """Texts of any script, the empty text and NULL, enclosing characters inside, long separators, pairs of escapes."""
    found = csv.decode(body.encode(), form, 2)
    assert (_rows(found), found.rejected) == (rows, ())


def test_csv_enclosed_lines_of_one_field() -> None:
    """An enclosed empty text is a row, an empty line is none."""
    assert _rows(csv.decode(b'""\n\n"a"\n', QUOTED, 1)) == [("",), ("a",)]


def test_csv_enclosed_lines_that_are_no_utf8_are_rejected() -> None:
    found = csv.decode(b'1,"a"\n2,"\xff"\n3,b\n', QUOTED, 2)
    assert _rows(found) == [("1", "a"), ("3", "b")]
    assert [row.reason for row in found.rejected] == ["Only support csv data in utf8 codec"]


def test_csv_bodies_may_start_with_a_byte_order_mark() -> None:
    assert _rows(csv.decode(b"\xef\xbb\xbf1,a\n", COMMA, 2)) == [("1", "a")]
    assert _rows(csv.decode(b"\xef\xbb\xbf1;;a\n", Csv(separator=";;"), 2)) == [("1", "a")]


@pytest.mark.parametrize(
    ("body", "form", "rows"),
    [
        (b'{"id": 1, "n": 7.50}', Json(), [("1", "nowhere", "7.50")]),
        (b'[{"id": 1, "city": null}, {"n": true}]', Json(True), [("1", None, None), (None, "nowhere", "1")]),
        (b'{"ID": 1, "City": "x"}\n\n{"id": 2}\n', Json(by_line=True), [("1", "x", None), ("2", "nowhere", None)]),
        (b'{"id": 1}\n{"id": 2}', Json(), [("1", "nowhere", None), ("2", "nowhere", None)]),
        (b'[{"id": 1}]\n[{"id": 2}]', Json(True, True), [("1", "nowhere", None), ("2", "nowhere", None)]),
        ('{"city": {"a": [1, 2.50, "ä"]}}'.encode(), Json(), [(None, '{"a":[1,2.5,"ä"]}', None)]),
        (b'{"a": {"b": [5, {"c": 6}]}}', Json(paths='["$.a.b[0]", "$.a.b[*].c", "$.x"]'), [("5", "[6]", None)]),
        (b'{"id": {"odd name": 1}}', Json(paths="[\"$.id['odd name']\"]"), [("1", None, None)]),
        (b'{"r": [{"id": 1}, {"id": 2}]}', Json(True, root="$.r"), [("1", "nowhere", None), ("2", "nowhere", None)]),
        (b'[{"r": {"id": 1}}]', Json(True, root="$.r"), [("1", "nowhere", None)]),
        (b"", Json(by_line=True), []),
        (b'\xef\xbb\xbf{"id": 1e2, "n": 0.10E-400}', Json(), [("1e2", "nowhere", "0.10E-400")]),
        (b'{"id": 1, "id": 2, "ID": 3}', Json(), [("2", "nowhere", None)]),
        (b'{"id": "\\ud83d\\ude00", "n": "\\u0000"}', Json(), [("\U0001f600", "nowhere", "\0")]),
    ],
)
def test_json_rows(body: bytes, form: Json, rows: list[tuple[str | None, ...]]) -> None:
    """A missing key is the default of its field, a path to nowhere is NULL, a number keeps its digits."""
    assert _rows(json_body.decode(body, form, FIELDS)) == rows


def test_json_flags_tell_which_keys_were_there() -> None:
    found = json_body.decode(b'{"id": 1}\n{"id": null, "n": 2}', Json(by_line=True), FIELDS)
    assert [flag.to_pylist() for flag in found.flags] == [[True, True], [False, False], [False, True]]


def test_json_pieces_that_are_no_objects_are_rejected() -> None:
    found = json_body.decode(b'{"id": 1}\nbroken\n5\n', Json(by_line=True), FIELDS)
    assert found.count == 1
    assert [row.text for row in found.rejected] == ["broken", "5"]


NO_JSON = [b"NaN", b"-Infinity", b"1e400", b"-" + b"9" * 5000, b'"\\udc00"', b'{"\\ud800":1}', b"[" * 100_000]


@pytest.mark.parametrize("value", NO_JSON, ids=lambda value: value[:10])
def test_json_values_that_are_no_json(value: bytes) -> None:
    """They reject a line, and fail a body that is one document."""
    body = b'{"id": %s}' % value
    found = json_body.decode(b'{"id": 1}\n' + body, Json(by_line=True), FIELDS)
    assert (_rows(found), len(found.rejected)) == ([("1", "nowhere", None)], 1)
    refuses(errors.LOAD_JSON, json_body.decode, body, Json(), FIELDS)


@pytest.mark.parametrize(
    ("body", "form", "kind"),
    [
        (b"this is not json", Json(), errors.LOAD_JSON),
        (b"\xff", Json(), errors.LOAD_JSON),
        (b'[{"id": 1}, oops]', Json(True), errors.LOAD_JSON),
        (b'[{"id": 1}]', Json(), errors.LOAD_JSON_ARRAY),
        (b'{"id": 1}', Json(True), errors.LOAD_JSON_OBJECT),
        (b'{"id": 1} {"id": 2}', Json(by_line=True), errors.LOAD_JSON_LINE),
        (b'{"id": 1},{"id": 2}', Json(by_line=True), errors.LOAD_JSON_LINE),
        (b'{"id": 1}', Json(paths="$.id"), errors.LOAD_JSON_PATHS),
        (b'{"id": 1}', Json(paths='["id"]'), errors.LOAD_JSON_PATHS),
        (b'{"id": 1}', Json(root="$.a["), errors.LOAD_JSON_PATHS),
        (b'{"id": 1}', Json(root="$.a[" + "9" * 5000 + "]"), errors.LOAD_JSON_PATHS),
        (b'{"id": 1}', Json(paths="[" * 100_000), errors.LOAD_JSON_PATHS),
    ],
)
def test_json_bodies_that_fail_the_load(body: bytes, form: Json, kind: errors.Kind) -> None:
    refuses(kind, json_body.decode, body, form, FIELDS)


def _lz4(body: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "lz4") as stream:
        stream.write(body)
    return bytes(sink.getvalue())


@pytest.mark.parametrize(
    ("kind", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("deflate", zlib.compress), ("lz4", _lz4)]
)
def test_compressed_bodies_are_unpacked(kind: str, pack: Callable[[bytes], bytes]) -> None:
    assert unpacked(pack(b"1,2\n" * 1000), kind) == b"1,2\n" * 1000
    refuses(errors.LOAD_COMPRESSED_BODY, unpacked, b"plain text", kind)


def test_an_unknown_compression_is_refused() -> None:
    assert unpacked(b"x", "") == b"x"
    refuses(errors.LOAD_COMPRESSION, unpacked, b"x", "lzo")
