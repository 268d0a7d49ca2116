"""Conditions and NULL (Doris: conditional functions); SLEEP, which answers TRUE."""

from __future__ import annotations

from sql.dialect.function.function import spelled
from storage.types import BOOLEAN

FUNCTIONS = {
    "NVL2": spelled("CASE WHEN {0} IS NOT NULL THEN {1} ELSE {2} END"),
    "SLEEP": spelled("{own}sleep({i0}, {1})", gives=BOOLEAN),  # {1}: the bell of the session (sql/rewrite/session.py)
}
