"""Headers of a load and the expressions in them: what they mean, and in which words malformed ones are refused."""

from __future__ import annotations

import datetime

import pytest
from sqlglot import exp

from sql.ingest.target import Mode
from sql.load.mapping import columns, expression
from sql.load.plan import plan
from sql.load.request import Csv, Json, Merge, read
from storage import errors
from storage.naming import HIDDEN_UID, given
from tests.unit.sql.draft import refuses, table

NOW = datetime.datetime(2026, 9, 14, 10)


def test_without_headers_a_load_is_plain_csv() -> None:
    request = read({})
    assert request.format == Csv("\t", "\n")
    assert (request.mode, request.merge, request.filter_ratio, request.strict) == (Mode.UPSERT, Merge.APPEND, 0, False)


@pytest.mark.parametrize(
    ("text", "separator"),
    [(",", ","), ("||", "||"), ("\\x01", "\x01"), ("\\x0102", "\x01\x02"), ("\\x01\\x02", "\x01\x02"), ("\\t", "\t")],
)
def test_separators_have_hexadecimal_forms_and_escapes(text: str, separator: str) -> None:
    form = read({"column_separator": text}).format
    assert isinstance(form, Csv) and form.separator == separator


def test_the_formats_with_names_skip_their_lines_and_no_others() -> None:
    for name, skip in (("csv", 3), ("CSV_WITH_NAMES", 1), ("csv_with_names_and_types", 2)):
        form = read({"format": name, "skip_lines": "3"}).format
        assert isinstance(form, Csv) and form.skip == skip


def test_json_headers() -> None:
    words = {
        "format": "JSON",
        "strip_outer_array": "TRUE",
        "jsonpaths": "[]",
        "json_root": "$.a",
        "fuzzy_parse": "true",
    }
    assert read(words).format == Json(True, False, "[]", "$.a", True)


@pytest.mark.parametrize(
    ("headers", "kind"),
    [
        ({"format": "xlsx"}, errors.LOAD_FORMAT),
        ({"format": "parquet"}, errors.NOT_SUPPORTED_YET),
        ({"two_phase_commit": "true"}, errors.NOT_SUPPORTED_YET),
        ({"merge_type": "REPLACE"}, errors.LOAD_MERGE_TYPE),
        ({"merge_type": "MERGE"}, errors.LOAD_DELETE_MISSING),
        ({"delete": "v=1"}, errors.LOAD_DELETE_SURPLUS),
        ({"merge_type": "DELETE", "delete": "v=1"}, errors.LOAD_DELETE_SURPLUS),
        ({"strict_mode": "perhaps"}, errors.LOAD_STRICT_MODE),
        ({"timeout": "soon"}, errors.LOAD_TIMEOUT),
        ({"max_filter_ratio": "1.5"}, errors.LOAD_NUMBER),
        ({"max_filter_ratio": "x"}, errors.LOAD_NUMBER),
        ({"skip_lines": "-1"}, errors.LOAD_NUMBER),
        ({"column_separator": "\\xzz"}, errors.LOAD_SEPARATOR),
        ({"column_separator": ""}, errors.LOAD_SEPARATOR),
        ({"enclose": "''"}, errors.LOAD_ONE_BYTE),
        ({"partial_columns": "maybe"}, errors.LOAD_SWITCH),
        ({"unique_key_update_mode": "sometimes"}, errors.UPDATE_MODE),
        ({"partial_update_new_key_behavior": "x"}, errors.NEW_KEY_BEHAVIOR),
        ({"partitions": "p", "temporary_partitions": "q"}, errors.LOAD_PARTITIONS),
    ],
)
def test_malformed_headers_are_refused(headers: dict[str, str], kind: errors.Kind) -> None:
    refuses(kind, read, headers)


def test_columns_are_names_and_expressions() -> None:
    found = columns("k, `raw`, date, V = upper(concat(raw, ',=')), x=if(k=1,2,3)")
    assert found.sources == ("k", "raw", "date")
    assert [name for name, _ in found.derived] == ["V", "x"]
    assert found.names == ("k", "raw", "date", "V", "x")
    assert isinstance(found.expression("v"), exp.Upper)


def test_a_computed_column_hides_the_field_of_its_name() -> None:
    assert columns("k, v, v = v * 2").names == ("k", "v")


@pytest.mark.parametrize("text", ["1 FROM t", "(SELECT 1)", "*", "a, b", "a b", "1; DROP TABLE t"])
def test_only_single_expressions_are_taken(text: str) -> None:
    refuses(errors.LOAD_EXPRESSION, expression, text, "where")


def test_column_lists_without_a_name_are_refused() -> None:
    refuses(errors.LOAD_COLUMNS, columns, "k, ,v")
    refuses(errors.LOAD_COLUMNS, columns, "k, upper(v)")


# -- plans -------------------------------------------------------------------------------------------
UNIQUE = "UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1"
HIDDEN = table(f'CREATE TABLE t (k INT, v INT) {UNIQUE} PROPERTIES ("function_column.sequence_type" = "int")')
MAPPED = table(f'CREATE TABLE t (k INT, v INT) {UNIQUE} PROPERTIES ("function_column.sequence_col" = "v")')
FLEXIBLE = table(
    f'CREATE TABLE t (k INT, v INT) {UNIQUE} PROPERTIES ("enable_unique_key_skip_bitmap_column" = "true",'
    ' "function_column.sequence_type" = "int")'
)


def _columns(found: object) -> list[str]:
    return [column.name for column in found.chosen.columns]  # type: ignore[attr-defined]


def test_fields_that_feed_no_column_are_passed_on() -> None:
    found = plan(MAPPED, read({"columns": "k, raw, v = raw + 1", "where": "raw > 1"}), NOW)
    assert (found.fields, _columns(found), found.passed) == (("k", "raw"), ["k", "v"], ("raw",))


def test_a_load_feeds_hidden_columns_by_header() -> None:
    found = plan(HIDDEN, read({"columns": "k, v, ver", "function_column.sequence_col": "ver"}), NOW)
    assert _columns(found) == ["k", "v", "__DORIS_SEQUENCE_COL__"]
    found = plan(HIDDEN, read({"hidden_columns": "__DORIS_DELETE_SIGN__,__DORIS_SEQUENCE_COL__"}), NOW)
    assert found.fields == ("k", "v", "__DORIS_DELETE_SIGN__", "__DORIS_SEQUENCE_COL__")
    assert (found.chosen.sign, found.chosen.sequence) == (2, 3)


@pytest.mark.parametrize(
    ("made", "headers", "kind"),
    [
        (HIDDEN, {}, errors.SEQUENCE_REQUIRED),
        (HIDDEN, {"columns": "k", "partial_columns": "true"}, errors.SEQUENCE_REQUIRED),
        (MAPPED, {"columns": "k"}, errors.SEQUENCE_REQUIRED),
        (MAPPED, {"function_column.sequence_col": "k"}, errors.SEQUENCE_MAPPED),
        (MAPPED, {"unique_key_update_mode": "UPDATE_FLEXIBLE_COLUMNS"}, errors.LOAD_FLEXIBLE_FORMAT),
        (MAPPED, {"columns": "v", "partial_columns": "true"}, errors.PARTIAL_KEY_MISSING),
        (FLEXIBLE, {"unique_key_update_mode": "UPDATE_FLEXIBLE_COLUMNS", "format": "json", "merge_type": "APPEND"},
         errors.LOAD_FLEXIBLE),
        (MAPPED, {"columns": "k, v, nope"}, None),
        (MAPPED, {"columns": "k, v, v = v + 1", "negative": "true"}, errors.LOAD_NEGATIVE),
    ],
)  # fmt: skip
def test_plans_that_are_refused(made: object, headers: dict[str, str], kind: errors.Kind | None) -> None:
    """A source name that is no column is no mistake."""
    if kind is None:
        plan(made, read(headers), NOW)  # type: ignore[arg-type]
    else:
        refuses(kind, plan, made, read(headers), NOW)


def test_a_flexible_plan_has_a_flag_for_everything_but_the_keys() -> None:
    words = {"unique_key_update_mode": "UPDATE_FLEXIBLE_COLUMNS", "format": "json"}
    found = plan(FLEXIBLE, read(words), NOW)
    assert found.fields == ("k", "v", "__DORIS_DELETE_SIGN__", "__DORIS_SEQUENCE_COL__")
    assert found.keys == ("k",)
    assert found.chosen.flags == {given(1): "__doris_flag_1", given(HIDDEN_UID): "__doris_flag_3"}
    assert plan(FLEXIBLE, read({**words, "function_column.sequence_col": "ver"}), NOW).fields[-1] == "ver"
