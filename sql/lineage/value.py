"""What a column stands for: one expression over base columns, or several where a UNION stands between.

    SELECT a + 1 AS x FROM t                ->  x: `d.t.a + 1`
    SELECT a AS x FROM t UNION SELECT b …   ->  x: `d.t.a` of branch 0, `d.u.b` of branch 1

Values are built from the inside out and never walked again: text, columns and kind of an expression follow from
those of its parts, so that a chain of CTEs costs what its text costs. No tree, no scope, no catalog here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from dorisette.lineage import ColumnRef, DirectType, LineageExpr
from sql.lineage import name

MAX_BRANCHES = 1000  # expressions of one column; more are merged into one
MAX_TEXT = 16_000  # characters that resolving may make of an expression; more are left out

Branch = tuple[tuple[int, ...], int]  # a set operation, seen through the CTE references on the way, and its branch
Choice = frozenset[Branch]

NO_CHOICE: Choice = frozenset()
NOTHING: frozenset[LineageExpr] = frozenset()


@dataclass(frozen=True, slots=True)
class Alternative:
    """One resolved expression, and the branches of set operations that it belongs to."""

    sql: str
    columns: frozenset[ColumnRef] = frozenset()
    choice: Choice = NO_CHOICE
    is_column: bool = False
    is_aggregate: bool = False
    is_constant: bool = False
    is_compound: bool = False  # an operator at the top: brackets are due beside another one

    @property
    def entry(self) -> LineageExpr:
        return LineageExpr(self.sql, self.columns)

    @property
    def type(self) -> DirectType:
        """The kind of direct lineage, tested in this order (LIN section 3)."""
        if self.is_aggregate:
            return "AGGREGATION"
        return "IDENTITY" if self.is_column else "TRANSFORMATION"


@dataclass(frozen=True, slots=True)
class Value:
    """All expressions of a column; `windows` and `conditions` are the inputs of windows and conditions in them."""

    alternatives: tuple[Alternative, ...]
    windows: frozenset[LineageExpr] = NOTHING
    conditions: frozenset[LineageExpr] = NOTHING

    @property
    def entries(self) -> list[LineageExpr]:
        """The expressions that are more than constants."""
        return [alternative.entry for alternative in self.alternatives if not alternative.is_constant]

    @property
    def is_plain(self) -> bool:
        """Whether no set operation has a say in it."""
        return len(self.alternatives) == 1 and not self.alternatives[0].choice


Combination = tuple[Sequence[Alternative], Choice]


def combinations(values: Sequence[Value]) -> list[Combination] | None:
    """One alternative of each value, wherever they can be of the same row; None when there are too many."""
    if all(value.is_plain for value in values):
        return [([value.alternatives[0] for value in values], NO_CHOICE)]
    found: list[Combination] = [((), NO_CHOICE)]
    for value in values:
        found = [
            ((*chosen, alternative), choice | alternative.choice)
            for chosen, choice in found
            for alternative in value.alternatives
            if _agree(choice, alternative.choice)
        ]
        if len(found) > MAX_BRANCHES:
            return None
    return found


def _agree(left: Choice, right: Choice) -> bool:
    """Whether no set operation would have to be in two branches."""
    if not left or not right:
        return True
    taken = dict(left)
    return all(taken.get(operation, branch) == branch for operation, branch in right)


def merged(values: Iterable[Value]) -> Value:
    """One value for all the rows that several have."""
    parts = list(values)
    return settled(
        [alternative for part in parts for alternative in part.alternatives],
        frozenset().union(*(part.windows for part in parts)),
        frozenset().union(*(part.conditions for part in parts)),
    )


def settled(
    alternatives: Sequence[Alternative], windows: frozenset[LineageExpr], conditions: frozenset[LineageExpr]
) -> Value:
    """A value of unlike alternatives: equal ones once, without choice if it decides nothing, and not too many."""
    unlike = tuple(dict.fromkeys(alternatives))
    plain = dict.fromkeys(replace(alternative, choice=NO_CHOICE) for alternative in unlike)
    if len(plain) == 1:
        unlike = tuple(plain)
    elif len(unlike) > MAX_BRANCHES:
        unlike = (elided(unlike),)
    return Value(unlike, windows, conditions)


def elided(parts: Iterable[Alternative]) -> Alternative:
    """What is shown instead of an expression that is too long, or of too many: the columns in it."""
    parts = list(parts)
    columns: frozenset[ColumnRef] = frozenset().union(*(part.columns for part in parts))
    text = f"ELIDED({', '.join(sorted(name.column(column) for column in columns))})"
    return Alternative(text, columns, is_aggregate=any(part.is_aggregate for part in parts))


def in_branch(value: Value, operation: int, branch: int) -> Value:
    """The value as one branch of a set operation gives it."""
    here: Branch = ((operation,), branch)
    return replace(
        value, alternatives=tuple(replace(item, choice=item.choice | {here}) for item in value.alternatives)
    )


def through(value: Value, reference: int) -> Value:
    """The value as one reference to a CTE or view sees it: two references choose their branches on their own."""
    if value.is_plain:
        return value
    return replace(
        value,
        alternatives=tuple(
            replace(item, choice=frozenset(((reference, *operation), branch) for operation, branch in item.choice))
            for item in value.alternatives
        ),
    )
