"""CREATE TABLE with aggregations, complex and state types: what fits, what is refused how, what is printed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlglot import exp

from sql.ddl.partition import Stamp
from sql.ddl.table import Place, build
from storage import errors
from storage.catalog.detail import type_from_json, type_to_json
from storage.catalog.model import Model, Table
from storage.errors import Kind
from tests.unit.sql.draft import NOW, SHOP, alter_table, node_of, printed, refuses, table


def _states(text: str) -> Table:
    """The table of a statement sent with enable_agg_state on."""
    statement = node_of(text)
    assert isinstance(statement, exp.Create)
    ids = iter(range(100, 200))
    return build(statement, replace(Place(SHOP, "t", True, Stamp(lambda: next(ids), NOW)), states_on=True))


def test_columns_keep_their_aggregation() -> None:
    made = table("CREATE TABLE t (k INT, a BIGINT SUM, b DATE MIN, c VARCHAR(5) MAX, d JSON REPLACE) AGGREGATE KEY(k)")
    assert made.model is Model.AGGREGATE
    assert [column.aggregation for column in made.columns] == [None, "SUM", "MIN", "MAX", "REPLACE"]


def test_an_aggregation_without_key_clause_makes_an_aggregate_table() -> None:
    made = table("CREATE TABLE t (a INT, b INT, v INT SUM)")
    assert made.model is Model.AGGREGATE and [column.name for column in made.keys] == ["a", "b"]


def test_state_columns_are_never_null() -> None:
    made = _states(
        "CREATE TABLE t (k INT, b BITMAP BITMAP_UNION, h HLL HLL_UNION, q QUANTILE_STATE QUANTILE_UNION,"
        " s agg_state<sum(int)> GENERIC) AGGREGATE KEY(k)"
    )
    assert [column.nullable for column in made.values] == [False, False, False, False]


def test_agg_state_types_print_whether_arguments_may_be_null() -> None:
    made = _states("CREATE TABLE t (k INT, s agg_state<max_by(int NOT NULL, datetime(3))> GENERIC) AGGREGATE KEY(k)")
    kind = made.columns[1].type
    assert str(kind) == "agg_state<max_by(int not null, datetime(3) null)>"
    assert type_from_json(type_to_json(kind)) == kind


def test_nested_types_print_as_doris_prints_them() -> None:
    made = table("CREATE TABLE t (k INT, a ARRAY<MAP<STRING, STRUCT<f: INT NOT NULL COMMENT 'x', g: DECIMAL(9, 2)>>>)")
    assert str(made.columns[1].type) == "array<map<text,struct<f:int comment 'x',g:decimal(9,2)>>>"


@pytest.mark.parametrize(
    ("columns", "kind"),
    [
        ("v VARCHAR(10) SUM", errors.AGGREGATION_TYPE),
        ("v DATE SUM", errors.AGGREGATION_TYPE),
        ("v BOOLEAN MAX", errors.AGGREGATION_TYPE),
        ("v INT HLL_UNION", errors.AGGREGATION_TYPE),
        ("v HLL BITMAP_UNION", errors.AGGREGATION_TYPE),
        ("v BITMAP REPLACE", errors.AGGREGATION_TYPE),
        ("v INT GENERIC", errors.AGGREGATION_TYPE),
        ("v ARRAY<INT> SUM", errors.AGGREGATION_COMPLEX),
        ("v JSON MIN", errors.AGGREGATION_COMPLEX),
        ("v INT REPLACE_IF_NOT_NULL NOT NULL", errors.REPLACE_NOT_NULLABLE),
        ("v BITMAP BITMAP_UNION NULL", errors.STATE_NULLABLE),
        ("v HLL HLL_UNION NULL", errors.STATE_NULLABLE),
        ('v HLL HLL_UNION DEFAULT ""', errors.STATE_DEFAULT),
        ('v BITMAP BITMAP_UNION DEFAULT "1"', errors.COMPLEX_DEFAULT),
        ("v ARRAY<INT> REPLACE DEFAULT '[1]'", errors.COMPLEX_DEFAULT),
        ("v MAP<INT, INT> REPLACE DEFAULT '{}'", errors.COMPLEX_DEFAULT),
        ("v agg_state<sum(int)> GENERIC", errors.STATE_SWITCHED_OFF),
        ("v agg_state<nothing(int)> GENERIC", errors.UNKNOWN_FUNCTION),
        ("v agg_state<sum(int, int)> GENERIC", errors.NO_SIGNATURE),
        ("v agg_state<bitmap_union(int)> GENERIC", errors.NO_SIGNATURE),
        ("v QUANTILE_STATE QUANTILE_UNION NULL", errors.STATE_NULLABLE),
        ('v QUANTILE_STATE QUANTILE_UNION DEFAULT "0"', errors.STATE_DEFAULT),
        ("v QUANTILE_STATE HLL_UNION", errors.AGGREGATION_TYPE),
        ("v DOUBLE QUANTILE_UNION", errors.AGGREGATION_TYPE),
        ("v agg_state<min(quantile_state)> GENERIC", errors.NO_SIGNATURE),
        ("v ARRAY<HLL> REPLACE", errors.SUB_TYPE),
        ("v MAP<ARRAY<INT>, INT> REPLACE", errors.SUB_TYPE),
        ("v STRUCT<f: INT, F: INT> REPLACE", errors.FIELD_TWICE),
        ("v INT", errors.VALUE_NOT_AGGREGATED),
    ],
)
def test_what_does_not_fit_is_refused(columns: str, kind: Kind) -> None:
    refuses(kind, table, f"CREATE TABLE t (k INT, {columns}) AGGREGATE KEY(k)")


@pytest.mark.parametrize("kind", ["hll", "quantile_state"])
@pytest.mark.parametrize("model", ["DUPLICATE", "UNIQUE"])
def test_states_belong_to_aggregate_tables(kind: str, model: str) -> None:
    message = refuses(errors.STATE_MODEL, table, f"CREATE TABLE t (k INT, v {kind}) {model} KEY(k)")
    assert message.startswith(f"{kind} type is only supported in aggregate key tables")


def test_bitmaps_belong_to_every_table() -> None:
    assert table("CREATE TABLE t (k INT, v BITMAP) DUPLICATE KEY(k)").columns[1].type.name == "bitmap"


@pytest.mark.parametrize("kind", ["BITMAP", "HLL", "QUANTILE_STATE"])
def test_states_are_no_keys(kind: str) -> None:
    message = refuses(errors.STATE_KEY, table, f"CREATE TABLE t (v {kind}, n INT SUM) AGGREGATE KEY(v)")
    assert message == "Key column can not set complex type:v"


def test_a_row_store_is_refused() -> None:
    text = 'CREATE TABLE t (k INT, v INT SUM) AGGREGATE KEY(k) PROPERTIES ("store_row_column" = "true")'
    refuses(errors.ROW_STORE_AGGREGATE, table, text)


def test_nesting_ends_at_nine() -> None:
    nine = "ARRAY<" * 9 + "INT" + ">" * 9
    assert str(table(f"CREATE TABLE t (k INT, v {nine})").columns[1].type) == nine.lower()
    refuses(errors.NESTING_DEPTH, table, f"CREATE TABLE t (k INT, v ARRAY<{nine}>)")


def test_show_create_table_runs_again() -> None:
    made = _states(
        "CREATE TABLE t (k INT, a ARRAY<INT> REPLACE DEFAULT '[]', b BITMAP BITMAP_UNION DEFAULT BITMAP_EMPTY,"
        " q QUANTILE_STATE QUANTILE_UNION, s agg_state<group_concat(string)> GENERIC, i IPV4 REPLACE) AGGREGATE KEY(k)"
    )
    assert printed(_states(printed(made).removesuffix(";"))) == printed(made)
    assert "`b` bitmap BITMAP_UNION NOT NULL DEFAULT BITMAP_EMPTY," in printed(made)
    assert "`q` quantile_state QUANTILE_UNION NOT NULL," in printed(made)
    assert "`s` agg_state<group_concat(text null)> GENERIC NOT NULL," in printed(made)


def test_add_column_needs_a_fitting_aggregation() -> None:
    made = table("CREATE TABLE t (k INT, v INT SUM) AGGREGATE KEY(k)")
    assert alter_table(made, "ALTER TABLE t ADD COLUMN w BITMAP BITMAP_UNION").columns[2].aggregation == "BITMAP_UNION"
    assert alter_table(made, "ALTER TABLE t ADD COLUMN l INT").column("l").key  # type: ignore[union-attr]
    refuses(errors.AGGREGATION_TYPE, alter_table, made, "ALTER TABLE t ADD COLUMN w DATE SUM")
