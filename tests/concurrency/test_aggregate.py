"""Several sessions add to the same keys of an Aggregate Key table: nothing is lost, nothing is counted twice."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from storage.audit import audit
from tests.local import Local

WRITERS = 6
WRITES = 20


@pytest.fixture
def local(tmp_path: Path) -> Iterator[Local]:
    engine = Local(tmp_path / "data")
    session = engine.connect()
    session.execute("CREATE DATABASE d; USE d; SET enable_agg_state = true")
    session.execute(
        "CREATE TABLE t (k INT, n BIGINT SUM, last INT REPLACE, b BITMAP BITMAP_UNION, s agg_state<count(int)> GENERIC)"
        " AGGREGATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1"
    )
    session.execute("CREATE TABLE plain (k INT, n BIGINT SUM, hi INT MAX) AGGREGATE KEY(k)")
    yield engine
    engine.close()


def test_sums_and_states_add_up(local: Local) -> None:
    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(lambda number: _write(local, number), range(WRITERS)))
    session = local.connect("d")
    total = WRITERS * WRITES
    assert session.query("SELECT k, n, hi FROM plain ORDER BY k") == [(0, total, total - 1), (1, total, total - 1)]
    found = session.query("SELECT k, sum(n), bitmap_union_count(b), count_merge(s) FROM t GROUP BY k")
    assert found == [(0, total, total, total)]
    assert audit(local.database) == []


def _write(local: Local, number: int) -> None:
    session = local.connect("d")
    for write in range(WRITES):
        value = number * WRITES + write
        session.execute(f"INSERT INTO plain VALUES (0, 1, {value}), (1, 1, {value})")
        session.execute(f"INSERT INTO t VALUES (0, 1, {value}, to_bitmap({value}), count_state({value}))")
