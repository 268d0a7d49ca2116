"""URLs and their parts (Doris: PARSE_URL, URL_ENCODE, DOMAIN and their kin)."""

from __future__ import annotations

from sql.dialect.function.function import spelled
from storage.types import STRING

FUNCTIONS = {
    "PARSE_URL": spelled(
        "{own}url_part({s0}, {s1})", "{own}url_part_parameter({s0}, {s1}, {s2})", gives=STRING
    ),
    "EXTRACT_URL_PARAMETER": spelled("{own}url_parameter({s0}, {s1})", gives=STRING),
    "URL_ENCODE": spelled("url_encode({s0})", gives=STRING),
    "URL_DECODE": spelled("TRY(url_decode({s0}))", gives=STRING),
    **{
        name.upper(): spelled(f"{{own}}url_{name}({{s0}})", gives=STRING)
        for name in (
            "protocol", "domain", "domain_without_www", "top_level_domain", "first_significant_subdomain",
            "cut_to_first_significant_subdomain",
        )
    },
}  # fmt: skip
