"""What the spelled text means in DuckDB is what Doris means; golden files show the text itself."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from decimal import Decimal

import duckdb
import pytest
from sqlglot import exp

from sql.dialect.bound import RawRelation
from sql.dialect.doris import parse
from sql.dialect.duckdb import to_duckdb
from storage.errors import NOT_SUPPORTED_YET, UNKNOWN_FUNCTION, DorisError
from storage.udf import register


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        register(opened)
        opened.execute("SET TimeZone = 'UTC'")
        opened.execute("CREATE TABLE n (a INTEGER, s VARCHAR); INSERT INTO n VALUES (1, 'x'), (NULL, NULL), (2, 'y')")
        yield opened


DAY = datetime.date
TIME = datetime.datetime

MEANINGS: list[tuple[str, object]] = [
    ("concat('a', NULL)", None),
    ("concat('a', 1)", "a1"),
    ("concat_ws('-', 'a', NULL, 'b')", "a-b"),
    ("length('한글')", 6),
    ("char_length('한글')", 2),
    ("substring('abc', 0)", ""),
    ("substring('abc', -5)", ""),
    ("substring('abc', -2, 1)", "b"),
    ("substring('abc', 2, -1)", ""),
    ("left('abc', -1)", ""),
    ("right('abc', 2)", "bc"),
    ("locate('b', 'abcb', 3)", 4),
    ("locate('b', 'abc', 0)", 0),
    ("instr('abc', 'c')", 3),
    ("trim('xyHiyx', 'xy')", "Hiyx"),
    ("rpad('a', 3, '')", ""),
    ("'a_c' LIKE 'a\\\\_c'", True),
    ("'abc' LIKE 'a\\\\_c'", False),
    ("'Abc' NOT LIKE 'a%'", True),
    ("'abc' REGEXP 'b'", True),
    ("regexp_extract('a1b2', '([a-z])([0-9])', 2)", "1"),
    ("if(NULL, 1, 2)", 2),
    ("ifnull(NULL, 3)", 3),
    ("greatest(1, NULL, 3)", None),
    ("least(2, 1)", 1),
    ("7 DIV 2", 3),
    ("-7 DIV 2", -3),
    ("7 DIV 0", None),
    ("7 % 0", None),
    ("1 / 2", 0.5),
    ("1 / 0", None),
    ("round(-2.5)", Decimal(-3)),
    ("truncate(2.567, 2)", Decimal("2.56")),
    ("sqrt(-1)", None),
    ("ln(0)", None),
    ("log10(0)", None),
    ("1 | 2 & 2", 3),
    ("TRUE XOR NULL", None),
    ("NULL <=> NULL", True),
    ("x'41'", "A"),
    ("CAST('1.9' AS INT)", 1),
    ("CAST(1.9 AS INT)", 1),
    ("CAST('abc' AS INT)", None),
    ("CAST(300 AS TINYINT)", None),
    ("CAST('170141183460469231731687303715884105727' AS LARGEINT)", 2**127 - 1),
    ("CAST(TRUE AS STRING)", "1"),
    ("CAST(1.255 AS DECIMAL(5, 2))", Decimal("1.26")),
    ("CAST('20240131' AS DATE)", DAY(2024, 1, 31)),
    ("CAST('2024-02-30' AS DATE)", None),
    ("CAST('2024-01-01 00:00:00.6' AS DATETIME)", TIME(2024, 1, 1, 0, 0, 1)),
    ("CAST('1969-12-31 23:59:59.4' AS DATETIME)", TIME(1969, 12, 31, 23, 59, 59)),
    ("CAST('2024-01-01 00:00:00.1236' AS DATETIME(3))", TIME(2024, 1, 1, 0, 0, 0, 124000)),
    ("CAST(DATE '2024-01-31' AS INT)", 20240131),
    ("date_add('2024-01-31', INTERVAL 1 MONTH)", DAY(2024, 2, 29)),
    ("date_add('2023-12-31 23:00:00', INTERVAL 2 HOUR)", TIME(2024, 1, 1, 1)),
    ("INTERVAL 1 DAY + DATE '2024-01-01'", DAY(2024, 1, 2)),
    ("DATE '2024-01-01' - INTERVAL 1 HOUR", TIME(2023, 12, 31, 23)),
    ("days_add(DATE '2024-01-01', 31)", DAY(2024, 2, 1)),
    ("datediff('2024-01-02 00:00:00', '2024-01-01 23:59:59')", 1),
    ("timestampdiff(MONTH, '2024-01-31', '2024-02-28')", 0),
    ("timestampdiff(MONTH, '2024-01-31', '2024-02-29')", 1),
    ("date_trunc('2024-05-17 10:11:12', 'month')", TIME(2024, 5, 1)),
    ("date_trunc(DATE '2024-05-17', 'year')", DAY(2024, 1, 1)),
    ("date_format('2024-05-07 09:08:07', '%Y/%c/%e %H-%i-%s')", "2024/5/7 09-08-07"),
    ("date_format('2024-05-07', 'yyyyMMdd')", "20240507"),
    ("str_to_date('2024-13-01', '%Y-%m-%d')", None),
    ("str_to_date('2024-12-01', '%Y-%m-%d')", DAY(2024, 12, 1)),
    ("from_unixtime(0)", "1970-01-01 00:00:00"),
    ("from_unixtime('abc')", None),
    ("from_unixtime(9223372036854775807)", None),
    ("convert_tz('2024-01-15 00:00:00', '-03:30', 'UTC')", TIME(2024, 1, 15, 3, 30)),
    ("dayofweek('2024-01-07')", 1),
    ("weekday('2024-01-07')", 6),
    ("week('2024-01-06')", 0),
    ("microsecond('2024-01-01 00:00:05.25')", 250000),
    ("to_days('2024-01-01')", 739251),
    ("[1, 2, 3][1]", 1),
    ("array_position([1, 2], 3)", 0),
    ("array_sort([2, NULL, 1])", [None, 1, 2]),
]


@pytest.mark.parametrize(("text", "value"), MEANINGS)
def test_value(connection: duckdb.DuckDBPyConnection, text: str, value: object) -> None:
    """One expression, one value."""
    row = connection.execute(to_duckdb(parse(f"SELECT {text}")[0].node)).fetchone()
    assert row is not None
    assert row[0] == value
    assert isinstance(row[0], type(value))


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("SELECT a FROM n ORDER BY a", [(None,), (1,), (2,)]),
        ("SELECT a FROM n ORDER BY a DESC", [(2,), (1,), (None,)]),
        ("SELECT row_number() OVER (ORDER BY a) r, a FROM n ORDER BY r LIMIT 1", [(1, None)]),
        ("SELECT group_concat(s ORDER BY s DESC), count(DISTINCT a, s), collect_list(a) FROM n", [("y,x", 2, [1, 2])]),
        ("SELECT a, count(*) FROM n WHERE a = 1 GROUP BY a WITH ROLLUP ORDER BY a", [(None, 1), (1, 1)]),
        ("SELECT a, e FROM n LATERAL VIEW explode_outer(if(a = 1, [5, 6], NULL)) x AS e WHERE a IS NOT NULL"
         " ORDER BY a, e", [(1, 5), (1, 6), (2, None)]),
        ("SELECT s FROM n LEFT SEMI JOIN (SELECT 1 AS k) x ON n.a = x.k", [("x",)]),
        ("SELECT a FROM n MINUS SELECT 1 ORDER BY a", [(None,), (2,)]),
        ("SELECT 1 FROM DUAL WHERE 1", [(1,)]),
    ],
)  # fmt: skip
def test_rows(connection: duckdb.DuckDBPyConnection, text: str, rows: list[tuple[object, ...]]) -> None:
    """Order of NULLs, groups, joins and table functions."""
    assert connection.execute(to_duckdb(parse(text)[0].node)).fetchall() == rows


@pytest.mark.parametrize("call", ["no_such(1)", "read_csv('/etc/passwd')", "list_sum([1])", "getenv('HOME')"])
def test_functions_of_duckdb_cannot_be_reached(call: str) -> None:
    """A name that Doris does not have is unknown, whatever DuckDB makes of it."""
    with pytest.raises(DorisError) as caught:
        to_duckdb(parse(f"SELECT {call}")[0].node)
    assert caught.value.kind is UNKNOWN_FUNCTION


@pytest.mark.parametrize("text", ["CAST(a AS IPV4)"])
def test_what_would_be_answered_wrongly_is_refused(text: str) -> None:
    """A clear refusal stands where DuckDB means something else."""
    with pytest.raises(DorisError) as caught:
        to_duckdb(parse(f"SELECT {text} FROM t")[0].node)
    assert caught.value.kind is NOT_SUPPORTED_YET


def test_a_tree_is_not_changed_by_spelling_it() -> None:
    """Trees are shared."""
    tree = parse("SELECT length(a), date_add(d, INTERVAL 1 DAY) FROM t GROUP BY 1 WITH ROLLUP")[0].node
    before = tree.copy()
    to_duckdb(tree)
    assert tree == before
    assert not any(found.meta.get("called") for found in tree.find_all(exp.Length))


def test_raw_text_stands_as_a_relation() -> None:
    """The rewrites put DuckDB text where a table stood."""
    tree = parse("SELECT x.a FROM t AS x")[0].node.copy()
    alias = exp.TableAlias(this=exp.to_identifier("x"))
    table = tree.find(exp.Table)
    assert table is not None
    table.replace(exp.Subquery(this=RawRelation(this="SELECT 1 AS a"), alias=alias))
    assert to_duckdb(tree) == 'SELECT "x"."a" FROM (SELECT 1 AS a) AS "x"'


def test_our_own_casts_may_be_strict() -> None:
    """A cast marked `strict` raises in DuckDB instead of giving NULL."""
    cast = exp.Cast(this=exp.column("a"), to=exp.DataType(this=exp.DType.BIGINT))
    cast.meta["strict"] = True
    assert to_duckdb(cast) == 'CAST("a" AS BIGINT)'
