"""Times in statements: `yyyy-MM-dd HH:mm:ss` in the session's time zone, as unix milliseconds."""

from __future__ import annotations

import datetime
import re

from sql.bind.binding import Binding

FORM = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", re.ASCII)  # every digit is asked for, as Doris does


def milliseconds(text: str, binding: Binding) -> int | None:
    """Unix milliseconds of a time, None when it has another form; "0" is the epoch."""
    if text == "0":
        return 0
    if not FORM.fullmatch(text):
        return None
    try:
        local = datetime.datetime.fromisoformat(text)
    except ValueError:
        return None
    return int(local.replace(tzinfo=binding.context.variables.zone).timestamp() * 1000)
