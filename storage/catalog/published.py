"""The snapshots readers may meet: the newest, and a few older ones by version."""

from __future__ import annotations

import threading
from collections import OrderedDict

from storage.catalog import store
from storage.catalog.catalog import Catalog
from storage.cursor import Cursor

_KEPT = 8


class Published:
    """Hands out the catalog that belongs to a transaction's data; safe from any thread."""

    def __init__(self, first: Catalog) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, Catalog] = OrderedDict()
        self.newest = first
        self._keep(first)

    def publish(self, catalog: Catalog) -> None:
        """Make a committed catalog the newest."""
        self._keep(catalog)
        self.newest = catalog

    def _keep(self, catalog: Catalog) -> None:
        with self._lock:
            self._kept[catalog.version] = catalog
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)

    def seen_by(self, cursor: Cursor) -> Catalog:
        """The catalog of the snapshot that the transaction of `cursor` reads; its first statement takes it.

        Right after a DDL commit and before its publication the version is not known here yet; then,
        and for very old snapshots, the rows are read.
        """
        version = store.version(cursor)
        with self._lock:
            found = self._kept.get(version)
        return found or store.load(cursor)
