"""docs/features.md lists every statement with a handler and every one that is only known; built features have cases."""

from __future__ import annotations

import re

import pytest
from sqlglot import exp

import sql.statement.all  # noqa: F401  fills the registry
from sql.dialect import node
from sql.dialect.grammar.show import SHOWS
from sql.dialect.parser import NAMED
from sql.statement import registered
from tests.docs.block import ROOT, check, table

PAGE = ROOT / "docs" / "features.md"
CASES = ROOT / "tests" / "cases"
ALIASES = {"CHARSET", "CREATE SCHEMA", "FIELDS", "INDEXES", "KEYS", "SCHEMAS", "STORAGE ENGINES"}
PLAIN = {"CREATE": ("VIEW",), "DROP": ("VIEW",)}
STATES = {"built", "not yet", "refused"}


def _built() -> set[str]:
    return {_title(kind, word) for kind, word in registered()}


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
    check(PAGE, "built statements", _by_verb(_built()), request.config.getoption("--update"))


def test_the_page_lists_what_is_only_known(request: pytest.FixtureRequest) -> None:
    """The other list: what the dialect knows by name and nobody handles."""
    check(PAGE, "other statements", _by_verb(_known() - _built()), request.config.getoption("--update"))


def test_states_are_the_three_words_and_cases_exist() -> None:
    """A built feature may name scenario files; they are in tests/cases."""
    rows = [
        line.strip("|").split("|") for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")
    ]
    features = [row for row in rows if len(row) == 3 and row[0].strip() != "feature"]
    assert len(features) > 30
    assert {row[1].strip() for row in features} == STATES
    named = [case for row in features for case in re.findall(r"[\w-]+/[\w-]+\.slt", row[2])]
    assert not [case for case in named if not (CASES / case).exists()]


def test_every_case_of_a_built_feature_is_one_of_ours() -> None:
    """There are scenario files at all, and each is named like its promise."""
    cases = list(CASES.rglob("*.slt"))
    assert len(cases) >= 49
    assert not [case for case in cases if not re.fullmatch(r"[a-z0-9-]+\.slt", case.name)]
