"""The waiting line alone: who leaves it is never worked for, and the lead is never lost."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from storage.group import Groups, Member, Take
from storage.lock import Ask, patient
from tests.waiting import wait

KEY = "t"


class _LeftError(Exception):
    """What a writer that gives up answers."""


class Line:
    """A line whose leaders wait for `door` before they take, and for `desk` while they work."""

    def __init__(self) -> None:
        self.groups: Groups[str, str] = Groups()
        self.door, self.taken, self.desk = threading.Event(), threading.Event(), threading.Event()
        self.done: list[str] = []


class Writer:
    """One that stands in the line until it is told to leave; one that ponders gives no answer before that."""

    def __init__(self, pool: ThreadPoolExecutor, line: Line, name: str, behind: int, *, ponders: bool = False) -> None:
        self._line = line
        self._ponders = ponders
        self.asked, self.may_answer = threading.Event(), threading.Event()
        self.future: Future[str] = pool.submit(line.groups.submit, KEY, name, self._lead, self._ask)
        wait(lambda: line.groups.waiting(KEY) == behind + 1)

    def _ask(self) -> None:
        self.asked.set()
        if self._ponders:
            assert self.may_answer.wait(20)
        if self.may_answer.is_set():
            raise _LeftError

    def _lead(self, take: Take[str, str]) -> None:
        while not self._line.door.wait(0.01):
            self._ask()
        members: list[Member[str, str]] = take()
        self._line.taken.set()
        assert self._line.desk.wait(20)
        for member in members:
            self._line.done.append(member.work)
            member.result = member.work

    def leaves(self) -> None:
        self.may_answer.set()
        with pytest.raises(_LeftError):
            self.future.result(20)


def test_one_of_the_line_leaves() -> None:
    line = Line()
    with ThreadPoolExecutor(3) as pool:
        first, second, third = (Writer(pool, line, name, place) for place, name in enumerate("abc"))
        second.leaves()
        line.desk.set()
        line.door.set()
        assert (first.future.result(20), third.future.result(20)) == ("a", "c")
    assert line.done == ["a", "c"]
    assert not line.groups._lines


def test_a_leader_leaves_and_the_next_leads() -> None:
    line = Line()
    with ThreadPoolExecutor(2) as pool:
        first, second = (Writer(pool, line, name, place) for place, name in enumerate("ab"))
        first.leaves()
        line.desk.set()
        line.door.set()
        assert second.future.result(20) == "b"
    assert line.done == ["b"]


def test_all_leave_and_the_line_is_forgotten() -> None:
    line = Line()
    with ThreadPoolExecutor(3) as pool:
        for writer in [Writer(pool, line, name, place) for place, name in enumerate("abc")][::-1]:
            writer.leaves()
    assert line.done == []
    assert not line.groups._lines


@pytest.fixture
def resigned(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Set once a writer waits without being asked: it wanted to leave, and could not."""
    event, plain = threading.Event(), Member.wait

    def waiting(member: Member[str, str], ask: Ask) -> None:
        if ask is patient:
            event.set()
        plain(member, ask)

    monkeypatch.setattr(Member, "wait", waiting)
    return event


def test_who_has_been_taken_waits_for_the_outcome(resigned: threading.Event) -> None:
    line = Line()
    with ThreadPoolExecutor(2) as pool:
        first, second = Writer(pool, line, "a", 0), Writer(pool, line, "b", 1, ponders=True)
        line.door.set()
        assert line.taken.wait(20)
        assert second.asked.wait(20)
        second.may_answer.set()
        assert resigned.wait(20)
        assert not second.future.done()
        line.desk.set()
        assert (first.future.result(20), second.future.result(20)) == ("a", "b")
    assert line.done == ["a", "b"]


@pytest.mark.parametrize("others", ["", "c", "cd"])
def test_who_is_given_the_lead_while_it_leaves_hands_it_on(others: str) -> None:
    line = Line()
    with ThreadPoolExecutor(4) as pool:
        line.door.set()
        first = Writer(pool, line, "a", -1)
        assert line.taken.wait(20)
        second = Writer(pool, line, "b", 0, ponders=True)
        assert second.asked.wait(20)
        rest = [Writer(pool, line, name, place) for place, name in enumerate(others, 1)]
        line.desk.set()
        assert first.future.result(20) == "a"  # it has given the lead to b, which is about to leave
        second.leaves()
        assert [writer.future.result(20) for writer in rest] == list(others)
    assert line.done == ["a", *others]
    assert not line.groups._lines
