"""Ratios against plain DuckDB, taken in one run: `make bench`; reported and compared with a baseline, not asserted."""
