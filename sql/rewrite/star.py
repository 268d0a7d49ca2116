"""The stars of a view's query as the columns they stand for when the view is made.

    SELECT *, k + 1 AS n FROM t  ->  SELECT `t`.`k`, `t`.`v`, k + 1 AS n FROM t

So a column that the table gets later moves none of the view (Doris: CREATE VIEW keeps the query expanded).
Stars of subqueries and CTEs stay: what they give is named again outside of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from sql.bind.binding import Binding
from sql.bind.heading import first_select, spelled_heading
from sql.bind.query import bind_tree
from sql.dialect.doris import Doris
from sql.dialect.quoting import ident

_BEFORE = frozenset(
    (TokenType.SELECT, TokenType.DISTINCT, TokenType.ALL, TokenType.HINT, TokenType.COMMA, TokenType.DOT)
)
_BETWEEN = (TokenType.UNION, TokenType.EXCEPT, TokenType.INTERSECT, TokenType.ALL, TokenType.DISTINCT)


def without_stars(text: str, query: exp.Expr, binding: Binding) -> str:
    """The text of a query whose outer SELECTs name all their columns; as it was where that cannot be said."""
    stars = [(star, select) for select in _branches(query) for star in _stars(select)]
    lists = [_columns(star, select, query, binding) for star, select in stars]
    tokens = Doris().tokenize(text)
    places = list(_places(tokens))
    if len(lists) != len(places) or not all(lists):
        return text
    for place, (star, _), columns in reversed(list(zip(places, stars, lists, strict=True))):
        start, end = _start(tokens, place), _end(tokens, place, star)
        qualifier = text[start : tokens[place].start]
        named = [f"{qualifier or (ident(table) + '.' if table else '')}{ident(name)}" for table, name in columns]
        text = f"{text[:start]}{', '.join(named)}{text[end:]}"
    return text


def _branches(query: exp.Expr) -> Iterator[exp.Select]:
    """The SELECTs that give the rows of the query, in the order of the text."""
    if isinstance(query, exp.Subquery):
        yield from _branches(query.this)
    elif isinstance(query, exp.SetOperation):
        yield from _branches(query.left)
        yield from _branches(query.right)
    elif isinstance(query, exp.Select):
        yield query


def _stars(select: exp.Select) -> list[exp.Expr]:
    return [
        item for item in select.expressions if isinstance(item.this if isinstance(item, exp.Column) else item, exp.Star)
    ]


def _columns(star: exp.Expr, select: exp.Select, query: exp.Expr, binding: Binding) -> list[tuple[str, str]]:
    """Source and name of each column of a star; none where that says too little to name them again."""
    if any(part.args.get("replace") or part.args.get("rename") for part in star.find_all(exp.Star)):
        return []
    probe = exp.Select(expressions=[star.copy()])
    for key in ("from_", "joins", "laterals"):
        found = select.args.get(key)
        probe.set(key, [part.copy() for part in found] if isinstance(found, list) else found and found.copy())
    if query.args.get("with_"):
        probe.set("with_", query.args["with_"].copy())
    items = first_select(bind_tree(probe, binding)).expressions
    columns = [(_source(item.unalias()), spelled_heading(item, binding)) for item in items]
    return columns if len(set(columns)) == len(columns) else []


def _source(value: exp.Expr) -> str:
    return value.table if isinstance(value, exp.Column) else ""


def _places(tokens: list[Token]) -> Iterator[int]:
    """Which tokens are the stars of the outer lists."""
    brackets: list[bool] = []  # the open ones, and whether they stand around a whole SELECT
    for place, token in enumerate(tokens):
        if token.token_type == TokenType.L_PAREN:
            brackets.append(all(brackets) and _is_around_select(tokens, place))
        elif token.token_type == TokenType.R_PAREN and brackets:
            brackets.pop()
        elif all(brackets) and token.token_type == TokenType.STAR and tokens[place - 1].token_type in _BEFORE:
            yield place


def _is_around_select(tokens: list[Token], place: int) -> bool:
    opens = tokens[place + 1].token_type in (TokenType.SELECT, TokenType.L_PAREN)
    return opens and (place == 0 or tokens[place - 1].token_type in (TokenType.L_PAREN, *_BETWEEN))


def _start(tokens: list[Token], place: int) -> int:
    """The position of the first name in front of a star."""
    while place >= 2 and tokens[place - 1].token_type == TokenType.DOT:
        place -= 2
    return tokens[place].start


def _end(tokens: list[Token], place: int, star: exp.Expr) -> int:
    """The position behind a star and its EXCEPT (…)."""
    if any(part.args.get("except_") for part in star.find_all(exp.Star)):
        place = next(n for n, token in enumerate(tokens) if n > place and token.token_type == TokenType.R_PAREN)
    return tokens[place].end + 1
