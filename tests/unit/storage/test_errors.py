"""Errors are declared once, and each of them is raised somewhere."""

from __future__ import annotations

import re
from pathlib import Path

from storage import errors
from storage.errors import DorisError, Kind

ROOT = Path(__file__).resolve().parents[3]
KINDS = {name: kind for name, kind in vars(errors).items() if isinstance(kind, Kind)}


def _code() -> str:
    """The text of the product without the declarations."""
    files = (path for folder in ("server", "sql", "storage") for path in (ROOT / folder).rglob("*.py"))
    return "\n".join(path.read_text(encoding="utf-8") for path in files if path.parent.name != "errors")


def test_every_declared_error_is_raised_somewhere() -> None:
    words = set(re.findall(r"\b[A-Z][A-Z0-9_]+\b", _code()))
    assert sorted(set(KINDS) - words) == []


def test_no_name_is_declared_twice() -> None:
    declared = [name for path in sorted((ROOT / "storage" / "errors").glob("*.py")) for name in _declared(path)]
    assert sorted({name for name in declared if declared.count(name) > 1}) == []


def _declared(path: Path) -> list[str]:
    return re.findall(r"^([A-Z][A-Z0-9_]+) = ", path.read_text(encoding="utf-8"), re.MULTILINE)


def test_no_words_are_declared_twice() -> None:
    texts = [(kind.code, kind.template) for kind in KINDS.values()]
    assert sorted({text for text in texts if texts.count(text) > 1}) == [(1105, "{reason}")]


def test_an_error_carries_code_state_and_words() -> None:
    error = errors.UNKNOWN_DATABASE(name="shop")
    assert isinstance(error, DorisError)
    assert (error.code, error.sqlstate, str(error)) == (1049, "42000", "Unknown database 'shop'")
