"""Direct lineage: what an expression is, and what it is made of."""

from __future__ import annotations

import pytest

from sql.dialect.aggregate import is_aggregate
from sql.dialect.doris import parse
from tests.lineage.shop import direct, lineage

ONE = [
    # -- the three kinds
    ("SELECT a FROM t", "IDENTITY d.t.a"),
    ("SELECT (a) FROM t", "IDENTITY d.t.a"),
    ("SELECT A AS other FROM t", "IDENTITY d.t.a"),
    ("SELECT BIG FROM t", "IDENTITY d.t.Big"),
    ("SELECT `status` FROM t", "IDENTITY d.t.`status`"),
    ("SELECT 'v1' FROM t", "TRANSFORMATION 'v1'"),
    ("SELECT NULL FROM t", "TRANSFORMATION NULL"),
    ("SELECT CAST(a AS STRING) FROM t", "TRANSFORMATION CAST(d.t.a AS STRING)"),
    ("SELECT a + 0 FROM t", "TRANSFORMATION d.t.a + 0"),
    ("SELECT -a FROM t", "TRANSFORMATION -d.t.a"),
    ("SELECT COUNT(*) FROM t", "AGGREGATION COUNT(*)"),
    ("SELECT 1 + MAX(a) * 2 FROM t", "AGGREGATION 1 + MAX(d.t.a) * 2"),
    ("SELECT COALESCE(SUM(a), 0) FROM t", "AGGREGATION COALESCE(SUM(d.t.a), 0)"),
    ("SELECT COUNT(DISTINCT a, b) FROM t", "AGGREGATION COUNT(DISTINCT d.t.a, d.t.b)"),
    ("SELECT NDV(a) FROM t", "AGGREGATION NDV(d.t.a)"),
    ("SELECT BITMAP_UNION_COUNT(TO_BITMAP(a)) FROM t", "AGGREGATION BITMAP_UNION_COUNT(TO_BITMAP(d.t.a))"),
    ("SELECT TO_BITMAP(a) FROM t", "TRANSFORMATION TO_BITMAP(d.t.a)"),
    ("SELECT SUM_STATE(a) FROM t", "TRANSFORMATION SUM_STATE(d.t.a)"),
    ("SELECT SUM_MERGE(c) FROM t", "AGGREGATION SUM_MERGE(d.t.c)"),
    ("SELECT GROUP_CONCAT(c ORDER BY a) FROM t", "AGGREGATION GROUP_CONCAT(d.t.c ORDER BY d.t.a)"),
    ("SELECT GROUP_CONCAT(c, ';') FROM t", "AGGREGATION GROUP_CONCAT(d.t.c, ';')"),
    # -- windows
    ("SELECT RANK() OVER (ORDER BY a) FROM t", "TRANSFORMATION RANK() OVER (ORDER BY d.t.a)"),
    ("SELECT LAG(a) OVER (ORDER BY b) FROM t", "TRANSFORMATION LAG(d.t.a) OVER (ORDER BY d.t.b)"),
    ("SELECT LEAD(a, 2, 0) OVER (ORDER BY b) FROM t", "TRANSFORMATION LEAD(d.t.a, 2, 0) OVER (ORDER BY d.t.b)"),
    ("SELECT FIRST_VALUE(a) OVER (ORDER BY b) FROM t", "TRANSFORMATION FIRST_VALUE(d.t.a) OVER (ORDER BY d.t.b)"),
    ("SELECT SUM(a) OVER (PARTITION BY b) FROM t", "AGGREGATION SUM(d.t.a) OVER (PARTITION BY d.t.b)"),
    ("SELECT ROW_NUMBER() OVER (ORDER BY SUM(a)) FROM t", "AGGREGATION ROW_NUMBER() OVER (ORDER BY SUM(d.t.a))"),
    (
        "SELECT SUM(a) OVER win FROM t WINDOW win AS (PARTITION BY c ORDER BY dt DESC)",
        "AGGREGATION SUM(d.t.a) OVER (PARTITION BY d.t.c ORDER BY d.t.dt DESC)",
    ),
    (
        "SELECT MIN(a) OVER (big ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t"
        " WINDOW small AS (PARTITION BY c), big AS (small ORDER BY dt)",
        "AGGREGATION MIN(d.t.a) OVER (PARTITION BY d.t.c ORDER BY d.t.dt ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)",
    ),
    # -- levels
    ("SELECT s.n FROM (SELECT a AS n FROM t) s", "IDENTITY d.t.a"),
    ("SELECT N FROM (SELECT a AS n FROM t) s", "IDENTITY d.t.a"),
    ("SELECT k FROM (SELECT a, b FROM t) AS s (k, l)", "IDENTITY d.t.a"),
    ("SELECT n * 2 FROM (SELECT a - b AS n FROM t) s", "TRANSFORMATION (d.t.a - d.t.b) * 2"),
    ("SELECT ABS(n) FROM (SELECT a - b AS n FROM t) s", "TRANSFORMATION ABS(d.t.a - d.t.b)"),
    ("SELECT -n FROM (SELECT -a AS n FROM t) s", "TRANSFORMATION -(-d.t.a)"),
    ("SELECT n + 1 FROM (SELECT MAX(a) AS n FROM t) s", "AGGREGATION MAX(d.t.a) + 1"),
    ("WITH c AS (SELECT a AS n FROM t), f AS (SELECT n AS m FROM c) SELECT m FROM f", "IDENTITY d.t.a"),
    ("WITH c (n) AS (SELECT a FROM t) SELECT n FROM c", "IDENTITY d.t.a"),
    ("WITH t AS (SELECT x AS a FROM u) SELECT a FROM t", "IDENTITY d.u.x"),
    ("WITH t AS (SELECT b AS a FROM t) SELECT a FROM t", "IDENTITY d.t.b"),
    ("SELECT a FROM (WITH c AS (SELECT b AS a FROM t) SELECT a FROM c) s", "IDENTITY d.t.b"),
    ("WITH c AS (SELECT x FROM u) SELECT x FROM (WITH c AS (SELECT b x FROM t) SELECT * FROM c) s", "IDENTITY d.t.b"),
    ("SELECT n FROM v2", "TRANSFORMATION d.t.b + 1"),
    ("WITH v2 AS (SELECT b AS n FROM t) SELECT n FROM v2", "IDENTITY d.t.b"),
    ("WITH v2 AS (SELECT b AS n FROM t) SELECT n FROM d.v2", "TRANSFORMATION d.t.b + 1"),
    ("SELECT g.n FROM v2 AS g (m, n)", "TRANSFORMATION d.t.b + 1"),
    ("SELECT what FROM of_stream", "IDENTITY d.flow.__DORIS_STREAM_CHANGE_TYPE_COL__"),
    # -- subqueries
    ("SELECT (SELECT MAX(x) FROM u WHERE u.a = t.a) FROM t", "AGGREGATION MAX(d.u.x)"),
    ("SELECT (SELECT x FROM u LIMIT 1) FROM t", "IDENTITY d.u.x"),
    ("SELECT (SELECT x + y FROM u) * b FROM t", "TRANSFORMATION (d.u.x + d.u.y) * d.t.b"),
    ("SELECT (SELECT t.b + u.x FROM u) FROM t", "TRANSFORMATION d.t.b + d.u.x"),
    ("SELECT b IN (SELECT x FROM u) FROM t", "TRANSFORMATION d.t.b IN (d.u.x)"),
    ("SELECT EXISTS (SELECT * FROM u) FROM t", "TRANSFORMATION EXISTS(SELECT 1)"),
    # -- names
    ("SELECT t.a FROM t JOIN u ON t.a = u.x", "IDENTITY d.t.a"),
    ("SELECT d.t.a FROM d.t", "IDENTITY d.t.a"),
    ("SELECT q.a FROM internal.d.t q", "IDENTITY d.t.a"),
    ("SELECT Q.A FROM t q", "IDENTITY d.t.a"),
    ("SELECT n FROM e.far", "IDENTITY e.far.n"),
    ("SELECT a FROM t JOIN u USING (a)", "IDENTITY d.t.a"),
    ("SELECT a FROM t LEFT JOIN u USING (A)", "IDENTITY d.t.a"),
    ("SELECT a FROM t RIGHT JOIN u USING (a)", "IDENTITY d.u.a"),
    ("SELECT a FROM t RIGHT JOIN u USING (a) JOIN w USING (a)", "IDENTITY d.u.a"),
    ("SELECT u.a FROM t JOIN u USING (a)", "IDENTITY d.u.a"),
    ("SELECT COALESCE(t.a, u.a) FROM t JOIN u USING (a)", "TRANSFORMATION COALESCE(d.t.a, d.u.a)"),
    ("SELECT x FROM u NATURAL JOIN w", "IDENTITY d.u.x"),
    ("SELECT b FROM t LEFT SEMI JOIN u ON t.a = u.a", "IDENTITY d.t.b"),
    ("SELECT a FROM t LEFT ANTI JOIN u ON t.a = u.a", "IDENTITY d.t.a"),
    ("SELECT k FROM t JOIN (u JOIN w ON u.x = w.x) ON t.a = u.a", "IDENTITY d.w.k"),
    # -- table functions
    ("SELECT e FROM t LATERAL VIEW explode_split(c, ',') s AS e", "TRANSFORMATION EXPLODE_SPLIT(d.t.c, ',')"),
    ("SELECT s.e FROM t LATERAL VIEW explode(c) s AS e", "TRANSFORMATION EXPLODE(d.t.c)"),
    (
        "SELECT f FROM t LATERAL VIEW explode(c) s AS e LATERAL VIEW explode(e) r AS f",
        "TRANSFORMATION EXPLODE(EXPLODE(d.t.c))",
    ),
    ("SELECT vv FROM t LATERAL VIEW explode_map(c) s AS kk, vv", "TRANSFORMATION EXPLODE_MAP(d.t.c)"),
    ("SELECT n FROM t, LATERAL (SELECT t.a + x AS n FROM u) s", "TRANSFORMATION d.t.a + d.u.x"),
    ("SELECT number FROM numbers('number' = '10')", "TRANSFORMATION number"),
    ("SELECT t.a FROM t, numbers('number' = '10') n", "IDENTITY d.t.a"),
    # -- hidden columns, streams, images
    ("SELECT __doris_delete_sign__ FROM log", "IDENTITY d.log.__DORIS_DELETE_SIGN__"),
    ("SELECT __DORIS_COMMIT_TSO_COL__ FROM log", "IDENTITY d.log.__DORIS_COMMIT_TSO_COL__"),
    ("SELECT v FROM flow", "IDENTITY d.flow.v"),
    ("SELECT v FROM flow@snapshot()", "IDENTITY d.flow.v"),
    ("SELECT __DORIS_CHANGELOG_TSO__ FROM log@incr('startTimestamp' = '0')", "IDENTITY d.log.__DORIS_CHANGELOG_TSO__"),
    ("SELECT v FROM log FOR VERSION AS OF 5", "IDENTITY d.log.v"),
    ("SELECT __DORIS_CHANGELOG_OP__ FROM changelog('table' = 'log')", "IDENTITY d.log.__DORIS_CHANGELOG_OP__"),
    (
        "SELECT h.__DORIS_CHANGELOG_BEFORE_v__ FROM changelog('table' = 'log') h",
        "IDENTITY d.log.__DORIS_CHANGELOG_BEFORE_v__",
    ),
    ("SELECT table_name FROM information_schema.tables", "IDENTITY information_schema.`tables`.TABLE_NAME"),
    # -- the text is the client's
    ("SELECT IFNULL(a, 1) FROM t", "TRANSFORMATION COALESCE(d.t.a, 1)"),
    ("SELECT IF(a > 1, b, 0) FROM t", "TRANSFORMATION IF(d.t.a > 1, d.t.b, 0)"),
    ("SELECT a NOT IN (1, 2) FROM t", "TRANSFORMATION NOT d.t.a IN (1, 2)"),
    ("SELECT c NOT LIKE 'x%' FROM t", "TRANSFORMATION d.t.c NOT LIKE 'x%'"),
    ("SELECT DATE_ADD(dt, INTERVAL a DAY) FROM t", "TRANSFORMATION DATE_ADD(d.t.dt, INTERVAL d.t.a DAY)"),
    ("SELECT dt + INTERVAL 1 DAY FROM t", "TRANSFORMATION d.t.dt + INTERVAL '1' DAY"),
    ("SELECT MONTH(dt) FROM t", "TRANSFORMATION MONTH(d.t.dt)"),
    ("SELECT array_map(i -> i + t.a, [1, 2]) FROM t", "TRANSFORMATION ARRAY_MAP(i -> i + d.t.a, ARRAY(1, 2))"),
    ("SELECT TRY_CAST(c AS INT) FROM t", "TRANSFORMATION TRY_CAST(d.t.c AS INT)"),
    ("SELECT CAST(a AS LARGEINT) FROM t", "TRANSFORMATION CAST(d.t.a AS LARGEINT)"),
    ("SELECT a /* why */ + 1 FROM t", "TRANSFORMATION d.t.a + 1"),
]  # fmt: skip


@pytest.mark.parametrize(("query", "wanted"), ONE, ids=[query for query, _ in ONE])
def test_one_column(query: str, wanted: str) -> None:
    """The type and text of a single output."""
    assert direct(f"INSERT INTO o1 {query}") == {f"p {wanted}"}


def test_an_alias_may_be_used_by_the_items_after_it() -> None:
    """Where no source has the name."""
    assert "q TRANSFORMATION (d.t.a + 1) * 2" in direct("INSERT INTO o2 SELECT a + 1 AS n, n * 2 FROM t")
    assert "q TRANSFORMATION d.t.b * 2" in direct("INSERT INTO o2 SELECT a + 1 AS b, b * 2 FROM t")


STARS = [
    ("SELECT * FROM w", {"p d.w.a", "q d.w.x", "r d.w.k"}),
    ("SELECT w.* FROM w, t", {"p d.w.a", "q d.w.x", "r d.w.k"}),
    ("SELECT * EXCEPT (c, status, dt) FROM t", {"p d.t.a", "q d.t.b", "r d.t.Big"}),
    ("SELECT * FROM (SELECT a, b FROM t) s, (SELECT k FROM w) r", {"p d.t.a", "q d.t.b", "r d.w.k"}),
    ("SELECT * FROM (SELECT a FROM t) s JOIN w USING (a)", {"p d.t.a", "q d.w.x", "r d.w.k"}),
    ("SELECT * FROM (SELECT a FROM t) s RIGHT JOIN w USING (a)", {"p d.w.a", "q d.w.x", "r d.w.k"}),
    ("SELECT * FROM (SELECT a, x FROM u) s NATURAL JOIN w", {"p d.u.a", "q d.u.x", "r d.w.k"}),
    ("SELECT * FROM w LEFT SEMI JOIN t ON w.a = t.a", {"p d.w.a", "q d.w.x", "r d.w.k"}),
    ("SELECT * FROM t RIGHT SEMI JOIN w ON w.a = t.a", {"p d.w.a", "q d.w.x", "r d.w.k"}),
    ("SELECT 1 + 1, v2.* FROM v2", {"p 1 + 1", "q d.t.a", "r d.t.b + 1"}),
    ("SELECT *, 'x' FROM flow", {"p d.flow.k", "q d.flow.v", "r 'x'"}),
]  # fmt: skip


@pytest.mark.parametrize(("query", "wanted"), STARS, ids=[query for query, _ in STARS])
def test_stars(query: str, wanted: set[str]) -> None:
    """`*` gives the visible columns in order, columns of USING once."""
    found = {entry.split(" ", 2)[0] + " " + entry.split(" ", 2)[2] for entry in direct(f"INSERT INTO o3 {query}")}
    assert found == wanted


def test_star_shows_hidden_columns_when_the_session_does() -> None:
    """Then they are written like others."""
    info = lineage("INSERT INTO o3 SELECT * EXCEPT (__DORIS_COMMIT_TSO_COL__, v) FROM log", show_hidden=True)
    assert [sorted(entry.expr.sql for entry in info.direct[column]) for column in info.target_columns] == [
        ["d.log.k"], ["d.log.__DORIS_DELETE_SIGN__"], ["d.log.__DORIS_VERSION_COL__"]
    ]  # fmt: skip


BRANCHES = [
    ("SELECT a, 'x' FROM t UNION ALL SELECT x, 'y' FROM u",
     {"p IDENTITY d.t.a", "p IDENTITY d.u.x", "q TRANSFORMATION 'x'", "q TRANSFORMATION 'y'"}),
    ("SELECT a, b FROM t UNION SELECT MAX(x), 1 FROM u",
     {"p IDENTITY d.t.a", "p AGGREGATION MAX(d.u.x)", "q IDENTITY d.t.b", "q TRANSFORMATION 1"}),
    ("SELECT a, b FROM t INTERSECT SELECT x, y FROM u",
     {"p IDENTITY d.t.a", "p IDENTITY d.u.x", "q IDENTITY d.t.b", "q IDENTITY d.u.y"}),
    ("SELECT a, b FROM t EXCEPT SELECT x, y FROM u", {"p IDENTITY d.t.a", "q IDENTITY d.t.b"}),
    ("SELECT a, b FROM t UNION ALL SELECT a, b FROM t WHERE c = 'x'", {"p IDENTITY d.t.a", "q IDENTITY d.t.b"}),
    ("SELECT a + s, s FROM both",
     {"p TRANSFORMATION d.t.a + d.t.b", "p TRANSFORMATION d.u.x + d.u.y", "q IDENTITY d.t.b", "q IDENTITY d.u.y"}),
    ("SELECT l.a + r.s, 1 FROM both l JOIN both r ON TRUE",
     {"p TRANSFORMATION d.t.a + d.t.b", "p TRANSFORMATION d.t.a + d.u.y", "p TRANSFORMATION d.u.x + d.t.b",
      "p TRANSFORMATION d.u.x + d.u.y", "q TRANSFORMATION 1"}),
    ("SELECT n, n FROM (SELECT a AS n FROM t UNION ALL (SELECT x FROM u UNION ALL SELECT k FROM w)) s",
     {f"{column} IDENTITY {source}" for column in "pq" for source in ("d.t.a", "d.u.x", "d.w.k")}),
    ("SELECT v.n, b FROM t JOIN (VALUES (1), (2)) v (n) ON t.a = v.n",
     {"p TRANSFORMATION 1", "p TRANSFORMATION 2", "q IDENTITY d.t.b"}),
    ("SELECT (SELECT a FROM both LIMIT 1), b FROM t", {"p IDENTITY d.t.a", "p IDENTITY d.u.x", "q IDENTITY d.t.b"}),
    ("WITH RECURSIVE c AS (SELECT a AS n, b AS m FROM t UNION ALL SELECT n + 1, m FROM c) SELECT n, m FROM c",
     {"p IDENTITY d.t.a", "p TRANSFORMATION d.t.a + 1", "q IDENTITY d.t.b"}),
]  # fmt: skip


@pytest.mark.parametrize(("query", "wanted"), BRANCHES, ids=[query for query, _ in BRANCHES])
def test_branches(query: str, wanted: set[str]) -> None:
    """One entry per branch of a set operation; all columns of an entry are of the same branch."""
    assert direct(f"INSERT INTO o2 {query}") == wanted


AGGREGATES = """any_value approx_count_distinct ndv array_agg avg bitmap_union bitmap_union_count bitmap_union_int
bitmap_intersect collect_list collect_set count group_concat group_bit_and group_bit_or group_bit_xor hll_union
hll_union_agg hll_raw_agg max median min percentile_approx retention stddev stddev_pop stddev_samp sum topn variance
var_samp variance_pop bitmap_agg sum_merge max_by_union avg_foreach multi_distinct_count"""
OTHERS = """to_bitmap bitmap_hash hll_hash hll_cardinality bitmap_count sum_state row_number rank dense_rank
percent_rank cume_dist ntile lag lead first_value last_value nth_value array_union array_sum upper greatest"""


@pytest.mark.parametrize(
    ("name", "wanted"), [(n, True) for n in AGGREGATES.split()] + [(n, False) for n in OTHERS.split()]
)
def test_aggregate_functions(name: str, wanted: bool) -> None:
    """Doris's list decides, not sqlglot's."""
    without = ("row_number", "rank", "dense_rank", "percent_rank", "cume_dist")
    call = parse(f"SELECT {name}({'' if name in without else 'a'}) FROM t")[0].node.expressions[0]
    assert is_aggregate(call) is wanted
