"""Moments as texts: times of statements (`yyyy-MM-dd HH:mm:ss` in the session's zone), and values of moments."""

from __future__ import annotations

import datetime
import re

from sql.bind.binding import Binding
from sql.dialect.to_text import SECONDS
from storage.types import DorisType

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


def written(moment: datetime.datetime, kind: DorisType) -> str:
    """The text of a moment as a DATE or a DATETIME(p) holds it; digits beyond p are cut, as in NOW(p)."""
    if kind.name == "date":
        return f"{moment:%Y-%m-%d}"
    text = f"{moment:{SECONDS}.%f}"
    return text[: 20 + kind.scale] if kind.scale else text[:19]
