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
from sql.dialect.calendar import within
from sql.dialect.cast import cast_text, digits_of, family
from sql.dialect.moment import format_text, moment_text
from sql.dialect.spelling import zone_of
from sql.dialect.to_text import SECONDS
from storage.errors import UNKNOWN_TIME_ZONE
from storage.naming import PREFIX, literal
from storage.zone import offset_minutes

_LAST = 253402271999  # Doris: from_unixtime is NULL behind it
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
    unknown = literal(UNKNOWN_TIME_ZONE(name="{}").message).replace("{}", f"' || {written} || '")
    return (
        f"CASE WHEN {is_offset} THEN {moment} {sign} CAST(ltrim({zone}, '+') AS INTERVAL)"
        f" WHEN {zone} IS NULL AND {written} IS NOT NULL THEN CAST(error({unknown}) AS TIMESTAMP)"
        f" ELSE {named.format(moment=moment, zone=zone)} END"
    )


def _zone(node: exp.Expr) -> exp.Expr:
    return node.args.get("zone") or exp.Literal.string("UTC")


def convert_timezone(generator: Generator, node: exp.Expr) -> str:
    """CONVERT_TZ; its result has no zone."""
    utc = _to_utc(generator, moment_text(generator, node.args["timestamp"]), node.args["source_tz"])
    return within(_from_utc(generator, utc, node.args["target_tz"]))


def from_unix(generator: Generator, node: exp.Expr) -> str:
    """FROM_UNIXTIME is a text; NULL for what is no moment from 1970 to 9999."""
    seconds = cast_text(generator.sql(node.this), family(node.this), _BIGINT, zone_of(generator))
    pattern = node.args.get("format")
    shape = format_text(generator, pattern) if pattern is not None else literal(SECONDS)
    moment = _from_utc(generator, f"make_timestamp({seconds} * 1000000)", _zone(node))
    return f"CASE WHEN {seconds} BETWEEN 0 AND {_LAST} THEN strftime({moment}, {shape}) END"


def to_unix(generator: Generator, node: exp.Expr) -> str:
    """UNIX_TIMESTAMP of a moment: whole seconds, or a DECIMAL where the moment has fractions; 0 before 1970."""
    micros = f"epoch_us({_to_utc(generator, moment_text(generator, node.this), _zone(node))})"
    digits = _digits(node)
    seconds = f"CAST({micros} * CAST(0.000001 AS DECIMAL(7, 6)) AS DECIMAL(18, {digits}))"
    return f"CASE WHEN {micros} < 0 THEN 0 ELSE {seconds if digits else f'{micros} // 1000000'} END"


def _digits(node: exp.Expr) -> int:
    """Fraction digits of UNIX_TIMESTAMP: those of the moment's type; six of a text that is read by a format."""
    moment = node.this
    if isinstance(moment, exp.StrToTime | exp.StrToDate):
        return 6
    return digits_of(moment) or 0


def _annotate(annotator: TypeAnnotator, node: exp.Expr) -> exp.Expr:
    digits = _digits(node)
    node.type = exp.DataType.build(f"DECIMAL(18, {digits})") if digits else _BIGINT.copy()
    return node


METADATA: dict[type[exp.Expr], dict[str, Any]] = {
    exp.UnixToTime: {"returns": exp.DType.VARCHAR},
    ToUnix: {"annotator": _annotate},
}
