"""Sizes and habits that no linter of ours checks: files, functions, names, and what the project must not mention."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = ("bench", "dorisette", "server", "sql", "storage", "tests")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
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


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1
