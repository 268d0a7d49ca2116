"""What is known of a function of Doris that has no node of its own: its DuckDB text, and the type it gives.

A template stands for one number of arguments and names them by place. The letter before the place says what the
argument is turned into as CAST does, NULL where it does not fit; none leaves it as it is:

    {s0}  a text     {k0}  a count (INT)     {i0}  a whole number (BIGINT)     {n0}  a number (DOUBLE)
    {t0}  a moment (TIMESTAMP)     {a0}  an array of texts, each as CAST gives it
    {w0}  a whole number of any width     {b0}  a truth     {y0}  bytes     {j0}  a JSON document
    {x0}  a number of any type, of what is none a DOUBLE     {e0}  a DOUBLE, of a moment the days since 1970

Of JSON, {v0} is any value as such a text, {m0} the key of a member, and {g1} what of the document {0} lies at the
path {1} (sql/dialect/document.py). {d0} is an argument as it is, behind the word DISTINCT, which it may bring itself.

{rest} are the arguments after the first, at least one of them, {more} the same as texts; {all} are all, at least one,
{texts} all as texts, {joined} those texts as one, {counts} all as counts, {list} an array of all. {own} begins the name
of a function that storage/udf.py brings along; {type} and {element} are DuckDB's types of what `gives` says and of its
elements. {over} is the OVER clause behind the call of an aggregate function, where its text goes on behind it. A
template may also be made by the number of arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sql.dialect.once import OPERANDS, once
from storage.types import DorisType

Types = Sequence[DorisType | None]
Gives = DorisType | Callable[[Types], DorisType | None]
Template = str | Callable[[int], str | None]

_PLACE = re.compile(r"\{([a-z]?)(\d+)\}")
_AFTER_FIRST = ("{rest}", "{more}")
_MANY = (*_AFTER_FIRST, "{all}", "{texts}", "{joined}", "{counts}", "{list}")


@dataclass(frozen=True, slots=True)
class Function:
    """One function; `gives` is its type, or that by the types of its arguments; None leaves it to DuckDB's value.

    With `once` the arguments are computed once, however often a template names them.
    """

    templates: tuple[Template, ...]
    gives: Gives | None = None
    once: bool = False

    def template(self, count: int) -> str | None:
        """The template for so many arguments, None if there is none."""
        made = (_made(text, count) for text in self.templates)
        return next((text for text in made if text is not None), None)

    def type_of(self, arguments: Types) -> DorisType | None:
        """The type of a call with arguments of these types; None for a call of a number it does not take."""
        if callable(self.gives):
            return self.gives(arguments) if self.template(len(arguments)) is not None else None
        return self.gives


def spelled(*templates: Template, gives: Gives | None = None, once: bool = False) -> Function:
    """A function by its templates."""
    return Function(templates, gives, once)


def shared(value: str, **operands: str) -> str:
    """A template over operands that it names several times, as {{m}} does for `m`, and that are computed once."""
    text = once(value.format(**{name: f"{OPERANDS}.{name}" for name in operands}), **dict.fromkeys(operands, "\0"))
    head, *rest = text.replace("{", "{{").replace("}", "}}").split("\0")
    return head + "".join(operand + piece for operand, piece in zip(operands.values(), rest, strict=True))


def places(template: str) -> list[tuple[str, int]]:
    """The letters and places that a template names."""
    return [(letter, int(place)) for letter, place in _PLACE.findall(template)]


def _made(template: Template, count: int) -> str | None:
    if callable(template):
        return template(count)
    return template if _fits(template, count) else None


def _fits(template: str, count: int) -> bool:
    taken = 1 + max((place for _, place in places(template)), default=-1)
    if any(many in template for many in _MANY):
        return count >= max(taken, 2 if any(many in template for many in _AFTER_FIRST) else 1)
    return count == taken
