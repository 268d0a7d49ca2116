"""Bytes leave the worker in order, whatever way they take, and a worker is never left waiting."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from server import outlet
from server.outlet import IN_FLIGHT, Outlet
from storage.errors import INTERRUPTED, DorisError


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlet, "PATIENCE_SECONDS", 0.05)


def run(work: Callable[[Outlet], None], directory: Path, cancel: bool = False) -> tuple[bytes, bool]:
    """Let a worker thread do its work before anything is taken; return all bytes and whether they are broken."""

    async def main() -> tuple[bytes, bool]:
        there = Outlet(directory)
        if cancel:
            assert there.cancel(INTERRUPTED()) and not there.cancel(INTERRUPTED())
        thread = threading.Thread(target=work, args=(there,))
        thread.start()
        await there.ended()
        taken = b""
        while (chunk := await there.chunk()) is not None:
            taken += bytes(chunk)
            there.sent()
        there.close()
        thread.join()
        return taken, there.is_broken

    return asyncio.run(main())


def test_what_does_not_fit_goes_through_a_file_and_keeps_its_order(tmp_path: Path) -> None:
    pieces = [bytes([65 + number]) * 1000 for number in range(IN_FLIGHT + 20)]

    def work(there: Outlet) -> None:
        for piece in pieces:
            there.send(piece)
        there.finish(b"end")

    assert run(work, tmp_path) == (b"".join(pieces) + b"end", False)
    assert not list(tmp_path.iterdir()), "the file has no name"


def test_a_large_piece_is_cut(tmp_path: Path) -> None:
    piece = bytes(range(256)) * 20_000

    def work(there: Outlet) -> None:
        there.send(piece)
        there.finish(b"end")

    assert run(work, tmp_path) == (piece + b"end", False)


def test_a_cancelled_worker_hands_over_whole_packets_and_stops(tmp_path: Path) -> None:
    piece = b"p" * (3 << 20)

    def work(there: Outlet) -> None:
        with pytest.raises(DorisError) as caught:
            there.send(piece)
        assert caught.value.kind is INTERRUPTED
        there.finish(b"error")

    assert run(work, tmp_path, cancel=True) == (piece + b"error", False)


def test_a_result_that_cannot_be_kept_breaks_the_answer(tmp_path: Path) -> None:
    def work(there: Outlet) -> None:
        with pytest.raises(DorisError, match="cannot be kept for the client"):
            for _ in range(IN_FLIGHT + 1):
                there.send(b"x")
        there.finish(b"error")

    assert run(work, tmp_path / "not there")[1]


def test_an_answer_without_last_packets_is_broken(tmp_path: Path) -> None:
    assert run(lambda there: there.finish(b""), tmp_path) == (b"", True)
