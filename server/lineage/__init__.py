"""Lineage plugins: found and made at start (loader), fed by one worker through a bounded queue, closed at the end.

A plugin is foreign code. It is called through guard.py only, so that nothing it raises goes further, and nowhere
where a statement would have to wait for it, except for the quick question whether it wants events (asking.py).
"""
