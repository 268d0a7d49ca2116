"""An Aggregate Key table equals GROUP BY over everything ever written to it, for random batches, transactions, deletes.

NULLs come in keys and values, keys repeat inside a batch and across batches, and REPLACE must follow the order of both.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from storage.audit import audit
from tests.local import Local, Session
from tests.property.aggregate_model import AggregateModel, Row

NUMBERS = itertools.count()
PARTITIONS = (
    "",
    "PARTITION BY RANGE(k) (PARTITION a VALUES LESS THAN (2), PARTITION b VALUES LESS THAN (4),"
    " PARTITION c VALUES LESS THAN MAXVALUE)",
)
PLAIN = "s BIGINT SUM, lo INT MIN, hi INT MAX, r VARCHAR(5) REPLACE, q VARCHAR(5) REPLACE_IF_NOT_NULL"
STATES = (
    "b BITMAP BITMAP_UNION, h HLL HLL_UNION, p QUANTILE_STATE QUANTILE_UNION, t agg_state<sum(int)> GENERIC,"
    " n agg_state<count(int)> GENERIC, m agg_state<max_by(int, int)> GENERIC, l agg_state<collect_list(string)> GENERIC"
)
READ_STATES = (
    "SELECT k, w, bitmap_to_string(bitmap_union(b)), hll_union_agg(h), quantile_percent(quantile_union(p), 0.5),"
    " sum_merge(t), count_merge(n), max_by_merge(m), collect_list_merge(l) FROM t GROUP BY k, w"
)

keys = st.tuples(st.one_of(st.integers(0, 5), st.none()), st.sampled_from([None, "", "x"]))
cells = st.tuples(
    st.one_of(st.integers(0, 9), st.none()),
    st.one_of(st.integers(-3, 3), st.none()),
    st.sampled_from([None, "", "a", "z"]),
)
batches = st.lists(st.builds(Row, keys, cells), min_size=1, max_size=6)
steps = st.lists(
    st.one_of(
        st.lists(batches, min_size=1, max_size=3),  # the statements of one transaction
        st.one_of(st.integers(0, 5), st.none()),  # the key of a DELETE
        st.just("checkpoint"),
    ),
    min_size=1,
    max_size=7,
)


@given(steps, st.sampled_from(PARTITIONS))
@settings(max_examples=40)
def test_plain_aggregations(local: Local, steps: Sequence[object], partitions: str) -> None:
    """SUM, MIN, MAX, REPLACE, REPLACE_IF_NOT_NULL."""
    session = _table(local, PLAIN, partitions)
    model = AggregateModel()
    for step in steps:
        _play(local, session, model, step, _plain_row)
        assert Counter(session.query("SELECT * FROM t")) == Counter(model.plain())
    assert audit(local.database) == []
    session.execute(f"DROP DATABASE {session.context.database} FORCE")


@given(steps, st.sampled_from(PARTITIONS))
@settings(max_examples=20)
def test_states(local: Local, steps: Sequence[object], partitions: str) -> None:
    """BITMAP, HLL, QUANTILE_STATE and AGG_STATE, whose merge is another statement (storage/table/aggregate.py)."""
    session = _table(local, STATES, partitions)
    model = AggregateModel()
    for step in steps:
        _play(local, session, model, step, _state_row)
        found = [(*row[:-1], sorted(row[-1])) for row in session.query(READ_STATES)]  # type: ignore[call-overload]
        assert sorted(map(repr, found)) == sorted(map(repr, model.states()))
    assert audit(local.database) == []
    session.execute(f"DROP DATABASE {session.context.database} FORCE")


def _table(local: Local, values: str, partitions: str) -> Session:
    """A table t in a database of its own."""
    session = local.connect()
    name = f"aggregate_{next(NUMBERS)}"
    session.execute(f"CREATE DATABASE {name}; USE {name}; SET enable_agg_state = true")
    session.execute(
        f"CREATE TABLE t (k INT NULL, w VARCHAR(3) NULL, {values}) AGGREGATE KEY(k, w) {partitions}"
        " DISTRIBUTED BY HASH(k) BUCKETS 1"
    )
    return session


def _play(local: Local, session: Session, model: AggregateModel, step: object, text: Callable[[Row], str]) -> None:
    if step == "checkpoint":
        local.database.checkpoint()
    elif isinstance(step, list):
        _write(session, step, text)
        for batch in step:
            model.write(batch)
    else:
        number = step if isinstance(step, int) else None
        session.execute(f"DELETE FROM t WHERE k {'IS NULL' if number is None else f'= {number}'}")
        model.delete(number)


def _write(session: Session, statements: Sequence[Sequence[Row]], text: Callable[[Row], str]) -> None:
    """One statement by itself, several inside BEGIN … COMMIT."""
    inserts = [f"INSERT INTO t VALUES {', '.join(f'({text(row)})' for row in batch)}" for batch in statements]
    for statement in inserts if len(inserts) == 1 else ["BEGIN", *inserts, "COMMIT"]:
        session.execute(statement)


def _literal(value: object) -> str:
    return "NULL" if value is None else f"'{value}'" if isinstance(value, str) else str(value)


def _plain_row(row: Row) -> str:
    number, other, word = row.cells
    return ", ".join(map(_literal, (*row.key, number, number, other, word, word)))


def _state_row(row: Row) -> str:
    k, w, number, other, word = map(_literal, (*row.key, *row.cells))
    return (
        f"{k}, {w}, to_bitmap({number}), hll_hash({word}), to_quantile_state({other}),"
        f" sum_state(CAST({other} AS INT)), count_state(CAST({other} AS INT)),"
        f" max_by_state(CAST({other} AS INT), CAST({other} AS INT)), collect_list_state(CAST({word} AS STRING))"
    )
