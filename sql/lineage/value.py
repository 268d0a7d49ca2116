"""What a column stands for: one expression over base columns, or several where a UNION stands between.

    SELECT a + 1 AS x FROM t                ->  x: `d.t.a + 1`
    SELECT a AS x FROM t UNION SELECT b …   ->  x: `d.t.a` of branch 0, `d.u.b` of branch 1

Values are built from the inside out and never walked again: text, columns and kind of an expression follow from
those of its parts, so that a chain of CTEs costs what its text costs. No tree, no scope, no catalog here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from dorisette.lineage import ColumnRef, DirectType, LineageExpr
from sql.lineage import name

# Resolving can make an exponential lot of a short statement (x + x in each of twenty CTEs). What is beyond these
# limits is told by its columns alone; no sensible statement comes near them.
MAX_TEXT = 16_000  # characters of an expression that resolving made longer
MAX_INPUTS = 32_000  # characters of the windows or conditions of one column
MAX_BRANCHES = 1000  # alternatives of one expression
MAX_ALTERNATIVES = 20_000  # of all columns of a relation
MAX_RELATION = 4_000_000  # characters of all columns of a relation

Choice = frozenset[tuple[int, int]]  # numbers of set operations, and the branch taken in each

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
    alternatives = [alternative for part in parts for alternative in part.alternatives]
    return settled(alternatives, [part.windows for part in parts], [part.conditions for part in parts])


def settled(
    alternatives: Iterable[Alternative],
    windows: Iterable[frozenset[LineageExpr]],
    conditions: Iterable[frozenset[LineageExpr]],
) -> Value:
    """A value of unlike alternatives: equal ones once, without choice if it decides nothing."""
    unlike = tuple(dict.fromkeys(alternatives))
    if len(unlike) > 1:
        plain = tuple(dict.fromkeys(replace(alternative, choice=NO_CHOICE) for alternative in unlike))
        unlike = plain if len(plain) == 1 else unlike
    return Value(unlike, _inputs(windows), _inputs(conditions))


def _inputs(parts: Iterable[frozenset[LineageExpr]]) -> frozenset[LineageExpr]:
    entries = NOTHING.union(*parts)
    if sum(len(entry.sql) for entry in entries) <= MAX_INPUTS:
        return entries
    columns: frozenset[ColumnRef] = frozenset().union(*(entry.columns for entry in entries))
    return frozenset((LineageExpr(_elision(columns), columns),))


def limited(values: Sequence[Value]) -> list[Value]:
    """The columns of a relation, those with alternatives reduced to their columns if they are too many together."""
    alternatives = [alternative for value in values for alternative in value.alternatives]
    if len(alternatives) <= MAX_ALTERNATIVES and sum(len(item.sql) for item in alternatives) <= MAX_RELATION:
        return list(values)
    return [
        value if len(value.alternatives) == 1 else replace(value, alternatives=(elided(value.alternatives),))
        for value in values
    ]


def elided(parts: Iterable[Alternative]) -> Alternative:
    """What is shown instead of an expression that is too long, or of too many: the columns in it."""
    parts = list(parts)
    columns: frozenset[ColumnRef] = frozenset().union(*(part.columns for part in parts))
    return Alternative(_elision(columns), columns, is_aggregate=any(part.is_aggregate for part in parts))


def _elision(columns: Iterable[ColumnRef]) -> str:
    return f"ELIDED({', '.join(sorted(name.column(column) for column in columns))})"


def in_branch(value: Value, operation: int, branch: int) -> Value:
    """The value as one branch of a set operation gives it."""
    here = (operation, branch)
    return replace(value, alternatives=tuple(replace(item, choice=item.choice | {here}) for item in value.alternatives))


def renumbered(value: Value, numbers: Mapping[int, int]) -> Value:
    """The value as one reference to a CTE or view sees it: two references choose their branches on their own."""
    if value.is_plain:
        return value
    return replace(
        value,
        alternatives=tuple(
            replace(item, choice=frozenset((numbers[operation], branch) for operation, branch in item.choice))
            for item in value.alternatives
        ),
    )
