"""Loads: LOAD LABEL and CREATE ROUTINE LOAD (Doris: Broker Load, Routine Load)."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from sql.dialect import node
from sql.dialect.clause import DataDescription, LoadClause
from sql.dialect.reader import Reader


def broker_load(reader: Reader) -> node.BrokerLoad:
    """LOAD LABEL [db.]l (description, …) [WITH source (…)] [PROPERTIES (…)] [COMMENT '…']."""
    label = reader.table()
    load = node.BrokerLoad(this=label, expressions=reader.wrapped_list(lambda: _description(reader)))
    if reader.words("WITH"):
        source = reader.label().upper()
        if reader.at_string():  # WITH BROKER 'name'
            source = f"{source} {reader.string().name}"
        load.set("source", source)
        load.set("source_properties", reader.pairs() if reader.sees("(") else None)
    load.set("properties", reader.properties())
    load.set("comment", reader.comment())
    return load


def _description(reader: Reader) -> DataDescription:
    """[MERGE | APPEND | DELETE] DATA INFILE ('…', …) [NEGATIVE] INTO TABLE t clauses."""
    merge = reader.one_of("MERGE", "APPEND", "DELETE")
    reader.expect("DATA", "INFILE")
    files = reader.wrapped_list(reader.string)
    negative = reader.flag("NEGATIVE")
    reader.expect("INTO", "TABLE")
    table = reader.name()
    load = _clauses(reader)
    load.set("merge", merge)
    return DataDescription(this=table, files=files, load=load, negative=negative)


def routine_load(reader: Reader) -> node.CreateRoutineLoad:
    """CREATE ROUTINE LOAD [db.]job [ON t] [WITH MERGE] clauses [PROPERTIES (…)] FROM source (…) [COMMENT '…']."""
    job = reader.table()
    table = reader.name() if reader.words("ON") else None
    merge = reader.expect_one_of("APPEND", "DELETE", "MERGE") if reader.words("WITH") else None
    load = _clauses(reader)
    load.set("merge", merge)
    properties = load.args.pop("properties", None)
    reader.expect("FROM")
    source = reader.label().upper()
    made = node.CreateRoutineLoad(this=job, table=table, load=load, properties=properties, source=source)
    made.set("source_properties", reader.pairs())
    made.set("comment", reader.comment())
    return made


def _clauses(reader: Reader) -> LoadClause:
    """The clauses of a load in any order; commas between them are allowed (Routine Load has them)."""
    load = LoadClause()
    while True:
        if reader.sees("(") and not load.args.get("columns"):  # Broker Load has a bare column list
            load.set("columns", reader.names())
        found = next((words for words in _CLAUSES if reader.words(*words.split())), None)
        if found is None:
            return load
        key, read = _CLAUSES[found]
        if load.args.get(key):
            reader.stuck()
        load.set(key, read(reader))
        reader.words(",")


def _order_by(reader: Reader) -> exp.Identifier:
    return reader.name()


def _mapped_column(reader: Reader) -> exp.Expr:
    """A column name, or ``column = expression``."""
    name = reader.name()
    if reader.words("="):
        return exp.EQ(this=exp.Column(this=name), expression=reader.value())
    return name


def _mapped_columns(reader: Reader) -> list[exp.Expr]:
    return reader.wrapped_list(lambda: _mapped_column(reader))


def _partition(reader: Reader) -> exp.Partition:
    return exp.Partition(expressions=reader.names() if reader.sees("(") else [reader.name()])


_CLAUSES: dict[str, tuple[str, Callable[[Reader], object]]] = {
    "COLUMNS TERMINATED BY": ("column_separator", lambda reader: reader.string()),
    "LINES TERMINATED BY": ("line_delimiter", lambda reader: reader.string()),
    "FORMAT AS": ("format", lambda reader: reader.label()),
    "COMPRESS_TYPE AS": ("compress", lambda reader: reader.label()),
    "COLUMNS FROM PATH AS": ("path_columns", lambda reader: reader.names()),
    "COLUMNS": ("columns", _mapped_columns),
    "SET": ("mapping", _mapped_columns),
    "PRECEDING FILTER": ("preceding", lambda reader: reader.value()),
    "WHERE": ("where", lambda reader: reader.value()),
    "DELETE ON": ("delete_on", lambda reader: reader.value()),
    "ORDER BY": ("order", _order_by),
    "PARTITIONS": ("partition", _partition),
    "PARTITION": ("partition", _partition),
    "PROPERTIES": ("properties", lambda reader: reader.pairs()),
}
