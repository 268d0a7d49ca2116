"""docs/configuration.md and conf/fe.conf say what storage/config.py does."""

from __future__ import annotations

import pytest

from storage.config import KEYS, Config
from tests.docs.block import ROOT, check, table

CONF = ROOT / "conf" / "fe.conf"
SWITCHED_ON = {"enable_feature_changelog": "true", "enable_table_stream": "true"}


def test_the_document_lists_every_key(request: pytest.FixtureRequest) -> None:
    """The table of docs/configuration.md is the key table."""
    rows = [
        (f"`{name}`", key.type, _default(name) or "(empty)", "yes" if key.mutable else "no", key.comment)
        for name, key in KEYS.items()
    ]
    wanted = table(("key", "type", "default", "mutable", "meaning"), rows)
    check(ROOT / "docs" / "configuration.md", "keys", wanted, request.config.getoption("--update"))


def test_fe_conf_shows_every_key_with_its_default_and_sentence() -> None:
    """Each key stands once, under its sentence; only the two switches of the change data features are set."""
    lines = CONF.read_text(encoding="utf-8").splitlines()
    for name, key in KEYS.items():
        wanted = f"{name} = {SWITCHED_ON[name]}" if name in SWITCHED_ON else f"# {name} = {_default(name)}".rstrip()
        assert lines.count(wanted) == 1, f"fe.conf should have the line {wanted!r}"
        assert lines[lines.index(wanted) - 1] == f"# {key.comment}"


def test_fe_conf_is_read_without_a_warning() -> None:
    """The file that is shipped is valid and holds no unknown key."""
    config = Config.read(CONF)
    assert config.warnings == []
    assert {row[0]: row[1] for row in config.rows() if row[0] in SWITCHED_ON} == SWITCHED_ON


def _default(name: str) -> str:
    key = KEYS[name]
    return ", ".join(key.default) if isinstance(key.default, tuple) else key.show(key.default)
