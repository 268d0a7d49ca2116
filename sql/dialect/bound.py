"""Node classes that binding puts into a tree (sql/rewrite), for duckdb.py to spell; no statement is parsed to them."""

from __future__ import annotations

from sqlglot import exp

from sql.dialect.clause import Part


class StateCall(Part, exp.Func, may="expressions"):
    """A call of a BITMAP, HLL or AGG_STATE function `this` (lower case), spelled by sql/rewrite/state_spelling.py."""


class StateAggregate(StateCall, exp.AggFunc, needs="this", may="expressions"):
    """The same for an aggregate function."""


class NestedCall(Part, exp.Func, may="expressions"):
    """A constructor or access `this` (lower-case str: map, struct, …) of nested values; see sql/rewrite/nested.py."""


class Parameter(Part, exp.Func, may="kind"):
    """A parameter of a lambda under the name it has in DuckDB (`this`, str); `kind` is the type of the elements."""


class ArrayMap(Part, exp.Func, needs="this expressions"):
    """The lambda `this` over each element of the arrays `expressions`; see sql/rewrite/lambda_call.py."""


class Comparison(ArrayMap):
    """ARRAY_SORT by the lambda `this` of two parameters, over one array."""


class TableCall(Part, exp.Explode, needs="this expressions", may="name"):
    """A function `name` (lower-case str) of a LATERAL VIEW; `this` stands for it among sqlglot's sources."""


class Template(Part, exp.Func, may="expressions over"):
    """DuckDB text (`this`, str): {0}, {1} … are its arguments, {over} the OVER clause of `over` (exp.Window)."""


class ToUnix(Part, exp.Func, may="zone"):
    """UNIX_TIMESTAMP(this), read in the time zone `zone` (Literal)."""


class RawRelation(Part):
    """A DuckDB SELECT text (`this`, str) that stands as a derived table: exp.Subquery(this=RawRelation, alias=…)."""
