"""Indexes and rollups of a table as frozen values: kept and shown, without effect on one node.

Both name their columns by uid, so that RENAME COLUMN needs no care of them.
Source: Doris: CREATE INDEX; ALTER TABLE ROLLUP.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Index:
    """INDEX name (columns) USING method; `method` in capitals, `properties` as written."""

    name: str
    columns: tuple[int, ...]
    method: str = "INVERTED"
    properties: tuple[tuple[str, str], ...] = ()
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Rollup:
    """ROLLUP name (columns); `keys` are those of DUPLICATE KEY (…), empty when the base table's keys decide."""

    name: str
    columns: tuple[int, ...]
    keys: tuple[int, ...] = ()
    properties: tuple[tuple[str, str], ...] = ()
