"""Statements end when they must: KILL, a client that goes away, query_timeout, the end of the server."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from server import audit
from server.session import Session
from tests.waiting import wait
from tests.wire.conftest import FakeServer, connection_threads
from tests.wire.raw import Raw, error


def sleeping(fake: FakeServer) -> Raw:
    """A client whose statement runs until it is interrupted."""
    client = Raw(fake.port)
    client.login()
    client.sequence = 0
    client.write(b"\x03SLEEP")
    assert fake.engine.sleeping.started.wait(10)
    return client


def test_kill_query_ends_the_statement(fake: FakeServer) -> None:
    with sleeping(fake) as client:
        (process,) = fake.registry.processes()
        assert (process.command, process.info) == ("Query", "SLEEP")
        assert fake.registry.find_query(process.query_id) == process.id
        fake.registry.kill(process.id, query_only=True)
        assert error(client.read()) == (1317, "70100", "Query execution was interrupted")
        assert client.query("SELECT 1") == b"\1", "the connection goes on"


def test_the_process_list_never_shows_the_id_of_the_statement_before(fake: FakeServer) -> None:
    """Held between the moment a statement comes and the moment it runs, it has no id; then it has its own."""
    gate = threading.Event()

    def hold() -> None:
        gate.wait(20)

    with Raw(fake.port) as client:
        client.login()
        client.query("SELECT 1"), client.rest_until_eof(), client.rest_until_eof()
        session = fake.registry._entries[1].member
        assert isinstance(session, Session)
        before = wait(lambda: None if session.is_busy else session.context.query_id)
        session._worker.submit(hold)
        client.sequence = 0
        client.write(b"\x03SLEEP")
        wait(lambda: session.is_busy)
        try:
            (process,) = fake.registry.processes()
            assert (process.command, process.info, process.query_id) == ("Query", "SLEEP", "")
            assert (fake.registry.find_query(before), fake.registry.find_query("")) == (None, None)
        finally:
            gate.set()
        assert fake.engine.sleeping.started.wait(10)
        (process,) = fake.registry.processes()
        assert process.query_id not in ("", before)
        assert fake.registry.find_query(process.query_id) == process.id
        fake.registry.kill(process.id, query_only=True)
        assert error(client.read())[0] == 1317


def test_kill_of_a_query_never_hits_the_statement_behind_it(fake: FakeServer) -> None:
    with sleeping(fake) as client:
        (process,) = fake.registry.processes()
        fake.registry.kill(process.id, query_only=True, query_id="the one before")
        session = fake.registry._entries[process.id].member
        assert isinstance(session, Session) and session._outlet is not None
        assert session._outlet.cancelled is None
        fake.registry.kill(process.id, query_only=True, query_id=process.query_id)
        assert error(client.read())[0] == 1317


def test_kill_ends_the_connection_after_the_error(fake: FakeServer) -> None:
    with sleeping(fake) as client:
        fake.registry.kill(1, query_only=False)
        assert error(client.read())[0] == 1317
        assert client.is_closed()


def test_kill_of_an_idle_connection_closes_it(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        fake.registry.kill(1, query_only=True)
        assert client.query("SELECT 1") == b"\1", "KILL QUERY of an idle connection leaves no trace"
        client.rest_until_eof(), client.rest_until_eof()
        fake.registry.kill(1, query_only=False)
        assert client.is_closed()


@pytest.mark.parametrize("how", ["close", "reset"])
def test_a_client_that_vanishes_stops_its_statement(fake: FakeServer, how: str) -> None:
    client = sleeping(fake)
    if how == "reset":
        client.socket.setsockopt(1, 13, b"\1\0\0\0\0\0\0\0")  # SO_LINGER 0: RST
    client.socket.close()
    wait(lambda: not fake.registry.processes())
    assert not connection_threads()


def test_a_client_that_vanishes_in_the_middle_of_rows(fake: FakeServer) -> None:
    with Raw(fake.port, receive_buffer=4096) as client:
        client.login()
        assert client.query("STREAM 100000") == b"\2"
    wait(lambda: not fake.registry.processes())
    (source,) = fake.engine.sources
    assert source.is_closed and source.read < 1000
    assert not connection_threads()


def test_query_timeout(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        client.query("SET query_timeout=1")
        words = "errCode = 2, detailMessage = query timeout after 1 s (query_timeout)"
        assert error(client.query("SLEEP")) == (1105, "HY000", words)
        assert client.query("SELECT 1") == b"\1"


def test_the_server_waits_for_statements_then_interrupts_them(fake: FakeServer) -> None:
    with sleeping(fake) as client, Raw(fake.port) as idle:
        idle.login()
        began = time.monotonic()
        fake.call(fake.server.stop(0.5))
        assert 0.4 < time.monotonic() - began < 5
        assert error(client.read()) == (1053, "08S01", "Server shutdown in progress")
        assert client.is_closed() and idle.is_closed()
        with pytest.raises(ConnectionRefusedError):
            Raw(fake.port)


def test_no_thread_before_the_first_statement_and_none_after_the_last(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        assert not connection_threads()
        client.query("SELECT 1")
    wait(lambda: not connection_threads())


def test_an_answer_waits_for_no_audit_line_but_the_end_of_the_server_does(
    fake: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_write, written = threading.Event(), list[str]()

    def write(entry: audit.Entry) -> None:
        assert may_write.wait(20)
        written.append(entry.statement)

    monkeypatch.setattr(audit, "record", write)
    with Raw(fake.port) as client, ThreadPoolExecutor(1) as pool:
        client.login()
        assert client.query("INSERT 3").startswith(b"\0\3")
        assert written == []
        stopping = pool.submit(fake.call, fake.server.stop(20))
        with pytest.raises(TimeoutError):
            stopping.result(0.2)
        may_write.set()
        assert stopping.result(20)
    assert written == ["INSERT 3"]
