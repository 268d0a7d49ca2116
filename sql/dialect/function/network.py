"""Addresses (Doris: IP functions)."""

from __future__ import annotations

from sql.dialect.function.function import Function

FUNCTIONS: dict[str, Function] = {}
