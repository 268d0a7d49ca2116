"""fe.conf is read as Java properties, in Doris's words, and mutable keys change at run time."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage.config import (
    ACTIVATE_LINEAGE_PLUGIN,
    ENABLE_TABLE_STREAM,
    LABEL_KEEP,
    META_DIR,
    QUERY_PORT,
    SYS_LOG_LEVEL,
    Config,
    ConfigError,
)
from storage.errors import CONFIG_NOT_FOUND, CONFIG_NOT_MUTABLE, CONFIG_NOT_SET, DorisError


def read(folder: Path, text: str) -> Config:
    file = folder / "fe.conf"
    file.write_text(text, encoding="utf-8")
    return Config.read(file)


def test_lines_comments_continuations_and_the_last_of_equal_keys(tmp_path: Path) -> None:
    text = "# no\n! no\n\n query_port = 1 \nactivate_lineage_plugin = a, \\\n   b ,\nquery_port=9031\n"
    config = read(tmp_path, text + "enable_table_stream=TRUE")
    assert config[QUERY_PORT] == 9031
    assert config[ACTIVATE_LINEAGE_PLUGIN] == ("a", "b")
    assert config[ENABLE_TABLE_STREAM] is True
    assert config.warnings == []


def test_an_empty_value_is_the_default(tmp_path: Path) -> None:
    assert read(tmp_path, "query_port =\nenable_table_stream\n")[QUERY_PORT] == 9030


def test_the_prefix_experimental_is_dropped(tmp_path: Path) -> None:
    assert read(tmp_path, "experimental_enable_table_stream = true")[ENABLE_TABLE_STREAM] is True


def test_unknown_keys_warn_and_keys_of_the_start_script_do_not(tmp_path: Path) -> None:
    config = read(tmp_path, "JAVA_OPTS = -Xmx1g\nLOG_DIR = x\nqery_port = 1")
    assert config.warnings == [
        f"[WARN] Unknown config 'qery_port' in {tmp_path / 'fe.conf'} is ignored, "
        "please check whether it is a typo or has been removed in this version."
    ]


@pytest.mark.parametrize(
    ("name", "value"), [("query_port", "abc"), ("enable_table_stream", "yes"), ("qe_max_connection", "0")]
)
def test_a_wrong_value_stops_the_start(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=f"^Failed to set config, name: {name}, value: {value}$"):
        read(tmp_path, f"{name} = {value}")


def test_environment_variables_are_filled_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATA_ROOT", "/data")
    assert read(tmp_path, "meta_dir = ${DATA_ROOT}/doris-meta")[META_DIR] == "/data/doris-meta"
    with pytest.raises(ConfigError, match=r"^no such env variable: NOT_THERE$"):
        read(tmp_path, "meta_dir = ${NOT_THERE}")


def test_a_mutable_key_changes_until_restart() -> None:
    config = Config()
    config.set("label_keep_max_second", " 5 ")
    assert config[LABEL_KEEP] == 5
    assert Config()[LABEL_KEEP] == 259200


@pytest.mark.parametrize(
    ("name", "value", "kind", "message"),
    [
        ("nope", "1", CONFIG_NOT_FOUND, "Config 'nope' does not exist"),
        ("query_port", "1", CONFIG_NOT_MUTABLE, "Config 'query_port' is not mutable"),
        ("label_keep_max_second", "x", CONFIG_NOT_SET, "Failed to set config 'label_keep_max_second'. err: 'x' is not"),
        ("disable_balance", "2", CONFIG_NOT_SET, "Failed to set config 'disable_balance'. err: '2' is not a boolean"),
    ],
)
def test_what_cannot_be_set(name: str, value: str, kind: object, message: str) -> None:
    with pytest.raises(DorisError) as raised:
        Config().set(name, value)
    assert raised.value.kind is kind
    assert raised.value.message.startswith(message)


def test_the_listing_is_sorted_and_shows_types_and_lists() -> None:
    config = Config()
    config.override("activate_lineage_plugin", "a,b")
    rows = {row[0]: row for row in config.rows()}
    assert list(rows) == sorted(rows)
    assert rows["activate_lineage_plugin"][:4] == ("activate_lineage_plugin", "[a, b]", "String[]", "false")
    assert rows["enable_table_stream"][1:3] == ("false", "boolean")
    assert rows[SYS_LOG_LEVEL.name][1:3] == ("INFO", "String")
    assert rows["label_keep_max_second"][2:5] == ("int", "true", "false")
