"""docs/configuration.md and conf/fe.conf say what storage/config.py does."""

from __future__ import annotations

import pytest

from storage.config import KEYS, Config
from tests.docs.block import ROOT, check, table

CONF = ROOT / "conf" / "fe.conf"
HEAD = (
    "# Configuration of the Dorisette frontend: one `key = value` a line, `#` starts a comment.\n"
    "# A commented key shows its default. docs/configuration.md describes the format and each key."
)
SWITCHED_ON = {"enable_feature_changelog": "true", "enable_table_stream": "true"}


def test_the_document_lists_every_key(request: pytest.FixtureRequest) -> None:
    """The table of docs/configuration.md is the key table."""
    rows = [
        (f"`{name}`", key.type, _default(name) or "(empty)", "yes" if key.mutable else "no", key.comment)
        for name, key in KEYS.items()
    ]
    wanted = table(("key", "type", "default", "mutable", "meaning"), rows)
    check(ROOT / "docs" / "configuration.md", "keys", wanted, request.config.getoption("--update"))


def test_fe_conf_shows_every_key_with_its_default_and_sentence(request: pytest.FixtureRequest) -> None:
    """Each key stands once, under its sentence; only the two switches of the change data features are set."""
    wanted = "\n\n".join([HEAD, *(_entry(name) for name in KEYS)]) + "\n"
    if request.config.getoption("--update"):
        CONF.write_text(wanted, encoding="utf-8")
    assert CONF.read_text(encoding="utf-8") == wanted


def test_fe_conf_is_read_without_a_warning() -> None:
    """The file that is shipped is valid and holds no unknown key."""
    config = Config.read(CONF)
    assert config.warnings == []
    assert {row[0]: row[1] for row in config.rows() if row[0] in SWITCHED_ON} == SWITCHED_ON


def _entry(name: str) -> str:
    setting = f"{name} = {SWITCHED_ON[name]}" if name in SWITCHED_ON else f"# {name} = {_default(name)}".rstrip()
    return f"# {KEYS[name].comment}\n{setting}"


def _default(name: str) -> str:
    key = KEYS[name]
    return ", ".join(key.default) if isinstance(key.default, tuple) else key.show(key.default)
