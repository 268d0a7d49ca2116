"""ALTER TABLE: one reader per action; what an action means is decided by its handler (Doris: ALTER TABLE)."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from sql.dialect import alter, node
from sql.dialect.grammar.column import column, index, position
from sql.dialect.grammar.partition import distribution, named_partition, rollup, step_partition
from sql.dialect.reader import Reader

Action = Callable[[Reader], exp.Expr]


def alter_table(reader: Reader) -> node.AlterTable:
    """ALTER TABLE [db.]t action [, action …]."""
    table = reader.table()
    return node.AlterTable(this=table, actions=reader.comma_list(lambda: _action(reader)))


def _action(reader: Reader) -> exp.Expr:
    for words, read in _ACTIONS.items():
        if reader.words(*words.split()):
            return read(reader)
    if reader.words("RENAME"):
        return alter.RenameTable(this=reader.name())
    reader.mismatch(*dict.fromkeys(words.split()[0] for words in _ACTIONS))


# -- columns -------------------------------------------------------------------------------------
def _add_columns(reader: Reader) -> exp.Expr:
    exists = reader.if_not_exists()
    several = reader.sees("(")
    columns = reader.wrapped_list(lambda: column(reader)) if several else [position(reader, column(reader))]
    rollup_name = reader.name() if reader.words("TO") else _from_rollup(reader)
    properties = reader.properties()
    return alter.AddColumns(expressions=columns, exists=exists, rollup=rollup_name, properties=properties)


def _from_rollup(reader: Reader) -> exp.Identifier | None:
    return reader.name() if reader.one_of("FROM", "IN") else None


def _drop_column(reader: Reader) -> exp.Expr:
    exists, name = reader.if_exists(), reader.name()
    rollup_name = _from_rollup(reader)
    return alter.DropColumn(this=name, exists=exists, rollup=rollup_name, properties=reader.properties())


def _modify_column(reader: Reader) -> exp.Expr:
    if reader.next_is("COMMENT"):
        name = reader.name()
        return alter.ModifyColumnComment(this=name, comment=reader.comment())
    definition = position(reader, column(reader))
    rollup_name = _from_rollup(reader)
    return alter.ModifyColumn(this=definition, rollup=rollup_name, properties=reader.properties())


def _rename(kind: type[exp.Expr]) -> Action:
    def read(reader: Reader) -> exp.Expr:
        old = reader.name()
        reader.words("TO")
        return kind(this=old, to=reader.name())

    return read


def _order(reader: Reader) -> exp.Expr:
    columns = reader.names()
    rollup_name = _from_rollup(reader)
    return alter.OrderColumns(expressions=columns, rollup=rollup_name, properties=reader.properties())


# -- partitions ----------------------------------------------------------------------------------
def _add_partition(temporary: bool | None = None) -> Action:
    def read(reader: Reader) -> exp.Expr:
        found = named_partition(reader)
        exists, pairs = found.args.get("exists"), found.args.get("properties") or reader.properties()
        spread = distribution(reader) if reader.words("DISTRIBUTED") else None
        pairs = pairs or (reader.pairs() if reader.sees("(") else reader.properties())
        found.set("exists", None)
        found.set("properties", None)
        return alter.AddPartition(this=found, exists=exists, temporary=temporary, properties=pairs, distribution=spread)

    return read


def _add_steps(reader: Reader) -> exp.Expr:
    return alter.AddPartition(this=step_partition(reader))


def _drop_partition(temporary: bool | None = None) -> Action:
    def read(reader: Reader) -> exp.Expr:
        exists, name = reader.if_exists(), reader.name()
        return alter.DropPartition(this=name, exists=exists, temporary=temporary, force=reader.flag("FORCE"))

    return read


def _modify_partition(temporary: bool | None = None) -> Action:
    def read(reader: Reader) -> exp.Expr:
        names: list[exp.Expr]
        if reader.words("(", "*", ")"):
            names = [exp.Star()]
        else:
            names = [*reader.names()] if reader.sees("(") else [reader.name()]
        reader.expect("SET")
        return alter.ModifyPartition(expressions=names, properties=reader.pairs(), temporary=temporary)

    return read


def _replace_partition(reader: Reader) -> exp.Expr:
    old = reader.names() if reader.sees("(") else [reader.name()]
    reader.expect("WITH", "TEMPORARY", "PARTITION")
    new = reader.names() if reader.sees("(") else [reader.name()]
    force = reader.flag("FORCE")
    return alter.ReplacePartition(expressions=old, temporary=new, force=force, properties=reader.properties())


# -- table, rollups, indexes ---------------------------------------------------------------------
def _set(reader: Reader) -> exp.Expr:
    return alter.SetProperties(properties=reader.pairs())


def _replace_table(reader: Reader) -> exp.Expr:
    table = reader.name()
    properties = reader.properties()
    return alter.ReplaceWithTable(this=table, properties=properties, force=reader.flag("FORCE"))


def _enable_feature(reader: Reader) -> exp.Expr:
    feature = reader.string()
    properties = None
    if reader.words("WITH"):
        properties = reader.properties() or reader.mismatch("PROPERTIES")
    return alter.EnableFeature(this=feature, properties=properties)


def _add_rollup(reader: Reader) -> exp.Expr:
    return alter.AddRollup(expressions=reader.comma_list(lambda: rollup(reader)))


def _drop_rollup(reader: Reader) -> exp.Expr:
    names = reader.comma_list(reader.name)
    return alter.DropRollup(expressions=names, properties=reader.properties())


def _drop_index(reader: Reader) -> exp.Expr:
    exists = reader.if_exists()
    return alter.DropTableIndex(this=reader.name(), exists=exists)


def _engine(reader: Reader) -> exp.Expr:
    engine = exp.var(reader.label())
    return alter.ModifyEngine(this=engine, properties=reader.properties())


def _modify_distribution(reader: Reader) -> exp.Expr:
    reader.expect("DISTRIBUTED")
    return alter.ModifyDistribution(this=distribution(reader))


def _add_constraint(reader: Reader) -> exp.Expr:
    name = reader.name()
    kind = reader.expect_one_of("PRIMARY KEY", "UNIQUE", "FOREIGN KEY")
    if kind == "UNIQUE":
        reader.words("KEY")
    columns, references = reader.names(), None
    if kind == "FOREIGN KEY":
        reader.expect("REFERENCES")
        references = exp.Schema(this=reader.table(), expressions=reader.names())
    return alter.AddConstraint(this=name, kind=kind, expressions=columns, references=references)


# Longer phrases stand before shorter ones that begin them; plain RENAME comes last of all.
_ACTIONS: dict[str, Action] = {
    "ADD COLUMN": _add_columns,
    "ADD TEMPORARY PARTITION": _add_partition(True),
    "ADD PARTITIONS FROM": _add_steps,
    "ADD PARTITION": _add_partition(),
    "ADD ROLLUP": _add_rollup,
    "ADD INDEX": lambda reader: alter.AddIndex(this=index(reader)),
    "ADD CONSTRAINT": _add_constraint,
    "DROP COLUMN": _drop_column,
    "DROP TEMPORARY PARTITION": _drop_partition(True),
    "DROP PARTITION": _drop_partition(),
    "DROP ROLLUP": _drop_rollup,
    "DROP INDEX": _drop_index,
    "DROP CONSTRAINT": lambda reader: alter.DropConstraint(this=reader.name()),
    "MODIFY COLUMN": _modify_column,
    "MODIFY TEMPORARY PARTITION": _modify_partition(True),
    "MODIFY PARTITION": _modify_partition(),
    "MODIFY COMMENT": lambda reader: alter.ModifyComment(this=reader.string()),
    "MODIFY DISTRIBUTION": _modify_distribution,
    "MODIFY ENGINE TO": _engine,
    "RENAME COLUMN": _rename(alter.RenameColumn),
    "RENAME PARTITION": _rename(alter.RenamePartition),
    "RENAME ROLLUP": _rename(alter.RenameRollup),
    "REPLACE WITH TABLE": _replace_table,
    "REPLACE PARTITION": _replace_partition,
    "ORDER BY": _order,
    "SET": _set,
    "ENABLE FEATURE": _enable_feature,
}
