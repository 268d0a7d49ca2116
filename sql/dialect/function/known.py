"""Which functions there are: those sqlglot knows by a node, those spelled by a template.

A name found nowhere is UNKNOWN_FUNCTION, so that no function of DuckDB, or of another dialect that
sqlglot reads, can be reached by a client. Source: Doris: SQL functions.
"""

from __future__ import annotations

from sql.dialect.built import BUILT
from sql.dialect.function import (
    aggregate,
    array,
    behaviour,
    collection,
    condition,
    digest,
    formatting,
    json,
    moment,
    nested,
    network,
    number,
    regexp,
    text,
    url,
)
from sql.dialect.function.function import Function
from sql.dialect.function.stock import STOCK
from storage.errors import FUNCTION_ARITY, UNKNOWN_FUNCTION, DorisError

FUNCTIONS: dict[str, Function] = {
    **text.FUNCTIONS,
    **regexp.FUNCTIONS,
    **url.FUNCTIONS,
    **formatting.FUNCTIONS,
    **digest.FUNCTIONS,
    **moment.FUNCTIONS,
    **number.FUNCTIONS,
    **condition.FUNCTIONS,
    **array.FUNCTIONS,
    **nested.FUNCTIONS,
    **json.FUNCTIONS,
    **network.FUNCTIONS,
    **aggregate.FUNCTIONS,
    **behaviour.FUNCTIONS,
    **collection.FUNCTIONS,
}


def template(name: str, arguments: int) -> str:
    """The template of a function for so many arguments; unknown names raise."""
    known = FUNCTIONS.get(name.upper())
    fitting = None if known is None else known.template(arguments)
    if fitting is None:
        raise _unknown(name, arguments)
    return fitting


def _unknown(name: str, arguments: int) -> DorisError:
    """The error for a name that is no function, or is one of other numbers of arguments."""
    if name.upper() in STOCK.keys() | BUILT.keys() | FUNCTIONS.keys():
        return FUNCTION_ARITY(name=name.lower(), count=arguments)
    return UNKNOWN_FUNCTION(name=name.lower())
