"""``a || b``: OR, or a concatenation where sql_mode has PIPES_AS_CONCAT; it binds less than OR in either case.

Read as OR and marked, so that what knows no session (loads, definitions) means OR; sql/rewrite/session.py makes a
concatenation of it. The mark is where it stands in the text: a view keeps what its maker meant by `||` in words.
Source: Doris: sql_mode; its grammar.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from sqlglot import exp

_MARK = "pipes"


@dataclass(frozen=True, slots=True)
class Place:
    """Offsets in the text of the statement: the first operand's begin, the signs, the last operand's end."""

    start: int
    signs: tuple[int, ...]
    end: int


def joined(operands: list[exp.Expr], place: Place) -> exp.Expr:
    """The marked disjunction of at least two operands."""
    found = reduce(lambda left, right: exp.Or(this=left, expression=right), operands)
    found.meta[_MARK] = place
    return found


def operands(node: exp.Expr) -> list[exp.Expr] | None:
    """What `||` stands between; None of an OR that was written so."""
    place = node.meta.get(_MARK)
    if place is None:
        return None
    found = []
    for _ in place.signs:
        found.append(node.args["expression"])
        node = node.this
    return [node, *reversed(found)]


def as_concat(tree: exp.Expr) -> exp.Expr:
    """A copy of the tree with CONCAT in place of `||`."""
    tree = tree.copy()
    for node in reversed(list(tree.find_all(exp.Or))):
        found = operands(node)
        if found is not None:
            node.replace(exp.Concat(expressions=found))
    return tree


def forget(tree: exp.Expr) -> None:
    """Let `||` be OR for everybody."""
    for node in tree.find_all(exp.Or):
        node.meta.pop(_MARK, None)


def in_words(text: str, begin: int, tree: exp.Expr) -> str:
    """The text of `tree`, which began at that offset, with CONCAT in place of `||`."""
    edits: list[tuple[int, int, str]] = []
    for node in tree.find_all(exp.Or):
        place = node.meta.get(_MARK)
        if place is not None:
            edits += [(place.start, 0, "concat("), *((sign, 2, ",") for sign in place.signs), (place.end, 0, ")")]
    for offset, length, new in sorted(edits, reverse=True):
        at = offset - begin
        text = text[:at] + new + text[at + length :]
    return text
