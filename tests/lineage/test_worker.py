"""The queue and its worker: order, overflow, failing and hanging plugins, the end."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from dorisette.lineage import LineageInfo, LineagePlugin, QueryContext, frozen
from server.lineage import worker as worker_module
from server.lineage.asking import Asking
from server.lineage.plugin import Loaded
from server.lineage.worker import Worker
from tests.waiting import wait


def event(number: int) -> LineageInfo:
    context = QueryContext("InsertIntoTableCommand", query_id=f"q-{number}")
    return LineageInfo("internal.d.t", (), frozenset(), frozen({}), frozen({}), frozen({}), context)


@dataclass
class Plugin(LineagePlugin):
    """Remembers what it got; `act` is done for each event, `answer` asked for the filter."""

    label: str = "one"
    act: Callable[[LineageInfo], object] = lambda info: True
    answer: Callable[[], object] = lambda: True
    got: list[str] = field(default_factory=list)

    def name(self) -> str:
        return self.label

    def event_filter(self) -> bool:
        return self.answer()  # type: ignore[return-value]

    def exec(self, info: LineageInfo) -> bool:
        self.got.append(info.context.query_id)
        return self.act(info)  # type: ignore[return-value]


def loaded(*plugins: Plugin) -> list[Loaded]:
    return [Loaded(plugin.label, Path("/nowhere"), plugin) for plugin in plugins]


def fail(*_: object) -> object:
    raise SystemExit("a plugin may say what it likes")


@pytest.fixture
def warnings(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    return lambda: [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]


def test_events_come_in_order_to_all_plugins() -> None:
    one, two = Plugin("one"), Plugin("two")
    worker = Worker(loaded(one, two), 100)
    for number in range(50):
        worker.put(event(number))
    worker.stop(10)
    assert one.got == two.got == [f"q-{number}" for number in range(50)]


def test_a_plugin_that_raises_stops_nobody(warnings: Callable[[], list[str]]) -> None:
    """Neither the next plugin nor the next event; False as a result means nothing."""
    bad, deaf, false, good = (
        Plugin("bad", act=fail),
        Plugin("deaf", answer=fail),
        Plugin("false", act=lambda info: False),
        Plugin("good"),
    )
    worker = Worker(loaded(bad, deaf, false, good), 100)
    for number in range(2):
        worker.put(event(number))
    worker.stop(10)
    assert bad.got == false.got == good.got == ["q-0", "q-1"]
    assert deaf.got == []
    assert warnings()[:2] == [
        "encounter exception when processing lineage event q-0, ignore (plugin bad)",
        "encounter exception when processing lineage event q-0, ignore (plugin deaf)",
    ]


def test_a_full_queue_loses_the_new_event(warnings: Callable[[], list[str]]) -> None:
    """The one that is being handled does not count; putting does not wait."""
    begun, go_on = threading.Event(), threading.Event()

    def wait(info: LineageInfo) -> bool:
        begun.set()
        return go_on.wait(10)

    slow = Plugin(act=wait)
    worker = Worker(loaded(slow), 2)
    worker.put(event(0))
    assert begun.wait(10)
    for number in (1, 2, 3):
        worker.put(event(number))
    go_on.set()
    worker.stop(10)
    assert slow.got == ["q-0", "q-1", "q-2"]
    assert warnings() == ["the lineage event queue is full with size 2, discard the lineage event: q-3"]


def test_a_plugin_that_hangs_loses_events_and_nothing_else(warnings: Callable[[], list[str]]) -> None:
    """The end comes in time."""
    never = threading.Event()
    hanging = Plugin("hanging", act=lambda info: never.wait())
    worker = Worker(loaded(hanging), 10)
    for number in range(5):
        worker.put(event(number))
    wait(lambda: hanging.got)
    start = time.monotonic()
    worker.stop(0.2)
    assert time.monotonic() - start < 5
    assert warnings() == ["the lineage worker (plugin hanging) is not done after 0.2 s, 4 waiting events are lost"]
    never.set()


def test_a_slow_plugin_is_told_once(warnings: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "SLOW_SECONDS", 0.0)
    go_on = threading.Event()
    slow = Plugin("slow", act=lambda info: go_on.wait(10))
    worker = Worker(loaded(slow), 10)
    worker.put(event(0))
    wait(lambda: slow.got)
    worker.put(event(1))
    worker.put(event(2))
    assert warnings() == ["lineage plugin slow has been at event q-0 for 0 s"]
    go_on.set()
    worker.stop(10)


def test_exactly_the_surplus_of_each_burst_is_lost(warnings: Callable[[], list[str]]) -> None:
    """What was handed over takes no room: many times the queue's size gets through. bench/lineage.py tells how fast."""
    size, surplus, bursts = 1000, 3, 5
    allowed = threading.Semaphore(0)
    slow = Plugin(act=lambda info: allowed.acquire(timeout=10))
    worker = Worker(loaded(slow), size)
    worker.put(event(0))
    kept, lost = ["q-0"], []

    def is_empty() -> bool:
        return len(slow.got) == len(kept)

    for burst in range(bursts):
        wait(is_empty)
        numbers = range(10_000 * burst + 1, 10_000 * burst + size + surplus + 1)
        for number in numbers:
            worker.put(event(number))
        kept += [f"q-{number}" for number in numbers[:size]]
        lost += [f"q-{number}" for number in numbers[size:]]
        allowed.release(size)
    allowed.release()
    worker.stop(10)
    assert slow.got == kept
    line = f"the lineage event queue is full with size {size}, discard the lineage event: "
    assert warnings() == [line + query for query in lost]


# -- asking ----------------------------------------------------------------------------------------


def test_one_that_wants_is_enough() -> None:
    """They are asked in order, until one does."""
    asked: list[str] = []

    def answering(label: str, answer: object) -> Plugin:
        def answered() -> object:
            asked.append(label)
            return answer

        return Plugin(label, answer=answered)

    plugins = loaded(answering("one", None), answering("two", "yes"), answering("three", True))
    assert Asking(plugins).anyone_wants()
    assert asked == ["one", "two"]


def test_nobody_wants(warnings: Callable[[], list[str]]) -> None:
    """One that raises does not."""
    assert not Asking([]).anyone_wants()
    assert not Asking(loaded(Plugin(answer=fail), Plugin("two", answer=lambda: False))).anyone_wants()
    assert warnings() == ["event_filter() of lineage plugin one failed"]


def test_a_filter_that_hangs_costs_one_short_wait(warnings: Callable[[], list[str]]) -> None:
    """Until it comes back it is not asked; the others are."""
    go_on = threading.Event()
    hanging = Plugin("hanging", answer=lambda: go_on.wait(30))
    asking = Asking(loaded(hanging, Plugin("zz")), patience=0.2)
    assert asking.anyone_wants()
    start = time.monotonic()
    for _ in range(100):
        assert asking.anyone_wants()
    assert time.monotonic() - start < 10
    line = "event_filter() of lineage plugin hanging takes longer than 0.2 s, it gets no events until it returns"
    assert warnings() == [line]
    go_on.set()
    alone = Asking(loaded(hanging))
    assert alone.anyone_wants()


def test_many_ask_at_a_time() -> None:
    """Every thread gets its answer."""
    asking = Asking(loaded(Plugin()))
    answers: list[bool] = []
    threads = [
        threading.Thread(target=lambda: answers.extend(asking.anyone_wants() for _ in range(50))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert answers == [True] * 400
