"""JSON documents: paths, searches and changes, beside what the scenarios show."""

from __future__ import annotations

import pyarrow as pa
import pytest

from storage.errors import DorisError
from storage.text import document


def part(text: str | None, path: str | None) -> str | None:
    columns = (pa.array([text], pa.string()), pa.array([path], pa.string()))
    found: list[str | None] = document.part(*columns).to_pylist()
    return found[0]


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("$", '{"a":{"b.c":[1,2,{"d":"é"}]},"":0}'),
        ('$.a."b.c"[0]', "1"),
        ('$.a."b.c"[last]', '{"d":"é"}'),
        ('$.a."b.c"[ last - 1 ].d', None),
        ('$.a."b.c"[*].d', '["é"]'),
        ("$**.d", '["é"]'),
        ("$.a.*[1]", "[2]"),
        ('$.""', "0"),
        ("$.no key", None),
        ("$.a[0]", None),
        ("$.a[*]", None),
    ],
)
def test_paths(path: str, wanted: str | None) -> None:
    assert part('{"a": {"b.c": [1, 2, {"d": "é"}]}, "": 0}', path) == wanted


@pytest.mark.parametrize("path", ["", "a", "$.", "$a", "$[x]", "$[-1]", "$..a", '$."a'])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(DorisError, match="Invalid Json Path"):
        part("{}", path)


def test_null_is_null_and_no_rows_are_none() -> None:
    assert part(None, "$") is None
    assert part("{}", None) is None
    assert len(document.part(pa.array([], pa.string()), pa.array([], pa.string()))) == 0


@pytest.mark.parametrize(
    ("text", "path", "value", "mode", "wanted"),
    [
        ('{"a":1}', "$.a", "2", "insert", '{"a":1}'),
        ('{"a":1}', "$.a", "2", "replace", '{"a":2}'),
        ('{"a":1}', "$.b", "2", "replace", '{"a":1}'),
        ("[1,2]", "$[last]", "null", "set", "[1,null]"),
        ("[1,2]", "$[last-5]", "0", "insert", "[0,1,2]"),
        ('{"a":[[1]]}', "$.a[0][1]", "2", "set", '{"a":[[1,2]]}'),
        ('{"a":[5]}', "$.a[0][1]", "6", "set", '{"a":[[5,6]]}'),
        ('{"a":1}', "$.a.b", "2", "set", '{"a":1}'),
        ("1", "$.a", "2", "set", "1"),
    ],
)
def test_changes(text: str, path: str, value: str, mode: str, wanted: str) -> None:
    columns = (pa.array([text]), pa.array([[path]]), pa.array([[value]]), pa.array([mode]))
    assert document.edit(*columns).to_pylist() == [wanted]
