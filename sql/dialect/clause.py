"""Node classes of parts of Doris statements: partitions, keys, table modifiers, literal rows, loads.

Data only, beside node.py, whose conventions hold here too. Small readers (`target`, `pairs`, `clauses`,
`clause`) give handlers the typed parts of a statement without knowing where sqlglot keeps them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from sqlglot import exp

C = TypeVar("C", bound=exp.Expr)


class Part(exp.Expression):
    """A node whose arguments are given with its class: those it needs (`this` alone if not said) and may have."""

    def __init_subclass__(cls, needs: str | None = None, may: str | None = None, **rest: object) -> None:
        if needs is not None or may is not None:
            required = "this" if needs is None else needs
            cls.arg_types = {**dict.fromkeys(required.split(), True), **dict.fromkeys((may or "").split(), False)}
        super().__init_subclass__(**rest)


# -- CREATE TABLE: members of Create.properties, beside exp.EngineProperty, exp.SchemaCommentProperty,
#    exp.DistributedByProperty (expressions, kind HASH or RANDOM, buckets), exp.TemporaryProperty and
#    exp.Property (one string pair of PROPERTIES) ------------------------------------------------
class KeyClause(Part, exp.Property, needs="kind expressions", may="cluster"):
    """kind KEY (expressions) [ORDER BY | CLUSTER BY (cluster)]; `kind` DUPLICATE, UNIQUE or AGGREGATE; identifiers."""


class PartitionClause(Part, exp.Property, needs="kind expressions", may="partitions auto"):
    """[AUTO] PARTITION BY kind (expressions) (partitions).

    `kind` RANGE or LIST; `expressions` exp.Column or exp.TimestampTrunc; `partitions` a list of the
    partition classes below, perhaps empty.
    """


class RollupClause(Part, exp.Property, needs="", may="expressions"):
    """ROLLUP (expressions: Rollup), or WITH ROLLUP of CREATE TABLE … LIKE (identifiers; none for all)."""


class RangePartition(Part, needs="this upper", may="lower exists properties"):
    """PARTITION this VALUES [(lower), (upper)) or LESS THAN (upper), whose `lower` is absent.

    Values are Literals (also negative: exp.Neg) or exp.Var MAXVALUE; LESS THAN MAXVALUE has one.
    """


class ListPartition(Part, needs="this expressions", may="exists properties"):
    """PARTITION this VALUES IN (expressions): one exp.Tuple per value, also for a single column."""


class StepPartition(Part, needs="lower upper every", may="unit"):
    """FROM (lower) TO (upper) INTERVAL every [unit]; lists of one value, a number Literal, an upper-case str."""


class Rollup(Part, needs="this expressions", may="keys base properties"):
    """this (expressions) [DUPLICATE KEY (keys)] [FROM base] [properties]; identifiers."""


class Index(Part, needs="this expressions", may="exists method properties comment"):
    """INDEX [IF NOT EXISTS] this (expressions) [USING method] [properties] [comment]; a member of exp.Schema."""


class Aggregation(Part):
    """Kind of an exp.ColumnConstraint: the aggregation type `this` (str, capitals) of a value column."""


class KeyColumn(Part, needs=""):
    """Kind of an exp.ColumnConstraint: the word KEY after a column's type."""


class Generated(Part):
    """Kind of an exp.ColumnConstraint: [GENERATED ALWAYS] AS (this)."""


class AutoIncrement(Part, needs="", may="this"):
    """Kind of an exp.ColumnConstraint: AUTO_INCREMENT [(this)]."""


class AggState(Part, exp.DataType, may="expressions nested values kind"):
    """AGG_STATE<this(expressions)>: a function name (str) and its argument types (exp.DataType)."""


# -- modifiers of exp.Table ----------------------------------------------------------------------
class AtClause(Part, may="properties expressions"):
    """Table argument `changes`: @this(properties | expressions); `this` a lower-case str: incr, snapshot, reset."""


class Tablet(Part, needs="expressions"):
    """Table argument `tablet`: TABLET (expressions: number Literals)."""


class SetVarHint(Part, needs="expressions"):
    """Member of exp.Hint: SET_VAR(expressions: node.SetVariable)."""


# -- rows ---------------------------------------------------------------------------------------
class LiteralRows(Part, needs="columns"):
    """Source of an exp.Insert: rows of literals as `columns`, each a tuple of cells as they were written."""

    def let_go(self) -> None:
        """Drop the rows: a tree is a cycle, and would hold them until Python looks for such."""
        self.args["columns"] = []


# -- loads ---------------------------------------------------------------------------------------
class LoadClause(
    Part,
    needs="",
    may="merge column_separator line_delimiter format compress columns path_columns mapping preceding where"
    " delete_on order partition properties",
):
    """How a load reads: `merge` APPEND, DELETE or MERGE, separators (Literals), columns, conditions, partition.

    `columns` are identifiers or exp.EQ (mapping); `where`, `preceding`, `delete_on` are conditions;
    `order` is the sequence column.
    """


class DataDescription(Part, needs="this files load", may="negative"):
    """[MERGE …] DATA INFILE (files: Literals) INTO TABLE this [load: LoadClause]."""


# -- readers -------------------------------------------------------------------------------------
def target(statement: exp.Expr) -> tuple[exp.Table, list[exp.Expr]]:
    """What a statement writes or makes, and its column list, empty without one: ``t (a, b)``."""
    this = statement.this
    return (this.this, this.expressions) if isinstance(this, exp.Schema) else (this, [])


def pairs(properties: exp.Expr | None) -> tuple[tuple[str, str], ...]:
    """The string pairs of a PROPERTIES clause (or of all of Create.properties), in order; none when absent."""
    members = properties.expressions if properties is not None else []
    return tuple((member.this.name, member.args["value"].name) for member in members if type(member) is exp.Property)


def clauses(statement: exp.Expr, kind: type[C]) -> Iterator[C]:
    """All members of one class in the properties of a CREATE."""
    properties = statement.args.get("properties")
    return (member for member in (properties.expressions if properties else []) if isinstance(member, kind))


def clause(statement: exp.Expr, kind: type[C]) -> C | None:
    """The first member of one class in the properties of a CREATE."""
    return next(clauses(statement, kind), None)
