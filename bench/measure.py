"""What a measurement is, and how a run of them is timed and shown."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scale:
    """The size of a run: rows of the base tables, batches, repetitions."""

    name: str
    base: int
    batches: tuple[int, ...]
    changes: int  # of a consumption
    history: tuple[int, int]  # changes behind a small window: many, few
    window: int
    result: int  # rows of a result
    repeats: int


FULL = Scale("full", 1_000_000, (1_000, 100_000, 1_000_000), 100_000, (1_000_000, 10_000), 1_000, 1_000_000, 3)
QUICK = Scale("quick", 100_000, (1_000, 10_000, 100_000), 10_000, (100_000, 10_000), 1_000, 100_000, 2)


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the report; without `other` the figure stands for itself, in `unit`."""

    name: str
    ours: float
    other: float | None
    aim: float | None
    unit: str = "ms"

    @property
    def figure(self) -> float:
        """The number that is compared with aim and baseline: the ratio, or the figure itself."""
        return self.ours if self.other is None else self.ours / self.other


def seconds(run: Callable[[], object]) -> float:
    """The wall-clock time of one call."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def compare(name: str, aim: float | None, pairs: Iterable[tuple[Callable[[], object], Callable[[], object]]]) -> Result:
    """Time ours and the other in turn, and take the median of each."""
    ours, others = [], []
    for mine, other in pairs:
        others.append(seconds(other))
        ours.append(seconds(mine))
    return Result(name, statistics.median(ours) * 1000, statistics.median(others) * 1000, aim)


def report(results: Iterable[Result], baseline: dict[str, float]) -> str:
    """The table that is printed."""
    lines = [f"{'measure':<58} {'ours':>10} {'other':>10} {'ratio':>7} {'aim':>6} {'before':>7}"]
    for result in results:
        other = "" if result.other is None else f"{result.other:.1f} ms"
        ratio = "" if result.other is None else f"{result.figure:.2f}"
        aim = "" if result.aim is None else f"{result.aim:g}"
        before = baseline.get(result.name)
        known = "" if before is None else f"{before:.2f}"
        lines.append(
            f"{result.name:<58} {result.ours:>7.1f} {result.unit:<2} {other:>10} {ratio:>7} {aim:>6} {known:>7}"
            f"{_remark(result, before)}"
        )
    return "\n".join(lines)


def _remark(result: Result, before: float | None) -> str:
    words = []
    if result.aim is not None and result.figure > result.aim:
        words.append("over the aim")
    if before is not None and result.figure > before * 1.3:
        words.append(f"{result.figure / before:.1f} times the baseline")
    return f"  {', '.join(words)}" if words else ""
