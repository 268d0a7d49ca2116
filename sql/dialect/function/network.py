"""Addresses: texts, numbers, bytes and ranges of them (Doris: IP functions)."""

from __future__ import annotations

from sql.dialect.function.function import Function, spelled
from sql.dialect.refused import refused
from storage.errors import IP_NULL, IP_VALUE
from storage.types import BIGINT, BOOLEAN, STRING, TINYINT, DorisType

_IPV4, _IPV6 = DorisType("ipv4"), DorisType("ipv6")


def _family(name: str, kind: str, value: str, default: str, gives: DorisType, stored: str) -> dict[str, Function]:
    """A function of an address as text, with what it does of others and of NULL: an error, NULL, or a default."""
    wrong, missing = (refused(kind_of(kind=kind).message, stored) for kind_of in (IP_VALUE, IP_NULL))
    raised = f"CASE WHEN {{s0}} IS NULL THEN {missing} ELSE {wrong} END"
    return {
        name: spelled(f"COALESCE({value}, {raised})", gives=gives),
        f"{name}_OR_NULL": spelled(value, gives=gives),
        f"{name}_OR_DEFAULT": spelled(f"COALESCE({value}, {default})", gives=gives),
    }


_NUMBER, _BYTES = "{own}ipv4_number({s0})", "{own}ipv6_bytes({s0})"
_ZEROS = f"unhex('{'00' * 16}')"
_OCTETS = ", ".join(f"({{i0}} >> {shift}) & 255" for shift in (24, 16, 8, 0))
_DOTTED = f"CASE WHEN {{i0}} BETWEEN 0 AND 4294967295 THEN concat_ws('.', {_OCTETS}) END"


def _is(found: str) -> Function:
    return spelled(f"CASE WHEN {{s0}} IS NOT NULL THEN CAST({found} IS NOT NULL AS TINYINT) END", gives=TINYINT)


def _like(pattern: str, gives: DorisType) -> Function:
    """Whether the bytes of an address look so in hexadecimal digits."""
    return spelled(
        f"CAST(regexp_full_match(hex({{y0}}), '{pattern}') AND octet_length({{y0}}) = 16 AS {gives.duckdb})",
        gives=gives,
    )


def _range(kind: DorisType) -> Function:
    name = f"{{own}}{kind.name}_range({{s0}}, {{i1}})"
    return spelled(name, gives=DorisType("struct", children=(("min", kind), ("max", kind))))


FUNCTIONS: dict[str, Function] = {
    **_family("IPV4_STRING_TO_NUM", "IPv4", _NUMBER, "0", BIGINT, "BIGINT"),
    "INET_ATON": spelled(_NUMBER, gives=BIGINT),
    **dict.fromkeys(("IPV4_NUM_TO_STRING", "INET_NTOA"), spelled(_DOTTED, gives=STRING)),
    **_family("IPV6_STRING_TO_NUM", "IPv6", _BYTES, _ZEROS, STRING, "BLOB"),
    "INET6_ATON": spelled(_BYTES, gives=STRING),
    **dict.fromkeys(("IPV6_NUM_TO_STRING", "INET6_NTOA"), spelled("{own}ipv6_of_bytes({y0})", gives=STRING)),
    **dict.fromkeys(("IS_IPV4_STRING", "IS_IPV4"), _is(_NUMBER)),
    **dict.fromkeys(("IS_IPV6_STRING", "IS_IPV6"), _is("CASE WHEN contains({s0}, ':') THEN {own}ipv6_bytes({s0}) END")),
    "IS_IPV4_MAPPED": _like("0" * 20 + "FFFF.*", BOOLEAN),
    "IS_IPV4_COMPAT": _like("0" * 24 + ".*[^0].*", TINYINT),
    **_family("TO_IPV4", "IPv4", "{own}ipv4_exact({s0})", "'0.0.0.0'", _IPV4, "VARCHAR"),
    **_family("TO_IPV6", "IPv6", "{own}ipv6_of_bytes({own}ipv6_bytes({s0}))", "'::'", _IPV6, "VARCHAR"),
    "IPV4_TO_IPV6": spelled("{own}ipv6({s0})", gives=_IPV6),
    "CUT_IPV6": spelled("{own}ipv6_cut({s0}, {i1}, {i2})", gives=STRING),
    "IPV4_CIDR_TO_RANGE": _range(_IPV4),
    "IPV6_CIDR_TO_RANGE": _range(_IPV6),
    "IS_IP_ADDRESS_IN_RANGE": spelled("{own}ip_in_range({s0}, {s1})", gives=BOOLEAN),
}
