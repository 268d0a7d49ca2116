"""The parts of URLs, on single values (Doris: PARSE_URL, EXTRACT_URL_PARAMETER, DOMAIN, PROTOCOL and their kin).

PARSE_URL looks for ``://`` and cuts at the next sign of a part; it validates nothing. The functions of domains take
what looks like a host, with or without a scheme, and give the empty text where there is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from storage.errors import URL_PART

_PARTS = frozenset({"AUTHORITY", "FILE", "HOST", "PATH", "PORT", "PROTOCOL", "QUERY", "REF", "USERINFO"})
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*(?=:)")
_HOST = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.\-]*:)?(?://)?(?:[^\s/?#@]*@)?([^\s/?#:@]+)(?=[:/?#]|$)")
_NAME = re.compile(r"[A-Za-z0-9\-_~.]+")
_SECOND_LEVEL = frozenset({"com", "net", "org", "co"})  # below a country they are part of the public suffix


def part(url: str, name: str) -> str | None:
    """One part of a URL; None where it is missing. Raises URL_PART for what is no name of a part."""
    wanted = name.upper()
    if wanted not in _PARTS:
        raise URL_PART(part=name)
    scheme, found, rest = url.strip(" ").partition("://")
    return _READERS[wanted](scheme, rest) if found else None


def parameter_part(url: str, name: str, key: str) -> str | None:
    """PARSE_URL with a key: the value of that parameter, of QUERY only."""
    if name.upper() not in _PARTS:
        raise URL_PART(part=name)
    if name.upper() != "QUERY" or not key:
        return None
    found = re.search(rf"[?&]{re.escape(key)}=([^#&]*)", url.strip(" "))
    return found[1] if found else None


def parameter(url: str, name: str) -> str:
    """The value of the first parameter of that name, else the empty text."""
    _, _, behind = url.strip(" ").partition("?")
    pairs = (item.partition("=") for item in behind.partition("#")[0].split("&"))
    return next((value for key, found, value in pairs if found and key == name and name), "")


def protocol(url: str) -> str:
    """``https`` of ``https://…``."""
    found = _SCHEME.match(url)
    return found[0] if found else ""


def domain(url: str) -> str:
    """The host, without user and port."""
    found = _HOST.match(url)
    host = found[1] if found else ""
    return host if "." in host and _NAME.fullmatch(host) else ""


def domain_without_www(url: str) -> str:
    return domain(url).removeprefix("www.")


def top_level_domain(url: str) -> str:
    """``com`` of ``www.example.com``; none of an address of digits."""
    last = domain(url).rpartition(".")[2]
    return "" if last[:1].isdigit() else last


def first_significant_subdomain(url: str) -> str:
    """``example`` of ``www.example.com.tr``."""
    return _significant(url).partition(".")[0]


def cut_to_first_significant_subdomain(url: str) -> str:
    """``example.com.tr`` of ``www.example.com.tr``."""
    return _significant(url)


def _significant(url: str) -> str:
    labels = domain_without_www(url).split(".")
    if len(labels) < 2:
        return ""
    kept = 3 if len(labels) > 2 and labels[-2] in _SECOND_LEVEL else 2
    return ".".join(labels[-kept:])


def _host(rest: str) -> str:
    behind = rest.partition("@")[2] if "@" in rest else rest
    return re.split(r":", behind, maxsplit=1)[0] if ":" in behind else re.split(r"[/?#]", behind, maxsplit=1)[0]


def _path(rest: str) -> str:
    return re.split(r"[?#]", _file(rest), maxsplit=1)[0]


def _file(rest: str) -> str:
    _, slash, behind = rest.partition("/")
    return slash + behind.partition("#")[0]


def _port(rest: str) -> str | None:
    behind = rest.partition("@")[2] if "@" in rest else rest
    _, colon, port = behind.partition(":")
    return re.split(r"[/?#]", port, maxsplit=1)[0] if colon else None


def _behind(rest: str, sign: str, end: str) -> str | None:
    _, found, behind = rest.partition(sign)
    return behind.partition(end)[0] if found else None


_READERS: dict[str, Callable[[str, str], str | None]] = {
    "AUTHORITY": lambda _, rest: rest.partition("/")[0],
    "FILE": lambda _, rest: _file(rest),
    "HOST": lambda _, rest: _host(rest),
    "PATH": lambda _, rest: _path(rest),
    "PORT": lambda _, rest: _port(rest),
    "PROTOCOL": lambda scheme, _: scheme,
    "QUERY": lambda _, rest: _behind(rest, "?", "#"),
    "REF": lambda _, rest: _behind(rest, "#", "\0"),
    "USERINFO": lambda _, rest: rest.partition("@")[0] if "@" in rest else None,
}
