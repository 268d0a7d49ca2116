"""What an Aggregate Key table must hold: GROUP BY over every row ever written, in the order of writing.

The reference is the definition itself (Doris: Aggregate Model): the rows are kept, and folded when asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median

Key = tuple[int | None, str | None]
Cells = tuple[int | None, int | None, str | None]  # a number, another one, a text


@dataclass(frozen=True)
class Row:
    """One row as it is written: its key and what each value column is made of."""

    key: Key
    cells: Cells


@dataclass
class AggregateModel:
    """Rows written so far by key; DELETE forgets those of a key."""

    rows: dict[Key, list[Row]] = field(default_factory=dict)

    def write(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self.rows.setdefault(row.key, []).append(row)

    def delete(self, number: int | None) -> None:
        """DELETE WHERE k = number (or IS NULL)."""
        self.rows = {key: rows for key, rows in self.rows.items() if key[0] != number}

    def plain(self) -> list[tuple[object, ...]]:
        """k, w, SUM, MIN, MAX, REPLACE, REPLACE_IF_NOT_NULL, as SELECT shows them."""
        return [(*key, *_plain(rows)) for key, rows in self.rows.items()]

    def states(self) -> list[tuple[object, ...]]:
        """k, w, bitmap, HLL estimate, median, sum and count, largest number by itself, texts in order of value."""
        return [(*key, *_states(rows)) for key, rows in self.rows.items()]


def _known(rows: Iterable[Row], place: int) -> list[int]:
    return [value for row in rows if isinstance(value := row.cells[place], int)]


def _plain(rows: list[Row]) -> tuple[object, ...]:
    numbers = _known(rows, 0)
    texts = [row.cells[2] for row in rows]
    return (
        sum(numbers) if numbers else None,
        min(numbers, default=None),
        max(_known(rows, 1), default=None),
        texts[-1],
        next((text for text in reversed(texts) if text is not None), None),
    )


def _states(rows: list[Row]) -> tuple[object, ...]:
    members, numbers = sorted(set(_known(rows, 0))), _known(rows, 1)
    texts = sorted(text for row in rows if (text := row.cells[2]) is not None)
    return (
        ",".join(map(str, members)),
        len(set(texts)),
        float(median(numbers)) if numbers else None,
        sum(numbers) if numbers else None,
        len(numbers),
        max(numbers, default=None),
        texts,
    )
