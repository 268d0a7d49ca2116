"""docs/features.md lists every statement: built, refused or only known; every built feature names what shows it."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable

import pytest
from sqlglot import exp

import sql.statement.all  # noqa: F401  fills the registry
from sql.dialect import node
from sql.dialect.grammar.show import SHOWS
from sql.dialect.grammar.statement import NAMED
from sql.statement import handler_of, registered
from tests.docs.block import ROOT, check, table

PAGE = ROOT / "docs" / "features.md"
CASES = ROOT / "tests" / "cases"
ALIASES = {"CHARSET", "CREATE SCHEMA", "FIELDS", "INDEXES", "KEYS", "SCHEMAS", "STORAGE ENGINES"}
PLAIN = {"CREATE": ("VIEW",), "DROP": ("VIEW",)}
STATES = {"built", "not yet", "refused"}


def _handled() -> set[str]:
    return {_title(kind, word) for kind, word in registered()}


def _refused() -> set[str]:
    """The statements whose handlers do nothing but refuse."""
    return {_title(kind, word) for kind, word in registered() if _only_raises(handler_of(kind, word))}


def _only_raises(handler: Callable[..., object]) -> bool:
    """Whether a function has no `return`, which a handler needs for its result."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(handler)))
    return not any(isinstance(part, ast.Return) for part in ast.walk(tree))


def _title(kind: type[exp.Expr], word: str | None) -> str:
    if issubclass(kind, exp.Query):
        return "SELECT"
    if kind is node.Named:
        return str(word)
    if issubclass(kind, node.Statement):
        return kind.TITLE
    return node.title(kind(this=word) if kind is exp.Show else kind(kind=word))


def _known() -> set[str]:
    shows = {f"SHOW {words}" for words in SHOWS if words not in ALIASES and "COUNT" not in words}
    titles = {kind.TITLE for kind in node.Statement.__subclasses__() if kind.TITLE}
    return set(NAMED) | shows | titles | {f"{verb} {kind}" for verb, kinds in PLAIN.items() for kind in kinds}


def _by_verb(titles: set[str]) -> str:
    """A table of the statements by their first word."""
    verbs: dict[str, list[str]] = {}
    for title in sorted(titles):
        verbs.setdefault(title.split()[0], []).append(f"`{title}`")
    return table(("verb", "statements"), [(verb, ", ".join(found)) for verb, found in verbs.items()])


def test_the_page_lists_what_has_a_handler(request: pytest.FixtureRequest) -> None:
    """One list, from the registry."""
    check(PAGE, "built statements", _by_verb(_handled() - _refused()), request.config.getoption("--update"))


def test_the_page_lists_what_is_refused(request: pytest.FixtureRequest) -> None:
    """What has a handler that gives no result is not called built."""
    check(PAGE, "refused statements", _by_verb(_refused()), request.config.getoption("--update"))


def test_the_page_lists_what_is_only_known(request: pytest.FixtureRequest) -> None:
    """The other list: what the dialect knows by name and nobody handles."""
    check(PAGE, "other statements", _by_verb(_known() - _handled()), request.config.getoption("--update"))


def _features() -> list[tuple[str, str, list[str]]]:
    """Feature, state, and the files that show it, of every row of the page's tables of features."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return [
        (row[0], row[1], [file for file in row[2].split(", ") if file])
        for row in rows
        if len(row) == 3 and row[0] != "feature"
    ]


def test_states_are_the_three_words() -> None:
    """And there are tables at all."""
    assert len(_features()) > 30
    assert {state for _, state, _ in _features()} == STATES


def test_every_built_feature_names_files_that_show_it() -> None:
    """A built feature names scenario files below tests/cases or test files; whatever a row names exists."""
    assert not [feature for feature, state, files in _features() if state == "built" and not files]
    named = [file for _, _, files in _features() for file in files]
    assert not [file for file in named if not (ROOT if file.endswith(".py") else CASES).joinpath(file).is_file()]


def test_every_case_is_named_like_its_promise() -> None:
    """There are scenario files, and their names are words."""
    cases = list(CASES.rglob("*.slt"))
    assert len(cases) >= 49
    assert not [case for case in cases if not re.fullmatch(r"[a-z0-9-]+\.slt", case.name)]
