"""SHOW DYNAMIC PARTITION TABLES: the rules of a database's tables, and how the scheduler fared."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sql.ddl.dynamic_partition import PREFIX, Rule, rule_of
from sql.listing import listed, words
from sql.result import Result
from sql.statement import Call, handles
from sql.statement.show import database_of, moment, seen
from storage.catalog.catalog import Catalog
from storage.catalog.model import Table

_COLUMNS = words(
    "TableName Enable TimeUnit Start End Prefix Buckets ReplicationNum ReplicaAllocation StartOf LastUpdateTime "
    "LastSchedulerTime State LastCreatePartitionMsg LastDropPartitionMsg ReservedHistoryPeriods"
)
_DAYS = ("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY")
_NOTHING = "N/A"


@handles(exp.Show, "DYNAMIC PARTITION TABLES")
def show_dynamic_partition_tables(call: Call[exp.Show]) -> Result:
    """SHOW DYNAMIC PARTITION TABLES [FROM db]."""
    tables = seen(call, Catalog.tables_of, database_of(call))
    return listed(call.node, _COLUMNS, list(_rows(call, tables)))


def _rows(call: Call[exp.Show], tables: list[Table]) -> Iterator[tuple[object, ...]]:
    for table in tables:
        rule = rule_of(table)
        if rule is None:
            continue
        run = call.engine.partitions.runs.get(table.id)
        last = moment(call.context, run.at_ms) if run is not None else _NOTHING
        error = run.error if run is not None else None
        head = (table.name, rule.enable, rule.unit, rule.start, rule.end, rule.prefix, _own(table, "buckets"))
        middle = (1, "tag.location.default: 1", _start_of(rule), _NOTHING, last, "ERROR" if error else "NORMAL")
        yield (*head, *middle, error or _NOTHING, _NOTHING, _own(table, "reserved_history_periods"))


def _own(table: Table, name: str) -> str | None:
    return table.property(f"{PREFIX}{name}")


def _start_of(rule: Rule) -> str:
    """The day on which a week or a month begins."""
    if rule.unit == "WEEK":
        return _DAYS[rule.weekday - 1]
    return f"{rule.day}{_ordinal(rule.day)}" if rule.unit == "MONTH" else _NOTHING


def _ordinal(number: int) -> str:
    return "th" if 11 <= number <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
