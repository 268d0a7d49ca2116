"""JSON documents: what is read from them and how they are made (Doris: JSON functions)."""

from __future__ import annotations

from sql.dialect.function.function import Function

FUNCTIONS: dict[str, Function] = {}
