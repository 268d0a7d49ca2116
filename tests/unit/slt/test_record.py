"""The scenario runner reads what its page describes (docs/testing.md)."""

from __future__ import annotations

from pathlib import Path

from tests.slt.record import changes_the_server, read, show, squeeze

FILE = """# a comment
statement ok
# inside a statement too
CREATE TABLE t (id INT);

query rowsort
SELECT id,
  v FROM t
----
1 a
# not a comment

statement error no such (table|view)
SELECT 1
"""


def _read(tmp_path: Path, text: str) -> list[tuple[str, str, list[str] | None]]:
    path = tmp_path / "case.slt"
    path.write_text(text, encoding="utf-8")
    return [(record.head, record.sql, record.expected) for record in read(path)]


def test_records_end_at_blank_lines(tmp_path: Path) -> None:
    """Comments go, but not those among expected rows; the final semicolon goes."""
    assert _read(tmp_path, FILE) == [
        ("statement ok", "CREATE TABLE t (id INT)", None),
        ("query rowsort", "SELECT id,\n  v FROM t", ["1 a", "# not a comment"]),
        ("statement error no such (table|view)", "SELECT 1", None),
    ]


def test_an_empty_result_is_not_a_missing_one(tmp_path: Path) -> None:
    """`----` with nothing below it expects no rows."""
    assert _read(tmp_path, "query\nSELECT 1\n----\n") == [("query", "SELECT 1", [])]


def test_a_scenario_that_restarts_wants_a_server_of_its_own(tmp_path: Path) -> None:
    """Also when it only changes the configuration, or what other sessions start with."""
    for text, wanted in (
        ("restart", True),
        ("set_config a = b", True),
        ('statement ok\nADMIN SET FRONTEND CONFIG ("a" = "b")', True),
        ("statement ok\nset  global a = 1", True),
        ("statement ok\nSET a = 1", False),
    ):
        path = tmp_path / "case.slt"
        path.write_text(f"{text}\n", encoding="utf-8")
        assert changes_the_server(read(path)) is wanted, text


def test_values_are_spelled() -> None:
    """NULL, the empty string, bytes; white space counts once."""
    assert [show(value) for value in (None, "", b"", b"x", 5)] == ["NULL", "(empty)", "(empty)", "x", "5"]
    assert squeeze(" a \t b\n") == "a b"
