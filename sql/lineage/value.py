"""What a column stands for: one expression over base columns, or several where a UNION stands between.

    SELECT a + 1 AS x FROM t                ->  x: `d.t.a + 1`
    SELECT a AS x FROM t UNION SELECT b …   ->  x: `d.t.a` of branch 0, `d.u.b` of branch 1

Values are built from the inside out and never walked again: text, columns and kind of an expression follow from
those of its parts, so that a chain of CTEs costs what its text costs. No tree, no scope, no catalog here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from dorisette.lineage import ColumnRef, DirectType, LineageExpr
from sql.lineage import name

# Resolving can make an exponential lot of a short statement (x + x in each of twenty CTEs). What is beyond these
# limits is told by its columns alone; no sensible statement comes near them.
MAX_TEXT = 16_000  # characters of an expression that resolving made longer
MAX_INPUTS = 200_000  # characters of the windows or conditions of one column
MAX_BRANCHES = 1000  # alternatives of one expression
MAX_ALTERNATIVES = 5_000  # of all columns of a relation
MAX_RELATION = 4_000_000  # characters of all columns of a relation

Choice = frozenset[tuple[int, int]]  # numbers of set operations, and the branch taken in each

NO_CHOICE: Choice = frozenset()
NOTHING: frozenset[LineageExpr] = frozenset()


@dataclass(frozen=True, slots=True)
class Text:
    """A resolved expression."""

    sql: str
    columns: frozenset[ColumnRef] = frozenset()
    is_column: bool = False
    is_aggregate: bool = False
    is_constant: bool = False
    is_compound: bool = False  # an operator at the top: brackets are due beside another one

    @property
    def entry(self) -> LineageExpr:
        return LineageExpr(self.sql, self.columns)

    @property
    def type(self) -> DirectType:
        """The kind of direct lineage, tested in this order (Doris: Data Lineage)."""
        if self.is_aggregate:
            return "AGGREGATION"
        return "IDENTITY" if self.is_column else "TRANSFORMATION"

    @property
    def operand(self) -> str:
        """As it stands beside an operator."""
        return f"({self.sql})" if self.is_compound else self.sql


class Alternative(NamedTuple):
    """An expression, and the branches of set operations that it belongs to."""

    text: Text
    choice: Choice = NO_CHOICE


@dataclass(frozen=True, slots=True)
class Value:
    """All expressions of a column; `windows` and `conditions` are the inputs of windows and conditions in them."""

    alternatives: tuple[Alternative, ...]
    windows: frozenset[LineageExpr] = NOTHING
    conditions: frozenset[LineageExpr] = NOTHING

    @property
    def texts(self) -> list[Text]:
        return [text for text, _ in self.alternatives]

    @property
    def entries(self) -> list[LineageExpr]:
        """The expressions that are more than constants."""
        return [text.entry for text, _ in self.alternatives if not text.is_constant]

    @property
    def is_plain(self) -> bool:
        """Whether no set operation has a say in it."""
        return len(self.alternatives) == 1 and not self.alternatives[0].choice


def plain(text: Text) -> Value:
    """The value of a single expression."""
    return Value((Alternative(text),))


Combination = tuple[Sequence[Text], Choice]


def combinations(values: Sequence[Value]) -> list[Combination] | None:
    """One alternative of each value, wherever they can be of the same row; None when there are too many."""
    if all(value.is_plain for value in values):
        return [([value.alternatives[0].text for value in values], NO_CHOICE)]
    found: list[Combination] = [((), NO_CHOICE)]
    for value in values:
        found = list(islice(_joined(found, value.alternatives), MAX_BRANCHES + 1))
        if len(found) > MAX_BRANCHES:
            return None
    return found


def _joined(found: Sequence[Combination], alternatives: Sequence[Alternative]) -> Iterator[Combination]:
    """Each combination with each alternative that agrees with it; those which cannot are not even tried."""
    shared = _everywhere(choice for _, choice in found) & _everywhere(choice for _, choice in alternatives)
    fitting: dict[Choice, list[Alternative]] = defaultdict(list)
    for alternative in alternatives:
        fitting[_part(alternative.choice, shared)].append(alternative)
    for texts, choice in found:
        for text, other in fitting.get(_part(choice, shared), ()):
            if _agree(choice, other):
                yield (*texts, text), choice | other


def _everywhere(choices: Iterable[Choice]) -> set[int]:
    """The set operations that all choices decide."""
    return set.intersection(*({operation for operation, _ in choice} for choice in choices))


def _part(choice: Choice, operations: set[int]) -> Choice:
    return frozenset(branch for branch in choice if branch[0] in operations) if operations else NO_CHOICE


def _agree(left: Choice, right: Choice) -> bool:
    """Whether no set operation would have to be in two branches."""
    if not left or not right:
        return True
    taken = dict(left)
    return all(taken.get(operation, branch) == branch for operation, branch in right)


def merged(values: Iterable[Value]) -> Value:
    """One value for all the rows that several have."""
    parts = list(values)
    alternatives = [alternative for part in parts for alternative in part.alternatives]
    return settled(alternatives, [part.windows for part in parts], [part.conditions for part in parts])


def settled(
    alternatives: Iterable[Alternative],
    windows: Iterable[frozenset[LineageExpr]],
    conditions: Iterable[frozenset[LineageExpr]],
) -> Value:
    """A value of unlike alternatives: equal ones once, without choice if it decides nothing."""
    unlike = tuple(dict.fromkeys(alternatives))
    if len(unlike) > 1 and all(text == unlike[0].text for text, _ in unlike):
        unlike = (Alternative(unlike[0].text),)
    return Value(unlike, _inputs(windows), _inputs(conditions))


def _inputs(parts: Iterable[frozenset[LineageExpr]], limit: int = MAX_INPUTS) -> frozenset[LineageExpr]:
    entries = NOTHING.union(*parts)
    if _size(entries) <= limit:
        return entries
    columns: frozenset[ColumnRef] = frozenset().union(*(entry.columns for entry in entries))
    return frozenset((LineageExpr(_elision(columns), columns),))


def _size(entries: Iterable[LineageExpr]) -> int:
    return sum(len(entry.sql) for entry in entries)


def limited(values: Sequence[Value]) -> list[Value]:
    """The columns of a relation; reduced to what they are made of where they are too much together."""
    texts = [text for value in values for text, _ in value.alternatives]
    if len(texts) > MAX_ALTERNATIVES or sum(len(text.sql) for text in texts) > MAX_RELATION:
        values = [
            value if len(value.alternatives) == 1 else replace(value, alternatives=(Alternative(elided(value.texts)),))
            for value in values
        ]
    if sum(_size(value.windows) + _size(value.conditions) for value in values) > MAX_RELATION:
        share = MAX_RELATION // len(values) // 2
        values = [
            replace(value, windows=_inputs([value.windows], share), conditions=_inputs([value.conditions], share))
            for value in values
        ]
    return list(values)


def elided(parts: Iterable[Text]) -> Text:
    """What is shown instead of an expression that is too long, or of too many: the columns in it."""
    parts = list(parts)
    columns: frozenset[ColumnRef] = frozenset().union(*(part.columns for part in parts))
    return Text(_elision(columns), columns, is_aggregate=any(part.is_aggregate for part in parts))


def _elision(columns: Iterable[ColumnRef]) -> str:
    return f"ELIDED({', '.join(sorted(name.column(column) for column in columns))})"


def in_branch(value: Value, operation: int, branch: int) -> Value:
    """The value as one branch of a set operation gives it."""
    here = frozenset(((operation, branch),))
    return replace(value, alternatives=tuple(Alternative(text, choice | here) for text, choice in value.alternatives))


def renumbered(value: Value, numbers: Mapping[int, int]) -> Value:
    """The value as one reference to a CTE or view sees it: two references choose their branches on their own."""
    if value.is_plain:
        return value
    return replace(
        value,
        alternatives=tuple(
            Alternative(text, frozenset((numbers[operation], branch) for operation, branch in choice))
            for text, choice in value.alternatives
        ),
    )
