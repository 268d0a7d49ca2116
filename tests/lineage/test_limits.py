"""Large statements take bounded time and make events of bounded size; what is too long is told by its columns."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest

from dorisette.lineage import LineageInfo
from sql.dialect.doris import parse
from sql.lineage.value import MAX_TEXT
from tests.lineage.draft import Draft

COLUMNS = 200
CTES = 20
SECONDS = 60.0  # generous: the machine may be busy; without limits it would be hours

Column = Callable[[int], str]


@pytest.fixture(scope="module")
def wide() -> Draft:
    """A source and a target of 200 columns."""
    draft = Draft("CREATE DATABASE d", "USE d")
    for name in ("base", "big"):
        draft.table(name, ", ".join(f"c{i} INT" for i in range(COLUMNS)))
    return draft


def chain(column: Column) -> str:
    """20 CTEs of 200 columns, each made of the one before."""
    ctes = ["c0 AS (SELECT * FROM base)"]
    for step in range(1, CTES):
        items = ", ".join(f"{column(i)} AS c{i}" for i in range(COLUMNS))
        ctes.append(f"c{step} AS (SELECT {items} FROM c{step - 1})")
    return f"INSERT INTO big WITH {', '.join(ctes)} SELECT * FROM c{CTES - 1}"


def lineage(draft: Draft, sql: str) -> LineageInfo:
    """The lineage, in time."""
    parse(sql)
    start = time.process_time()
    info = draft.lineage(sql)
    assert time.process_time() - start < SECONDS
    assert info is not None
    assert len(json.dumps(info.to_dict())) < 30_000_000
    return info


def next_to(i: int) -> int:
    return (i + 1) % COLUMNS


def test_a_chain_of_plain_columns(wide: Draft) -> None:
    """They stay identities."""
    info = lineage(wide, chain(lambda i: f"c{i}"))
    assert {entry.expr.sql for entry in info.direct["c7"]} == {"d.base.c7"}


def test_a_chain_of_arithmetic(wide: Draft) -> None:
    """The text grows with each step."""
    info = lineage(wide, chain(lambda i: f"c{i} + 1"))
    (entry,) = info.direct["c7"]
    assert entry.expr.sql.count("+ 1") == CTES - 1
    assert entry.expr.sql.startswith("(" * (CTES - 2) + "d.base.c7 + 1")


CHAINS: dict[str, Column] = {
    "doubling": lambda i: f"c{i} + c{next_to(i)}",
    "conditions": lambda i: f"CASE WHEN c{i} > 1 THEN c{next_to(i)} ELSE c{i} END",
    "windows": lambda i: f"SUM(c{i}) OVER (PARTITION BY c{next_to(i)} ORDER BY c{i})",
}


@pytest.mark.parametrize("column", CHAINS.values(), ids=CHAINS)
def test_what_would_grow_without_end(wide: Draft, column: Column) -> None:
    """A text stops at its limit, its columns are all there."""
    info = lineage(wide, chain(column))
    (entry,) = info.direct["c7"]
    assert len(entry.expr.sql) < 3 * MAX_TEXT
    assert "ELIDED(" in entry.expr.sql
    assert {column.column for column in entry.expr.columns} == {f"c{7 + step}" for step in range(CTES)}


def test_an_aggregate_is_not_forgotten(wide: Draft) -> None:
    """It is seen in what is left out too."""
    info = lineage(wide, chain(lambda i: f"MAX(c{i}) + c{next_to(i)}"))
    assert {entry.type for entry in info.direct["c7"]} == {"AGGREGATION"}


def test_branches_that_multiply(wide: Draft) -> None:
    """Twenty unions, each of the one before with itself: a million branches."""
    unions = ["u0 AS (SELECT * FROM base)"]
    for step in range(1, CTES):
        items = ", ".join(f"c{i} + {step} AS c{i}" for i in range(COLUMNS))
        unions.append(f"u{step} AS (SELECT * FROM u{step - 1} UNION ALL SELECT {items} FROM u{step - 1})")
    info = lineage(wide, f"INSERT INTO big WITH {', '.join(unions)} SELECT * FROM u{CTES - 1}")
    assert {column.column for entry in info.direct["c7"] for column in entry.expr.columns} == {"c7"}


def test_joined_unions(wide: Draft) -> None:
    """Twenty unions side by side: the columns of an expression meet, not those of the row."""
    union = "(SELECT c0 FROM base UNION ALL SELECT c1 FROM base)"
    sources = " CROSS JOIN ".join(f"{union} u{i}" for i in range(CTES))
    info = lineage(wide, f"INSERT INTO big (c0, c1) SELECT u1.c0, u2.c0 + u3.c0 FROM {sources}")
    assert {entry.expr.sql for entry in info.direct["c0"]} == {"d.base.c0", "d.base.c1"}
    assert len(info.direct["c1"]) == 4


def test_long_unions(wide: Draft) -> None:
    """Hundreds of flat branches are told one by one."""
    selects = " UNION ALL ".join(f"SELECT c{i % COLUMNS} + {i} AS n, {i} AS m FROM base" for i in range(500))
    info = lineage(wide, f"INSERT INTO big (c0) SELECT n * m FROM ({selects}) s")
    assert len(info.direct["c0"]) == 500


def test_deep_nesting(wide: Draft) -> None:
    """Conditions inside conditions, and CTEs far behind each other."""
    nested = "c0"
    for i in range(60):
        nested = f"COALESCE({nested}, c{i})"
    info = lineage(wide, f"INSERT INTO big (c0) SELECT {nested} FROM base")
    assert len(info.output_indirect["c0"]["CONDITIONAL"]) > 60
    ctes = ", ".join(f"n{i} AS (SELECT c0 FROM {f'n{i - 1}' if i else 'base'})" for i in range(300))
    info = lineage(wide, f"INSERT INTO big (c0) WITH {ctes} SELECT c0 FROM n299")
    assert {entry.type for entry in info.direct["c0"]} == {"IDENTITY"}
