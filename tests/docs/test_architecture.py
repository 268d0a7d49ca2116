"""The documents name files that exist, and the engine's docstring tells a trip through modules that exist."""

from __future__ import annotations

import re

import pytest

import sql.engine
from tests.docs.block import ROOT

CODE = ("bench", "dorisette", "server", "sql", "storage", "tests")
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
IN_THE_WHEEL = "dorisette/app"
_FILE = re.compile(r"\b(?:server|sql|storage|dorisette|tests|docker|conf|bench)/[\w./]*\w")
_LINK = re.compile(r"\]\(([^)#]+)\)")


@pytest.mark.parametrize("page", PAGES)
def test_named_files_and_links_exist(page: str) -> None:
    """Paths in the text are paths of the repository; links lead somewhere."""
    text = (ROOT / page).read_text(encoding="utf-8")
    missing = [name for name in _FILE.findall(text) if not name.startswith(IN_THE_WHEEL) and not (ROOT / name).exists()]
    missing += [link for link in _LINK.findall(text) if not ((ROOT / page).parent / link).exists()]
    assert not missing


def test_the_trip_of_a_statement_names_modules_that_exist() -> None:
    """The docstring of sql/engine.py is the map of the code."""
    named = _FILE.findall(sql.engine.__doc__ or "")
    assert len(named) > 8
    assert not [name for name in named if not (ROOT / name).exists()]


def test_pages_named_in_the_code_exist() -> None:
    """A comment that sends the reader to a page sends them somewhere."""
    sources = [path for layer in CODE for path in (ROOT / layer).rglob("*.py")]
    named = {page for path in sources for page in re.findall(r"docs/[\w/-]+\.md", path.read_text(encoding="utf-8"))}
    assert not [page for page in named if not (ROOT / page).exists()]


def test_the_index_of_decisions_is_complete() -> None:
    """docs/decisions/README.md links every page; numbers are unique."""
    folder = ROOT / "docs" / "decisions"
    pages = {path.name for path in folder.glob("0*.md")}
    assert pages == set(_LINK.findall((folder / "README.md").read_text(encoding="utf-8")))
    assert len({name[:4] for name in pages}) == len(pages)
