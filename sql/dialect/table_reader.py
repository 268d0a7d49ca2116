"""Reading the tables of FROM: their modifiers, brackets around them, LATERAL VIEW among the joins."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from sql.dialect.clause import AtClause, Tablet
from sql.dialect.reader import Reader


class TableReader(Reader):
    """What replaces the methods of sqlglot's parser that read tables."""

    _version: tuple[int, exp.Version] | None = None  # read among a table's modifiers, with the place behind them

    def _parse_join(
        self,
        skip_join_token: bool = False,
        parse_bracket: bool = False,
        alias_tokens: Collection[TokenType] | None = None,
    ) -> exp.Join | None:
        """A LATERAL VIEW is a join with what stands before it: sqlglot would put all of them behind the joins."""
        if self.sees("LATERAL", "VIEW"):
            return exp.Join(this=self._parse_lateral())
        return super()._parse_join(skip_join_token, parse_bracket, alias_tokens)

    def _parse_table_parts(
        self, schema: bool = False, is_db_reference: bool = False, wildcard: bool = False, fast: bool = False
    ) -> exp.Table | exp.Dot | None:
        """A table and its modifiers (@incr, FOR … AS OF, PARTITION, TABLET), in any order."""
        found = super()._parse_table_parts(schema, is_db_reference, wildcard, fast)
        if not fast and isinstance(found, exp.Table):
            self._table_modifiers(found)
        return found

    def _parse_subquery(self, this: exp.Expr | None, parse_alias: bool = True) -> exp.Subquery | None:
        """A single relation in brackets stands for itself, with its own alias: ``(t)``, ``((SELECT …) q)``."""
        joins = this.args.get("joins") or [] if isinstance(this, exp.Table | exp.Subquery) else []
        for join in joins:
            if not any(join.args.get(key) for key in ("method", "side", "kind", "on", "using")):
                join.set("kind", "CROSS")  # DuckDB knows no comma within the brackets
        if not joins and (isinstance(this, exp.Table) or (isinstance(this, exp.Subquery) and this.alias)):
            return cast("exp.Subquery", this)
        return super()._parse_subquery(this, parse_alias)

    def _parse_version(self) -> exp.Version | None:
        """Asked for behind the modifiers, where it was read among them (the place tells)."""
        if self._version is not None and self._version[0] == self._index:
            return self._version[1]
        return self.version()

    def _table_modifiers(self, table: exp.Table) -> None:
        version: exp.Version | None = None
        self._version = None
        while True:
            if version is None and self.here == "FOR" and (version := self.version()):
                continue
            if not table.args.get("changes") and self.words("@"):
                table.set("changes", self._at_clause())
            elif not table.args.get("partition") and (partition := self.partition_names()):
                table.set("partition", partition)
            elif not table.args.get("tablet") and self.sees("TABLET", "("):
                self.expect("TABLET")
                table.set("tablet", Tablet(expressions=self.wrapped_list(self.number)))
            else:
                self._version = None if version is None else (self._index, version)
                return

    def _at_clause(self) -> AtClause:
        """``@word("key" = "value", …)``, or with single values: those of Doris that take some are for lake tables."""
        word = self.name().name.lower()
        if not (self.follows(TokenType.R_PAREN) or self.follows(TokenType.EQ, 2) or self.follows(TokenType.DOT, 2)):
            return AtClause(this=word, expressions=self.wrapped_list(self.pair_side))
        return AtClause(this=word, properties=self.pairs())
