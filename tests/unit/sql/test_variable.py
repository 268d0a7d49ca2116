"""Session and global variables: types, scopes, refusals, listing."""

from __future__ import annotations

import datetime

import pytest

from sql.variable import DEFAULT, Globals, Variables
from sql.variable_table import TABLE, Reach
from storage import errors
from storage.errors import Kind
from storage.zone import zone_name
from tests.unit.sql.draft import refuses


def test_a_session_starts_from_the_global_values_and_keeps_its_own() -> None:
    shared = Globals({"port": 1234})
    first = Variables(shared)
    first.set("query_timeout", 5, "GLOBAL")
    second = Variables(shared)
    assert (first.get("query_timeout"), second.get("query_timeout")) == (900, 5)
    assert first.get("query_timeout", "GLOBAL") == 5
    second.set("query_timeout", "7")
    assert (second.number("query_timeout"), second.get("query_timeout", "GLOBAL")) == (7, 5)
    assert second.get("port") == 1234
    second.set("query_timeout", DEFAULT)
    assert second.get("query_timeout") == 5


def test_names_are_case_insensitive_and_may_be_experimental() -> None:
    variables = Variables()
    variables.set("EXPERIMENTAL_Enable_Nereids_Planner", "off")
    assert variables.get("enable_nereids_planner") is False


def test_values_come_in_any_spelling_of_their_type() -> None:
    variables = Variables()
    for value, expected in ((1, True), ("OFF", False), ("true", True), (False, False), ("0", False)):
        variables.set("autocommit", value)
        assert variables.get("autocommit") is expected
    variables.set("insert_max_filter_ratio", "0.5")
    assert variables.get("insert_max_filter_ratio") == 0.5
    variables.set("group_commit", "ASYNC_MODE")
    assert variables.get("group_commit") == "async_mode"
    variables.set("character_set_results", None)
    assert variables.get("character_set_results") == ""


def test_sql_mode_takes_a_list() -> None:
    variables = Variables()
    variables.set("sql_mode", f"{variables.get('sql_mode')},strict_trans_tables,")
    assert variables.get("sql_mode") == "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES"
    variables.set("sql_mode", "")
    assert variables.get("sql_mode") == ""


def test_the_two_names_of_the_isolation_level_are_one() -> None:
    variables = Variables()
    variables.set("tx_isolation", "read-committed")
    assert variables.get("transaction_isolation") == "READ-COMMITTED"


REFUSED: list[tuple[str, object, Kind]] = [
    ("nope", 1, errors.UNKNOWN_VARIABLE),
    ("version", "1", errors.READ_ONLY_VARIABLE),
    ("init_connect", "x", errors.GLOBAL_VARIABLE),
    ("query_timeout", "soon", errors.WRONG_VARIABLE_TYPE),
    ("query_timeout", 1.5, errors.WRONG_VARIABLE_TYPE),
    ("query_timeout", 0, errors.WRONG_VARIABLE_VALUE),
    ("autocommit", "maybe", errors.WRONG_VARIABLE_VALUE),
    ("sql_mode", "STRICT", errors.WRONG_VARIABLE_VALUE),
    ("group_commit", "fast", errors.WRONG_VARIABLE_VALUE),
    ("insert_max_filter_ratio", 2, errors.WRONG_VARIABLE_VALUE),
    ("time_zone", "Mars/Base", errors.UNKNOWN_TIME_ZONE),
    ("time_zone", "+15:00", errors.UNKNOWN_TIME_ZONE),
]


@pytest.mark.parametrize(("name", "value", "kind"), REFUSED)
def test_a_refused_value_changes_nothing(name: str, value: object, kind: Kind) -> None:
    variables = Variables()
    before = variables.listing()
    refuses(kind, variables.set, name, value)
    assert variables.listing() == before


def test_time_zones_have_one_spelling() -> None:
    assert zone_name("+8:00") == "+08:00"
    assert zone_name("asia/shanghai") == "Asia/Shanghai"
    assert zone_name("CST") == "Asia/Shanghai"
    variables = Variables()
    variables.set("time_zone", "-03:30")
    assert variables.zone.utcoffset(None) == -datetime.timedelta(hours=3, minutes=30)


def test_the_listing_is_sorted_and_says_what_changed() -> None:
    variables = Variables()
    variables.set("show_hidden_columns", True)
    rows = variables.listing()
    assert [row.name for row in rows] == sorted(TABLE)
    changed = [row for row in rows if row.changed]
    assert [(row.name, row.value, row.default) for row in changed] == [("show_hidden_columns", "true", "false")]


def test_a_copy_is_independent() -> None:
    variables = Variables()
    hinted = variables.copy()
    hinted.set("query_timeout", 1)
    assert variables.get("query_timeout") == 900


def test_every_default_is_a_value_of_its_own_variable() -> None:
    for variable in TABLE.values():
        if variable.reach is not Reach.READ_ONLY:
            Variables().set(variable.name, variable.default, "GLOBAL")
