"""What a commit writes beside the user's columns: TSO, LSN, and the version of each partition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from storage.naming import LSN, PART, TSO, VERSION
from storage.table.batch import ORDINAL, Prepared


@dataclass(frozen=True, slots=True)
class Stamp:
    """The stamp of one commit: `lsn` is the number of the first row of this write, `versions` one a partition id."""

    tso: int
    lsn: int
    versions: Mapping[int, int]

    def on(self, batch: Prepared) -> Prepared:
        """The batch with TSO, LSN and VERSION (BIGINT) in each row."""
        count = batch.rows.num_rows
        return batch.with_columns(
            {
                TSO: pa.array(np.full(count, self.tso)),
                LSN: pa.array(batch.rows[ORDINAL].to_numpy() + self.lsn),
                VERSION: self._versions(batch),
            }
        )

    def _versions(self, batch: Prepared) -> pa.Array:
        parts = batch.parts
        versions = np.array([self.versions[part] for part in parts], np.int64)
        if len(parts) == 1:
            return pa.array(np.repeat(versions, batch.rows.num_rows))
        return pa.array(versions[np.searchsorted(parts, batch.rows[PART].to_numpy())])
