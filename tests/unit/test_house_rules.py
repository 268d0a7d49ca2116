"""Sizes and habits that no linter of ours checks: files, functions, names, and what the project must not mention."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = ("bench", "dorisette", "server", "sql", "storage", "tests")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
TEXT_FOLDERS = (*FOLDERS, ".ci", "conf", "docker", "docs", "plugins-available")
TEXTS = sorted(
    path
    for path in (
        *(path for form in ("*.md", "*.toml", "Makefile") for path in ROOT.glob(form)),
        *(path for folder in TEXT_FOLDERS for path in (ROOT / folder).rglob("*")),
    )
    if path.is_file() and "__pycache__" not in path.parts
)
CLAUSE = re.compile(r"\b(?!(?:UTF|SHA|ISO|MPL|GPL|EPL)-)[A-Z]{2,6}-[0-9]+\b|\b[RE][0-9]{1,3}\b")
LONGEST_FILE = 400
LONGEST_FUNCTION = 40
EMPTY_WORDS = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_sizes(path: Path) -> None:
    """A file fits in a reader's head, a function on a screen."""
    assert path.read_text(encoding="utf-8").count("\n") <= LONGEST_FILE
    long = [f"{node.name} at line {node.lineno}" for node in _functions(path) if _length(node) > LONGEST_FUNCTION]
    assert not long


def test_names_say_what_is_inside() -> None:
    """No file or folder is a drawer for the rest."""
    assert not [path for path in FILES if EMPTY_WORDS & set(path.relative_to(ROOT).with_suffix("").parts)]


def test_nothing_logs_by_print() -> None:
    """The server writes to its log; standard output belongs to the commands."""
    product = [path for path in FILES if path.relative_to(ROOT).parts[0] in ("server", "sql", "storage")]
    assert not [path for path in product if "print(" in path.read_text(encoding="utf-8").replace("pprint(", "")]


@pytest.mark.parametrize("path", [path for path in FILES if path.name.startswith("test_")], ids=_name)
def test_a_refusal_is_expected_by_its_kind(path: Path) -> None:
    """A test that takes any declared error also passes when the statement fails for another reason."""
    loose = [
        node.lineno
        for statement in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(statement, ast.With)
        for item in statement.items
        if isinstance(node := item.context_expr, ast.Call) and item.optional_vars is None and not node.keywords
        if re.fullmatch(r"pytest\.raises\([a-z.]*DorisError\)", ast.unparse(node))
    ]
    assert not loose


def test_rules_are_cited_by_their_public_names() -> None:
    """A numbered clause says nothing to a reader who has no such list; "Doris: Table Stream, consumption" does."""
    cited = {_name(path): CLAUSE.findall(path.read_text(encoding="utf-8", errors="replace")) for path in TEXTS}
    assert len(cited) > len(FILES)
    assert {name: found for name, found in cited.items() if found} == {}


@pytest.mark.parametrize(
    ("text", "cited"),
    [(f"({'AB'}-{12})", True), (f" R{7}.", True), (f"x {'E'}{18}:", True), ("UTF-8, SHA-256, 1E5, R2D2, V2", False)],
)
def test_what_a_numbered_clause_looks_like(text: str, cited: bool) -> None:
    """Encodings, hashes, numbers and names are none. The examples are put together, since this file is searched too."""
    assert bool(CLAUSE.search(text)) is cited


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1
