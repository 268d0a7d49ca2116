"""One function per statement of Doris, by family; each reads what follows the statement's first words.

A function takes the `Reader` behind those words and returns the node; it raises `MismatchError` through
the Reader and never looks at the catalog. The table of first words is in statement.py.
"""
