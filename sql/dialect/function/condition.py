"""Conditions and NULL (Doris: conditional functions)."""

from __future__ import annotations

from sql.dialect.function.function import spelled

FUNCTIONS = {
    "NVL2": spelled("CASE WHEN {0} IS NOT NULL THEN {1} ELSE {2} END"),
}
