"""The statement cache keeps what comes again and is not flooded by what comes once."""

from __future__ import annotations

from sql.dialect.cache import KEPT, LONGEST, Cache
from sql.dialect.doris import parse


def test_a_text_is_kept_from_its_second_time() -> None:
    """The first sighting is only remembered."""
    cache: Cache[int] = Cache()
    cache.put("SELECT 1", 1)
    assert cache.get("SELECT 1") is None
    cache.put("SELECT 1", 1)
    assert cache.get("SELECT 1") == 1


def test_variants_of_a_literal_do_not_flood_it() -> None:
    """Texts that come once leave no entry."""
    cache: Cache[int] = Cache()
    for _ in range(2):
        cache.put("SELECT kept", 1)
    for number in range(10 * KEPT):
        cache.put(f"SELECT {number}", number)
    assert cache.get("SELECT kept") == 1
    assert len(cache) == 1


def test_it_is_bounded() -> None:
    """The least recently used goes first."""
    cache: Cache[int] = Cache()
    for number in range(KEPT + 10):
        for _ in range(2):
            cache.put(f"SELECT {number}", number)
        cache.get("SELECT 0")
    assert len(cache) == KEPT
    assert cache.get("SELECT 0") == 0
    assert cache.get("SELECT 1") is None


def test_long_texts_and_bulk_inserts_are_not_kept() -> None:
    """They do not come again, and their trees are large."""
    cache: Cache[int] = Cache()
    for text in ("SELECT '" + "x" * LONGEST + "'", "insert into t Values (1)"):
        for _ in range(3):
            cache.put(text, 1)
        assert cache.get(text) is None


def test_parse_hands_out_one_tree_for_a_repeated_text() -> None:
    """Callers share it, so they copy before they change it."""
    text = "SELECT a, b FROM cached_table WHERE a = 1"
    parse(text)
    assert parse(text)[0].node is parse(text)[0].node
    assert parse(text) is not parse(text)
