"""Moments of a time zone in DuckDB's words: unix seconds, their texts, CONVERT_TZ.

sql/rewrite/session.py puts the session's zone into the nodes; without one it is UTC. DuckDB knows the zones of IANA,
but no offsets: those are added as an interval (Doris: FROM_UNIXTIME, UNIX_TIMESTAMP, CONVERT_TZ, time zones).
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.generator import Generator
from sqlglot.optimizer.annotate_types import TypeAnnotator

from sql.dialect.bound import ToUnix
from sql.dialect.calendar import outside, within
from sql.dialect.cast import family, sized
from sql.dialect.moment import digits, moment_text
from sql.dialect.moment_format import in_format
from sql.dialect.once import OPERANDS, once
from sql.dialect.refused import VALUE, refused
from sql.dialect.spelling import Spelling, as_type, zone_of
from storage.errors import UNKNOWN_TIME_ZONE
from storage.naming import PREFIX
from storage.zone import offset_minutes

FROM_EPOCH = {"FROM_SECOND": 1_000_000, "FROM_MILLISECOND": 1_000, "FROM_MICROSECOND": 1}  # microseconds of a unit
TO_EPOCH = {"SECOND_TIMESTAMP": 1_000_000, "MILLISECOND_TIMESTAMP": 1_000, "MICROSECOND_TIMESTAMP": 1}
PARSED = "STR_TO_DATE"
_END = 253402272000  # Doris: from_unixtime is NULL from here on
_SECONDS = sized(exp.DType.DECIMAL, 24, 6)
_BIGINT = exp.DataType(this=exp.DType.BIGINT)


def _to_utc(generator: Generator, moment: str, zone: exp.Expr) -> str:
    """A moment without zone, read in `zone`, as one of UTC."""
    return _moved(generator, moment, zone, "-", "({moment} AT TIME ZONE {zone} AT TIME ZONE 'UTC')")


def _from_utc(generator: Generator, moment: str, zone: exp.Expr) -> str:
    """A moment of UTC as `zone` shows it."""
    return _moved(generator, moment, zone, "+", "({moment} AT TIME ZONE 'UTC' AT TIME ZONE {zone})")


def _moved(generator: Generator, moment: str, zone: exp.Expr, sign: str, named: str) -> str:
    if not isinstance(zone, exp.Literal):
        return _moved_by_row(moment, generator.sql(zone), sign, named)
    if zone.name == "UTC":
        return moment
    minutes = offset_minutes(zone.name)
    if minutes is None:
        return named.format(moment=moment, zone=generator.sql(zone))
    return f"({moment} {sign} INTERVAL '{minutes}' MINUTE)"


def _moved_by_row(moment: str, written: str, sign: str, named: str) -> str:
    """The same where each row names a zone: known by the same rules, and refused in the same words."""
    zone = f"{PREFIX}zone({written})"
    is_offset = f"starts_with({zone}, '+') OR starts_with({zone}, '-')"
    unknown = refused(UNKNOWN_TIME_ZONE(name=VALUE).message, "TIMESTAMP", written)
    return (
        f"CASE WHEN {is_offset} THEN {moment} {sign} CAST(ltrim({zone}, '+') AS INTERVAL)"
        f" WHEN {zone} IS NULL AND {written} IS NOT NULL THEN {unknown}"
        f" ELSE {named.format(moment=moment, zone=zone)} END"
    )


def _session(generator: Generator) -> exp.Expr:
    return exp.Literal.string(zone_of(generator))


def _zone(node: exp.Expr) -> exp.Expr:
    return node.args.get("zone") or exp.Literal.string("UTC")


def convert_timezone(generator: Generator, node: exp.Expr) -> str:
    """CONVERT_TZ; its result has no zone."""
    utc = _to_utc(generator, moment_text(generator, node.args["timestamp"]), node.args["source_tz"])
    return within(_from_utc(generator, utc, node.args["target_tz"]))


def from_unix(generator: Generator, node: exp.Expr) -> str:
    """FROM_UNIXTIME is a text; NULL for what is no moment from 1970 to 9999."""
    value, *shape = node.expressions
    is_whole = family(value) in ("integer", "boolean", "text", None)
    kind = exp.DataType(this=exp.DType.BIGINT) if is_whole else _SECONDS
    seconds = as_type(generator, value, kind)
    utc = f"make_timestamp(CAST({OPERANDS}.s * 1000000 AS BIGINT))"
    default = "%Y-%m-%d %H:%i:%s" if is_whole else "%Y-%m-%d %H:%i:%s.%f"
    written = shape[0] if shape else exp.Literal.string(default)
    text = in_format(generator, _from_utc(generator, utc, _session(generator)), written, "from_unixtime")
    return once(f"CASE WHEN {OPERANDS}.s >= 0 AND {OPERANDS}.s < {_END} THEN {text} END", s=seconds)


def from_epoch(function: str, factor: int) -> Spelling:
    """FROM_SECOND and its kin, which count units of so many microseconds; outside of 1970 to 9999 an error."""

    def spell(generator: Generator, node: exp.Expr) -> str:
        value = node.expressions[0]
        count = as_type(generator, value, exp.DType.BIGINT)
        moment = _from_utc(generator, f"make_timestamp({OPERANDS}.n * {factor})", _session(generator))
        fits = f"{OPERANDS}.n BETWEEN 0 AND {_END * 1_000_000 // factor - 1}"
        raised = outside(function, f"{OPERANDS}.n")
        return once(f"CASE WHEN {OPERANDS}.n IS NULL THEN NULL WHEN {fits} THEN {moment} ELSE {raised} END", n=count)

    return spell


def to_epoch(factor: int) -> Spelling:
    """SECOND_TIMESTAMP and its kin: units of so many microseconds since 1970, negative before."""

    def spell(generator: Generator, node: exp.Expr) -> str:
        utc = _to_utc(generator, moment_text(generator, node.expressions[0]), _session(generator))
        return f"(epoch_us({utc}) // {factor})"

    return spell


def to_unix(generator: Generator, node: exp.Expr) -> str:
    """UNIX_TIMESTAMP of a moment: whole seconds, or a DECIMAL where the moment has fractions; 0 before 1970."""
    micros = f"epoch_us({_to_utc(generator, moment_text(generator, node.this), _zone(node))})"
    scale = _digits(node)
    seconds = f"CAST({micros} * CAST(0.000001 AS DECIMAL(7, 6)) AS DECIMAL(18, {scale}))"
    return f"CASE WHEN {micros} < 0 THEN 0 ELSE {seconds if scale else f'{micros} // 1000000'} END"


def _digits(node: exp.Expr) -> int:
    """Fraction digits of UNIX_TIMESTAMP: those of the moment's type; six of a text that is read by a format."""
    moment = node.this
    if isinstance(moment, exp.Anonymous) and moment.name == PARSED:
        return 6
    return digits(moment) or 0


def _annotate(annotator: TypeAnnotator, node: exp.Expr) -> exp.Expr:
    scale = _digits(node)
    node.type = sized(exp.DType.DECIMAL, 18, scale) if scale else _BIGINT.copy()
    return node


METADATA: dict[type[exp.Expr], dict[str, Any]] = {
    ToUnix: {"annotator": _annotate},
}
