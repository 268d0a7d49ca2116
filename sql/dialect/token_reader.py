"""Read single things: words, names, literals, lists; and the mismatch error.

A thin public face over sqlglot's parser, whose own methods are private. It knows no clause and no
statement (reader.py, grammar/). Every method either consumes what it names or raises `MismatchError`;
those that return a bool or None consume nothing then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, TypeVar

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.parsers.doris import DorisParser as StockParser
from sqlglot.tokenizer_core import Token, TokenType

from sql.dialect.word import RESERVED, describe, reason

T = TypeVar("T")

END = TokenType.SENTINEL


class MismatchError(ParseError):
    """A syntax error in Doris's words, with the offending token (falsy at the end of the statement)."""

    def __init__(self, words: str, token: Token) -> None:
        super().__init__(words)
        self.words = words
        self.token = token


class TokenReader(StockParser):
    """sqlglot's Doris parser with public reading methods."""

    # -- errors ------------------------------------------------------------------------------
    def raise_error(self, message: str, token: Token | None = None) -> NoReturn:
        """Turn any complaint of sqlglot into a `MismatchError` at the current token."""
        offending = token or self._curr
        raise MismatchError(reason(message, describe(self.sql, offending)), offending)

    def mismatch(self, *expected: str) -> NoReturn:
        """Say that one of some words was expected here."""
        choice = ", ".join(f"'{word}'" for word in expected)
        choice = choice if len(expected) == 1 else f"{{{choice}}}"
        raise MismatchError(f"mismatched input {describe(self.sql, self._curr)} expecting {choice}", self._curr)

    def stuck(self) -> NoReturn:
        """Say that nothing known can begin here."""
        raise MismatchError(f"no viable alternative at input {describe(self.sql, self._curr)}", self._curr)

    # -- tokens and words --------------------------------------------------------------------
    @property
    def at_end(self) -> bool:
        return not self._curr

    @property
    def here(self) -> str:
        """The current token's text in capitals; empty at the end and for quoted tokens."""
        quoted = self._curr.token_type in self.TEXT_MATCH_EXCLUDED_TOKENS
        return "" if quoted or not self._curr else self._curr.text.upper()

    def words(self, *words: str) -> bool:
        """Consume these words if they come next; a token may hold two of them (``ORDER BY``)."""
        index, done = self._index, 0
        while done < len(words):
            parts = self.here.split(" ")
            if tuple(parts) != words[done : done + len(parts)]:
                self._retreat(index)
                return False
            done += len(parts)
            self._advance()
        return True

    def sees(self, *words: str) -> bool:
        """Whether these words come next, without consuming them."""
        index = self._index
        found = self.words(*words)
        self._retreat(index)
        return found

    def one_of(self, *words: str) -> str | None:
        """Consume one of these words and return it."""
        return next((word for word in words if self.words(*word.split(" "))), None)

    def expect(self, *words: str) -> None:
        for word in words:
            if not self.words(word):
                self.mismatch(word)

    def expect_one_of(self, *words: str) -> str:
        return self.one_of(*words) or self.mismatch(*words)

    def follows(self, token_type: TokenType, distance: int = 1) -> bool:
        """Whether the token that many places ahead has this type."""
        index = self._index + distance
        return index < self._tokens_size and self._tokens[index].token_type == token_type

    @property
    def string_follows(self) -> bool:
        return self._next.token_type == TokenType.STRING

    @property
    def next_ends_item(self) -> bool:
        """Whether the current token is the last of an item of a list."""
        return self._next.token_type in (TokenType.COMMA, TokenType.R_PAREN, TokenType.SENTINEL)

    def next_is(self, word: str) -> bool:
        """Whether the token behind the current one is this word."""
        return self._next.token_type not in self.TEXT_MATCH_EXCLUDED_TOKENS and self._next.text.upper() == word

    def mark(self) -> int:
        """A place to go `back` to."""
        return self._index

    def back(self, mark: int) -> None:
        self._retreat(mark)

    def back_behind(self, name: exp.Identifier) -> None:
        """Go back to the token behind a name that has been read."""
        while self._prev.end != name.meta["end"]:
            self._retreat(self._index - 1)

    def skip(self) -> Token:
        """Consume any one token."""
        if self.at_end:
            self.stuck()
        token = self._curr
        self._advance()
        return token

    def skip_all(self) -> None:
        """Consume the rest of the statement."""
        while not self.at_end:
            self._advance()

    def end(self) -> None:
        """Refuse anything after a complete statement."""
        if not self.at_end:
            words = f"extraneous input {describe(self.sql, self._curr)} expecting {{<EOF>, ';'}}"
            raise MismatchError(words, self._curr)

    # -- names -------------------------------------------------------------------------------
    def at_name(self) -> bool:
        kind, text = self._curr.token_type, self._curr.text
        if kind in (TokenType.IDENTIFIER, TokenType.VAR):
            return True
        bare = kind not in self.TEXT_MATCH_EXCLUDED_TOKENS and kind is not TokenType.NUMBER
        return bare and text.upper() not in RESERVED and text.replace("_", "a").replace("$", "a").isalnum()

    def name(self) -> exp.Identifier:
        """Read an identifier, quoted or not; a keyword that is not reserved is one too."""
        if not self.at_name():
            self.mismatch("IDENTIFIER")
        return self._identifier()

    def field_name(self) -> exp.Identifier:
        """Read a name that nothing else can be taken for: reserved words are names too."""
        return self._identifier() if self._curr.text.upper() in RESERVED else self.name()

    def _identifier(self) -> exp.Identifier:
        token = self.skip()
        identifier = exp.Identifier(this=token.text, quoted=token.token_type == TokenType.IDENTIFIER)
        identifier.update_positions(token)
        return identifier

    def names(self) -> list[exp.Identifier]:
        """Read ``(a, b, …)``."""
        return self.wrapped_list(self.name)

    def table(self) -> exp.Table:
        """Read ``[[catalog.]db.]name``."""
        parts = [self.name()]
        while len(parts) < 3 and self._match(TokenType.DOT):
            parts.append(self.name())
        keys = ("this", "db", "catalog")
        return exp.Table(**dict(zip(keys, reversed(parts), strict=False)))

    # -- literals ----------------------------------------------------------------------------
    def at_string(self) -> bool:
        return self._curr.token_type == TokenType.STRING

    def string(self) -> exp.Literal:
        if not self.at_string():
            self.mismatch("STRING_LITERAL")
        return exp.Literal.string(self.skip().text)

    def number(self) -> exp.Literal:
        """Read an unsigned integer."""
        if self._curr.token_type != TokenType.NUMBER or not self._curr.text.isdecimal():
            self.mismatch("INTEGER_VALUE")
        return self.decimal()

    def decimal(self) -> exp.Literal:
        """Read an unsigned number."""
        if self._curr.token_type != TokenType.NUMBER:
            self.mismatch("DECIMAL_VALUE")
        return exp.Literal(this=self.skip().text, is_string=False)

    def whole(self) -> exp.Literal:
        """Read an unsigned whole number."""
        if not self._curr.text.isdigit():
            self.mismatch("INTEGER_VALUE")
        return self.number()

    def label(self) -> str:
        """Read a word or a string as text (user names, roles, character sets)."""
        if self.at_string() or self.at_name():
            return self.skip().text
        self.mismatch("IDENTIFIER", "STRING_LITERAL")

    # -- lists -------------------------------------------------------------------------------
    def comma_list(self, method: Callable[[], T]) -> list[T]:
        items = [method()]
        while self._match(TokenType.COMMA):
            items.append(method())
        return items

    def wrapped(self, method: Callable[[], T]) -> T:
        self.expect("(")
        inside = method()
        self.expect(")")
        return inside

    def wrapped_list(self, method: Callable[[], T]) -> list[T]:
        return self.wrapped(lambda: self.comma_list(method))
