"""SET, SHOW VARIABLES, KILL and ADMIN through the engine: what clients send when they connect."""

from __future__ import annotations

import pytest

from storage import errors
from tests.unit.sql.client import Client

CONNECT = [
    "SET NAMES utf8mb4",
    "SET NAMES 'utf8mb4' COLLATE 'utf8mb4_0900_ai_ci'",
    "SET @@session.autocommit = OFF",
    "set autocommit=1, sql_mode = concat(@@sql_mode,',STRICT_TRANS_TABLES')",
    "SET SESSION SQL_AUTO_IS_NULL=0",
    "SET session_track_schema= ON",
    "SET session_track_system_variables='autocommit,transaction_isolation'",
    "SET character_set_results = NULL",
    "SET CHARACTER SET utf8",
    "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY",
    "SET @@session.time_zone = '+02:00'",
    "SET sql_mode='STRICT_TRANS_TABLES'",
    "SET SQL_SELECT_LIMIT=DEFAULT",
    "/*!40101 SET NAMES utf8 */",
]


@pytest.mark.parametrize("text", CONNECT)
def test_what_drivers_send_is_accepted(client: Client, text: str) -> None:
    client.run(text)


def test_names_set_three_character_sets_and_the_collation(client: Client) -> None:
    client.run("SET NAMES utf8 COLLATE utf8_bin")
    asked = "SELECT @@character_set_client, @@character_set_results, @@character_set_connection, @@collation_connection"
    assert client.run(asked) == [("utf8mb3", "utf8mb3", "utf8mb3", "utf8_bin")]
    client.refused(errors.UNKNOWN_CHARSET, "SET NAMES klingon")


def test_values_are_computed(client: Client) -> None:
    client.run("SET @x = 1 + 2, @y = 'it''s', query_timeout = (SELECT 40 + 2)")
    assert client.run("SELECT @x, @y, @@query_timeout, @nobody") == [(3, "it's", 42, None)]
    client.run("SET @x = @x * 2")
    assert client.column("SELECT @x") == [6]


def test_of_several_items_all_or_none_are_set(client: Client) -> None:
    client.refused(errors.WRONG_VARIABLE_VALUE, "SET @x = 1, query_timeout = 5, group_commit = 'fast'")
    assert client.run("SELECT @x, @@query_timeout") == [(None, 900)]


def test_global_values_are_for_new_sessions(client: Client) -> None:
    client.run("SET GLOBAL query_timeout = 77")
    assert client.run("SELECT @@query_timeout, @@global.query_timeout") == [(900, 77)]
    assert client.other().column("SELECT @@query_timeout") == [77]
    client.refused(errors.GLOBAL_VARIABLE, "SET init_connect = 'x'")
    client.refused(errors.READ_ONLY_VARIABLE, "SET GLOBAL version = '9'")
    client.refused(errors.UNKNOWN_VARIABLE, "SET no_such_thing = 1")
    assert "but found x" in client.refused(errors.NEW_KEY_BEHAVIOR, "SET partial_update_new_key_behavior = 'x'")


def test_show_variables_has_four_columns(client: Client) -> None:
    client.run("SET show_hidden_columns = true")
    assert client.headings("SHOW VARIABLES") == ["Variable_name", "Value", "Default_Value", "Changed"]
    assert client.run("SHOW VARIABLES LIKE 'SHOW_HIDDEN%'") == [("show_hidden_columns", "true", "false", "1")]
    assert client.column("SHOW VARIABLES WHERE Variable_name = 'autocommit'") == ["autocommit"]
    asked = "SELECT CHANGED FROM information_schema.session_variables WHERE VARIABLE_NAME = 'show_hidden_columns'"
    assert client.column(asked) == ["1"]
    assert client.column("SHOW GLOBAL VARIABLES LIKE 'show_hidden_columns'") == ["show_hidden_columns"]


def test_kill_reaches_own_connections_only_but_for_an_administrator(client: Client) -> None:
    client.run("KILL 2; KILL QUERY 1; KILL QUERY 'q-1'")
    assert client.sessions.killed == [(2, False), (1, True), (1, True)]
    client.refused(errors.UNKNOWN_THREAD, "KILL 99")
    client.refused(errors.UNKNOWN_THREAD, "KILL QUERY 'nothing'")
    client.other("eve").refused(errors.NOT_OWNER_OF_THREAD, "KILL 1")


def test_the_process_list_shows_others_only_to_an_administrator(client: Client) -> None:
    assert [row[1] for row in client.run("SHOW PROCESSLIST")] == ["1", "2"]
    assert [row[1] for row in client.other("eve").run("SHOW PROCESSLIST")] == ["2"]
    assert len(str(client.run("SHOW PROCESSLIST")[0][11])) == 100
    assert len(str(client.run("SHOW FULL PROCESSLIST")[0][11])) > 100
    assert client.column("SELECT ID FROM information_schema.processlist ORDER BY 1") == [1, 2]


def test_configuration_is_shown_and_changed_one_key_at_a_time(client: Client) -> None:
    client.run('ADMIN SET FRONTEND CONFIG ("label_keep_max_second" = "7")')
    rows = client.run("ADMIN SHOW FRONTEND CONFIG LIKE 'label_keep%'")
    assert rows[0][:4] == ("label_keep_max_second", "7", "int", "true")
    client.refused(errors.CONFIG_NOT_MUTABLE, 'ADMIN SET FRONTEND CONFIG ("enable_feature_changelog" = "false")')
    client.refused(errors.CONFIG_NOT_FOUND, 'ADMIN SET FRONTEND CONFIG ("nonsense" = "1")')
    client.refused(errors.CONFIG_PAIRS, 'ADMIN SET FRONTEND CONFIG ("query_port" = "1", "http_port" = "2")')


def test_the_server_is_one_frontend_and_one_backend(client: Client) -> None:
    assert len(client.run("SHOW FRONTENDS")[0]) == 19 and len(client.run("SHOW BACKENDS")[0]) == 25


EMPTY = ["TRIGGERS", "EVENTS", "PROCEDURE STATUS", "FUNCTION STATUS", "PLUGINS", "OPEN TABLES", "STATUS", "WARNINGS"]


@pytest.mark.parametrize("what", EMPTY)
def test_what_tools_ask_for_is_empty_but_there(client: Client, what: str) -> None:
    assert client.run(f"SHOW {what}") == []
    assert len(client.headings(f"SHOW {what}")) > 1


def test_engines_and_character_sets(client: Client) -> None:
    assert client.column("SHOW ENGINES") == ["Olap", "MySQL"]
    assert client.run("SHOW CHARSET") == [("utf8mb4", "UTF-8 Unicode", "utf8mb4_0900_bin", "4")]
    assert "utf8mb4_general_ci" in client.column("SHOW COLLATION")
