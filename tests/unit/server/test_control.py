"""The registry of connections: ids, limit, KILL by id."""

from __future__ import annotations

import pytest

from server.control import Registry
from sql.context import Process
from storage.errors import DorisError


class Member:
    """Remembers what was asked of it."""

    def __init__(self, number: int) -> None:
        self.number, self.calls = number, list[str]()

    def process(self) -> Process:
        return Process(self.number, "root", "h", 0, None, "Query", 0, "", f"q{self.number}", "SELECT 1")

    def interrupt(self, query_id: str = "") -> None:
        self.calls.append(f"interrupt {query_id}".strip())

    def end(self) -> None:
        self.calls.append("end")


def filled(limit: int = 9) -> tuple[Registry, list[Member]]:
    registry = Registry(limit)
    members = [Member(registry.new_id()) for _ in range(2)]
    for member in reversed(members):
        registry.enter(member.number, member, member.end, 100)
    return registry, members


def test_ids_count_from_one_and_processes_are_sorted() -> None:
    registry, _ = filled()
    assert [process.id for process in registry.processes()] == [1, 2]
    assert (registry.find_query("q2"), registry.find_query("q3")) == (2, None)


def test_kill() -> None:
    registry, (first, second) = filled()
    registry.kill(1, query_only=True)
    registry.kill(2, query_only=False)
    registry.kill(2, query_only=True, query_id="q2")
    assert (first.calls, second.calls) == (["interrupt"], ["interrupt", "end", "interrupt q2"])
    with pytest.raises(DorisError, match="Unknown thread id: 3"):
        registry.kill(3, query_only=True)


def test_the_limit_counts_those_who_are_in() -> None:
    registry, (first, _) = filled(limit=2)
    with pytest.raises(DorisError) as caught:
        registry.enter(3, first, first.end, 100)
    assert caught.value.code == 1203
    registry.leave(1)
    registry.leave(1)
    registry.enter(3, first, first.end, 100)
    assert len(registry) == 2
