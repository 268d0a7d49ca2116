"""When two events say the same: tables and types literally, column names in any case, expressions as trees.

An expression is read by stock sqlglot; brackets, quotes and the case of names do not count, literals do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlglot import exp, parse_one

Event = Mapping[str, Any]


def normal(text: str) -> str:
    """The tree of an expression, as text."""
    tree = parse_one(f"SELECT {text}", read="doris").expressions[0]
    tree = tree.transform(lambda node: node.this if isinstance(node, exp.Paren) else node)
    for node in list(tree.walk()):
        if isinstance(node, exp.Identifier):
            node.set("this", node.name.lower())
            node.set("quoted", False)
        elif isinstance(node, exp.Anonymous):
            node.set("this", node.name.lower())
        elif isinstance(node, exp.Column) and node.catalog == "internal":
            node.set("catalog", None)
    return repr(tree)


def differences(found: Event, wanted: Event) -> list[str]:
    """What the event has too much, and what it lacks; nothing when it is the expected one."""
    problems = [
        f"{key}: {found[key]!r} instead of {wanted[key]!r}"
        for key in ("source_command", "target_table")
        if found[key] != wanted[key]
    ]
    problems += _sets("target_columns", _lowered(found["target_columns"]), _lowered(wanted["target_columns"]))
    problems += _sets("source_tables", found["source_tables"], wanted["source_tables"])
    problems += _sets("direct", _direct(found), _direct(wanted))
    problems += _sets("dataset_indirect", _dataset(found), _dataset(wanted))
    problems += _sets("output_indirect", _output(found), _output(wanted))
    context = found["context"]
    problems += [
        f"context.{key}: {context.get(key)!r} instead of {value!r}"
        for key, value in wanted.get("context", {}).items()
        if context.get(key) != value
    ]
    return problems


def _lowered(names: Iterable[str]) -> list[str]:
    return [name.lower() for name in names]


def _direct(event: Event) -> list[tuple[str, str, str]]:
    return [(entry["column"].lower(), entry["type"], normal(entry["expr"])) for entry in event["direct"]]


def _dataset(event: Event) -> list[tuple[str, str]]:
    return [(kind, normal(text)) for kind, texts in event["dataset_indirect"].items() for text in texts]


def _output(event: Event) -> list[tuple[str, str, str]]:
    return [
        (column.lower(), kind, normal(text))
        for column, kinds in event["output_indirect"].items()
        for kind, texts in kinds.items()
        for text in texts
    ]


def _sets(what: str, found: Iterable[object], wanted: Iterable[object]) -> list[str]:
    more, less = set(found) - set(wanted), set(wanted) - set(found)
    return [f"{what}: also {item}" for item in more] + [f"{what}: not {item}" for item in less]
