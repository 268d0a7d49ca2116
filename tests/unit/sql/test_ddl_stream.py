"""CREATE, ALTER and DROP STREAM on catalogs, and the text of SHOW CREATE STREAM."""

from __future__ import annotations

from dataclasses import replace

from sql.ddl import stream
from sql.ddl.show_create import create_stream
from sql.dialect.clause import pairs
from sql.dialect.node import CreateStream
from storage import errors
from storage.catalog.catalog import Catalog
from storage.catalog.model import Stream, StreamType
from tests.unit.sql.draft import SHOP, catalog, node_of, refuses, table

LOGGED = 'CREATE TABLE m (id INT, v INT) UNIQUE KEY(id) PROPERTIES ("changelog.enable" = "true")'
HISTORY = LOGGED.replace('"true")', '"true", "changelog.need_historical_value" = "true")')
DUPLICATE = LOGGED.replace("UNIQUE", "DUPLICATE")
BASE = table(HISTORY)
STREAM = Stream(7, 1, "s", BASE.id, StreamType.MIN_DELTA, False, "to report")


def shop() -> Catalog:
    return catalog(BASE).with_stream(STREAM)


def test_options_have_defaults_and_take_any_case() -> None:
    assert stream.options(()) == stream.Options(StreamType.MIN_DELTA, False)
    given = (("type", "Append_Only"), ("show_initial_rows", "TRUE"))
    assert stream.options(given) == stream.Options(StreamType.APPEND_ONLY, True)


def test_options_refuse_everything_else() -> None:
    refuses(errors.UNKNOWN_PROPERTIES, stream.options, [("colour", "red")])
    assert refuses(errors.STREAM_TYPE, stream.options, [("type", "sometimes")]) == "not supported type: sometimes"
    for value in ("1", "yes", "", " true "):
        refuses(errors.STREAM_INITIAL_ROWS, stream.options, [("show_initial_rows", value)])


def test_a_base_must_be_able_to_feed_the_type() -> None:
    plain = table("CREATE TABLE p (id INT)")
    without = table(LOGGED)
    refuses(errors.STREAM_BASE_CHANGELOG, stream.check_base, plain, StreamType.APPEND_ONLY, "p")
    refuses(errors.STREAM_BASE_HISTORY, stream.check_base, without, StreamType.MIN_DELTA, "m")
    refuses(errors.STREAM_BASE_HISTORY, stream.check_base, without, StreamType.DETAIL, "m")
    refuses(errors.STREAM_BASE_KIND, stream.check_base, STREAM, StreamType.DETAIL, "s")
    assert stream.check_base(without, StreamType.APPEND_ONLY, "m") is without
    for kind in StreamType:
        stream.check_base(table(DUPLICATE), kind, "m")
        stream.check_base(BASE, kind, "m")


def test_names_are_shared_with_tables_and_internal_ones_reserved() -> None:
    refuses(errors.TABLE_EXISTS, stream.check_free, shop(), SHOP, "m")
    refuses(errors.TABLE_EXISTS, stream.check_free, shop(), SHOP, "s")
    refuses(errors.STREAM_RESERVED, stream.check_name, "__doris_ivm_stream_1_a")
    stream.check_name("my_doris_ivm_stream_1")


def test_comment_is_changed_and_cleared() -> None:
    after = stream.commented(shop(), STREAM, "it's")
    assert after.streams[7].comment == "it's"
    assert stream.commented(after, after.streams[7], "").streams[7].comment == ""


def test_drop_needs_force_once_the_base_is_gone() -> None:
    assert stream.dropped(shop(), STREAM, False).streams == {}
    stale = shop().with_table(replace(BASE, dropped_at=1))
    assert "FORCE" in refuses(errors.STREAM_NEEDS_FORCE, stream.dropped, stale, STREAM, False)
    assert stream.dropped(stale, STREAM, True).streams == {}


def test_show_create_stream_has_the_documented_layout() -> None:
    assert create_stream(STREAM, shop()) == (
        "CREATE STREAM `s`\nON TABLE internal.shop.m\nCOMMENT 'to report'\n"
        'PROPERTIES (\n"type" = "MIN_DELTA",\n"show_initial_rows" = "false"\n);'
    )
    bare = replace(STREAM, comment="")
    assert "COMMENT" not in create_stream(bare, shop())
    assert "ON TABLE UNKNOWN\n" in create_stream(bare, catalog())


def test_show_create_stream_can_be_run_again() -> None:
    node = node_of(create_stream(replace(STREAM, comment='it\'s \\ "x"'), shop()))
    assert isinstance(node, CreateStream)
    assert node.args["comment"].name == 'it\'s \\ "x"'
    assert stream.options(pairs(node.args["properties"])) == stream.Options(StreamType.MIN_DELTA, False)
    assert (node.args["base"].catalog, node.args["base"].db, node.args["base"].name) == ("internal", "shop", "m")
