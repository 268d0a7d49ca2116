"""Spell a bound tree in DuckDB's SQL: names quoted, NULLs ordered as in Doris, functions with Doris's meaning.

`to_duckdb` is pure text; it runs nothing. What depends on knowing types belongs to sql/rewrite, except
where a type only decides the spelling (cast.py, moment.py). What cannot be spelled raises, it is never
passed on in the hope that DuckDB means the same.
"""

from __future__ import annotations

import re
from typing import ClassVar

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import ErrorLevel, UnsupportedError
from sqlglot.generator import Generator
from sqlglot.generators.duckdb import DuckDBGenerator

from sql.dialect import binary, cast_node, moment, number, regexp, table_function, text, week, zone
from sql.dialect.bound import NestedCall, Parameter, RawRelation, StateAggregate, StateCall, Template, ToUnix
from sql.dialect.call import spell_call, takes_over
from sql.dialect.cast import type_text
from sql.dialect.group_concat import group_concat
from sql.dialect.spelling import called, mark_called
from storage.errors import (
    DIGEST_LENGTH,
    NOT_SUPPORTED_YET,
    UNKNOWN_FUNCTION,
)
from storage.naming import PREFIX


def to_duckdb(tree: exp.Expr, zone: str = "UTC", *, strict_cast: bool = False, copy: bool = True) -> str:
    """The DuckDB text of a tree; raises UNKNOWN_FUNCTION and NOT_SUPPORTED_YET.

    `zone` is the session's: texts with an offset become its moments. With `strict_cast` a CAST that does not fit is an
    error. Without `copy` the tree is used up.
    """
    tree = tree.copy() if copy else tree
    mark_called(tree)
    try:
        generator = _Generator(dialect=_TARGET, identify=True, unsupported_level=ErrorLevel.RAISE)
        generator.session_zone = zone
        generator.strict_cast = strict_cast
        return generator.generate(tree, copy=False)
    except UnsupportedError as error:
        raise NOT_SUPPORTED_YET(what=_ENGINE.sub("", str(error).splitlines()[0])) from error


_ENGINE = re.compile(r" is not supported in DuckDB$| when targeting DuckDB\.?$")  # sqlglot's words for its target


_FUNCTION = "w"  # stands for the function in a window of which only the OVER clause is wanted


# -- single functions and clauses ----------------------------------------------------------------
def _count(generator: Generator, node: exp.Expr) -> str:
    """COUNT(DISTINCT a, b) counts the pairs without NULL."""
    counted = node.this
    if isinstance(counted, exp.Distinct) and len(counted.expressions) > 1:
        items = [generator.sql(item) for item in counted.expressions]
        missing = " OR ".join(f"{item} IS NULL" for item in items)
        return f"count(DISTINCT CASE WHEN {missing} THEN NULL ELSE row({', '.join(items)}) END)"
    return f"count({generator.sql(counted) if counted is not None else '*'})"


def _date_diff(generator: Generator, node: exp.Expr) -> str:
    if called(node):
        return moment.date_diff(generator, node)
    unit = moment.unit_of(node.args.get("unit"))
    return f"date_diff('{unit}', {generator.sql(node.expression)}, {generator.sql(node.this)})"


def _join(generator: Generator, node: exp.Expr) -> str:
    """A LATERAL VIEW stands among the joins, and says itself how it is joined."""
    assert isinstance(node, exp.Join)
    is_view = isinstance(node.this, exp.Lateral) and node.this.args.get("view")
    return generator.sql(node.this) if is_view else generator.join_sql(node)


def _group(generator: Generator, node: exp.Expr) -> str:
    """``GROUP BY a, b WITH ROLLUP`` is ``GROUP BY ROLLUP (a, b)``."""
    assert isinstance(node, exp.Group)
    rollups = node.args.get("rollup") or []
    if len(rollups) != 1 or rollups[0].expressions:
        return generator.group_sql(node)
    columns = ", ".join(generator.sql(item) for item in node.expressions)
    return f"{generator.seg('GROUP BY')} ROLLUP ({columns})"


def _sha2(generator: Generator, node: exp.Expr) -> str:
    """DuckDB knows the digest of 256 bits; the length is a written number."""
    value, length = text.text_of(generator, node.this), node.args["length"].name
    if length not in ("224", "256", "384", "512"):
        raise DIGEST_LENGTH()
    return f"sha256({value})" if length == "256" else f"{PREFIX}sha2({value}, {length})"


def _hex_string(generator: Generator, node: exp.Expr) -> str:
    """``x'41'`` is the text A; what is no text stays bytes."""
    digits = str(node.this)
    try:
        text = bytes.fromhex(digits if len(digits) % 2 == 0 else f"0{digits}").decode()
    except ValueError:
        return f"unhex('{digits}')"
    return generator.sql(exp.Literal.string(text))


def _anonymous(generator: Generator, node: exp.Expr) -> str:
    """A function without a node of its own, if the client called it."""
    assert isinstance(node, exp.Anonymous)
    return spell_call(generator, node) if called(node) else generator.anonymous_sql(node)


def _window(generator: Generator, node: exp.Expr) -> str:
    """An aggregate function whose text goes on behind its OVER clause spells that clause itself."""
    assert isinstance(node, exp.Window)
    call = node.this
    if not called(call) or not takes_over(call):
        return generator.window_sql(node)
    alone = node.copy()
    alone.set("this", exp.var(_FUNCTION))
    return spell_call(generator, call, over=generator.window_sql(alone).removeprefix(_FUNCTION))


def _template(generator: Generator, node: exp.Expr) -> str:
    """Text that the binder has chosen already; of a window only the OVER clause is wanted."""
    window = node.args.get("over")
    over = generator.sql(window).removeprefix(window.this.name) if window is not None else ""
    return str(node.this).format(*(generator.sql(item) for item in node.expressions), over=over)


def _unspelled(generator: Generator, node: exp.Expr) -> str:
    """A function that the binder spells, outside of a query that was bound."""
    raise UNKNOWN_FUNCTION(name=node.this)


class _Target(DuckDB):
    """DuckDB as the dialect to write; subscripts are written as they were read, since both count from 1."""

    INDEX_OFFSET = 0


_TARGET = _Target()


class _Generator(DuckDBGenerator):
    """sqlglot's DuckDB generator with the spellings above."""

    session_zone: str = "UTC"
    strict_cast: bool = False

    TRANSFORMS: ClassVar = {
        **DuckDBGenerator.TRANSFORMS,
        RawRelation: lambda _, node: node.this,
        Template: _template,
        exp.Window: _window,
        Parameter: lambda _, node: str(node.this),
        **dict.fromkeys((StateCall, StateAggregate, NestedCall), _unspelled),
        exp.Anonymous: _anonymous,
        exp.Cast: cast_node.spell,
        exp.TryCast: cast_node.spell,
        exp.DataType: lambda _, node: type_text(node),
        exp.Hint: lambda *_: "",
        exp.HexString: _hex_string,
        # texts
        **{kind: text.changed(kind.key) for kind in (exp.Lower, exp.Upper, exp.Reverse)},
        exp.Substring: text.substring,
        exp.Left: text.left,
        exp.Right: text.right,
        exp.StrPosition: text.position,
        exp.Concat: text.concat,
        exp.ConcatWs: text.concat_ws,
        exp.Like: text.like,
        exp.RegexpLike: regexp.matches,
        exp.Pad: text.pad,
        exp.Trim: text.trim,
        exp.Introducer: lambda generator, node: generator.sql(node, "expression"),  # _utf8'x': texts are UTF-8
        exp.Uuid: lambda *_: "CAST(uuid() AS VARCHAR)",
        exp.CurrentCatalog: lambda *_: "'internal'",
        exp.GroupConcat: group_concat,
        # numbers and conditions
        exp.Mod: number.modulo,
        exp.IntDiv: number.int_div,
        exp.BitwiseAnd: number.bits("&"),
        exp.BitwiseOr: number.bits("|"),
        exp.BitwiseLeftShift: number.shift("left"),
        exp.BitwiseRightShift: number.shift("right"),
        exp.Xor: number.logical_xor,
        exp.Sqrt: number.guarded("CASE WHEN {0} >= 0 THEN sqrt({0}) END"),
        exp.Ln: number.guarded("CASE WHEN {0} > 0 THEN ln({0}) END"),
        exp.Log: number.log,
        exp.Round: number.places("round"),
        exp.Trunc: number.places("trunc"),
        exp.Ceil: number.places("ceil"),
        exp.Floor: number.places("floor"),
        exp.Join: _join,
        exp.Lateral: table_function.lateral,
        exp.Group: _group,
        exp.SHA2: _sha2,
        **binary.SPELLINGS,
        exp.Count: _count,
        # dates
        **dict.fromkeys((exp.DateAdd, exp.TimestampAdd, exp.TsOrDsAdd, exp.DatetimeAdd), moment.delta("+")),
        **dict.fromkeys((exp.DateSub, exp.TimestampSub, exp.DatetimeSub), moment.delta("-")),
        exp.Add: moment.plus("+"),
        exp.Sub: moment.plus("-"),
        exp.DateDiff: _date_diff,
        exp.TimestampDiff: moment.timestamp_diff,
        exp.TimestampTrunc: moment.truncated,
        exp.TsOrDsToTimestamp: moment.moment_text,
        exp.LastDay: moment.last_day,
        ToUnix: zone.to_unix,
        exp.ConvertTimezone: zone.convert_timezone,
        exp.Year: moment.part("year({0})"),
        exp.Quarter: moment.part("quarter({0})"),
        exp.Month: moment.part("month({0})"),
        exp.Week: week.week,
        exp.WeekOfYear: moment.part("weekofyear({0})"),
        exp.Day: moment.part("day({0})"),
        exp.DayOfMonth: moment.part("day({0})"),
        exp.DayOfWeek: moment.part("(dayofweek({0}) + 1)"),
        exp.DayOfYear: moment.part("dayofyear({0})"),
        exp.Hour: moment.clock_part("hour({0})", "abs({0}) // 3600000000"),
        exp.Minute: moment.clock_part("minute({0})", "abs({0}) // 60000000 % 60"),
        exp.Second: moment.clock_part("second({0})", "abs({0}) // 1000000 % 60"),
        exp.Dayname: lambda generator, node: f"dayname({moment.moment_text(generator, node.this)})",
        exp.Monthname: lambda generator, node: f"monthname({moment.moment_text(generator, node.this)})",
    }

    def offset_limit_modifiers(
        self, expression: exp.Expr, fetch: bool, limit: exp.Fetch | exp.Limit | None
    ) -> list[str]:
        """No LIMIT without OFFSET: DuckDB drops a bare one above an outer join that finds nothing (docs/duckdb.md)."""
        written = super().offset_limit_modifiers(expression, fetch, limit)
        bare = limit is not None and expression.args.get("offset") is None
        return [*written, f"{self.seg('OFFSET')} 0"] if bare else written
