"""Read what many statements share: property lists, partition names, tables, expressions, queries.

grammar/ builds statements from these; parser.py changes how sqlglot itself reads a query. Nothing
here knows a statement.
"""

from __future__ import annotations

from typing import cast

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from sql.dialect.token_reader import TokenReader
from storage.errors import PROPERTY_TWICE

QUERY_STARTS = ("SELECT", "WITH", "(", "VALUES")


class Reader(TokenReader):
    """The reading methods that the functions of grammar/ are given."""

    # -- clauses that many statements share --------------------------------------------------
    def if_exists(self) -> bool | None:
        return self.words("IF", "EXISTS") or None

    def if_not_exists(self) -> bool | None:
        return self.words("IF", "NOT", "EXISTS") or None

    def flag(self, *words: str) -> bool | None:
        """A flag of a node: True when the words come next, else absent."""
        return self.words(*words) or None

    def pairs(self) -> exp.Properties:
        """Read ``("key" = "value", …)``; keys and values may be bare words or numbers too, and none at all.

        A key that comes twice raises PROPERTY_TWICE: nobody can say which value is meant.
        """
        self.expect("(")
        members = [] if self.sees(")") else self.comma_list(self._pair)
        self.expect(")")
        values: dict[str, str] = {}
        for key, value in ((member.name, member.args["value"].name) for member in members):
            if key in values:
                raise PROPERTY_TWICE(key=key, first=values[key], second=value)
            values[key] = value
        return exp.Properties(expressions=members)

    def _pair(self) -> exp.Property:
        key = self.pair_side()
        self.expect("=")
        return exp.Property(this=key, value=self.pair_side())

    def pair_side(self) -> exp.Literal:
        """Read a string, a word with dots or a signed number, as a string."""
        if not (self.at_string() or self.at_name() or self.here in ("TRUE", "FALSE")):
            sign = "-" if self.words("-") else ""
            return exp.Literal.string(sign + self.decimal().name)
        text = self.skip().text
        while self._match(TokenType.DOT):
            text += f".{self.skip().text}"
        return exp.Literal.string(text)

    def properties(self) -> exp.Properties | None:
        """Read ``PROPERTIES (…)`` if it comes next."""
        return self.pairs() if self.words("PROPERTIES") else None

    def comment(self) -> exp.Literal | None:
        """Read ``COMMENT ['='] 'text'`` if it comes next."""
        if not self.words("COMMENT"):
            return None
        self.words("=")
        return self.string()

    def partition_names(self) -> exp.Partition | None:
        """Read ``[TEMPORARY] PARTITION[S] p | (p, …) | (*)`` if it comes next."""
        index = self._index
        temporary = self.flag("TEMPORARY")
        if not self.one_of("PARTITION", "PARTITIONS"):
            self._retreat(index)
            return None
        if not self.sees("("):
            return exp.Partition(expressions=[self.name()], temporary=temporary)
        return exp.Partition(expressions=self.wrapped_list(self._partition_name), temporary=temporary)

    def _partition_name(self) -> exp.Expr:
        return exp.Star() if self.words("*") else self.name()

    # -- expressions -------------------------------------------------------------------------
    def value(self) -> exp.Expr:
        """Read an expression without alias."""
        return self._parse_disjunction() or self.stuck()

    def computed(self) -> exp.Expr:
        """Read what a comparison compares: an expression that ends before IN, LIKE, `=` and AND."""
        return self._parse_bitwise() or self.stuck()

    def operand(self) -> exp.Expr:
        """Read a literal, a signed number, a function call: what binds tighter than any operator."""
        return self._parse_unary() or self.stuck()

    def cell(self) -> exp.Expr:
        """Read one value of VALUES or of an assignment: an expression, or DEFAULT (exp.Var)."""
        if self.next_ends_item:  # most cells of a large INSERT are single literals
            if self._curr.token_type == TokenType.STRING:
                return exp.Literal.string(self.skip().text)
            if self._curr.token_type == TokenType.NUMBER:
                return exp.Literal(this=self.skip().text, is_string=False)
        if self.words("DEFAULT"):
            return exp.var("DEFAULT")
        return self.value()

    def column(self) -> exp.Column:
        """Read ``[[db.]table.]column``."""
        table = self.table()
        return exp.Column(this=table.this, table=table.args.get("db"), db=table.args.get("catalog"))

    def data_type(self) -> exp.DataType:
        """Read a data type."""
        return cast("exp.DataType | None", self._parse_types(schema=True)) or self.mismatch("DATA_TYPE")

    # -- queries -----------------------------------------------------------------------------
    @property
    def at_query(self) -> bool:
        """Whether a query begins here, perhaps in brackets."""
        return self.here in ("SELECT", "WITH") or any(self.sees("(", word) for word in QUERY_STARTS)

    def query(self) -> exp.Query:
        """Read a query: SELECT, WITH, set operations, or one in brackets; it remembers its own text (views keep it)."""
        index, start = self._index, self._curr
        found = self._parse_ddl_select() if self.here in QUERY_STARTS else None
        if not isinstance(found, exp.Query):
            self._retreat(index)
            self.mismatch(*QUERY_STARTS)
        found.meta["source"] = self._find_sql(start, self._prev)
        found.meta["begin"] = start.start
        return found

    def version(self) -> exp.Version | None:
        """Read ``FOR {VERSION | TIME} AS OF value``; sqlglot knows more forms, and reads them without a value too."""
        index = self._index
        found = super()._parse_version()
        if found is not None and (found.args.get("kind") != "AS OF" or found.expression is None):
            self._retreat(index)
            self.stuck()
        return found

    def with_(self) -> exp.Expr:
        """Read WITH … and the query or change of rows behind it."""
        found = self._parse_ddl_select()
        return found if isinstance(found, exp.Query | exp.Insert | exp.Update | exp.Delete) else self.stuck()

    def reference(self, before_set: bool = False) -> exp.Expr:
        """Read a table with its modifiers and alias; before SET that word is no alias."""
        aliases = self.UPDATE_ALIAS_TOKENS if before_set else None
        return self._parse_table(alias_tokens=aliases) or self.stuck()

    def joined_reference(self) -> exp.Expr:
        """Read a table with its modifiers, alias and joins."""
        return self._parse_table(joins=True) or self.stuck()

    def from_(self) -> exp.From:
        """Read FROM with its tables."""
        return self._parse_from(joins=True) or self.stuck()

    def where(self) -> exp.Where | None:
        return self._parse_where()

    def order(self) -> exp.Order | None:
        return cast("exp.Order | None", self._parse_order())

    def limit(self) -> tuple[exp.Literal | None, exp.Literal | None]:
        """Read ``LIMIT n``, ``LIMIT n OFFSET m`` or ``LIMIT m, n`` as (limit, offset)."""
        if not self.words("LIMIT"):
            return None, None
        first = self.whole()
        if self.words(","):
            return self.whole(), first
        return first, self.whole() if self.words("OFFSET") else None

    def hint(self) -> exp.Hint | None:
        """Read ``/*+ … */`` if it comes next."""
        return self._parse_hint()

    def statement(self) -> exp.Expr:
        """Read one whole statement; grammar/statement.py has the table of them."""
        raise NotImplementedError
