"""The DuckDB type behind AGG_STATE<f(types)>: which fields the state of each aggregate function has.

A state is a STRUCT of plain values, never DuckDB's own AGGREGATE_STATE, whose bytes belong to one engine version
(docs/decisions/0013-aggregate-states.md). The struct itself is never NULL; a state of nothing has empty fields.
What is done with the fields stands in storage/state/aggstate.py. This module imports nothing of the project, since
storage/types.py needs it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from storage.types import DorisType

ALIASES = {
    "approx_count_distinct": "ndv",
    "hll_raw_agg": "hll_union",
    "stddev_pop": "stddev",
    "var_pop": "variance",
    "variance_pop": "variance",
    "var_samp": "variance_samp",
}

# {T} and {U}: types of the first and second argument; {S}: type of its sum; {A}: the same, wide enough for an average
_VALUE = {"v": "{T}"}
_MOMENTS = {"n": "BIGINT", "mean": "DOUBLE", "m2": "DOUBLE"}
_SKETCH = {"h": "BLOB"}
_BITMAP = {"b": "BLOB"}
FIELDS: dict[str, dict[str, str]] = {
    "sum": {"v": "{S}"},
    "sum0": {"v": "{S}"},
    "count": {"v": "BIGINT"},
    "min": _VALUE,
    "max": _VALUE,
    "any_value": _VALUE,
    "avg": {"total": "{A}", "n": "BIGINT"},
    "group_concat": {"v": "VARCHAR", "separator": "VARCHAR"},
    "max_by": {"v": "{T}", "o": "{U}"},
    "min_by": {"v": "{T}", "o": "{U}"},
    "collect_list": {"v": "{T}[]"},
    "collect_set": {"v": "{T}[]"},
    "multi_distinct_count": {"v": "{T}[]"},
    "ndv": _SKETCH,
    "hll_union": _SKETCH,
    "hll_union_agg": _SKETCH,
    "bitmap_union": _BITMAP,
    "bitmap_union_count": _BITMAP,
    "quantile_union": {"q": "BLOB"},
    "stddev": _MOMENTS,
    "stddev_samp": _MOMENTS,
    "variance": _MOMENTS,
    "variance_samp": _MOMENTS,
    "percentile": {"v": "DOUBLE[]", "p": "DOUBLE"},
    "map_agg": {"k": "{T}[]", "v": "{U}[]"},
    "topn": {"v": "VARCHAR[]", "n": "INTEGER"},
    "group_bit_and": _VALUE,
    "group_bit_or": _VALUE,
    "group_bit_xor": _VALUE,
}


def canonical(function: str) -> str:
    """The name under which a function is known here; several names may share one state."""
    lowered = function.lower()
    return ALIASES.get(lowered, lowered)


def types_of(arguments: Sequence[DorisType]) -> dict[str, str]:
    """What the placeholders of the field types and of the templates in agg_function.py stand for."""
    first, second = ([kind.duckdb for kind in arguments] + ["VARCHAR", "VARCHAR"])[:2]
    total = sum_type(arguments[0]) if arguments else "BIGINT"
    return {"T": first, "U": second, "S": total, "A": "HUGEINT" if total == "BIGINT" else total}


def sum_type(kind: DorisType) -> str:
    """The DuckDB type of SUM (Doris: SUM)."""
    if kind.name == "decimal":
        return f"DECIMAL(38,{kind.scale})"
    if kind.name == "largeint":
        return "HUGEINT"
    return "BIGINT" if kind.is_integer or kind.name == "boolean" else "DOUBLE"


def state_type(function: str, arguments: Sequence[DorisType]) -> str:
    """The STRUCT that holds a state of `function` over arguments of these types."""
    known = types_of(arguments)
    fields = ", ".join(f'"{name}" {kind.format(**known)}' for name, kind in FIELDS[canonical(function)].items())
    return f"STRUCT({fields})"
