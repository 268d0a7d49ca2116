"""What lineage costs: extraction against parsing, an INSERT … SELECT with and without a plugin, events a second."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from bench.measure import Result, Scale, compare, seconds
from dorisette.lineage import LineageInfo, LineagePlugin, QueryContext
from server.lineage.plugin import Loaded
from server.lineage.service import Lineage
from server.lineage.worker import Worker
from sql.dialect.doris import parse
from sql.lineage.extract import extract
from sql.lineage.source import Place
from tests.lineage.draft import Draft
from tests.local import Local

_CASE = Path(__file__).parent.parent / "tests/cases/lineage/01_seed_customer_summary.json"
_QUEUE = 50_000
_COLUMNS, _CTES = 200, 20
_TURNS = 30


class Null(LineagePlugin):
    """Takes events and does nothing."""

    def name(self) -> str:
        return "null"

    def event_filter(self) -> bool:
        return True

    def exec(self, info: LineageInfo) -> bool:
        return True


def run(folder: Path, scale: Scale) -> Iterator[Result]:
    """Four lines."""
    case = json.loads(_CASE.read_text(encoding="utf-8"))
    statement = next(step["sql"] for step in case["steps"] if step["events"])
    yield compare("lineage of the worked example / parsing it", 3, _extractions(Draft(*case["setup"]), statement))
    name = f"lineage of {_COLUMNS} columns in {_CTES} CTEs / parsing it"
    yield compare(name, 3, _extractions(_wide(), _chain(), turns=1))
    yield compare("INSERT … SELECT with a null plugin / without one", None, _inserts(folder))
    yield Result(f"{_QUEUE:,} lineage events through the queue", _events(), None, None)


def _extractions(
    draft: Draft, text: str, turns: int = _TURNS
) -> Iterator[tuple[Callable[[], object], Callable[[], object]]]:
    """The statement is made unlike for each turn, so that no cache knows it."""
    place = Place(draft.catalog, draft.database)
    for turn in range(5):
        node = parse(text)[0].node
        texts = [f"{text} LIMIT {1000 * turn + at}" for at in range(turns)]
        yield (
            partial(_repeat, turns, partial(extract, node, place, QueryContext("InsertIntoTableCommand"))),
            partial(_each, parse, texts),
        )


def _repeat(turns: int, call: Callable[[], object]) -> None:
    for _ in range(turns):
        call()


def _each(call: Callable[[str], object], texts: list[str]) -> None:
    for text in texts:
        call(text)


def _wide() -> Draft:
    draft = Draft("CREATE DATABASE d", "USE d")
    for name in ("base", "big"):
        draft.table(name, ", ".join(f"c{at} INT" for at in range(_COLUMNS)))
    return draft


def _chain() -> str:
    ctes = ["n0 AS (SELECT * FROM base)"]
    for step in range(1, _CTES):
        items = ", ".join(f"c{at} + 1 AS c{at}" for at in range(_COLUMNS))
        ctes.append(f"n{step} AS (SELECT {items} FROM n{step - 1})")
    return f"INSERT INTO big WITH {', '.join(ctes)} SELECT * FROM n{_CTES - 1}"


def _inserts(folder: Path) -> Iterator[tuple[Callable[[], object], Callable[[], object]]]:
    local = Local(folder / "lineage")
    session = local.connect()
    layout = "DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1"
    for text in ("CREATE DATABASE d", "USE d", f"CREATE TABLE t (k INT) {layout}", f"CREATE TABLE u (k INT) {layout}"):
        session.execute(text)
    session.execute("INSERT INTO t VALUES (1), (2), (3)")
    engine = local.engine
    lineage = Lineage([Loaded("null", folder, Null())], _QUEUE)

    def insert(with_plugin: bool) -> None:
        engine.listeners.clear()
        if with_plugin:
            lineage.listen(engine)
        for _ in range(_TURNS):
            session.execute("INSERT INTO u SELECT k + 1 FROM t WHERE k > 1")

    insert(False)
    for _ in range(5):
        yield partial(insert, True), partial(insert, False)
    lineage.close()
    local.close()


def _events() -> float:
    """Milliseconds until the last of them is handled."""
    info = _wide().lineage("INSERT INTO big (c0) SELECT c1 + c2 FROM base WHERE c3 = 1")
    assert info is not None
    worker = Worker([Loaded("null", Path(), Null())], _QUEUE)

    def send() -> None:
        for _ in range(_QUEUE):
            worker.put(info)
        worker.stop(60)

    return seconds(send) * 1000
