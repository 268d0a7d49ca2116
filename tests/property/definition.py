"""Random CREATE TABLE statements: all types, models, partitionings, indexes, rollups and properties."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

KEY_TYPES = ("TINYINT", "INT", "BIGINT", "LARGEINT", "DECIMAL(9, 2)", "DATE", "DATETIME", "DATETIME(3)", "VARCHAR(7)")
VALUE_TYPES = (*KEY_TYPES, "DOUBLE", "FLOAT", "STRING", "BOOLEAN", "CHAR(3)", "ARRAY<INT>", "MAP<STRING,INT>", "JSON")
DEFAULTS = {
    "INT": ("'5'", "-3"),
    "BIGINT": ("9",),
    "VARCHAR(7)": ("'it''s'", "'a\"b'", "''", "'x\\\\y'"),
    "DATE": ("'2024-02-29'", "CURRENT_DATE"),
    "DATETIME": ("CURRENT_TIMESTAMP", "'2024-01-02 03:04:05'"),
    "DATETIME(3)": ("CURRENT_TIMESTAMP(3)",),
    "BOOLEAN": ("TRUE",),
}
NAMES = ("a", "b", "select", "odd name", "Upper", "größe", "straße", "x1", "_u")
COMMENTS = ("", "plain", "it's", 'a "b"', "back\\slash", "ü")
UNITS = ("day", "month", "year")


@dataclass(frozen=True)
class Made:
    """One column as written, with what the clauses behind need to know."""

    name: str
    type: str
    text: str
    key: bool


def ident(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def literal(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


@st.composite
def columns(draw: st.DrawFn, model: str) -> list[Made]:
    """One to three keys, then up to four values."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=7, unique=True))
    keys = draw(st.integers(1, min(3, len(names))))
    return [draw(column(name, model, place < keys)) for place, name in enumerate(names)]


@st.composite
def column(draw: st.DrawFn, name: str, model: str, key: bool) -> Made:
    """One column definition."""
    kind = draw(st.sampled_from(KEY_TYPES if key else VALUE_TYPES))
    parts = [ident(name), kind]
    if model == "AGGREGATE" and not key:
        parts.append(draw(st.sampled_from(("REPLACE NOT NULL", "REPLACE", "REPLACE_IF_NOT_NULL NULL"))))
    else:
        parts.append("NOT NULL" if kind == "DATE" else draw(st.sampled_from(("NOT NULL", "NULL", ""))))
    if kind in DEFAULTS and draw(st.booleans()):
        parts.append(f"DEFAULT {draw(st.sampled_from(DEFAULTS[kind]))}")
    comment = draw(st.sampled_from(COMMENTS))
    parts += [f"COMMENT {literal(comment)}"] if comment else []
    return Made(name, kind, " ".join(parts), key)


@st.composite
def partitioning(draw: st.DrawFn, made: list[Made]) -> str:
    """No partitions, or one of the five forms, over a key column that can bear it."""
    by = {column.type: ident(column.name) for column in made if column.key}
    forms = [""]
    if "INT" in by:
        forms += [_fixed(by["INT"]), _less_than(by["INT"]), _steps(by["INT"]), _list(by["INT"])]
    if "DATE" in by:
        unit = draw(st.sampled_from(UNITS))
        forms += [
            f"PARTITION BY RANGE({by['DATE']}) (FROM ('2024-01-01') TO ('2025-01-01') INTERVAL 2 MONTH,"
            " PARTITION late VALUES LESS THAN MAXVALUE)",
            f"AUTO PARTITION BY RANGE (date_trunc({by['DATE']}, '{unit}')) ()",
        ]
    if "VARCHAR(7)" in by:
        forms += [f"AUTO PARTITION BY LIST({by['VARCHAR(7)']}) (PARTITION p VALUES IN ('a', 'it''s'))"]
    if {"INT", "BIGINT"} <= by.keys():
        forms.append(
            f"PARTITION BY RANGE({by['INT']}, {by['BIGINT']}) (PARTITION p1 VALUES LESS THAN (5, 3),"
            " PARTITION p2 VALUES LESS THAN (5, 7), PARTITION p3 VALUES LESS THAN (MAXVALUE, MAXVALUE))"
        )
    if {"INT", "VARCHAR(7)"} <= by.keys():
        over = f"{by['INT']}, {by['VARCHAR(7)']}"
        forms.append(
            f"PARTITION BY LIST({over}) (PARTITION p1 VALUES IN ((1, 'a'), (2, 'b')),"
            " PARTITION p2 VALUES IN ((1, 'b')))"
        )
    return draw(st.sampled_from(forms))


def _fixed(name: str) -> str:
    return f"PARTITION BY RANGE({name}) (PARTITION p1 VALUES [(-5), (5)), PARTITION `p-2` VALUES [(9), (MAXVALUE)))"


def _less_than(name: str) -> str:
    return f"PARTITION BY RANGE({name}) (PARTITION p1 VALUES LESS THAN (0), PARTITION p2 VALUES LESS THAN (7))"


def _steps(name: str) -> str:
    return f"PARTITION BY RANGE({name}) (FROM (0) TO (95) INTERVAL 10)"


def _list(name: str) -> str:
    return f"PARTITION BY LIST({name}) (PARTITION p1 VALUES IN (1, 2), PARTITION p2 VALUES IN (-3))"


@st.composite
def statements(draw: st.DrawFn) -> str:
    """A whole CREATE TABLE of the table `t`."""
    model = draw(st.sampled_from(("DUPLICATE", "UNIQUE", "AGGREGATE")))
    made = draw(columns(model))
    keys = [column for column in made if column.key]
    members = [column.text for column in made] + draw(indexes(made, model))
    lines = [f"CREATE TABLE t ({', '.join(members)})", f"{model} KEY({', '.join(ident(key.name) for key in keys)})"]
    comment = draw(st.sampled_from(COMMENTS))
    lines += [f"COMMENT {literal(comment)}"] if comment else []
    lines.append(draw(partitioning(made)))
    lines.append(draw(st.sampled_from((f"DISTRIBUTED BY HASH({ident(keys[0].name)}) BUCKETS 3", ""))))
    if model == "DUPLICATE" and draw(st.booleans()):
        lines.append(f"ROLLUP (r1 ({ident(keys[0].name)}), `r 2` ({', '.join(ident(key.name) for key in keys)}))")
    lines.append(draw(properties(model, made)))
    return " ".join(lines)


@st.composite
def indexes(draw: st.DrawFn, made: list[Made], model: str) -> list[str]:
    """Up to two INVERTED indexes on key columns of simple types."""
    able = [column for column in made if column.key and column.type in ("INT", "DATE", "VARCHAR(7)", "BIGINT")]
    chosen = draw(st.lists(st.sampled_from(able), max_size=2, unique_by=lambda c: c.name)) if able else []
    tail = draw(st.sampled_from(("", " USING INVERTED", " USING INVERTED COMMENT 'it''s'")))
    return [f"INDEX `i {place}` ({ident(column.name)}){tail}" for place, column in enumerate(chosen)]


@st.composite
def properties(draw: st.DrawFn, model: str, made: list[Made]) -> str:
    """Properties that fit the model."""
    given = {"replication_num": "1"}
    if draw(st.booleans()):
        given["storage_medium"] = "SSD"
    bloomed = [column.name for column in made if column.key and column.type in ("INT", "VARCHAR(7)", "DATE")]
    if bloomed and "," not in bloomed[0] and draw(st.booleans()):
        given["bloom_filter_columns"] = bloomed[0]
    if model == "UNIQUE":
        given["enable_unique_key_merge_on_write"] = draw(st.sampled_from(("true", "false")))
    if model == "DUPLICATE" and "JSON" not in str(made) and draw(st.booleans()):
        given |= {"changelog.enable": "true", "changelog.ttl_seconds": "77"}
    return "PROPERTIES (" + ", ".join(f"{literal(key)} = {literal(value)}" for key, value in given.items()) + ")"
