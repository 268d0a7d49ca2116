"""Which function is known how: each name in one table."""

from __future__ import annotations

from itertools import combinations

from sql.dialect.built import BUILT
from sql.dialect.coded import CODED
from sql.dialect.function.known import FUNCTIONS
from sql.dialect.function.stock import STOCK


def test_each_function_is_known_in_one_way() -> None:
    tables = (FUNCTIONS.keys(), CODED.keys(), BUILT.keys(), STOCK.keys())
    assert not any(set(one) & set(other) for one, other in combinations(tables, 2))
