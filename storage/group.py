"""Who commits for whom: the writers of one table that wait at the same time are committed by one of them.

Pure threads; what a group does is a function it is given. The first writer of a table leads: it takes whoever
is waiting once it may work, works, and hands the lead to the first of those that came meanwhile. Those who were
just served come back a moment later, so a leader waits that moment for as many as the last group had; without it
a crowd falls into two halves that take turns. A leader may make itself ready before it takes them. A writer alone
waits for nobody, and a slow table stalls no other. Who waits may leave the line until a leader has taken it; from
then on the leader decides what becomes of its work.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from storage.lock import ASK_SECONDS, Ask, patient

LARGEST_GROUP = 256
CROWD = 3  # the size of a group from which on its members are expected back
COMPANY_SECONDS = 0.008  # how long at most

W = TypeVar("W")
R = TypeVar("R")


@dataclass(slots=True, eq=False)
class Member(Generic[W, R]):
    """One waiting writer: its work, and what came of it - a result or an error."""

    work: W
    result: R | None = None
    error: BaseException | None = None
    woken: bool = False  # whether the work is done, or this writer is to lead
    _gate: threading.Lock = field(default_factory=threading.Lock)  # an Event takes three times as long

    def __post_init__(self) -> None:
        self._gate.acquire()

    @property
    def settled(self) -> bool:
        return self.result is not None or self.error is not None

    def wait(self, ask: Ask) -> None:
        """Until woken; `ask` raises to stop waiting."""
        while not self._gate.acquire(timeout=ASK_SECONDS):
            ask()

    def wake(self) -> None:
        """Let the writer go on; once."""
        self.woken = True
        self._gate.release()

    def outcome(self) -> R:
        """The result, or the error raised in the writer's own thread."""
        if self.error is not None:
            raise self.error
        assert self.result is not None
        return self.result


Take = Callable[[], "list[Member[W, R]]"]


class Groups(Generic[W, R]):
    """One waiting line a key, made on demand and forgotten when nobody is in it."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._arrived = threading.Condition(self._guard)
        self._crowds: dict[Hashable, int] = {}  # the size of the last group, where it was a crowd
        self._lines: dict[Hashable, list[Member[W, R]]] = {}  # a key is there while somebody leads

    def submit(self, key: Hashable, work: W, lead: Callable[[Take[W, R]], None], ask: Ask = patient) -> R:
        """Have `work` done by a leader of `key`, perhaps this thread; raises what the work raised.

        `lead` is called with a function that gives the members of the group, itself among them, once; it must
        settle every one of them. Should it raise, those that it left unsettled get its error. What `ask` raises
        while the work stands in line takes it out of the line.
        """
        member: Member[W, R] = Member(work)
        if not self._joins(key, member):
            self._wait(key, member, ask)
        if not member.settled:
            self._lead(key, member, lead)
        return member.outcome()

    def _joins(self, key: Hashable, member: Member[W, R]) -> bool:
        """Stand in line; whether this writer leads at once."""
        with self._guard:
            line = self._lines.get(key)
            if line is None:
                self._lines[key] = [member]
                return True
            line.append(member)
            if len(line) >= self._crowds.get(key, 0):  # whoever leads need not look before
                self._arrived.notify_all()
            return False

    def _wait(self, key: Hashable, member: Member[W, R], ask: Ask) -> None:
        """Until woken, or until `ask` raises; a member that a group has taken waits for its outcome in any case."""
        try:
            member.wait(ask)
        except BaseException:
            with self._guard:
                is_in_line = member in self._lines.get(key, ())
                if is_in_line:
                    self._leave(key, member)
            if is_in_line:
                raise
            member.wait(patient)

    def _leave(self, key: Hashable, member: Member[W, R]) -> None:
        """Step out of the line, under the guard; the lead goes to the next, if this one had been given it."""
        self._lines[key].remove(member)
        if member.woken:
            self._wake_next(key)

    def _wake_next(self, key: Hashable) -> None:
        """Give the lead to the first of the line, under the guard; a line with nobody in it is forgotten."""
        if self._lines[key]:
            self._lines[key][0].wake()
        else:
            del self._lines[key]

    def _lead(self, key: Hashable, member: Member[W, R], lead: Callable[[Take[W, R]], None]) -> None:
        group: list[Member[W, R]] = []

        def take() -> list[Member[W, R]]:
            with self._guard:
                line = self._lines[key]
                self._await_company(key, line)
                group.extend(line[:LARGEST_GROUP])
                del line[:LARGEST_GROUP]
                self._note_size(key, len(group))
            return list(group)

        try:
            lead(take)
        finally:
            self._pass_on(key, member, group, sys.exception())

    def _await_company(self, key: Hashable, line: Sequence[object]) -> None:
        """Let those of the last group come back, if it was a crowd; fewer who come make the next wait for fewer."""
        expected = self._crowds.get(key, 0)
        self._arrived.wait_for(lambda: len(line) >= expected, COMPANY_SECONDS)

    def _note_size(self, key: Hashable, size: int) -> None:
        if size >= CROWD:
            self._crowds[key] = size
        else:
            self._crowds.pop(key, None)

    def _pass_on(
        self, key: Hashable, member: Member[W, R], group: list[Member[W, R]], failed: BaseException | None
    ) -> None:
        """Wake the group, and the first of those that came meanwhile as the next leader."""
        for other in group:
            if failed is not None and not other.settled:
                other.error = failed  # each raises it in its own thread
        with self._guard:
            if not group:
                self._lines[key].remove(member)  # it failed before it took anybody
            self._wake_next(key)
        for other in group:
            if other is not member:
                other.wake()

    def waiting(self, key: Hashable) -> int:
        """How many stand in a line that no leader has taken yet, a leader that has not begun among them."""
        with self._guard:
            return len(self._lines.get(key, ()))
