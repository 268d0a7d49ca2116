"""Results of SELECTs over literals alone (`SELECT 1`): pings of drivers and pools, answered without a reader.

Whatever depends on a table, a variable, a function or the clock is none of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
from sqlglot import exp

from sql.result import Field

_PLAIN = (exp.Select, exp.Alias, exp.Identifier, exp.Literal, exp.Null, exp.Boolean, exp.Neg, exp.Paren, exp.Binary)


@dataclass(frozen=True, slots=True)
class Constant:
    """A whole result, the same for every session."""

    fields: tuple[Field, ...]
    rows: pa.Table


def is_constant(node: exp.Expr) -> bool:
    """Whether a statement holds literals and operators only."""
    return all(isinstance(part, _PLAIN) and not isinstance(part, exp.Func) for part in node.walk())
