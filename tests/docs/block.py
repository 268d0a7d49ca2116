"""Generated parts of a document: the text between `<!-- name -->` and `<!-- end of name -->`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def check(document: Path, name: str, wanted: str, update: bool) -> None:
    """Assert that the block holds the wanted lines; with `update` (pytest --update) write them instead."""
    text = document.read_text(encoding="utf-8")
    start, end = f"<!-- {name} -->\n", f"\n<!-- end of {name} -->"
    assert start in text, f"{document.name} has no block {name!r}"
    assert end in text, f"{document.name} has no end of block {name!r}"
    head, _, rest = text.partition(start)
    found, _, tail = rest.partition(end)
    if update and found != wanted:
        document.write_text(head + start + wanted + end + tail, encoding="utf-8")
    else:
        assert found == wanted, f"{document.name} is out of date: run pytest tests/docs --update and read the diff"


def table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Lay out a Markdown table."""
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join("| " + " | ".join(_cell(text) for text in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")
