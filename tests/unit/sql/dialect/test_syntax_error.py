"""Whatever is wrong with a text, the answer is one declared error that says where."""

from __future__ import annotations

import random

import pytest

from sql.dialect.doris import MAX_NESTING, parse
from storage.errors import SYNTAX_ERROR, DorisError


def _refused(text: str) -> str:
    with pytest.raises(DorisError) as caught:
        parse(text)
    assert caught.value.kind is SYNTAX_ERROR
    assert "\x1b" not in caught.value.message
    return caught.value.message


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("FOO bar", 1, 1, "mismatched input 'FOO' expecting"),
        ("SELECT 1;\n  SELEC 2", 2, 3, "mismatched input 'SELEC'"),
        ("SELECT *\nFROM t\nWHERE", 3, 6, "'<EOF>'"),
        ("SELECT a b c", 1, 12, "extraneous input 'c'"),
        ("SELECT 1, FROM t", 1, 11, "no viable alternative at input 'FROM'"),
        ("CREATE STREAM s ON t", 1, 20, "mismatched input 't' expecting 'TABLE'"),
        ("SELECT CAST(1 AS INT", 1, 21, "expecting ')'"),
        ("SELECT 1 /*!40101 + */", 1, 9, ""),
        ("SELECT\n\n 'abc", 3, 2, "unterminated string"),
        ("SELECT `a", 1, 8, "unterminated identifier"),
        ("SELECT 1 /* abc", 1, 10, "unclosed comment"),
        ("SELECT x'4G'", 1, 8, "malformed literal"),
        ("SELECT '한글', §", 1, 14, "§"),
    ],
)
def test_place_and_words(text: str, line: int, column: int, words: str) -> None:
    """Line and column count from 1 in the whole text and name the offending token."""
    if not words:
        assert parse(text)  # the comment is left out instead
        return
    message = _refused(text)
    assert message.startswith(f"Syntax error in line {line}, column {column}: ")
    assert words in message


@pytest.mark.parametrize("text", ["SWITCH", "a", "1 + 1", "foo(1)", "COMMIT FOO", "FROM t", "TABLE t"])
def test_no_stray_node_is_a_statement(text: str) -> None:
    """A name, an expression or a command that no statement begins with is refused."""
    _refused(text)


def test_one_wrong_statement_refuses_the_text() -> None:
    """Doris parses the whole text before it runs the first statement."""
    assert "line 1, column 11" in _refused("SELECT 1; FOO; SELECT 2")


def test_nesting_has_a_limit() -> None:
    """Far more than people write is fine; far more than the stack holds is a clear error, never a crash."""
    assert parse(f"SELECT {'(' * (MAX_NESTING - 1)}1{')' * (MAX_NESTING - 1)}")
    assert "nested too deeply" in _refused(f"SELECT {'(' * 5000}1{')' * 5000}")
    assert "nested too deeply" in _refused(f"SELECT {'NOT ' * 5000}1")
    assert parse(f"SELECT 1{' + 1' * 3000}")


def test_garbage_is_a_syntax_error() -> None:
    """Random bytes and mutilated statements neither crash nor pass as another error."""
    chance = random.Random(7)
    sound = (
        "SELECT a, sum(b) FROM t@incr('x' = 'y') WHERE a IN (1, 'x') GROUP BY a -- c\n; INSERT INTO t VALUES (1, NULL)"
    )
    for _ in range(400):
        noise = "".join(chr(chance.randrange(256)) for _ in range(chance.randrange(40)))
        place, length = chance.randrange(len(sound)), chance.randrange(12)
        for text in (noise, sound[:place] + sound[place + length :], sound[:place] + noise[:2] + sound[place:]):
            try:
                parse(text)
            except DorisError as error:
                assert error.kind is SYNTAX_ERROR
