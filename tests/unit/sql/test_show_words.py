"""Every word of a SHOW or DESC does something or is refused by name; none is read and forgotten."""

from __future__ import annotations

import pytest
from sqlglot import exp

from sql.dialect.grammar.show import FULL, OF_ADMIN, SCOPED, SHOWS, SYNONYMS
from sql.statement import registered
from storage.errors import (
    NO_SUCH_TABLE,
    SHOW_PARTITIONS_WHERE,
    SHOW_WHERE,
    SYNTAX_ERROR,
    UNKNOWN_CATALOG,
    UNKNOWN_DATABASE,
    UNKNOWN_PARTITION,
    DorisError,
)
from tests.unit.sql.client import Client
from tests.unit.sql.draft import node_of, refuses

BUILT = {kind for node, kind in registered() if node is exp.Show}
BEHIND = {"n": "plain", "i": "shop", "t": "FROM plain", "p": "FROM plain", "s": "'x'", "#": "1"}
TEXTS = {
    words: f"{words.replace(' ( * )', '(*)')} {BEHIND.get(code, '')}".strip()
    for words, code in SHOWS.items()
    if code != "*" and SYNONYMS.get(words, words) in BUILT
}


@pytest.fixture
def shop(client: Client) -> Client:
    client.run("CREATE TABLE plain (k INT) DUPLICATE KEY(k); CREATE VIEW v AS SELECT 1 AS one")
    return client


@pytest.mark.parametrize("words", [words for words in TEXTS if SHOWS[words] not in ("n", "i", "s", "#")])
def test_all_lists_look_at_where_and_order(shop: Client, words: str) -> None:
    with pytest.raises(DorisError) as caught:
        shop.run(f"SHOW {TEXTS[words]} WHERE no_such_column = 1")
    assert caught.value.kind in (SHOW_WHERE, SHOW_PARTITIONS_WHERE)
    assert shop.run(f"SHOW {TEXTS[words]} LIKE 'nothing is called so' LIMIT 1") == []


@pytest.mark.parametrize("words", [words for words in TEXTS if SHOWS[words] in ("n", "i", "s", "#")])
def test_what_is_no_list_takes_no_conditions(words: str) -> None:
    for tail in ("LIKE 'x'", "WHERE a = 1", "ORDER BY a", "LIMIT 1"):
        assert f"extraneous input '{tail.split()[0]}" in refuses(SYNTAX_ERROR, node_of, f"SHOW {TEXTS[words]} {tail}")


@pytest.mark.parametrize("words", TEXTS)
def test_full_global_and_session_stand_where_they_mean_something(words: str) -> None:
    known = {"FULL": FULL, "GLOBAL": SCOPED | {"FUNCTIONS"}, "SESSION": SCOPED, "LOCAL": SCOPED}
    for word, those in known.items():
        if words in those:
            node_of(f"SHOW {word} {TEXTS[words]}")
        elif f"{word} {words}" not in SHOWS:
            assert f"'{word}'" in refuses(SYNTAX_ERROR, node_of, f"SHOW {word} {TEXTS[words]}")


@pytest.mark.parametrize("words", TEXTS)
def test_admin_stands_before_what_only_administrators_see(words: str) -> None:
    if words in OF_ADMIN:
        node_of(f"ADMIN SHOW {TEXTS[words]}")
    else:
        refuses(SYNTAX_ERROR, node_of, f"ADMIN SHOW {TEXTS[words]}")


@pytest.mark.parametrize("words", [words for words in TEXTS if SHOWS[words] == "d"])
def test_the_database_is_looked_for(shop: Client, words: str) -> None:
    shop.run(f"SHOW {words} FROM shop; SHOW {words} IN internal.shop")
    shop.refused(UNKNOWN_DATABASE, f"SHOW {words} FROM nowhere")
    shop.refused(UNKNOWN_CATALOG, f"SHOW {words} FROM hive.shop")
    refuses(SYNTAX_ERROR, node_of, f"SHOW {words} FROM a.b.c")


@pytest.mark.parametrize("words", [words for words in TEXTS if SHOWS[words] == "t"])
def test_partitions_are_named_only_where_they_are_looked_at(words: str) -> None:
    assert "'PARTITION'" in refuses(SYNTAX_ERROR, node_of, f"SHOW {TEXTS[words]} PARTITION (plain)")


def test_full_views_and_full_functions(shop: Client) -> None:
    assert shop.run("SHOW VIEWS") == [("v",)]
    assert shop.run("SHOW FULL VIEWS WHERE Table_type = 'VIEW'") == [("v", "VIEW", "NONE", "NONE")]
    assert shop.headings("SHOW FULL FUNCTIONS")[:2] == ["Signature", "Return Type"]
    assert shop.headings("SHOW FUNCTIONS") == ["Function_Name"]


def test_desc_looks_for_the_partition(shop: Client) -> None:
    assert shop.run("DESC plain PARTITION plain") == shop.run("DESC plain")
    shop.refused(UNKNOWN_PARTITION, "DESC plain PARTITION (plain, p2)")
    shop.refused(UNKNOWN_PARTITION, "DESC plain TEMPORARY PARTITION plain")
    shop.refused(NO_SUCH_TABLE, "DESC v PARTITION plain")
    refuses(SYNTAX_ERROR, node_of, "DESC plain ALL PARTITION plain")
