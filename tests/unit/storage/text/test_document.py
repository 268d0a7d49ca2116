"""JSON documents: paths, searches and changes, beside what the scenarios show."""

from __future__ import annotations

import pytest

from storage.errors import DorisError
from storage.text import document


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
    assert document.part('{"a": {"b.c": [1, 2, {"d": "é"}]}, "": 0}', path) == wanted


@pytest.mark.parametrize("path", ["", "a", "$.", "$a", "$[x]", "$[-1]", "$..a", '$."a'])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(DorisError, match="Invalid Json Path"):
        document.part("{}", path)


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
    assert document.edit(text, (path,), (value,), mode) == wanted
