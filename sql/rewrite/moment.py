"""Times in statements: `yyyy-MM-dd HH:mm:ss` in the session's time zone, as unix milliseconds."""

from __future__ import annotations

import datetime

from sql.bind.binding import Binding
from sql.rewrite.session import session_zone

FORMAT = "%Y-%m-%d %H:%M:%S"


def milliseconds(text: str, binding: Binding) -> int | None:
    """Unix milliseconds of a time, None when it has another form; "0" is the epoch."""
    if text == "0":
        return 0
    try:
        local = datetime.datetime.strptime(text, FORMAT)
    except ValueError:
        return None
    return int(local.replace(tzinfo=session_zone(binding)).timestamp() * 1000)
