"""Unique Key tables without changelog: upserts, sequence columns, partial updates; Stream Load and DuckDB's reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa

from bench.measure import Result, Scale, compare
from bench.upsert import repeated
from sql.load.request import read
from sql.load.run import run as load
from storage.work import Partial
from tests.local import Local

COLUMNS = (
    "k BIGINT, a VARCHAR(20), b VARCHAR(20), c DECIMAL(12, 2), d INT, e BIGINT, f BIGINT, g VARCHAR(20), h BIGINT,"
    " s BIGINT"
)
GIVEN = ("k", "a", "e")  # of a partial update
TABLES = {"plain": "", "ordered": 'PROPERTIES ("function_column.sequence_col" = "s")'}
Pair = tuple[Callable[[], object], Callable[[], object]]


def run(folder: Path, scale: Scale) -> Iterator[Result]:
    """Batches of which half the keys are new, as they come, with a sequence column, and of 2 of 10 columns."""
    tables = _Tables(folder, scale.base)
    for rows in scale.batches[:2]:
        name = f"upsert of {rows:,} into {scale.base:,} without changelog"
        yield compare(name, 1.4, (tables.upsert("plain", rows) for _ in range(scale.repeats)))
        yield compare(f"{name}, with sequence", 1.8, (tables.upsert("ordered", rows) for _ in range(scale.repeats)))
        name = f"partial update of 2 of 10 columns, {rows:,} rows, or full upsert"
        yield compare(name, 1.5, (tables.partial(rows) for _ in range(scale.repeats)))
    name = f"Stream Load of {scale.batches[1]:,} lines, or read_csv and upsert"
    yield compare(name, None, (tables.load(scale.batches[1]) for _ in range(scale.repeats)))
    tables.close()


class _Tables:
    """The same rows in two tables of ours and in one of plain DuckDB."""

    def __init__(self, folder: Path, base: int) -> None:
        self._random = np.random.default_rng(1)
        self._folder = folder
        self._local = Local(folder / "ours")
        session = self._local.connect()
        session.execute("CREATE DATABASE bench; USE bench")
        self._plain = duckdb.connect(str(folder / "plain.duckdb"))
        self._plain.execute(f"CREATE TABLE base ({COLUMNS})")
        self._keys = base
        rows = _batch(self._random.permutation(base), 0)
        for name, properties in TABLES.items():
            session.execute(
                f"CREATE TABLE {name} ({COLUMNS}) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1 {properties}"
            )
            self._ours(name, rows)()
        self._other(rows)()

    def upsert(self, table: str, rows: int) -> Pair:
        """One batch, into a table of ours and the plain one."""
        written = _batch(self._some(rows), self._keys)
        return self._ours(table, written), self._other(written)

    def partial(self, rows: int) -> Pair:
        """The same keys by some columns and by all, into the same table."""
        keys = self._some(rows)
        whole = _batch(keys, self._keys)
        missing = dict.fromkeys((name for name in whole.column_names if name not in GIVEN), "NULL")
        other = _batch(self._some(rows), self._keys)
        return self._ours("plain", whole.select(GIVEN), Partial(missing)), self._ours("plain", other)

    def load(self, rows: int) -> Pair:
        """A CSV body through Stream Load, and through DuckDB's reader."""
        body = _csv(_batch(self._some(rows), self._keys))
        file = self._folder / "body.csv"
        file.write_bytes(body)

        def ours() -> None:
            context = self._local.engine.context(0, "root", "127.0.0.1")
            outcome = load(self._local.engine, context, "bench", "plain", read({"column_separator": ","}), body)
            assert outcome.failure is None

        def other() -> None:
            names = ", ".join(f"'{name}': '{kind}'" for name, kind in (column.split(" ", 1) for column in _columns()))
            self._plain.execute(f"CREATE TEMP TABLE incoming AS FROM read_csv('{file}', columns = {{{names}}})")
            self._write("incoming")
            self._plain.execute("DROP TABLE incoming")

        return ours, other

    def close(self) -> None:
        self._local.close()
        self._plain.close()

    def _some(self, rows: int) -> np.ndarray:
        """Keys of which half are new."""
        old = self._random.choice(self._keys, rows // 2, replace=False)
        keys = np.concatenate([old, np.arange(self._keys, self._keys + rows - rows // 2)])
        self._keys += rows - rows // 2
        return self._random.permutation(keys)

    def _ours(self, name: str, rows: pa.Table, partial: Partial | None = None) -> Callable[[], object]:
        return self._local.writing(self._local.table("bench", name), rows, partial)

    def _other(self, rows: pa.Table) -> Callable[[], object]:
        def write() -> None:
            self._plain.register("incoming", rows)
            self._write("incoming")
            self._plain.unregister("incoming")

        return write

    def _write(self, source: str) -> None:
        self._plain.execute("BEGIN")
        self._plain.execute(f"DELETE FROM base WHERE k IN (SELECT k FROM {source})")
        self._plain.execute(f"INSERT INTO base SELECT * FROM {source}")
        self._plain.execute("COMMIT")


def _columns() -> Sequence[str]:
    """The column definitions, one by one."""
    return COLUMNS.replace("(12, 2)", "(12,2)").split(", ")


def _batch(keys: np.ndarray, sequence: int) -> pa.Table:
    """Rows for these keys, in this order."""
    texts = {name: repeated(name, keys % count) for name, count in (("a", 1000), ("b", 100), ("g", 10))}
    money = pa.array((keys % 1_000_000).astype(np.int32)).cast(pa.decimal128(12, 2))
    numbers = {name: pa.array(keys * factor) for name, factor in (("e", 3), ("f", 5), ("h", 7))}
    small = pa.array((keys % 1000).astype(np.int32))
    order = pa.array(np.full(len(keys), sequence))
    columns = {"k": pa.array(keys), **texts, "c": money, "d": small, **numbers, "s": order}
    return pa.table(columns).select([column.split(" ")[0] for column in _columns()])


def _csv(rows: pa.Table) -> bytes:
    columns = [map(str, column.to_pylist()) for column in rows.columns]
    return "\n".join(map(",".join, zip(*columns, strict=True))).encode()
