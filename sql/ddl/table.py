"""CREATE TABLE: from the parsed statement to a `Table`, with all checks in Doris's order of words.

Pure: what comes from outside (database, switches, ids, time) is in the arguments.
Source: Doris: CREATE TABLE; Changelog, prerequisites, properties.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from sql.ddl import (
    aggregate,
    changelog,
    cluster_key,
    column,
    dynamic_partition,
    dynamic_schedule,
    index,
    key,
    rollup,
    self_filling,
    sequence,
    set_property,
    table_property,
)
from sql.ddl.column import Declared
from sql.ddl.distribution import distribution
from sql.ddl.key import Keys
from sql.ddl.name import check_object
from sql.ddl.partition import Stamp, add, partitioning
from sql.dialect.clause import Index, KeyClause, PartitionClause, RollupClause, clause, pairs
from storage.catalog.model import (
    LIGHT_DELETE,
    MERGE_ON_WRITE,
    Changelog,
    Column,
    DatabaseEntry,
    Model,
    Partition,
    Partitioning,
    Table,
)
from storage.errors import (
    DUPLICATE_COLUMN,
    MOW_ON_OTHER_MODEL,
    NO_COLUMNS,
    NOT_SUPPORTED_YET,
)
from storage.tso import to_ms


@dataclass(frozen=True, slots=True)
class Place:
    """Where the table is made: its database and name, what is switched on, ids and time."""

    database: DatabaseEntry
    name: str
    feature_on: bool  # enable_feature_changelog
    stamp: Stamp
    states_on: bool = False  # enable_agg_state
    nullable_partitions: bool = True  # allow_partition_column_nullable
    session: int | None = None  # who gets the table if it is a temporary one


def build(statement: exp.Create, place: Place) -> Table:
    """Make the table of a CREATE TABLE with a column list; raises the errors of its parts."""
    check_object("table", place.name)
    columns = read_columns(statement)
    given = dict(pairs(statement.args.get("properties")))
    keys = key.settle(columns, clause(statement, KeyClause), given)
    aggregate.check_switch(columns, place.states_on)
    aggregate.check(columns, keys.model, given)
    merge_on_write = _merge_on_write(keys, given)
    self_filling.check(columns, keys.model, merge_on_write)
    given = sequence.checked(given, keys.model, columns, merge_on_write)
    wish = changelog.Wish(place.name, given, keys, merge_on_write, columns, _is_temporary(statement))
    log = changelog.settle(wish, place.database, place.feature_on)
    plain = tuple((name, value) for name, value in given.items() if _is_kept(name, value))
    table_property.check([pair for pair in plain if not changelog.is_log_property(pair[0])])
    _check_built(statement, columns)
    return _assemble(statement, place, wish, plain, log)


def _is_kept(name: str, value: str) -> bool:
    """Whether a property belongs to the table's own; light delete only once it is on (storage/change/delta.py)."""
    return not name.startswith("changelog.") and (name, value.lower()) != (LIGHT_DELETE, "false")


def read_columns(statement: exp.Create) -> tuple[Declared, ...]:
    """The column definitions, each checked by itself and against the names of the others."""
    schema = statement.this
    definitions = [item for item in schema.expressions if isinstance(item, exp.ColumnDef)]
    seen: set[str] = set()
    for definition in definitions:
        if definition.name.lower() in seen:
            raise DUPLICATE_COLUMN(name=definition.name)
        seen.add(definition.name.lower())
    if not definitions:
        raise NO_COLUMNS()
    return tuple(column.read(definition) for definition in definitions)


def _merge_on_write(keys: Keys, given: dict[str, str]) -> bool:
    """Unique Key is merge-on-write unless the property says no (Doris 5 default)."""
    unique = keys.model is Model.UNIQUE
    if MERGE_ON_WRITE in given and not unique:
        raise MOW_ON_OTHER_MODEL()
    merge_on_write = unique and table_property.switch(MERGE_ON_WRITE, given.get(MERGE_ON_WRITE, "true"))
    table_property.check_light_delete(given, merge_on_write)
    return merge_on_write


def _is_temporary(statement: exp.Create) -> bool:
    return clause(statement, exp.TemporaryProperty) is not None


def _check_built(statement: exp.Create, columns: Sequence[Declared]) -> None:
    """Refuse by name what is Doris and not built yet."""
    if _engine(statement).upper() != "OLAP":
        raise NOT_SUPPORTED_YET(what=f"ENGINE {_engine(statement)}")
    for declared in columns:
        column.check_buildable(declared)


def _engine(statement: exp.Create) -> str:
    engine = clause(statement, exp.EngineProperty)
    return engine.name if engine is not None else "OLAP"


def _assemble(
    statement: exp.Create,
    place: Place,
    wish: changelog.Wish,
    plain: tuple[tuple[str, str], ...],
    log: Changelog | None,
) -> Table:
    model, columns = wish.keys.model, _columns(wish)
    identity = place.stamp.take_id()
    ranges, partitions = _partitions(statement, place, model, columns)
    table = Table(
        id=identity,
        database_id=place.database.id,
        name=place.name,
        model=model,
        columns=columns,
        partitions=partitions,
        partitioning=ranges,
        distribution=distribution(clause(statement, exp.DistributedByProperty), model, columns),
        properties=plain,
        changelog=log,
        merge_on_write=wish.merge_on_write,
        comment=_comment(statement),
        next_uid=len(columns),
        created_ms=to_ms(place.stamp.tso),
        cluster_keys=cluster_key.settle(clause(statement, KeyClause), columns, wish.merge_on_write),
        session=place.session if wish.temporary else None,
    )
    table = _with_dynamic(set_property.settled(table, dict(plain)), place.stamp)
    return _with_indexes(table, statement)


def _columns(wish: changelog.Wish) -> tuple[Column, ...]:
    return tuple(item.column(uid, uid < wish.keys.count) for uid, item in enumerate(wish.columns))


def _comment(statement: exp.Create) -> str:
    comment = clause(statement, exp.SchemaCommentProperty)
    return comment.this.name if comment is not None else ""


def _with_dynamic(table: Table, stamp: Stamp) -> Table:
    """A dynamic table begins with the partitions its rule wants now."""
    rule = dynamic_partition.rule_of(table)
    if rule is None or not rule.enable:
        return table
    made = dynamic_schedule.created(table, rule, rule.now(to_ms(stamp.tso)), stamp)
    return replace(table, partitions=(*table.partitions, *made))


def _with_indexes(table: Table, statement: exp.Create) -> Table:
    """The indexes and rollups of the statement."""
    for item in statement.this.expressions:
        if isinstance(item, Index):
            table = index.added(table, item)
    rollups = clause(statement, RollupClause)
    for item in rollups.expressions if rollups is not None else ():
        table = rollup.added(table, item)
    return table


def _partitions(
    statement: exp.Create, place: Place, model: Model, columns: Sequence[Column]
) -> tuple[Partitioning | None, tuple[Partition, ...]]:
    """An unpartitioned table has one partition named like the table."""
    ranges = clause(statement, PartitionClause)
    if ranges is None:
        return None, (Partition(place.stamp.take_id(), place.name, created_tso=place.stamp.tso),)
    settled = partitioning(ranges, model, columns, place.nullable_partitions)
    named = {item.name.lower(): item for item in columns}
    over = [named[name.lower()] for name in settled.columns]
    return settled, add((), ranges.args.get("partitions") or (), over, place.stamp, settled.kind)
