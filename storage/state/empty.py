"""What BITMAP, HLL and QUANTILE_STATE columns hold when nothing is given: the empty state, as DuckDB text.

Source: Doris: ColumnDefinition.
"""

from __future__ import annotations

from storage.state import bitmap, hll, quantile


def blob(value: bytes) -> str:
    """Bytes as a DuckDB constant."""
    digits = "".join(f"\\x{byte:02X}" for byte in value)
    return f"CAST('{digits}' AS BLOB)"


EMPTY = {"bitmap": blob(bitmap.EMPTY), "hll": blob(hll.EMPTY), "quantile_state": blob(quantile.EMPTY)}
