"""Indexes, rollups, cluster keys and bloom filters: kept, shown, checked."""

from __future__ import annotations

import pytest

from storage import errors
from storage.errors import Kind
from tests.unit.sql.client import Client
from tests.unit.sql.draft import alter_table, printed, refuses, table

BASE = "k INT, s VARCHAR(9), f FLOAT, v INT"

REFUSED: list[tuple[str, Kind]] = [
    (f"({BASE}, INDEX i (zz)) UNIQUE KEY(k)", errors.INDEX_COLUMN),
    (f"({BASE}, INDEX i (s, v)) UNIQUE KEY(k)", errors.INDEX_COLUMN_COUNT),
    (f"({BASE}, INDEX i (s), INDEX I (v)) UNIQUE KEY(k)", errors.INDEX_EXISTS),
    (f"({BASE}, INDEX i (s), INDEX j (s)) UNIQUE KEY(k)", errors.INDEX_SAME),
    (f"({BASE}, INDEX i (f)) UNIQUE KEY(k)", errors.INDEX_COLUMN_TYPE),
    (f"({BASE}, INDEX i (v) USING NGRAM_BF) UNIQUE KEY(k)", errors.INDEX_COLUMN_TYPE),
    (f"({BASE}, INDEX i (s) USING NGRAM_BF PROPERTIES('gram_size' = 'x')) UNIQUE KEY(k)", errors.INDEX_NGRAM),
    ("(k INT, v INT SUM, INDEX i (v)) AGGREGATE KEY(k)", errors.INDEX_COLUMN_MODEL),
    (f"({BASE}) UNIQUE KEY(k) ROLLUP (r (zz))", errors.ROLLUP_COLUMN),
    (f"({BASE}) UNIQUE KEY(k) ROLLUP (r (k, k))", errors.ROLLUP_TWICE),
    (f"({BASE}) UNIQUE KEY(k) ROLLUP (r (v, k))", errors.ROLLUP_ORDER),
    (f"({BASE}) UNIQUE KEY(k, s) ROLLUP (r (k, v))", errors.ROLLUP_KEYS),
    (f"({BASE}) UNIQUE KEY(k) ROLLUP (r (k, v), R (k, s))", errors.ROLLUP_EXISTS),
    (f"({BASE}) UNIQUE KEY(k) ROLLUP (t (k, v))", errors.ROLLUP_EXISTS),
    (f"({BASE}) DUPLICATE KEY(k) ROLLUP (r (v, k) DUPLICATE KEY(k))", errors.ROLLUP_ORDER),
    (f"({BASE}) DUPLICATE KEY(k) ROLLUP (r (v), q (v, k) FROM r)", errors.ROLLUP_BASE),
    (f"({BASE}) UNIQUE KEY(k) ORDER BY (zz)", errors.CLUSTER_KEY_COLUMN),
    (f"({BASE}) UNIQUE KEY(k) ORDER BY (v, v)", errors.CLUSTER_KEY_TWICE),
    (f"({BASE}) UNIQUE KEY(k) ORDER BY (k)", errors.CLUSTER_KEY_SAME),
    (f"({BASE}) UNIQUE KEY(k) ORDER BY (f)", errors.CLUSTER_KEY_TYPE),
    (f"({BASE}) UNIQUE KEY(k) ORDER BY (v) PROPERTIES ('changelog.enable' = 'true')", errors.CHANGELOG_CLUSTER_KEYS),
    (
        f"({BASE}) UNIQUE KEY(k) ORDER BY (v) PROPERTIES ('enable_unique_key_merge_on_write' = 'false')",
        errors.CLUSTER_KEY_MERGE_ON_WRITE,
    ),
    (f"({BASE}) UNIQUE KEY(k) PROPERTIES ('bloom_filter_columns' = 'zz')", errors.BLOOM_COLUMN),
    (f"({BASE}) UNIQUE KEY(k) PROPERTIES ('bloom_filter_columns' = 'v, V')", errors.BLOOM_TWICE),
    (f"({BASE}) UNIQUE KEY(k) PROPERTIES ('bloom_filter_columns' = 'f')", errors.BLOOM_TYPE),
    (f"({BASE}) UNIQUE KEY(k) PROPERTIES ('bloom_filter_fpp' = '0.5')", errors.BLOOM_RATE),
]


@pytest.mark.parametrize(("text", "kind"), REFUSED)
def test_each_mistake_has_its_own_words(text: str, kind: Kind) -> None:
    refuses(kind, table, f"CREATE TABLE t {text}")


def test_bitmap_is_inverted_and_an_index_without_method_too() -> None:
    made = table(f"CREATE TABLE t ({BASE}, INDEX i (s), INDEX j (v) USING BITMAP COMMENT 'it''s') UNIQUE KEY(k)")
    assert [index.method for index in made.indexes] == ["INVERTED", "INVERTED"]
    assert "  INDEX i (`s`) USING INVERTED,\n  INDEX j (`v`) USING INVERTED COMMENT 'it''s'\n)" in printed(made)


def test_cluster_keys_hold_columns_in_place() -> None:
    made = table(f"CREATE TABLE t ({BASE}) UNIQUE KEY(k) ORDER BY (v, s)")
    assert "UNIQUE KEY(`k`)\nORDER BY (`v`, `s`)\n" in printed(made)
    refuses(errors.CLUSTER_KEY_DROP, alter_table, made, "ALTER TABLE t DROP COLUMN v")
    refuses(errors.CLUSTER_KEY_FIXED, alter_table, made, "ALTER TABLE t MODIFY COLUMN v BIGINT")
    refuses(errors.ORDER_CLUSTERED, alter_table, made, "ALTER TABLE t ORDER BY (k, v, s, f)")


def test_an_index_statement_changes_the_listing_and_no_result(client: Client) -> None:
    client.run("CREATE TABLE t (k INT, s VARCHAR(9)) UNIQUE KEY(k); INSERT INTO t VALUES (1, 'a')")
    client.run("CREATE INDEX i ON t (s) USING INVERTED PROPERTIES ('parser' = 'english') COMMENT 'words'")
    client.run("CREATE INDEX IF NOT EXISTS i ON t (s)")
    wanted = ("t", "i", "1", "s", "INVERTED", "words", '("parser" = "english")')
    found = client.run("SHOW INDEX FROM t")
    assert [(row[0], row[2], row[3], row[4], *row[10:]) for row in found] == [wanted]
    client.refused(errors.INDEX_EXISTS, "CREATE INDEX i ON t (s)")
    client.run("BUILD INDEX i ON t; BUILD INDEX ON t")
    client.refused(errors.INDEX_MISSING, "BUILD INDEX zz ON t")
    client.run("DROP INDEX i ON t; DROP INDEX IF EXISTS i ON t")
    client.refused(errors.INDEX_MISSING, "DROP INDEX i ON t")
    assert client.run("SHOW INDEX FROM t") == [] and client.run("SELECT * FROM t") == [(1, "a")]


def test_beside_a_changelog_an_index_is_light_but_not_built(client: Client) -> None:
    client.run("CREATE TABLE t (k INT, s VARCHAR(9)) UNIQUE KEY(k) PROPERTIES ('changelog.enable' = 'true')")
    client.run("CREATE INDEX i ON t (s); ALTER TABLE t ADD INDEX j (k), DROP INDEX i")
    client.refused(errors.CHANGELOG_OPERATION, "BUILD INDEX j ON t")


def test_desc_all_shows_rollups_behind_the_table(client: Client) -> None:
    client.run("CREATE TABLE t (k INT, s VARCHAR(9), v INT) DUPLICATE KEY(k) ROLLUP (r (s, k))")
    lines = [(row[0], row[2], row[6]) for row in client.run("DESC t ALL")]
    assert lines == [
        ("t", "k", "true"), ("", "s", "false"), ("", "v", "false"), ("", "", ""),
        ("r", "s", "true"), ("", "k", "false"),
    ]  # fmt: skip
    client.run("ALTER TABLE t RENAME ROLLUP r q; ALTER TABLE t ADD ROLLUP p (v); ALTER TABLE t DROP ROLLUP q")
    jobs = client.run("SHOW ALTER TABLE ROLLUP WHERE TableName = 't'")
    assert [(row[1], row[4], row[5], row[8]) for row in jobs] == [("t", "t", "p", "FINISHED")]
    assert client.run("SHOW ALTER TABLE ROLLUP WHERE TableName = 'u'") == []
    assert [(row[0], row[2]) for row in client.run("DESC t ALL") if row[0]] == [("t", "k"), ("p", "v")]
    client.refused(errors.ROLLUP_MISSING, "ALTER TABLE t DROP ROLLUP q")


def test_like_takes_rollups_only_when_told(client: Client) -> None:
    client.run("CREATE TABLE t (k INT, v INT, INDEX i (v)) DUPLICATE KEY(k) ROLLUP (r (v), q (v, k))")
    client.run("CREATE TABLE plain LIKE t; CREATE TABLE whole LIKE t WITH ROLLUP")
    client.run("CREATE TABLE one LIKE t WITH ROLLUP (q)")
    names = ("plain", "whole", "one")
    rollups = {name: [line[0] for line in client.run(f"DESC {name} ALL") if line[0]] for name in names}
    assert rollups == {"plain": ["plain"], "whole": ["whole", "r", "q"], "one": ["one", "q"]}
    assert len(client.run("SHOW INDEX FROM plain")) == 1
    client.refused(errors.ROLLUP_MISSING, "CREATE TABLE two LIKE t WITH ROLLUP (zz)")
