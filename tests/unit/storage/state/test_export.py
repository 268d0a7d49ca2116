"""The documented way to another engine (docs/decisions/0013): states survive EXPORT DATABASE and IMPORT DATABASE."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from storage.duck import FILE_NAME
from tests.local import Local

TABLE = (
    "CREATE TABLE t (k INT, l agg_state<collect_list(string)> GENERIC, a agg_state<avg(largeint)> GENERIC,"
    " v agg_state<variance(int)> GENERIC, n agg_state<ndv(string)> GENERIC, b BITMAP BITMAP_UNION, h HLL HLL_UNION,"
    " q QUANTILE_STATE QUANTILE_UNION)"
    " AGGREGATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1"
)
ROWS = (
    "INSERT INTO t SELECT 1, collect_list_state(w), avg_state(CAST(v AS LARGEINT)), variance_state(v), ndv_state(w),"
    " to_bitmap(v), hll_hash(w), to_quantile_state(v) FROM (SELECT 1 AS v, 'a,\"b' AS w UNION ALL SELECT 4, 'ü') x"
)
READ = (
    "SELECT size(collect_list_merge(l)), avg_merge(a), variance_merge(v), ndv_merge(n),"
    " bitmap_to_string(bitmap_union(b)), hll_union_agg(h), quantile_percent(quantile_union(q), 0.5) FROM t"
)


@pytest.mark.parametrize("form", ["CSV", "PARQUET"])
def test_states_survive_export_and_import(tmp_path: Path, form: str) -> None:
    session = (first := Local(tmp_path / "old")).connect()
    session.execute("CREATE DATABASE d; USE d; SET enable_agg_state = true")
    session.execute(TABLE)
    session.execute(ROWS)
    before = session.query(READ)
    first.close()
    with duckdb.connect(str(tmp_path / "old" / FILE_NAME)) as old:
        old.execute(f"EXPORT DATABASE '{tmp_path / 'out'}' (FORMAT {form})")
    (tmp_path / "new").mkdir()
    with duckdb.connect(str(tmp_path / "new" / FILE_NAME)) as new:
        new.execute(f"IMPORT DATABASE '{tmp_path / 'out'}'")
    second = Local(tmp_path / "new")
    assert second.connect("d").query(READ) == before == [(2, 2.5, 2.25, 2, "1,4", 2, 2.5)]
    second.close()
