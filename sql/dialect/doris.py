"""Doris SQL: the dialect, and `parse`, the one way from text to statements.

`parse` splits a text at its semicolons, reads each statement and remembers the trees of short texts;
it raises SYNTAX_ERROR with line and column and nothing else, whatever bytes it is given. Trees are
shared between callers: copy before changing one.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from sqlglot import exp
from sqlglot.dialects.doris import Doris as StockDoris
from sqlglot.dialects.mysql import MySQL
from sqlglot.errors import TokenError
from sqlglot.parser import SENTINEL_NONE
from sqlglot.tokenizer_core import Token, TokenType

from sql.dialect import binary, comment, literal_rows, moment_type
from sql.dialect.cache import LONGEST, Cache
from sql.dialect.clause import LiteralRows
from sql.dialect.parser import DorisParser
from sql.dialect.token_reader import MismatchError
from sql.dialect.word import describe
from storage.errors import SYNTAX_ERROR, DorisError

_log = logging.getLogger(__name__)
logging.getLogger("sqlglot").setLevel(logging.ERROR)  # it warns of texts that only their sender can mend
_NOT_NEWLINE = re.compile(r"[^\n]")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?")
_BEHIND_POINT = re.compile(r"[0-9]+(?:[eE][+-]?[0-9]+)?")
_NAME = re.compile(r"[\w$]+")
_STUMBLES = (AttributeError, TypeError, ValueError, LookupError)  # sqlglot's builders, given fewer arguments than due
_TOO_DEEP = "the statement is nested too deeply"
MAX_NESTING = 200  # brackets open at a time

# One bracket costs sqlglot about 27 frames: with Python's default of 1000 a statement could nest 35 brackets.
# Frames of Python code live on the heap (3.11 and later), so more of them cannot overflow a thread's stack.
sys.setrecursionlimit(max(sys.getrecursionlimit(), 10_000))

# Words of sqlglot's MySQL that are ordinary names in Doris, or pairs that our grammar reads as two words.
_NO_KEYWORDS = frozenset({
    "CHARSET", "FETCH", "FORCE", "GLOB", "IGNORE", "ILIKE", "LOCK TABLES", "SEPARATOR", "SIGNED INTEGER",
    "UNLOCK TABLES", "UNSIGNED INTEGER",
})  # fmt: skip


class Doris(StockDoris):
    """sqlglot's Doris with our parser."""

    EXPRESSION_METADATA = {**StockDoris.EXPRESSION_METADATA, **moment_type.METADATA, **binary.METADATA}  # noqa: RUF012

    class Tokenizer(StockDoris.Tokenizer):
        """No token swallows the rest of its statement, as sqlglot's commands do."""

        COMMANDS: ClassVar[set[TokenType]] = set()
        KEYWORDS = {word: kind for word, kind in MySQL.Tokenizer.KEYWORDS.items() if word not in _NO_KEYWORDS} | {
            "MINUS": TokenType.EXCEPT
        }

    Parser = DorisParser


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: its tree (shared) and its own source text."""

    node: exp.Expression
    text: str


HEADS = 128  # targets of INSERT … VALUES that are remembered

_dialect = Doris()
_cache: Cache[tuple[Statement, ...]] = Cache()


def parse(text: str) -> list[Statement]:
    """Split and parse a text; empty and comment-only statements yield nothing.

    Raises SYNTAX_ERROR (1105) with the 1-based line and column of the offending token in `text`.
    """
    statements = _cache.get(text) or _bulk(text)
    if statements is None:
        statements = tuple(_parse(text))
        _cache.put(text, statements)
    return list(statements)


def split_at_placeholders(text: str) -> tuple[str, ...]:
    """The text before the first ``?`` that is no part of a literal, between each and the next, and behind the last."""
    tokens = _tokens(comment.unwrap(text), text)
    starts = [token.start for token in tokens if token.token_type == TokenType.PLACEHOLDER]
    edges = zip([0, *(start + 1 for start in starts)], [*starts, len(text)], strict=True)
    return tuple(text[start:end] for start, end in edges)


def _bulk(text: str) -> tuple[Statement, ...] | None:
    """An INSERT of literal rows only, whose rows never become a tree (literal_rows.py); None for all else."""
    found = literal_rows.read(text)
    if found is None:
        return None
    head, columns = found
    try:
        node = _known_head(head).copy() if len(head) <= LONGEST else _head(head)
    except DorisError:  # it is to quote what the client wrote
        return None
    node.set("expression", LiteralRows(columns=columns))
    return (Statement(node, text.strip().removesuffix(";").rstrip()),)


def _head(text: str) -> exp.Expression:
    """The tree of a statement of literal rows, given as far as its first row; its rows are to be replaced."""
    return next(_parse(f"{text}NULL)")).node


_known_head = lru_cache(HEADS)(_head)


def _parse(text: str) -> Iterator[Statement]:
    if "/*" in text:  # sqlglot would let a comment without end swallow the rest
        _refuse_unfinished(text)
    for piece in _split(comment.unwrap(text), text):
        tree = _read(piece, text)
        if tree is not None:
            yield Statement(tree, text[piece.tokens[0].start : piece.tokens[-1].end + 1])


@dataclass(frozen=True, slots=True)
class _Piece:
    """The tokens of one statement, and where its part of the text begins and ends, comments included."""

    tokens: list[Token]
    start: int
    end: int


def _split(plain: str, text: str) -> Iterator[_Piece]:
    """The statements that are not empty."""
    tokens: list[Token] = []
    start = 0
    for token in _tokens(plain, text):
        if token.token_type != TokenType.SEMICOLON:
            tokens.append(token)
            continue
        if tokens:
            yield _Piece(tokens, start, token.start)
        tokens, start = [], token.end + 1
    if tokens:
        yield _Piece(tokens, start, len(text))


def _tokens(plain: str, text: str) -> list[Token]:
    try:
        return _dialect.tokenize(plain)
    except TokenError as error:
        _refuse_unfinished(text)
        raise _syntax_error(text, comment.malformed(text), "malformed literal") from error


def _refuse_unfinished(text: str) -> None:
    unfinished = comment.unfinished(text)
    if unfinished is not None:
        raise _syntax_error(text, *unfinished)


def _read(piece: _Piece, text: str) -> exp.Expression | None:
    """One tree; a statement that is only wrong because of ``/*! … */`` is read without it, perhaps to nothing."""
    try:
        return _tree(piece.tokens, text)
    except MismatchError as error:
        if not comment.has_executable(text[piece.start : piece.end]):
            offset = error.token.start if error.token else piece.tokens[-1].end + 1
            raise _syntax_error(text, offset, error.words) from error
    before = _NOT_NEWLINE.sub(" ", text[: piece.start])
    plain = before + comment.blank(text[piece.start : piece.end])
    rest = _tokens(plain, text)
    return _read(_Piece(rest, piece.start, piece.end), plain) if rest else None


def _tree(tokens: list[Token], text: str) -> exp.Expression:
    _check_numbers(tokens)
    still_open = _open_brackets(tokens)
    parser = DorisParser(dialect=_dialect)
    try:
        tree = parser.read(tokens, text)
    except RecursionError as error:
        raise MismatchError(_TOO_DEEP, tokens[0]) from error
    except _STUMBLES:
        _log.debug("sqlglot stumbled over %r", text, exc_info=True)
        parser.stuck()
    if still_open > 0:  # sqlglot forgives ``CAST(1 AS INT``
        raise MismatchError("mismatched input '<EOF>' expecting ')'", SENTINEL_NONE)
    assert isinstance(tree, exp.Expression)
    return tree


def _check_numbers(tokens: list[Token]) -> None:
    """Refuse ``1.5.2``, ``.9.9`` and ``1e``, which sqlglot takes for numbers."""
    for before, token, after in zip([SENTINEL_NONE, *tokens], tokens, [*tokens[1:], SENTINEL_NONE], strict=False):
        if token.token_type == TokenType.NUMBER:
            form = _BEHIND_POINT if before.token_type == TokenType.DOT else _NUMBER
            if not form.fullmatch(token.text) or (after.token_type == TokenType.DOT and after.start == token.end + 1):
                raise MismatchError(f"no viable alternative at input {describe('', token)}", token)


def _open_brackets(tokens: list[Token]) -> int:
    """How many brackets stay open at the end; refuses nesting beyond Python's stack, and names of no letters."""
    depth = 0
    for token in tokens:
        if token.token_type in (TokenType.L_PAREN, TokenType.L_BRACKET):
            depth += 1
            if depth > MAX_NESTING:
                raise MismatchError(_TOO_DEEP, token)
        elif token.token_type in (TokenType.R_PAREN, TokenType.R_BRACKET):
            depth -= 1
        elif _is_no_name(token):
            raise MismatchError(f"no viable alternative at input {describe('', token)}", token)
    return depth


def _is_no_name(token: Token) -> bool:
    """A word of signs, or a quoted name without a letter."""
    if token.token_type == TokenType.IDENTIFIER:
        return not token.text
    return token.token_type == TokenType.VAR and not _NAME.fullmatch(token.text)


def _syntax_error(text: str, offset: int, reason: str) -> DorisError:
    """The declared error with the 1-based line and column of an offset."""
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return SYNTAX_ERROR(line=line, column=column, reason=reason)
