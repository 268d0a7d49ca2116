"""Lineage: which columns of which tables a written query comes from, computed from tree and catalog alone.

`extract.py` is the entry. The trip of a statement: `query.py` resolves SELECTs and set operations from the inside out
to relations, with `from_clause.py` for their FROM; `source.py` says what a table reference stands for, `scope.py` what
a column name and `expression.py` what an expression stands for (`value.py`); `text.py` prints it; `dataset.py` and
`output.py` find the indirect entries. Nothing here reads data, and nothing changes the tree it is given.
"""
