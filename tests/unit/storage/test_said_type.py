"""DuckDB's names of types become those of Doris, however deep they are nested."""

from __future__ import annotations

import pytest

from storage.said_type import spelled


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("INTEGER, HUGEINT, BLOB", "INT, LARGEINT, VARBINARY"),
        ("VARCHAR[]", "ARRAY<VARCHAR>"),
        ("DECIMAL(20,4)[][]", "ARRAY<ARRAY<DECIMAL(20,4)>>"),
        ("MAP(VARCHAR, INTEGER[])[], INTEGER", "ARRAY<MAP<VARCHAR, ARRAY<INT>>>, INT"),
        ("STRUCT(f INTEGER, g MAP(VARCHAR, DATE)), TIMESTAMP", "STRUCT<f INT, g MAP<VARCHAR, DATE>>, DATETIME"),
        ('"NULL"[], INTEGER[3]', "ARRAY<NULL>, ARRAY<INT>"),
        ("on dates", "on dates"),
    ],
)
def test_spelled(said: str, wanted: str) -> None:
    assert spelled(said) == wanted
