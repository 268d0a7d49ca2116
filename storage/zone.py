"""Time zones by name: IANA names in any case, offsets as +08:00, the zone of the machine."""

from __future__ import annotations

import datetime
import os
import re
import zoneinfo
from functools import cache
from pathlib import Path

_OFFSET = re.compile(r"([+-])(\d{1,2}):([0-5]\d)")
_ZONES = {"cst": "Asia/Shanghai", "prc": "Asia/Shanghai", "utc": "UTC", "gmt": "GMT", "z": "UTC"}


@cache
def _known_zones() -> dict[str, str]:
    """All but a file of the machine's own, which DuckDB does not know."""
    return {name.lower(): name for name in zoneinfo.available_timezones() - {"localtime"}} | _ZONES


def zone_name(text: str) -> str | None:
    """Normalise a time zone: an IANA name in any case, an offset from -12:00 to +14:00, or SYSTEM."""
    if text.lower() == "system":
        return system_zone()
    minutes = offset_minutes(text)
    if minutes is None:
        return _known_zones().get(text.lower())
    hours, rest = divmod(abs(minutes), 60)
    return f"{text[0]}{hours:02}:{rest:02}" if -12 * 60 <= minutes <= 14 * 60 else None


def offset_minutes(text: str) -> int | None:
    """How far a zone that is given as an offset is ahead of UTC; None for one with a name."""
    found = _OFFSET.fullmatch(text)
    if found is None:
        return None
    minutes = int(found[2]) * 60 + int(found[3])
    return -minutes if found[1] == "-" else minutes


def zone_info(name: str) -> datetime.tzinfo:
    """The rules of a zone that `zone_name` gave."""
    minutes = offset_minutes(name)
    if minutes is None:
        return zoneinfo.ZoneInfo(name)
    return datetime.timezone(datetime.timedelta(minutes=minutes))


def local_time(unix_ms: int, zone: datetime.tzinfo) -> datetime.datetime:
    """A moment as the clocks of a zone show it, without zone."""
    return datetime.datetime.fromtimestamp(unix_ms / 1000, zone).replace(tzinfo=None)


def system_zone() -> str:
    """The IANA name of the machine's time zone, UTC when it cannot be told."""
    named = os.environ.get("TZ", "").lstrip(":")
    link = Path("/etc/localtime")
    if not named and link.is_symlink():
        named = str(link.resolve()).partition("zoneinfo/")[2]
    return _known_zones().get(named.lower(), "UTC")
