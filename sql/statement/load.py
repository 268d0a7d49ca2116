"""LOAD DATA LOCAL: refused in MySQL's words; files come in by Stream Load. No file is read here."""

from __future__ import annotations

from sql.dialect import node
from sql.result import Result
from sql.statement import Call, handles
from storage.errors import LOCAL_INFILE_REFUSED


@handles(node.Named, "LOAD DATA LOCAL")
def load_local(call: Call[node.Named]) -> Result:
    """LOAD DATA LOCAL INFILE: the protocol's file transfer is not offered to clients either."""
    raise LOCAL_INFILE_REFUSED()
