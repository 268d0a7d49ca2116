"""Which row of a key stays in a batch, against the plainest definition; and the numbers of AUTO_INCREMENT columns."""

from __future__ import annotations

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.database import Database
from storage.numbering import Numbering
from storage.table.winner import are_distinct, winners
from tests.unit.storage.shop import make_table

ROWS = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(0, 3)),
        st.sampled_from(["a", "b", None]),
        st.one_of(st.none(), st.integers(-2, 2), st.sampled_from([2**70, -(2**70), 2**127 - 1, -(2**127)])),
    ),
    min_size=2,
    max_size=12,
)


@given(ROWS, st.booleans())
@settings(deadline=None)
def test_the_highest_sequence_wins_and_of_equals_the_last(rows: list[tuple[object, ...]], two: bool) -> None:
    """NULL is lower than every value; LARGEINT values order by their number."""
    keys = ["k", "j"] if two else ["k"]
    best: dict[object, int] = {}
    for place, (k, j, sequence) in enumerate(rows):
        key = (k, j) if two else k
        if key not in best or _rank(sequence) >= _rank(rows[best[key]][2]):
            best[key] = place
    found = winners(_table(rows), keys, "sequence")
    assert found["place"].to_pylist() == sorted(best.values())
    last = {(row[:2] if two else row[0]): place for place, row in enumerate(rows)}
    assert winners(_table(rows), keys, None)["place"].to_pylist() == sorted(last.values())
    assert are_distinct(_table(rows), keys) is (len(last) == len(rows))


def _rank(value: object) -> tuple[int, object]:
    return (0, 0) if value is None else (1, value)


def _table(rows: list[tuple[object, ...]]) -> pa.Table:
    """The rows as storage gets them: LARGEINT as DuckDB hands it over."""
    k, j, sequence = zip(*rows, strict=True)
    texts = pa.table({"s": pa.array([None if value is None else str(value) for value in sequence], pa.string())})
    with duckdb.connect(config={"arrow_lossless_conversion": "true"}) as connection:
        connection.register("texts", texts)
        large = connection.sql("SELECT CAST(s AS HUGEINT) AS s FROM texts").to_arrow_table()["s"]
    return pa.table(
        {"k": pa.array(k, pa.int64()), "j": pa.array(j, pa.string()), "sequence": large, "place": range(len(rows))}
    )


def test_numbers_go_on_after_a_restart_and_skip_after_a_crash(database: Database) -> None:
    """A lease is persisted before its first number is given."""
    table = make_table(database, "numbered")
    leases: dict[str, int] = {}
    numbering = Numbering(leases, leases.__setitem__)
    column = table.columns[0]
    assert list(numbering.take(table, column, 3)) == [1, 2, 3]
    crashed = Numbering(leases, leases.__setitem__)
    assert crashed.take(table, column, 1)[0] > 3
    crashed.give_back({table.id})
    following = crashed.take(table, column, 1)[0]
    orderly = Numbering({**leases, f"auto_{table.id}_{column.uid}": following}, leases.__setitem__)
    assert orderly.take(table, column, 1)[0] == following


@pytest.mark.parametrize("count", [0, 1])
def test_an_empty_batch_has_no_winner(count: int) -> None:
    table = pa.table({"k": pa.array([1] * count, pa.int64())})
    assert winners(table, ["k"], None).num_rows == count
