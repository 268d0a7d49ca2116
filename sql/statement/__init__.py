"""The registry: which function answers which statement.

A handler is a function of one `Call` decorated with `handles(node class, kind)`; `kind` is the
node's own word (CREATE TABLE and CREATE DATABASE are one node class, the SHOW statements another).
Adding a statement: a node line (dialect/node.py), a line and a function in dialect/grammar, a handler here,
a case file. Nothing else changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from sqlglot import exp

from sql.result import Result

if TYPE_CHECKING:
    from sql.context import Context
    from sql.engine import Engine

N = TypeVar("N", bound=exp.Expr, covariant=True)


@dataclass(frozen=True, slots=True)
class Call(Generic[N]):
    """One statement on its way: the tree (shared, never changed), its text, who sent it, and the engine."""

    node: N
    text: str
    context: Context
    engine: Engine


Handler = Callable[[Call[N]], Result]
_HANDLERS: dict[tuple[type[exp.Expr], str | None], Handler[exp.Expr]] = {}


def handles(node: type[N], *kinds: str) -> Callable[[Handler[N]], Handler[N]]:
    """Register a handler for a node class, or for some kinds of it."""

    def register(handler: Handler[N]) -> Handler[N]:
        for kind in kinds or (None,):
            _HANDLERS[node, kind] = handler  # type: ignore[assignment]
        return handler

    return register


def kind_of(node: exp.Expr) -> str | None:
    """The word that tells statements of one node class apart, in capitals."""
    word = node.args.get("kind") or (node.args.get("this") if isinstance(node, exp.Show) else None)
    return word.upper() if isinstance(word, str) else None


def find(node: exp.Expr) -> Handler[exp.Expr] | None:
    """The handler of a statement, or None when it is not built yet."""
    return _HANDLERS.get((type(node), kind_of(node))) or _HANDLERS.get((type(node), None))


def registered() -> frozenset[tuple[type[exp.Expr], str | None]]:
    """Node class and kind of every statement that has a handler (docs/features.md is checked against it)."""
    return frozenset(_HANDLERS)


def handler_of(node: type[exp.Expr], kind: str | None) -> Handler[exp.Expr]:
    """The handler of a member of `registered`; one without `return` only refuses."""
    return _HANDLERS[node, kind]


def transactional(*nodes: type[exp.Expr]) -> None:
    """Declare statements that may run inside BEGIN … COMMIT (Doris: all others are refused there)."""
    _TRANSACTIONAL.update(nodes)


def is_transactional(node: exp.Expr) -> bool:
    return isinstance(node, tuple(_TRANSACTIONAL))


_TRANSACTIONAL: set[type[exp.Expr]] = {exp.Query, exp.Show, exp.Describe, exp.Set, exp.Use}
