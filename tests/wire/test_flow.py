"""Large results: the first byte early, memory bounded, a client that does not read holds nothing up."""

from __future__ import annotations

import os
import time

import pytest

from server import outlet
from server.encode import CHUNK
from tests.unit.server.fake import Endless
from tests.waiting import wait
from tests.wire.conftest import FakeServer, connection_threads
from tests.wire.raw import Raw

BATCH_BYTES = 16_384 * 100
IN_FLIGHT_BYTES = outlet.IN_FLIGHT * CHUNK
RESTING_SECONDS = 1.0


def test_first_rows_come_while_the_query_runs(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        assert client.query("STREAM 2 wait") == b"\2"
        client.rest_until_eof()
        for number in range(16_384):
            assert client.read().endswith(b"y" * 90), number
        assert fake.engine.sleeping.started.is_set(), "the second batch is still being made"
        fake.registry.kill(1, query_only=True)
        assert client.read()[0] == 0xFF


def test_a_client_that_does_not_read_stops_the_worker(fake: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlet, "PATIENCE_SECONDS", 60)  # the rest goes to no file here
    with Raw(fake.port, receive_buffer=4096) as client:
        client.login()
        client.query("STREAM 1000")
        (source,) = fake.engine.sources
        wait(lambda: source.read * BATCH_BYTES > IN_FLIGHT_BYTES)
        _await_rest(source)
        assert source.read * BATCH_BYTES < 24 << 20, "what is read is bounded by chunks, buffers and sockets"


@pytest.mark.usefixtures("impatient")
def test_a_result_never_read_is_spooled_and_its_source_closed(fake: FakeServer) -> None:
    """The snapshot is released although the client still sleeps; later it gets every row."""
    batches = 20
    with Raw(fake.port, receive_buffer=4096) as client:
        client.login()
        assert client.query(f"STREAM {batches}") == b"\2"
        wait(lambda: fake.engine.sources and fake.engine.sources[0].is_closed)
        assert _resident() < 1 << 30
        client.rest_until_eof()
        count = 0
        while not (packet := client.read()).startswith(b"\xfe"):
            assert packet == _row(count % 16_384)
            count += 1
        assert count == batches * 16_384
        assert client.query("SELECT 1") == b"\1"


@pytest.mark.usefixtures("impatient")
def test_a_spooled_result_whose_client_goes_away_leaves_nothing(fake: FakeServer) -> None:
    files = _open_files()
    with Raw(fake.port, receive_buffer=4096) as client:
        client.login()
        client.query("STREAM 100")
        wait(lambda: fake.engine.sources and fake.engine.sources[0].is_closed)
        assert fake.registry.processes()
    wait(lambda: not fake.registry.processes())
    wait(lambda: _open_files() <= files)
    assert not connection_threads()


@pytest.mark.usefixtures("impatient")
def test_kill_of_a_spooled_result_does_not_cut_a_packet(fake: FakeServer) -> None:
    with Raw(fake.port, receive_buffer=4096) as client:
        client.login()
        client.query("STREAM 100 wait 20")
        assert fake.engine.sleeping.started.wait(10)
        fake.registry.kill(1, query_only=True)
        client.rest_until_eof()
        while (packet := client.read())[0] not in (0xFE, 0xFF):
            assert packet.endswith(b"y" * 90)
        assert packet[0] == 0xFF
        assert client.query("SELECT 1") == b"\1"


def test_others_are_served_while_one_does_not_read(fake: FakeServer) -> None:
    with Raw(fake.port, receive_buffer=4096) as lazy, Raw(fake.port) as other:
        lazy.login()
        lazy.query("STREAM 1000")
        other.login()
        began = time.monotonic()
        for _ in range(100):
            assert other.query("SELECT 1") == b"\1"
            other.rest_until_eof(), other.rest_until_eof()
        assert time.monotonic() - began < 5


def _await_rest(source: Endless) -> None:
    """Until no more is read for a while."""
    read, since = source.read, time.monotonic()

    def rests() -> bool:
        nonlocal read, since
        if source.read != read:
            read, since = source.read, time.monotonic()
        return time.monotonic() - since > RESTING_SECONDS

    wait(rests, 30)


def _row(number: int) -> bytes:
    text = str(number).encode()
    return bytes([len(text)]) + text + bytes([90]) + b"y" * 90


def _open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def _resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
