"""Name an operand several times and compute it once."""

from __future__ import annotations

from storage.naming import PREFIX

OPERANDS = PREFIX + "operands"


def once(value: str, **operands: str) -> str:
    """DuckDB text of a value over operands that are computed once: the fields of OPERANDS, under their names."""
    fields = ", ".join(f"'{name}': {text}" for name, text in operands.items())
    return f"list_transform([{{{fields}}}], lambda {OPERANDS}: {value})[1]"
