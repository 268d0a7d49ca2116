"""The JSON answer of a Stream Load: status, figures, times, and the first rejected row.

Source: Doris: Stream Load, return results.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.responses import Response

from sql.load.request import Request
from sql.load.rows import Rejected
from sql.load.run import Outcome
from storage.errors import ACCESS_DENIED, LABEL_USED, DorisError

_NO_TRANSACTION = -1


@dataclass(frozen=True, slots=True)
class Times:
    """When the load began, and when its body was there (seconds of the monotonic clock)."""

    begun: float
    received: float

    def fields(self) -> dict[str, int]:
        """The times of the answer, in milliseconds."""
        now = time.monotonic()
        receive, write = (self.received - self.begun) * 1000, (now - self.received) * 1000
        return {
            "LoadTimeMs": int(receive + write),
            "BeginTxnTimeMs": 0,
            "StreamLoadPutTimeMs": 0,
            "ReadDataTimeMs": 0,
            "WriteDataTimeMs": int(write),
            "ReceiveDataTimeMs": int(receive),
            "CommitAndPublishTimeMs": 0,
        }


def ended(asked: Request, outcome: Outcome, times: Times, size: int, log: str | None) -> Response:
    """The answer of a load that came to its end; `log` is the address of its rejected rows, if there are any."""
    fields = _head(asked.comment, outcome.label, outcome.transaction_id, outcome.failure)
    fields |= _figures(outcome, size) | times.fields()
    if log is not None:
        fields |= {"ErrorURL": log, "FirstErrorMsg": line(outcome.rejected[0])}
    return answer(fields)


def failed(error: DorisError, words: Mapping[str, str], times: Times, size: int) -> Response:
    """The answer of a load that was refused before it had a transaction."""
    fields = _head(words.get("comment", ""), words.get("label", ""), _NO_TRANSACTION, error)
    fields |= _figures(Outcome("", _NO_TRANSACTION), size) | times.fields()
    return answer(fields, 401 if error.kind is ACCESS_DENIED else 200)


def _head(comment: str, label: str, transaction_id: int, error: DorisError | None) -> dict[str, object]:
    fields: dict[str, object] = {
        "TxnId": transaction_id,
        "Label": label,
        "Comment": comment,
        "TwoPhaseCommit": "false",
        "Status": "Success" if error is None else "Fail",
    }
    if error is not None and error.kind is LABEL_USED:
        fields |= {"Status": "Label Already Exists", "ExistingJobStatus": "FINISHED"}
    return fields | {"Message": "OK" if error is None else _message(error)}


def _message(error: DorisError) -> str:
    """A message that names its code keeps it; all others are errors of the analysis (Doris: FE)."""
    named = error.message.startswith("[")
    return error.message if named else f"[ANALYSIS_ERROR]TStatus: errCode = 2, detailMessage = {error.message}"


def _figures(outcome: Outcome, size: int) -> dict[str, object]:
    return {
        "NumberTotalRows": outcome.total,
        "NumberLoadedRows": outcome.loaded,
        "NumberFilteredRows": outcome.filtered,
        "NumberUnselectedRows": outcome.unselected,
        "LoadBytes": size,
    }


def answer(fields: Mapping[str, object], status: int = 200) -> Response:
    """Fields as indented JSON."""
    text = json.dumps(fields, indent=4, ensure_ascii=False)
    return Response(text + "\n", status, media_type="application/json")


def line(row: Rejected) -> str:
    """A rejected row as clients read it."""
    return f"Reason: {row.reason}. src line [{row.text}]; "
