"""The parser: where reading a query differs from sqlglot's.

Statements are read by the table in grammar/statement.py. Nothing becomes a Command or a stray expression: what
cannot be read is a syntax error at its first word.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.parsers.doris import DorisParser as StockParser
from sqlglot.tokenizer_core import Token, TokenType

from sql.dialect import pipes
from sql.dialect.arity import readers
from sql.dialect.grammar import call, data_type, literal, session
from sql.dialect.grammar.statement import statement
from sql.dialect.reader import Reader
from sql.dialect.table_reader import TableReader

T = TypeVar("T")
E = TypeVar("E", bound=exp.Expr)

PLACE = "place"  # of a placeholder in its text


class DorisParser(TableReader):
    """Statements by table; the methods below replace sqlglot's of the same name."""

    SUPPORTS_TABLE_QUERY = False
    TABLE_ALIAS_TOKENS = StockParser.TABLE_ALIAS_TOKENS - {TokenType.PARTITION}
    TABLE_POSTFIX_TOKENS = StockParser.TABLE_POSTFIX_TOKENS | {TokenType.PARAMETER}
    DISJUNCTION = {TokenType.OR: exp.Or}  # noqa: RUF012
    EQUALITY = {}  # noqa: RUF012
    COMPARISON = {**StockParser.EQUALITY, **StockParser.COMPARISON}  # noqa: RUF012  all bind alike, from left to right
    VERSION_PHRASES = {**StockParser.VERSION_PHRASES, ("FOR", "TIME"): "TIMESTAMP"}  # noqa: RUF012
    FUNCTIONS = readers(StockParser.FUNCTIONS)
    FUNCTION_PARSERS = {  # noqa: RUF012
        **{name: StockParser.FUNCTION_PARSERS[name] for name in ("CAST", "CONVERT", "TRIM", "TRY_CAST")},
        **call.READERS,
    }
    PLACEHOLDER_PARSERS = {  # noqa: RUF012
        **StockParser.PLACEHOLDER_PARSERS,
        TokenType.PLACEHOLDER: lambda self: _placeholder(self),
    }
    NO_PAREN_FUNCTION_PARSERS = {  # noqa: RUF012
        name: read for name, read in StockParser.NO_PAREN_FUNCTION_PARSERS.items() if name != "ANY"
    }
    NO_PAREN_FUNCTIONS = {  # noqa: RUF012
        TokenType.CURRENT_DATE: exp.CurrentDate,
        TokenType.CURRENT_TIME: exp.CurrentTime,
        TokenType.CURRENT_TIMESTAMP: exp.CurrentTimestamp,
        TokenType.CURRENT_USER: exp.CurrentUser,
        TokenType.LOCALTIME: exp.Localtime,
        TokenType.LOCALTIMESTAMP: exp.Localtimestamp,
    }
    PRIMARY_PARSERS = {**StockParser.PRIMARY_PARSERS, TokenType.NUMBER: lambda _, token: literal.number(token.text)}  # noqa: RUF012
    TYPE_LITERAL_PARSERS = {exp.DType.DATETIME: lambda self, this, _: literal.timestamp(this)}  # noqa: RUF012

    def read(self, tokens: list[Token], text: str) -> exp.Expr:
        """Read the tokens of one statement of `text`."""
        self._begin(tokens, text)
        tree = self.statement()
        self.end()
        return tree

    def _begin(self, tokens: list[Token], text: str) -> None:
        self.reset()
        self.sql = text
        self._chunks = [tokens]
        self._advance_chunk()

    def statement(self) -> exp.Expr:
        return statement(self)

    # -- nothing is guessed ------------------------------------------------------------------
    def _parse_as_command(self, start: Token) -> exp.Command:
        self.stuck()

    def _parse_statement(self) -> exp.Expr | None:
        """What may stand behind WITH … or within its brackets: a query, outside of brackets also a change of rows."""
        if self.here in ("INSERT", "UPDATE", "DELETE") and not self._in_brackets():
            return self.statement()
        return self.query()

    def _in_brackets(self) -> bool:
        kinds = [token.token_type for token in self._tokens[: self._index]]
        return kinds.count(TokenType.L_PAREN) > kinds.count(TokenType.R_PAREN)

    def _parse_csv(self, parse_method: Callable[[], T | None], sep: TokenType = TokenType.COMMA) -> list[T]:
        """A list without holes: sqlglot lets ``a,, b`` and a trailing comma pass."""
        first = parse_method()
        items = [] if first is None else [first]
        while self._match(sep):
            item = parse_method()
            if item is None:
                self.stuck()
            items.append(item)
        return items

    def validate_expression(self, expression: E, args: list[exp.Expr] | None = None) -> E:
        """A call that does not fit sqlglot's idea of a function is a call of an unknown one, no syntax error."""
        if expression is None:
            self.stuck()
        if args is not None and isinstance(expression, exp.Func) and _fits_not(expression, args):
            return cast(E, exp.Anonymous(this=expression.sql_name(), expressions=args))
        return super().validate_expression(expression, args)

    def _parse_lambda(self, alias: bool = False) -> exp.Expr | None:
        """An argument; DISTINCT alone is none."""
        found = super()._parse_lambda(alias)
        return self.stuck() if isinstance(found, exp.Distinct) and not found.expressions else found

    def _replace_lambda(self, node: exp.Expr | None, expressions: list[exp.Expr]) -> exp.Expr | None:
        """The parameters of a lambda are found in any case."""
        names = {item.name.lower(): item.name for item in expressions}
        for column in node.find_all(exp.Column) if node is not None else ():
            name = column.parts[0]
            name.set("this", names.get(name.name.lower(), name.name))
        return super()._replace_lambda(node, expressions)

    def _parse_interval(self, require_interval: bool = True, parse_function_unit: bool = True) -> exp.Expr | None:  # type: ignore[override]
        """INTERVAL(n, a, b) is a function."""
        found = super()._parse_interval(require_interval, parse_function_unit)
        numbers = found.this if isinstance(found, exp.Interval) and found.args.get("unit") is None else None
        return (
            exp.Anonymous(this="INTERVAL", expressions=numbers.expressions) if isinstance(numbers, exp.Tuple) else found
        )

    def _parse_if(self) -> exp.Expr | None:
        """IF with two arguments is sqlglot's, not Doris's."""
        found = super()._parse_if()
        if isinstance(found, exp.If) and found.args.get("false") is None:
            return exp.Anonymous(this="IF", expressions=[found.this, found.args["true"]])
        return found

    def _parse_disjunction(self) -> exp.Expr | None:
        """`||` between what OR is not between."""
        start, found = self._curr, super()._parse_disjunction()
        operands, signs = [found], []
        while self._match(TokenType.DPIPE):
            signs.append(self._prev.start)
            operands.append(super()._parse_disjunction())
        if not signs:
            return found
        given = [operand or self.stuck() for operand in operands]
        return pipes.joined(given, pipes.Place(start.start, tuple(signs), self._prev.end + 1))

    # -- SELECT ------------------------------------------------------------------------------
    def _parse_projections(self) -> tuple[list[exp.Expr], list[exp.Expr] | None]:
        projections = self._parse_csv(self._projection)
        return projections or self.stuck(), None

    def _parse_ddl_select(self) -> exp.Expr | None:
        return self._rows_as_query(super()._parse_ddl_select())

    def _parse_wrapped_select(self, table: bool = False) -> exp.Expr | None:
        return self._rows_as_query(super()._parse_wrapped_select(table))

    def _rows_as_query(self, found: exp.Expr | None) -> exp.Expr | None:
        """``VALUES (1)`` where a query stands is ``SELECT * FROM (VALUES (1)) _values``, as in a UNION."""
        return self._values_to_select(found) if isinstance(found, exp.Values) else found

    def _projection(self) -> exp.Expr | None:
        """A select item that remembers its own text, the heading of a column without alias."""
        start = self._curr
        item = self._parse_expression()
        if item is not None:
            item.meta["source"] = self._find_sql(start, self._prev)
        return item

    def _parse_limit(
        self, this: exp.Expr | None = None, top: bool = False, skip_limit_token: bool = False
    ) -> exp.Expr | None:
        """LIMIT n, or LIMIT offset, n."""
        if not self.words("LIMIT"):
            return this
        first = self._row_number()
        offset, count = (first, self._row_number()) if self.words(",") else (None, first)
        return exp.Limit(this=this, expression=count, offset=offset)

    def _parse_offset(self, this: exp.Expr | None = None) -> exp.Expr | None:
        return exp.Offset(this=this, expression=self._row_number()) if self.words("OFFSET") else this

    def _row_number(self) -> exp.Expr:
        return self._parse_placeholder() or self.whole()

    def _parse_from(
        self, joins: bool = False, skip_from_token: bool = False, consume_pipe: bool = False
    ) -> exp.From | None:
        """FROM DUAL reads nothing."""
        if self.words("FROM", "DUAL"):
            return None
        return super()._parse_from(joins, skip_from_token, consume_pipe)

    def _parse_hint(self) -> exp.Hint | None:
        """``/*+ … */``; one that cannot be read means nothing."""
        if not self._match(TokenType.HINT):
            return None
        text = self._prev_comments[0] if self._prev_comments else ""
        try:
            return type(self)(dialect=self.dialect).read_hint(self.dialect.tokenize(text), text)
        except SqlglotError:
            return None

    def read_hint(self, tokens: list[Token], text: str) -> exp.Hint | None:
        """Read the inside of a hint comment."""
        self._begin(tokens, text)
        return session.hint(self)

    # -- types -------------------------------------------------------------------------------
    def _parse_types(
        self,
        check_func: bool = False,
        schema: bool = False,
        allow_identifiers: bool = True,
        with_collation: bool = False,
    ) -> exp.Expr | None:
        """A type of Doris; inside an expression (`check_func`) only that of ``DATE '…'``."""
        return data_type.literal_prefix(self) if check_func else data_type.data_type(self)

    def _parse_type(self, parse_interval: bool = True, fallback_to_identifier: bool = False) -> exp.Expr | None:
        """``BINARY 'x'`` is ``'x'``: text is compared byte by byte anyway."""
        if self._curr.token_type == TokenType.BINARY and not self.follows(TokenType.L_PAREN):
            self._advance()
        return super()._parse_type(parse_interval, fallback_to_identifier)


def _placeholder(reader: Reader) -> exp.Placeholder:
    """A ``?`` with its place in the text."""
    found = exp.Placeholder()
    found.meta[PLACE] = reader._prev.start  # noqa: SLF001
    return found


def _fits_not(call: exp.Func, args: list[exp.Expr]) -> bool:
    """Whether a call has other arguments than its function; sqlglot lets MIN and MAX have many."""
    return bool(call.error_messages(args)) or (isinstance(call, exp.Min | exp.Max) and len(args) > 1)
