"""The catalog comes back from the file as it was, and the DuckDB tables follow each of its changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from storage import naming
from storage.catalog.catalog import Catalog
from storage.catalog.model import (
    Bound,
    Column,
    DatabaseEntry,
    Distribution,
    Model,
    Partition,
    Partitioning,
    Stream,
    StreamType,
)
from storage.change.detail import detail
from storage.change.window import Window
from storage.config import Config
from storage.database import Database
from storage.types import BIGINT, BOOLEAN, DATE, INT, STRING, DorisType, datetime, decimal, varchar
from tests.unit.storage.shop import ManualClock, alter, change, column, make_table, put, select

NESTED = DorisType("struct", children=(("a", DorisType("array", children=(("", INT),))), ("b", decimal(12, 3))))


def tables_of(database: Database) -> set[str]:
    rows = select(database, "SELECT table_name FROM duckdb_tables() WHERE table_name SIMILAR TO '[th]_\\d+'")
    return {str(row[0]) for row in rows}


def test_every_field_survives_a_restart(tmp_path: Path, config: Config, clock: ManualClock) -> None:
    database = Database(tmp_path, config, clock)
    columns = (
        Column(0, "k", BIGINT, key=True, nullable=False, comment="the 'key'"),
        Column(1, "day", DATE, key=True, default="2026-01-01"),
        Column(2, "at", datetime(3), default="CURRENT_TIMESTAMP", default_is_function=True),
        Column(7, "nested", NESTED),
        Column(8, "rowid", varchar(20), default=""),
    )
    table = make_table(database, "wide", columns=columns, properties=(("a", "1"), ("b", 'x"y')))
    parts = (
        Partition(table.partitions[0].id, "p1", Bound((None,)), Bound(("2026-01-01",)), 5),
        Partition(database.reserve_ids(1)[0], "p2", Bound(("2026-01-01",)), Bound((None,)), 6, dropped_at=9),
    )
    alter(
        database, table.id, partitions=parts, partitioning=Partitioning("RANGE", ("day",)), comment="größe",
        distribution=Distribution("HASH", ("k",), None), schema_version=3, next_uid=9, created_ms=4,
    )  # fmt: skip
    stream = Stream(database.reserve_ids(1)[0], 1, "s", table.id, StreamType.DETAIL, True, "c", 77)
    change(
        database,
        lambda catalog: catalog.with_stream(stream).with_database(DatabaseEntry(1, "shop", (("p", "q"),))),
    )
    before = database.catalog
    database.close()
    again = Database(tmp_path, config, clock)
    assert again.catalog == before
    again.close()


def test_model_and_changelog_decide_the_physical_columns(database: Database) -> None:
    expected = {
        (Model.UNIQUE, True): [naming.TSO, naming.LSN, naming.OP, naming.VERSION, naming.PART],
        (Model.UNIQUE, False): [naming.TSO, naming.LSN, naming.OP, naming.VERSION, naming.PART],
        (Model.DUPLICATE, True): [naming.TSO, naming.LSN, naming.OP, naming.PART],
        (Model.DUPLICATE, False): [naming.PART],
    }
    for (model, changelog), hidden in expected.items():
        table = make_table(database, f"t{model.value}{changelog}", model, changelog=changelog)
        reader = database.reader()
        assert reader.table(f"SELECT * FROM t_{table.id}").column_names == ["k", "v", *hidden]
        ends = [naming.END_TSO, naming.END_LSN, naming.END_OP]
        if changelog:
            assert reader.table(f"SELECT * FROM h_{table.id}").column_names == ["k", "v", *hidden, *ends]
        reader.close()
        assert (f"h_{table.id}" in tables_of(database)) == changelog


def test_an_added_column_reads_its_default_in_old_rows_and_before_images(database: Database) -> None:
    table = make_table(database, "t")
    first = put(database, table, [(1, "a"), (2, "b")])
    added = column(2, "n", INT)
    table = alter(database, table.id, columns=(*table.columns, replace(added, default="7")), schema_version=1)
    put(database, table, [(1, "x", 8)])
    last = put(database, table, [(2, "y", None)])
    rows = select(database, detail(table, [Window(table.partitions[0].id, first.tso, last.tso)]))
    assert [row[:4] for row in rows] == [
        (1, "a", 7, "UPDATE_BEFORE"),
        (1, "x", 8, "UPDATE_AFTER"),
        (2, "b", 7, "UPDATE_BEFORE"),
        (2, "y", None, "UPDATE_AFTER"),
    ]


def test_a_readded_name_is_another_column(database: Database) -> None:
    table = make_table(database, "t")
    put(database, table, [(1, "old")])
    put(database, table, [(1, "newer")])
    key = table.columns[0]
    table = alter(database, table.id, columns=(key, column(5, "v", BOOLEAN)), schema_version=1)
    assert select(database, f"SELECT k, v FROM t_{table.id} UNION ALL SELECT k, v FROM h_{table.id}") == [
        (1, None),
        (1, None),
    ]


def test_rename_and_wider_type_keep_the_values(database: Database) -> None:
    table = make_table(database, "t", columns=(column(0, "k", INT, key=True), column(1, "v", STRING)))
    put(database, table, [(1, "a")])
    renamed = (column(0, "k", BIGINT, key=True), column(1, "w", STRING))
    table = alter(database, table.id, columns=renamed, schema_version=1)
    assert select(database, f"SELECT k, typeof(k), w FROM t_{table.id}") == [(1, "BIGINT", "a")]


def test_a_name_that_duckdb_reserves_has_another_spelling(database: Database) -> None:
    table = make_table(database, "t", columns=(column(0, "RowId", BIGINT, key=True), column(1, 'a "b"', STRING)))
    put(database, table, [(1, "a")])
    put(database, table, [(1, "b")])
    assert select(database, f'SELECT "__doris_c_RowId", "a ""b""" FROM t_{table.id}') == [(1, "b")]


def test_dropped_objects_leave_no_rows_anywhere(database: Database) -> None:
    table = make_table(database, "t", parts=2)
    put(database, table, [(1, "a")])
    put(database, table, [(1, "b")])
    put(database, table, [(2, "a")], part=1)
    alter(database, table.id, partitions=table.partitions[1:])
    assert select(database, f"SELECT k FROM t_{table.id}") == [(2,)]
    assert select(database, f"SELECT k FROM h_{table.id}") == []
    change(database, lambda catalog: catalog.without_table(table.id))
    assert tables_of(database) == set()
    for system in ("part_version", "table_version", "sys_table", "sys_column", "sys_partition"):
        assert select(database, f"SELECT * FROM {system}") == []


def test_a_key_in_the_recycle_bin_does_not_stop_a_new_one(database: Database) -> None:
    table = make_table(database, "t", parts=2)
    put(database, table, [(1, "old")])
    gone = replace(table.partitions[0], dropped_at=5)
    table = alter(database, table.id, partitions=(gone, table.partitions[1]))
    put(database, table, [(1, "new")], part=1)
    put(database, table, [(1, "newer")], part=1)
    assert select(database, f"SELECT v FROM t_{table.id}") == [("newer",), ("old",)]
    restored = (replace(gone, dropped_at=None), table.partitions[1])
    alter(database, table.id, partitions=restored)
    assert len(select(database, f"SELECT v FROM t_{table.id} WHERE k = 1")) == 2


def test_a_reader_keeps_the_catalog_of_its_data(database: Database) -> None:
    table = make_table(database, "t")
    put(database, table, [(1, "a")])
    old = database.reader()

    def without(catalog: Catalog) -> Catalog:
        return catalog.without_table(table.id)

    change(database, without)
    assert table.id in old.catalog.tables
    assert old.table(f"SELECT k FROM t_{table.id}").to_pydict() == {"k": [1]}
    new = database.reader()
    assert table.id not in new.catalog.tables
    old.close()
    new.close()
