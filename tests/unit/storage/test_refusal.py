"""DuckDB says what storage/refusal.py expects; its own words never reach a client."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage.duck import Duck
from storage.errors import DorisError

REFUSALS = [
    (f"SELECT {'+'.join('1' * 1001)}", "Exceeded the maximum depth of an expression tree (1000)."),
    ("SELECT s, count(*) FROM t", "'s' must appear in the GROUP BY clause or be used in an aggregate function"),
    ("SELECT count(*) FROM t GROUP BY s HAVING i > 1", "'i' must appear in the GROUP BY clause"),
    ("SELECT i FROM t WHERE count(*) > 1", "WHERE clause can not contain aggregate functions"),
    ("SELECT 1 FROM t GROUP BY count(*)", "GROUP BY clause can not contain aggregate functions"),
    ("SELECT i FROM t WHERE row_number() OVER () > 1", "WHERE clause can not contain window functions"),
    ("SELECT sum(sum(i)) FROM t", "aggregate function cannot contain aggregate parameters"),
    ("SELECT sum(row_number() OVER ()) FROM t", "aggregate function cannot contain window functions"),
    ("SELECT row_number() FROM t", "Analytic function requires an OVER clause"),
    ("SELECT upper(s) OVER () FROM t", "Function 'upper' can not be used with an OVER clause"),
    ("SELECT grouping(i) FROM t", "arguments of GROUPING and GROUPING_ID must be columns of GROUP BY"),
    ("SELECT grouping(i) FROM t GROUP BY s", "arguments of GROUPING and GROUPING_ID must be columns of GROUP BY"),
    ("SELECT i FROM t QUALIFY i > 1", "QUALIFY clause needs a window function"),
    ("SELECT list_filter(lambda x: x > 1, [1])", "A lambda expression can not stand here, or is missing"),
    ("SELECT list_filter([1], 'x')", "A lambda expression can not stand here, or is missing"),
    ("SELECT abs(lambda x: x + 1)", "A lambda expression can not stand here, or is missing"),
    ("SELECT i FROM t WHERE unnest([i]) > 1", "Table generating function unnest can only be used in LATERAL VIEW"),
    ("SELECT v.x FROM (VALUES (1)) v", "Unknown column 'v.x' in 'table list'"),
    ("SELECT nothing(1)", "Can not found function 'nothing'"),
    ("SELECT array_slice(1, 2, 3)", "arguments, or their elements, are of types that do not fit"),
    ("SELECT cardinality('x')", "arguments, or their elements, are of types that do not fit"),
    ("SELECT map_keys('x')", "arguments, or their elements, are of types that do not fit"),
    ("SELECT list_distinct('x')", "arguments, or their elements, are of types that do not fit"),
    ("SELECT list_filter('x', lambda x: x > 1)", "arguments, or their elements, are of types that do not fit"),
    ("SELECT unnest(i) FROM t", "arguments, or their elements, are of types that do not fit"),
    ("SELECT [i, s] FROM t", "arguments, or their elements, are of types that do not fit"),
    ("SELECT list_aggr([i], 'string_agg', i) FROM t", "arguments, or their elements, are of types that do not fit"),
    ("SELECT __doris_json_part('{}', 'a')", "Json path error: Invalid Json Path for value: a"),
    ("SELECT quantile_cont(i, i) FROM t", "percentile function's last argument should be constant"),
    ("SELECT quantile_cont(i, NULL) FROM t", "percentage: NULL is not valid, must be in range [0,1]"),
    ("SELECT json_keys(s) FROM t", "Json parse error: unexpected character for value: \"x\""),
    ("SELECT s LIKE 'x|' ESCAPE '|' FROM t", "LIKE pattern must not end with its escape character"),
    ("SELECT s LIKE 'x' ESCAPE 'ab' FROM t", "like escape character must be a single ascii character"),
    ("SELECT quantile_cont(i, 2) FROM t", "a constant is not valid, must be in range [0,1]"),
    ("SELECT count(DISTINCT *) FROM t", "'*' can not stand here"),
    ("SELECT (SELECT i FROM t)", "Subquery returns more than 1 row"),
    ("SELECT (SELECT i, s FROM t)", "Subquery returns 2 columns, expected 1"),
    ("SELECT i FROM t UNION SELECT i, s FROM t", "Operands of a set operation have unequal number of columns"),
    ("SELECT * FROM (VALUES (1, 2), (3)) v", "Column count doesn't match value count"),
    ("SELECT i FROM t WHERE s MATCH 'x'", "MATCH is not supported"),
    ("SELECT s COLLATE none FROM t", "Collation with name none is not supported"),
    ("WITH c AS (SELECT 1), c AS (SELECT 2) SELECT 3", "Not unique CTE name: 'c'"),
    ("SELECT sum(s) FROM t", "Can not find the compatibility function signature: sum(VARCHAR)"),
    ("SELECT __doris_refuse('said: ' || s) FROM t", "said: "),
    ("SELECT DATE '2024-01-31' + to_days(2000000000)", "Operation on dates of these values out of range"),
    ("SELECT round('abc')", "Can not find the compatibility function signature: round(VARCHAR)"),
    ("SELECT ts * 2 FROM t", "Can not find the compatibility function signature: *(DATETIME, INT)"),
    ("SELECT CASE WHEN true THEN d ELSE i END FROM t", "Can not find a common type of INT and DATE"),
    ("SELECT coalesce(i, s) FROM t", "Can not find a common type of INT and VARCHAR"),
    ("SELECT s > ts FROM t", "Can not find a common type of VARCHAR and DATETIME"),
    ("SELECT i FROM t WHERE d IN (SELECT s FROM t)", "Can not find a common type of DATE and VARCHAR"),
    ("SELECT greatest(i, d) FROM t", "Can not find a common type of INT and DATE"),
    ("SELECT CAST(i AS DATE) FROM t", "can not cast from origin type INT to target type=DATE"),
    ("SELECT i.x FROM t", "Unknown field 'x' of 'i'"),
    ("SELECT CAST(s AS INTEGER) FROM t", "Can not cast 'x' to INT"),
    ("SELECT CAST('x' AS DECIMAL(5, 2))", "Can not cast 'x' to DECIMAL(5,2)"),
    ("SELECT CAST('x' AS DATE)", "Can not cast 'x' to DATE"),
    ("SELECT CAST('2024-13-45' AS DATE)", "Can not cast '2024-13-45' to DATE"),
    ("SELECT CAST('2024-01-01 99:00:00' AS TIMESTAMP)", "Can not cast '2024-01-01 99:00:00' to DATETIME"),
    ("SELECT CAST(99999999999 AS INTEGER)", "Value 99999999999 is out of range of INT"),
    ("SELECT CAST(b AS INTEGER) FROM t", "Value 9223372036854775807 is out of range of INT"),
    ("SELECT CAST(CAST(1e50 AS DOUBLE) AS DECIMAL(5, 2))", "is out of range of DECIMAL(5,2)"),
    ("SELECT CAST(1000.0 AS DECIMAL(5, 2))", "Value 1000.0 is out of range of DECIMAL(5,2)"),
    ("SELECT b + 1 FROM t", "Arithmetic overflow in addition of BIGINT (9223372036854775807 + 1)"),
    ("SELECT date_trunc('decade_x', d) FROM t", "Unsupported time unit: decade_x"),
    ("SELECT strftime(d, '%Q') FROM t", "Invalid date format: %Q"),
    ("SELECT ts AT TIME ZONE s FROM t", "Unknown or incorrect time zone: 'x'"),
    *((f"SELECT regexp_matches(s, '{pattern}') FROM t", "Invalid regular expression: ")
      for pattern in ("(", "[", "*", ")", "\\", "a**", "(?<x", "\\8", "[z-a]", "a{2000}")),
]  # fmt: skip


@pytest.fixture(scope="module")
def duck(tmp_path_factory: pytest.TempPathFactory) -> Duck:
    duck = Duck(Path(tmp_path_factory.mktemp("refusal")))
    cursor = duck.cursor()
    cursor.execute("CREATE TABLE t (i INTEGER, s VARCHAR, d DATE, b BIGINT, ts TIMESTAMP)")
    cursor.execute("INSERT INTO t VALUES (1, 'x', '2024-01-01', 9223372036854775807, '2024-01-01')")
    cursor.execute("INSERT INTO t VALUES (2, 'y', NULL, 0, NULL)")
    return duck


@pytest.mark.parametrize(("query", "words"), REFUSALS)
def test_says_it_in_words_of_doris(duck: Duck, query: str, words: str) -> None:
    with pytest.raises(DorisError) as raised:
        duck.cursor().rows(query)
    assert words in raised.value.message
