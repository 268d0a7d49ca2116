"""Indirect lineage: of the whole result, and of single columns."""

from __future__ import annotations

import pytest

from tests.lineage.shop import dataset, output, tables

DATASET: list[tuple[str, dict[str, set[str]]]] = [
    # -- JOIN
    ("SELECT t.a FROM t JOIN u ON t.a = u.a AND t.b < u.x", {"JOIN": {"d.t.a = d.u.a", "d.t.b < d.u.x"}}),
    ("SELECT t.a FROM t LEFT JOIN u ON (t.a = u.a AND (t.b = 1 AND u.x = 2))",
     {"JOIN": {"d.t.a = d.u.a", "d.t.b = 1", "d.u.x = 2"}}),
    ("SELECT t.a FROM t JOIN u ON t.a = u.a OR t.b = u.x", {"JOIN": {"d.t.a = d.u.a OR d.t.b = d.u.x"}}),
    ("SELECT t.a FROM t FULL JOIN u ON t.a = u.a", {"JOIN": {"d.t.a = d.u.a"}}),
    ("SELECT t.a FROM t CROSS JOIN u", {}),
    ("SELECT t.a FROM t JOIN u ON TRUE", {}),
    ("SELECT a FROM t JOIN u USING (a)", {"JOIN": {"d.t.a = d.u.a"}}),
    ("SELECT a FROM t JOIN u USING (a) JOIN w USING (a)", {"JOIN": {"d.t.a = d.u.a", "d.t.a = d.w.a"}}),
    ("SELECT k FROM u JOIN w USING (a, x)", {"JOIN": {"d.u.a = d.w.a", "d.u.x = d.w.x"}}),
    ("SELECT k FROM u NATURAL JOIN w", {"JOIN": {"d.u.a = d.w.a", "d.u.x = d.w.x"}}),
    ("SELECT l.a FROM t l JOIN t r ON l.a = r.b", {"JOIN": {"d.t.a = d.t.b"}}),
    ("SELECT t.a FROM t LEFT ANTI JOIN u ON t.a = u.a", {"JOIN": {"d.t.a = d.u.a"}}),
    ("SELECT t.a FROM t JOIN (u JOIN w ON u.x = w.x) ON t.a = w.k", {"JOIN": {"d.u.x = d.w.x", "d.t.a = d.w.k"}}),
    ("SELECT t.a FROM t JOIN (SELECT a + 1 AS n FROM u) s ON s.n = t.a", {"JOIN": {"(d.u.a + 1) = d.t.a"}}),
    ("SELECT t.a FROM t JOIN u ON t.a = u.a LATERAL VIEW explode(c) s AS e", {"JOIN": {"d.t.a = d.u.a"}}),
    # -- FILTER
    ("SELECT a FROM t WHERE a = 1 AND b = 2 AND (a > 3 OR b > 4)",
     {"FILTER": {"d.t.a = 1", "d.t.b = 2", "d.t.a > 3 OR d.t.b > 4"}}),
    ("SELECT t.a FROM t, u WHERE t.a = u.a", {"FILTER": {"d.t.a = d.u.a"}}),
    ("SELECT a FROM t WHERE NOT (a = 1 AND b = 2)", {"FILTER": {"NOT (d.t.a = 1 AND d.t.b = 2)"}}),
    ("SELECT a FROM t WHERE a BETWEEN 1 AND 2 AND c IS NOT NULL",
     {"FILTER": {"d.t.a BETWEEN 1 AND 2", "NOT d.t.c IS NULL"}}),
    ("SELECT a FROM t WHERE 1 = 0", {}),
    ("SELECT a FROM t WHERE TRUE AND 'x' = 'y' AND a = 1", {"FILTER": {"d.t.a = 1"}}),
    ("SELECT a FROM t WHERE RAND() < 0.5", {"FILTER": {"RAND() < 0.5"}}),
    ("SELECT b AS a FROM t WHERE a = 1", {"FILTER": {"d.t.a = 1"}}),
    ("SELECT a FROM t WHERE a IN (SELECT x FROM u WHERE y = 1)", {"FILTER": {"d.t.a IN (d.u.x)", "d.u.y = 1"}}),
    ("SELECT a FROM t WHERE a NOT IN (SELECT x + 1 FROM u)", {"FILTER": {"NOT d.t.a IN (d.u.x + 1)"}}),
    ("SELECT a FROM t WHERE (a, b) IN (SELECT x, y FROM u)", {"FILTER": {"(d.t.a, d.t.b) IN ((d.u.x, d.u.y))"}}),
    ("SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND u.x = 1)",
     {"FILTER": {"d.u.a = d.t.a", "d.u.x = 1"}}),
    ("SELECT a FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.a = t.a) AND b = 1",
     {"FILTER": {"d.u.a = d.t.a", "d.t.b = 1"}}),
    ("SELECT a FROM t WHERE b > (SELECT AVG(y) FROM u)", {"FILTER": {"d.t.b > AVG(d.u.y)"}}),
    ("SELECT a FROM t WHERE b > ANY (SELECT y FROM u)", {"FILTER": {"d.t.b > ANY (d.u.y)"}}),
    ("SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a IN (SELECT k FROM w WHERE w.x = t.b))",
     {"FILTER": {"d.u.a IN (d.w.k)", "d.w.x = d.t.b"}}),
    ("SELECT c, COUNT(*) AS n FROM t GROUP BY c HAVING COUNT(*) > 1 AND n < 9 AND SUM(b) > 0",
     {"GROUP_BY": {"d.t.c"}, "FILTER": {"COUNT(*) > 1", "COUNT(*) < 9", "SUM(d.t.b) > 0"}}),
    ("SELECT c, SUM(b) AS b FROM t GROUP BY c HAVING b > 3 AND MAX(b) < 9",
     {"GROUP_BY": {"d.t.c"}, "FILTER": {"SUM(d.t.b) > 3", "MAX(d.t.b) < 9"}}),
    ("SELECT a FROM t QUALIFY ROW_NUMBER() OVER (PARTITION BY c ORDER BY b) = 1",
     {"FILTER": {"ROW_NUMBER() OVER (PARTITION BY d.t.c ORDER BY d.t.b) = 1"}}),
    ("SELECT a, RANK() OVER (ORDER BY b) AS r FROM t QUALIFY r = 1", {"FILTER": {"RANK() OVER (ORDER BY d.t.b) = 1"}}),
    ("SELECT n FROM v2 WHERE m = 1", {"FILTER": {"d.t.c = 'x'", "d.t.a = 1"}, "SORT": {"d.t.b + 1"}}),
    ("SELECT a FROM both WHERE s = 1", {"FILTER": {"d.t.b = 1", "d.u.y = 1"}}),
    ("WITH c AS (SELECT a FROM t WHERE b = 1), unused AS (SELECT a FROM u WHERE x = 1) SELECT a FROM c",
     {"FILTER": {"d.t.b = 1"}}),
    ("SELECT 1 AS one FROM (SELECT 1 AS k, a FROM t) s WHERE s.k = 1 AND a = 2", {"FILTER": {"d.t.a = 2"}}),
    # -- GROUP_BY
    ("SELECT c, UPPER(c), MAX(a) FROM t GROUP BY c, UPPER(c)", {"GROUP_BY": {"d.t.c", "UPPER(d.t.c)"}}),
    ("SELECT UPPER(c), MAX(a) FROM t GROUP BY 1", {"GROUP_BY": {"UPPER(d.t.c)"}}),
    ("SELECT UPPER(c) AS k, MAX(a) FROM t GROUP BY k", {"GROUP_BY": {"UPPER(d.t.c)"}}),
    ("SELECT UPPER(c) AS c, MAX(a) FROM t GROUP BY c", {"GROUP_BY": {"d.t.c"}}),
    ("SELECT c, MAX(a) FROM t GROUP BY ROLLUP(c, b + 1)", {"GROUP_BY": {"d.t.c", "d.t.b + 1"}}),
    ("SELECT c, MAX(a) FROM t GROUP BY CUBE(c, b)", {"GROUP_BY": {"d.t.c", "d.t.b"}}),
    ("SELECT c, MAX(a) FROM t GROUP BY c, b WITH ROLLUP", {"GROUP_BY": {"d.t.c", "d.t.b"}}),
    ("SELECT c, MAX(a) FROM t GROUP BY GROUPING SETS ((c, b), (c), ())", {"GROUP_BY": {"d.t.c", "d.t.b"}}),
    ("SELECT DISTINCT c, a + 1 FROM t", {"GROUP_BY": {"d.t.c", "d.t.a + 1"}}),
    ("SELECT DISTINCT 1, c FROM t", {"GROUP_BY": {"d.t.c"}}),
    ("SELECT COUNT(DISTINCT c) FROM t", {}),
    ("SELECT c FROM t UNION SELECT z FROM u", {}),
    ("SELECT k, MAX(s) FROM (SELECT a AS k, s FROM both) q GROUP BY k", {"GROUP_BY": {"d.t.a", "d.u.x"}}),
    # -- SORT
    ("SELECT a FROM t ORDER BY b DESC, c NULLS LAST LIMIT 3", {"SORT": {"d.t.b", "d.t.c"}}),
    ("SELECT a + 1 AS b FROM t ORDER BY b", {"SORT": {"d.t.a + 1"}}),
    ("SELECT a + 1 AS n, b FROM t ORDER BY 1, 2, n * 2", {"SORT": {"d.t.a + 1", "d.t.b", "(d.t.a + 1) * 2"}}),
    ("SELECT a FROM t ORDER BY 'x', 9", {}),
    ("SELECT c, MAX(a) FROM t GROUP BY c ORDER BY COUNT(*)", {"GROUP_BY": {"d.t.c"}, "SORT": {"COUNT(*)"}}),
    ("SELECT c, SUM(a) AS a FROM t GROUP BY c ORDER BY SUM(a), a", {"GROUP_BY": {"d.t.c"}, "SORT": {"SUM(d.t.a)"}}),
    ("SELECT a FROM t UNION ALL SELECT x FROM u ORDER BY a", {"SORT": {"d.t.a", "d.u.x"}}),
    ("SELECT a FROM t UNION ALL SELECT x FROM u ORDER BY 1", {"SORT": {"d.t.a", "d.u.x"}}),
    ("(SELECT a FROM t ORDER BY b LIMIT 1) UNION ALL (SELECT x FROM u)", {"SORT": {"d.t.b"}}),
    ("(SELECT a FROM t) ORDER BY a", {"SORT": {"d.t.a"}}),
    ("SELECT RANK() OVER (ORDER BY a) FROM t", {}),
    ("SELECT n FROM (SELECT a AS n FROM t ORDER BY b LIMIT 3) s ORDER BY n", {"SORT": {"d.t.b", "d.t.a"}}),
    # -- hidden columns
    ("SELECT v FROM flow WHERE __DORIS_STREAM_CHANGE_TYPE_COL__ = 'APPEND'",
     {"FILTER": {"d.flow.__DORIS_STREAM_CHANGE_TYPE_COL__ = 'APPEND'"}}),
]  # fmt: skip


@pytest.mark.parametrize(("query", "wanted"), DATASET, ids=[query for query, _ in DATASET])
def test_dataset(query: str, wanted: dict[str, set[str]]) -> None:
    """The entries of all levels, by type; absent types are empty."""
    width = query.split("FROM")[0].count(",") if query.startswith("SELECT") else 0
    target = {0: "o1", 1: "o2", 2: "o3"}[0 if "COUNT(DISTINCT" in query else width]
    assert dataset(f"INSERT INTO {target} {query}") == wanted


OUTPUT: list[tuple[str, set[str]]] = [
    ("SELECT a FROM t", set()),
    ("SELECT RANK() OVER (PARTITION BY b, c ORDER BY UPPER(c) DESC) FROM t",
     {"WINDOW d.t.b", "WINDOW d.t.c", "WINDOW UPPER(d.t.c)"}),
    ("SELECT 1 + SUM(a) OVER (PARTITION BY b) FROM t", {"WINDOW d.t.b"}),
    ("SELECT ROW_NUMBER() OVER (ORDER BY 1) FROM t", set()),
    ("SELECT r FROM (SELECT RANK() OVER (ORDER BY b) AS r FROM t) s", {"WINDOW d.t.b"}),
    ("SELECT a FROM (SELECT a, RANK() OVER (ORDER BY b) AS r FROM t) s WHERE r = 1", set()),
    ("SELECT SUM(a) OVER w1 FROM t WINDOW w1 AS (PARTITION BY c)", {"WINDOW d.t.c"}),
    ("SELECT CASE WHEN a > 1 THEN b WHEN c = 'x' THEN 2 ELSE a END FROM t",
     {"CONDITIONAL d.t.a > 1", "CONDITIONAL d.t.c = 'x'"}),
    ("SELECT CASE a WHEN 1 THEN b WHEN b + 1 THEN 2 END FROM t",
     {"CONDITIONAL d.t.a = 1", "CONDITIONAL d.t.a = (d.t.b + 1)"}),
    ("SELECT CASE WHEN a = 1 AND b = 2 THEN 1 WHEN 1 = 1 THEN 2 END FROM t", {"CONDITIONAL d.t.a = 1 AND d.t.b = 2"}),
    ("SELECT IF(a > 1, b, c) FROM t", {"CONDITIONAL d.t.a > 1"}),
    ("SELECT COALESCE(a, b + 1, 0) FROM t", {"CONDITIONAL d.t.a", "CONDITIONAL d.t.b + 1"}),
    ("SELECT IFNULL(a, 0) FROM t", {"CONDITIONAL d.t.a"}),
    ("SELECT NVL(a, b) FROM t", {"CONDITIONAL d.t.a", "CONDITIONAL d.t.b"}),
    ("SELECT NULLIF(a, b) FROM t", set()),
    ("SELECT CASE WHEN COUNT(*) > 1 THEN 1 END FROM t", set()),
    ("SELECT SUM(IF(a > 1, b, 0)) FROM t", {"CONDITIONAL d.t.a > 1"}),
    ("SELECT IF(COALESCE(a, b) > 1, 1, 2) FROM t",
     {"CONDITIONAL COALESCE(d.t.a, d.t.b) > 1", "CONDITIONAL d.t.a", "CONDITIONAL d.t.b"}),
    ("SELECT n + 1 FROM (SELECT IF(a > 1, b, c) AS n FROM t) s", {"CONDITIONAL d.t.a > 1"}),
    ("SELECT IF(n > 1, 1, 2) FROM (SELECT a + b AS n FROM t) s", {"CONDITIONAL (d.t.a + d.t.b) > 1"}),
    ("SELECT IF(s > 1, 1, 2) FROM both", {"CONDITIONAL d.t.b > 1", "CONDITIONAL d.u.y > 1"}),
    ("SELECT CASE WHEN RANK() OVER (ORDER BY a) = 1 THEN 1 END FROM t",
     {"WINDOW d.t.a", "CONDITIONAL RANK() OVER (ORDER BY d.t.a) = 1"}),
    ("SELECT (SELECT IF(x > 1, 1, 2) FROM u LIMIT 1) FROM t", {"CONDITIONAL d.u.x > 1"}),
    ("SELECT IF(a IN (SELECT x FROM u), 1, 2) FROM t", {"CONDITIONAL d.t.a IN (d.u.x)"}),
]  # fmt: skip


@pytest.mark.parametrize(("query", "wanted"), OUTPUT, ids=[query for query, _ in OUTPUT])
def test_output(query: str, wanted: set[str]) -> None:
    """What decides about the one column."""
    assert output(f"INSERT INTO o1 {query}") == {f"p {entry}" for entry in wanted}


def test_output_entries_belong_to_their_column() -> None:
    """The other columns have none."""
    found = output("INSERT INTO o3 SELECT a, IF(b > 1, 1, 2), RANK() OVER (ORDER BY c) FROM t")
    assert found == {"q CONDITIONAL d.t.b > 1", "r WINDOW d.t.c"}


TABLES: list[tuple[str, set[str]]] = [
    ("SELECT a FROM t", {"d.t"}),
    ("SELECT a FROM t WHERE FALSE", {"d.t"}),
    ("SELECT l.a FROM t l JOIN t r ON l.a = r.a", {"d.t"}),
    ("SELECT a FROM v2, both", {"d.t", "d.u"}),
    ("SELECT a FROM t WHERE a IN (SELECT x FROM u) AND EXISTS (SELECT 1 FROM w)", {"d.t", "d.u", "d.w"}),
    ("SELECT (SELECT MAX(k) FROM w) FROM t", {"d.t", "d.w"}),
    ("SELECT a FROM t EXCEPT SELECT x FROM u INTERSECT SELECT k FROM w", {"d.t", "d.u", "d.w"}),
    ("WITH unused AS (SELECT * FROM w), c AS (SELECT * FROM t) SELECT a FROM c", {"d.t"}),
    ("WITH unused AS (SELECT * FROM c), c AS (SELECT * FROM t) SELECT a FROM c", {"d.t"}),
    ("SELECT n FROM e.far", {"e.far"}),
    ("SELECT v FROM flow", {"d.flow"}),
    ("SELECT k FROM of_stream", {"d.flow"}),
    ("SELECT v FROM log@incr('startTimestamp' = '0')", {"d.log"}),
    ("SELECT v FROM changelog('table' = 'log')", {"d.log"}),
    ("SELECT v FROM changelog('db' = 'd', 'table' = 'log')", {"d.log"}),
    ("SELECT number FROM numbers('number' = '3')", set()),
    ("SELECT 1 WHERE EXISTS (SELECT 1 FROM t)", {"d.t"}),
    ("SELECT table_name FROM information_schema.tables", {"information_schema.tables"}),
]  # fmt: skip


@pytest.mark.parametrize(("query", "wanted"), TABLES, ids=[query for query, _ in TABLES])
def test_source_tables(query: str, wanted: set[str]) -> None:
    """Every table that is read on any level, none twice, none that nobody reads."""
    query = query.replace("SELECT a FROM v2, both", "SELECT v2.m FROM v2, both")
    assert tables(f"INSERT INTO o1 {query}") == wanted
