"""Arrays, maps and structs (Doris: array, map and struct functions)."""

from __future__ import annotations

from sql.dialect.function.function import spelled

FUNCTIONS = {
    **dict.fromkeys(("SIZE", "CARDINALITY"), spelled("CAST(cardinality({0}) AS BIGINT)")),
}
