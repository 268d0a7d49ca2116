"""Columns with names that generated statements might give to tables and columns of their own."""

from __future__ import annotations

import pytest

from storage.audit import audit
from storage.database import Database
from storage.types import BIGINT, DorisType
from storage.work import Work
from tests.unit.storage.shop import batch, column, make_table, select, write

KEYS = ("k", "tso", "lsn", "end_tso", "end_lsn", "next_tso")
HOLDER = DorisType("struct", children=tuple((key, BIGINT) for key in KEYS))


@pytest.mark.parametrize("changelog", [False, True])
@pytest.mark.parametrize("name", ["t", "s", "v", "h", "d", "b"])
def test_a_struct_hides_no_table(database: Database, name: str, changelog: bool) -> None:
    """A STRUCT named as a table of a statement, with fields named as the keys, is not taken for it."""
    columns = tuple(column(place, key, key=True) for place, key in enumerate(KEYS))
    holder = column(len(KEYS), name, HOLDER)
    table = make_table(database, f"{name}_{changelog}", changelog=changelog, columns=(*columns, holder))
    for round_ in range(3):
        held = dict.fromkeys(KEYS, round_ + 100)
        rows = [(*(1 for _ in KEYS), held), (None, *(2 for _ in KEYS[1:]), held)]
        database.apply(Work((write(table, batch(table, rows)),)))
    assert select(database, f'SELECT k, "{name}".k AS held FROM t_{table.id} ORDER BY k') == [(1, 102), (None, 102)]
    assert audit(database) == []
