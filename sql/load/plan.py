"""From headers and table to a plan: which fields the body has, which columns they feed, what is computed.

    columns: k, raw, v = upper(raw)   ->   fields k, raw; targets k, v; SELECT k, upper(raw) over the fields

Pure but for the catalog's Table; the rows come later (sql/load/batch.py).
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field, replace

from sqlglot import exp

from sql.bind.type import spelled
from sql.ingest.generated import check_given
from sql.ingest.partial import partial_update
from sql.ingest.target import SIGN, Mode, Targets, check_keys, leaves_out, require_sequence, targets
from sql.load.mapping import Mapping, columns, expression
from sql.load.request import Csv, Json, Merge, Request
from storage.catalog.model import Column, Table
from storage.catalog.sequence import sequence_of
from storage.errors import (
    LOAD_FLEXIBLE,
    LOAD_FLEXIBLE_FORMAT,
    LOAD_HIDDEN_PARTIAL,
    LOAD_MERGE_MODEL,
    LOAD_NEGATIVE,
    LOAD_SEQUENCE,
    PARTIAL_MODEL,
    SEQUENCE_MAPPED,
    SEQUENCE_REQUIRED,
)
from storage.naming import HIDDEN_UID, PREFIX, given
from storage.relation import SEQUENCE

FLAG = PREFIX + "flag_"  # BOOLEAN beside a field of a flexible update: the row has it


@dataclass(frozen=True, slots=True)
class Plan:
    """`fields` are the columns of the body in order; `items` compute the targets, in their order."""

    fields: tuple[str, ...]
    items: tuple[exp.Expr, ...]
    chosen: Targets
    passed: tuple[str, ...] = ()  # fields that feed no column; `where` may name them
    where: exp.Expr | None = None  # sees converted columns, and the passed fields as text
    keys: tuple[str, ...] = field(default=())  # fields that each row of a flexible update must have


def plan(table: Table, request: Request, now: datetime.datetime) -> Plan:
    """Plan a load that runs at `now`; raises the errors of parameters that do not fit the table."""
    if request.merge is not Merge.APPEND and not table.is_unique:
        raise LOAD_MERGE_MODEL()
    _check_sequence(table, request)
    if request.mode is Mode.FLEXIBLE:
        return _flexible(table, request, now)
    mapping = _mapping(table, request)
    fed = _fed(table, request, mapping)
    check_given(table, {name.lower() for name, _ in fed})
    chosen = _partial(table, request, targets(table, [name for name, _ in fed]), now)
    _require_sequence(table, chosen)
    taken = {column.name.lower() for column in chosen.columns}
    passed = tuple(name for name in mapping.sources if name.lower() not in taken)
    return Plan(
        fields=mapping.sources,
        items=tuple(item for _, item in fed),
        chosen=replace(chosen, lenient=not request.strict),
        passed=passed,
        where=expression(request.where, "where") if request.where else None,
    )


def _mapping(table: Table, request: Request) -> Mapping:
    if request.columns:
        return columns(request.columns)
    visible = tuple(column.name for column in table.columns if column.generated is None)
    return Mapping((*visible, *request.hidden))


def _fed(table: Table, request: Request, mapping: Mapping) -> list[tuple[str, exp.Expr]]:
    """Each column that gets something, and what."""
    hidden = (SIGN.lower(), SEQUENCE.lower())
    names = [name for name in mapping.names if table.column(name) or name.lower() in hidden]
    items = {name: _value(mapping, name) for name in names}
    if request.negative:
        items = {name: _negated(table.column(name), item) for name, item in items.items()}
    if request.merge is not Merge.APPEND:
        items = {name: item for name, item in items.items() if name.upper() != SIGN} | {SIGN: _sign(request)}
    sequence = sequence_of(table)
    if request.sequence and sequence is not None and sequence.column is None:
        items[SEQUENCE] = _value(mapping, request.sequence)
    return list(items.items())


def _value(mapping: Mapping, name: str) -> exp.Expr:
    computed = mapping.expression(name)
    return computed.copy() if computed is not None else exp.column(exp.to_identifier(name, quoted=True))


def _sign(request: Request) -> exp.Expr:
    if request.merge is Merge.DELETE:
        return exp.Literal.number(1)
    condition = expression(request.delete, "delete")
    return exp.Case(ifs=[exp.If(this=condition, true=exp.Literal.number(1))], default=exp.Literal.number(0))


def _negated(column: Column | None, item: exp.Expr) -> exp.Expr:
    """The value with the other sign (header `negative`); keys stay."""
    if column is None or column.key:
        return item
    if column.aggregation != "SUM":
        raise LOAD_NEGATIVE(name=column.name)
    return exp.Neg(this=exp.Cast(this=item, to=spelled(column.type)))


# -- sequence and partial update ---------------------------------------------------------------------
def _check_sequence(table: Table, request: Request) -> None:
    """The header function_column.sequence_col needs a hidden sequence column; a mapped one may be named itself."""
    if not request.sequence:
        return
    sequence = sequence_of(table)
    if sequence is None:
        raise LOAD_SEQUENCE(table=table.name)
    if sequence.column is not None and sequence.column.name.lower() != request.sequence.lower():
        raise SEQUENCE_MAPPED(table=table.name, column=sequence.column.name, name=request.sequence)


def _require_sequence(table: Table, chosen: Targets) -> None:
    """A hidden sequence column must be fed, in partial updates too; a mapped one as for INSERT."""
    sequence = sequence_of(table)
    if sequence is not None and sequence.column is None and chosen.sequence is None:
        raise SEQUENCE_REQUIRED(table=table.name)
    require_sequence(table, chosen)


def _partial(table: Table, request: Request, chosen: Targets, now: datetime.datetime) -> Targets:
    if request.mode is Mode.UPSERT:
        return chosen
    if not table.merge_on_write:
        raise PARTIAL_MODEL()
    if chosen.sequence is not None and not request.sequence:
        raise LOAD_HIDDEN_PARTIAL(name=SEQUENCE)
    check_keys(table, chosen)
    if not leaves_out(table, chosen):
        return chosen
    return partial_update(table, chosen, Mode.FIXED, request.append_new_keys, now)


_REFUSED = ("columns", "jsonpaths", "hidden_columns", "merge_type", "where", "delete")


def _flexible(table: Table, request: Request, now: datetime.datetime) -> Plan:
    """Every column may be in a row or not; the keys must be."""
    _check_flexible(request)
    sequence = sequence_of(table)
    hidden = [SIGN] if sequence is None or sequence.column is not None else [SIGN, SEQUENCE]
    names = [column.name for column in table.columns]
    every = targets(table, [*names, *hidden])
    chosen = partial_update(table, every, Mode.FLEXIBLE, request.append_new_keys, now)
    fields = (*names, SIGN, *([request.sequence or SEQUENCE] if SEQUENCE in hidden else []))
    flags = {given(column.uid): f"{FLAG}{place}" for place, column in enumerate(table.columns) if not column.key}
    if SEQUENCE in hidden:
        flags[given(HIDDEN_UID)] = f"{FLAG}{len(fields) - 1}"
    items = tuple(exp.column(exp.to_identifier(name, quoted=True)) for name in fields)
    keys = tuple(column.name for column in table.keys)
    return Plan(fields, items, replace(chosen, flags=flags, lenient=not request.strict), keys=keys)


def _check_flexible(request: Request) -> None:
    if isinstance(request.format, Csv):
        raise LOAD_FLEXIBLE_FORMAT()
    for name in _REFUSED:
        if name in request.given:
            raise LOAD_FLEXIBLE(name=name, state="specified")
    if isinstance(request.format, Json) and request.format.fuzzy:
        raise LOAD_FLEXIBLE(name="fuzzy_parse", state="enabled")
