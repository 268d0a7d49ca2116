"""What mysql-mimic 3.0.5 answers wrongly or not at all (its Connection), command by command."""

from __future__ import annotations

import time

import pymysql
import pytest
from pymysql.constants import CLIENT

from tests.wire.conftest import FakeServer
from tests.wire.raw import Raw, error, status

AUTOCOMMIT, IN_TRANSACTION, MORE_RESULTS = 2, 1, 8


def test_ok_carries_affected_rows_warnings_and_info(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        info = b"{'label':'l', 'status':'VISIBLE', 'txnId':'7'}"
        assert client.query("INSERT 300") == b"\0\xfc\x2c\x01\0\x02\0\x02\0" + bytes([len(info)]) + info
    with fake.connect() as connection, connection.cursor() as cursor:
        assert cursor.execute("INSERT 3") == 3


def test_a_result_ends_with_a_plain_eof(fake: FakeServer) -> None:
    """mysql-mimic sent the row count there, which breaks MariaDB Connector/J."""
    with Raw(fake.port) as client:
        client.login()
        assert client.query("SELECT 5") == b"\1"
        definition, end = client.rest_until_eof()
        assert definition.startswith(b"\x03def") and end == b"\xfe\0\0\x02\0"
        assert client.rest_until_eof() == [b"\x015", b"\xfe\0\0\x02\0"]


def test_status_flags_follow_the_session(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        assert status(client.login()) == AUTOCOMMIT
        assert status(client.query("BEGIN")) == AUTOCOMMIT | IN_TRANSACTION
        assert status(client.query("COMMIT")) == AUTOCOMMIT
        assert status(client.query("SET autocommit=0")) == 0


def test_several_statements_give_several_results(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        assert status(client.query("BEGIN; SELECT 1; COMMIT")) == AUTOCOMMIT | IN_TRANSACTION | MORE_RESULTS
        client.read(), client.rest_until_eof()
        assert client.rest_until_eof()[-1] == b"\xfe\0\0\x0b\0"
        assert status(client.read()) == AUTOCOMMIT


def test_an_error_ends_several_statements_after_the_results_before_it(fake: FakeServer) -> None:
    with fake.connect(client_flag=CLIENT.MULTI_STATEMENTS) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT 1; OOPS; SELECT 3")
        assert cursor.fetchall() == ((1,),)
        with pytest.raises(pymysql.err.Error) as caught:
            cursor.nextset()
        assert caught.value.args[0] == 1105
        cursor.execute("SELECT 4")
        assert cursor.fetchall() == ((4,),)
    assert "SELECT 3" not in fake.engine.statements


def test_a_text_without_a_statement_is_ok(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        assert client.query(" ; ") == b"\0\0\0\x02\0\0\0"


def test_errors_carry_code_sqlstate_and_doris_words(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        words = "errCode = 2, detailMessage = Syntax error in line 1, column 1: mismatched input 'OOPS'"
        assert error(client.query("OOPS")) == (1105, "HY000", words)
        assert error(client.query("USE nowhere")) == (1049, "42000", "Unknown database 'nowhere'")
        assert client.query("SELECT 1") == b"\1", "the connection goes on"


def test_an_unknown_exception_shows_nothing_but_the_query_id(
    fake: FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    with Raw(fake.port) as client:
        client.login()
        code, state, words = error(client.query("CRASH"))
        assert (code, state) == (1105, "HY000")
        assert words.startswith("errCode = 2, detailMessage = internal error, see fe.log for query id ")
        assert client.query("SELECT 1") == b"\1"
    assert words.rpartition(" ")[2] in caplog.text and "the secret of the server" in caplog.text


def test_an_error_in_the_middle_of_rows_ends_the_rows(fake: FakeServer) -> None:
    with fake.connect() as connection, connection.cursor(pymysql.cursors.SSCursor) as cursor:
        cursor.execute("STREAM 2 fail")
        with pytest.raises(pymysql.err.Error, match="internal error"):
            cursor.fetchall()
    assert fake.engine.sources[0].is_closed


def test_commands_without_an_answer_get_none(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        for number in (0x18, 0x19):  # COM_STMT_SEND_LONG_DATA, COM_STMT_CLOSE
            client.sequence = 0
            client.write(bytes([number]) + bytes(6))
        assert client.query("SELECT 1") == b"\1"


@pytest.mark.parametrize("number", [0x00, 0x05, 0x06, 0x07, 0x08, 0x0B, 0x0D, 0x0F, 0x12, 0x1E, 0x20, 0xFA, 0xFF])
def test_unknown_commands(fake: FakeServer, number: int) -> None:
    with Raw(fake.port) as client:
        client.login()
        assert error(client.command(number)) == (1047, "08S01", "Unknown command")
        assert client.query("SELECT 1") == b"\1"


def test_an_empty_packet_is_an_unknown_command(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        client.sequence = 0
        client.write(b"")
        assert error(client.read())[0] == 1047


def test_ping_statistics_and_set_option(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        assert status(client.command(0x0E)) == AUTOCOMMIT
        assert client.command(0x09).startswith(b"Uptime: ")
        for option in (b"\0\0", b"\1\0"):
            assert client.command(0x1B, option) == b"\xfe\0\0\x02\0"
        assert error(client.command(0x1B, b"\0"))[0] == 1835


def test_quit_closes(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        assert client.command(0x01) == b""


def test_init_db_checks_the_name(fake: FakeServer) -> None:
    with fake.connect() as connection:
        connection.select_db("shop")
        assert fake.registry.processes()[0].database == "shop"
        with pytest.raises(pymysql.err.OperationalError) as caught:
            connection.select_db("no`where")
        assert caught.value.args[0] == 1049


def test_field_list_has_one_packet_a_column(fake: FakeServer) -> None:
    """mysql-mimic glued all definitions into one packet."""
    with Raw(fake.port) as client:
        client.login()
        first = client.command(0x04, b"t\0%")
        assert first.startswith(b"\x03def") and first.endswith(b"\xfb")
        assert client.read() == b"\xfe\0\0\x02\0"


def test_reset_connection_resets(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login(database="shop")
        client.query("SET autocommit=0")
        assert status(client.query("BEGIN")) == IN_TRANSACTION
        assert status(client.command(0x1F)) == AUTOCOMMIT
        assert fake.registry.processes()[0].database == "shop"


def test_a_packet_over_the_limit_is_told_and_ends_the_connection(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        client.sequence = 0
        client.write(b"\x03" + b"x" * 17_000_000)
        assert error(client.read()) == (1153, "08S01", "Got a packet bigger than 'max_allowed_packet' bytes")
        assert client.is_closed()
    with fake.connect() as connection, connection.cursor() as cursor, pytest.raises(pymysql.err.Error) as caught:
        cursor.execute("SELECT '" + "x" * 17_000_000 + "'")
    assert caught.value.args[0] == 1153


def test_a_packet_of_sixteen_mebibytes_is_read(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        text = "SELECT " + "9" * 10 + " " * (16_777_216 - 1 - 17)
        assert client.query(text) == b"\1"


def test_packets_out_of_order_end_the_connection(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        client.sequence = 5
        client.write(b"\x03SELECT 1")
        assert error(client.read()) == (1156, "08S01", "Got packets out of order")
        assert client.is_closed()


def test_bytes_that_are_not_utf8_are_refused_in_mysqls_words(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        words = r"Invalid utf8mb4 character string: '\xFF\xFE\x27'"
        assert error(client.command(3, b"SELECT '\xff\xfe'")) == (1300, "HY000", words)
        assert client.query("SELECT 'Zürich 🚀'") == b"\1"


def test_a_cell_of_twenty_megabytes(fake: FakeServer) -> None:
    """mysql-mimic wrote a cut length and lost the client."""
    with fake.connect() as connection, connection.cursor() as cursor:
        cursor.execute("CELL 20000000")
        assert cursor.fetchone() == (b"x" * 20_000_000,)
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)


def test_an_idle_client_is_closed_after_wait_timeout(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        client.query("SET wait_timeout=1")
        began = time.monotonic()
        assert client.is_closed() and 0.5 < time.monotonic() - began < 5
