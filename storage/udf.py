"""What DuckDB cannot compute, made known to it: one table of names, types and functions over Arrow columns.

Registered once on the root connection of a file; every cursor of it sees them (they live in the system catalog).
Their names begin with `naming.PREFIX`, so that no client can call them by themselves. NULL handling is special
throughout: what NULL means is decided in storage/state and storage/text. What may be computed once for equal arguments
is, but for those of chance and time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa
import xxhash

from storage import naming, number, wait
from storage.state import behaviour, bitmap, bitmap_function, hll, portable, quantile, statistic
from storage.text import (
    clock,
    document,
    encryption,
    formatting,
    hashing,
    iso_date,
    moment,
    moment_parse,
    nested,
    network,
    refuse,
    search,
    url,
)
from storage.text.distinct import binaries, dates, moments, numbers, records, texts, truths

if TYPE_CHECKING:
    import duckdb

_MOMENTS = "STRUCT(n BIGINT, mean DOUBLE, m2 DOUBLE)"
_RANGE = "STRUCT(min VARCHAR, max VARCHAR)"
_EVENTS = "STRUCT(t TIMESTAMP, e BIGINT)[]"


def _hashes(function: Callable[[bytes, int], int], bits: int, seed: int = 0) -> Callable[..., pa.Array]:
    """The hash of lists of texts, as a signed number of so many bits."""
    return numbers(hashing.chained(function, bits, seed), pa.int32() if bits == 32 else pa.int64())


# name -> (argument types, result type, function over Arrow columns)
FUNCTIONS: dict[str, tuple[tuple[str, ...], str, Callable[..., pa.Array]]] = {
    # one value, or a list of values, to a state
    "bitmap_of": (("UBIGINT",), "BLOB", bitmap.singles),
    "bitmap_build": (("UBIGINT[]",), "BLOB", bitmap.build),
    "hll_of": (("VARCHAR",), "BLOB", hll.singles),
    "hll_build": (("VARCHAR[]",), "BLOB", hll.build),
    "hll_build_count": (("VARCHAR[]",), "BIGINT", hll.build_count),
    "quantile_of": (("DOUBLE", "DOUBLE"), "BLOB", quantile.singles),
    "quantile_build": (("DOUBLE[]", "DOUBLE"), "BLOB", quantile.build),
    # a list of states to one, or to its result
    "bitmap_union": (("BLOB[]",), "BLOB", bitmap.union),
    "bitmap_union_count": (("BLOB[]",), "BIGINT", bitmap.union_count),
    "bitmap_intersect": (("BLOB[]",), "BLOB", bitmap.intersection),
    "bitmap_xor_all": (("BLOB[]",), "BLOB", bitmap.symmetric_difference),
    "hll_union": (("BLOB[]",), "BLOB", hll.union),
    "hll_union_count": (("BLOB[]",), "BIGINT", hll.union_count),
    "quantile_union": (("BLOB[]",), "BLOB", quantile.union),
    "moments": ((f"{_MOMENTS}[]",), _MOMENTS, statistic.moments),
    "percentile": (("DOUBLE[]", "DOUBLE"), "DOUBLE", statistic.percentiles),
    "topn": (("VARCHAR[]", "INTEGER"), "VARCHAR", statistic.tops),
    "join": (("VARCHAR[]", "VARCHAR"), "VARCHAR", statistic.joined),
    "window_funnel": ((_EVENTS, "BIGINT", "VARCHAR"), "INTEGER", behaviour.window_funnel),
    "sequence_match": ((_EVENTS, "VARCHAR", "BIGINT"), "BOOLEAN", behaviour.sequence_match),
    "sequence_count": ((_EVENTS, "VARCHAR", "BIGINT"), "BIGINT", behaviour.sequence_count),
    # functions of one state
    "bitmap_count": (("BLOB",), "BIGINT", bitmap_function.count),
    "bitmap_text": (("BLOB",), "VARCHAR", bitmap_function.text),
    "bitmap_parse": (("VARCHAR",), "BLOB", bitmap_function.parse),
    "bitmap_values": (("BLOB",), "BIGINT[]", bitmap_function.values),
    "bitmap_min": (("BLOB",), "BIGINT", bitmap_function.smallest),
    "bitmap_max": (("BLOB",), "BIGINT", bitmap_function.largest),
    "bitmap_contains": (("BLOB", "UBIGINT"), "BOOLEAN", bitmap_function.contains),
    "bitmap_remove": (("BLOB", "UBIGINT"), "BLOB", bitmap_function.removed),
    "bitmap_range": (("BLOB", "BIGINT", "BIGINT"), "BLOB", bitmap_function.in_range),
    "bitmap_limit": (("BLOB", "BIGINT", "BIGINT"), "BLOB", bitmap_function.limited),
    "bitmap_slice": (("BLOB", "BIGINT", "BIGINT"), "BLOB", bitmap_function.sliced),
    "hll_count": (("BLOB",), "BIGINT", hll.count),
    "quantile_at": (("BLOB", "DOUBLE"), "DOUBLE", quantile.at),
    # states as texts
    "bitmap_base64": (("BLOB",), "VARCHAR", portable.bitmap_text),
    "hll_base64": (("BLOB",), "VARCHAR", portable.hll_text),
    "quantile_base64": (("BLOB",), "VARCHAR", portable.quantile_text),
    "bitmap_of_base64": (("VARCHAR",), "BLOB", portable.bitmap_of),
    "hll_of_base64": (("VARCHAR",), "BLOB", portable.hll_of),
    "quantile_of_base64": (("VARCHAR",), "BLOB", portable.quantile_of),
    # functions of two bitmaps
    "bitmap_and": (("BLOB", "BLOB"), "BLOB", bitmap_function.both),
    "bitmap_or": (("BLOB", "BLOB"), "BLOB", bitmap_function.either),
    "bitmap_xor": (("BLOB", "BLOB"), "BLOB", bitmap_function.one_of),
    "bitmap_not": (("BLOB", "BLOB"), "BLOB", bitmap_function.without),
    "bitmap_has_any": (("BLOB", "BLOB"), "BOOLEAN", bitmap_function.has_any),
    "bitmap_has_all": (("BLOB", "BLOB"), "BOOLEAN", bitmap_function.has_all),
    # numbers
    "shift_left": (("BIGINT", "BIGINT"), "BIGINT", number.shift_left),
    "shift_right": (("BIGINT", "BIGINT"), "BIGINT", number.shift_right),
    "normal_cdf": (("DOUBLE", "DOUBLE", "DOUBLE"), "DOUBLE", number.normal_cdf),
    "random": (("BIGINT",), "DOUBLE", number.random),
    "refuse": (("VARCHAR",), "VARCHAR", refuse.refuse),
    "sleep": (("BIGINT", "BIGINT"), "BOOLEAN", wait.sleep),
    # texts
    "nested_json": (("VARCHAR",), "VARCHAR", nested.to_json),
    "fitting_json": (("VARCHAR", "VARCHAR", "BOOLEAN"), "VARCHAR", nested.to_fitting_json),
    "nested_text": (("VARCHAR",), "VARCHAR", nested.to_text),
    "json_part": (("VARCHAR", "VARCHAR"), "VARCHAR", texts(document.part)),
    "json_parts": (("VARCHAR", "VARCHAR[]"), "VARCHAR", texts(document.parts)),
    "json_contains": (("VARCHAR", "VARCHAR"), "BOOLEAN", truths(document.contains)),
    "json_search": (("VARCHAR", "VARCHAR", "VARCHAR"), "VARCHAR", texts(document.search)),
    "json_edit": (("VARCHAR", "VARCHAR[]", "VARCHAR[]", "VARCHAR"), "VARCHAR", texts(document.edit)),
    "murmur": (("VARCHAR",), "UBIGINT", numbers(hashing.of_text, pa.uint64())),
    "crc32": (("VARCHAR",), "BIGINT", numbers(hashing.crc32, pa.int64())),
    "sha2": (("VARCHAR", "INTEGER"), "VARCHAR", texts(hashing.sha2)),
    "ipv4": (("VARCHAR",), "VARCHAR", network.ipv4),
    "ipv6": (("VARCHAR",), "VARCHAR", network.ipv6),
    "ipv4_exact": (("VARCHAR",), "VARCHAR", texts(network.ipv4_exact)),
    "ipv4_number": (("VARCHAR",), "BIGINT", numbers(network.ipv4_number, pa.int64())),
    "ipv6_bytes": (("VARCHAR",), "BLOB", binaries(network.ipv6_bytes)),
    "ipv6_of_bytes": (("BLOB",), "VARCHAR", texts(network.ipv6_of_bytes)),
    "ipv6_cut": (("VARCHAR", "BIGINT", "BIGINT"), "VARCHAR", texts(network.ipv6_cut)),
    "ipv4_range": (("VARCHAR", "BIGINT"), _RANGE, records(network.ipv4_range, "min", "max")),
    "ipv6_range": (("VARCHAR", "BIGINT"), _RANGE, records(network.ipv6_range, "min", "max")),
    "ip_in_range": (("VARCHAR", "VARCHAR"), "BOOLEAN", truths(network.in_range)),
    "zone": (("VARCHAR",), "VARCHAR", moment.zones),
    "moment": (("VARCHAR", "VARCHAR"), "TIMESTAMP", moment.moments),
    "parse_moment": (("VARCHAR", "VARCHAR"), "TIMESTAMP", moments(moment_parse.moment)),
    "iso_date": (("VARCHAR",), "DATE", dates(iso_date.date)),
    "clock": (("VARCHAR",), "BIGINT", numbers(clock.microseconds, pa.int64())),
    "ip_order": (("VARCHAR",), "BLOB", network.order),
    **{
        f"{cipher.lower()}_{name}": (("BLOB", "VARCHAR", "VARCHAR", "VARCHAR"), "BLOB", binaries(partial(run, cipher)))
        for cipher in ("AES", "SM4")
        for name, run in (("encrypt", encryption.encrypt), ("decrypt", encryption.decrypt))
    },
    "sm3": (("VARCHAR",), "VARCHAR", texts(encryption.sm3)),
    "murmur_hash3_32": (("VARCHAR[]",), "INTEGER", _hashes(hashing.murmur32, 32, hashing.SEED)),
    "murmur_hash3_64": (("VARCHAR[]",), "BIGINT", _hashes(hashing.murmur64, 64)),
    "murmur_hash3_64_v2": (("VARCHAR[]",), "BIGINT", _hashes(hashing.murmur64_v2, 64)),
    "xxhash_32": (("VARCHAR[]",), "INTEGER", _hashes(xxhash.xxh32_intdigest, 32)),
    "xxhash_64": (("VARCHAR[]",), "BIGINT", _hashes(xxhash.xxh3_64_intdigest, 64)),
    "find_in_set": (("VARCHAR", "VARCHAR"), "INTEGER", numbers(search.find_in_set, pa.int32())),
    "count_substrings": (("VARCHAR", "VARCHAR", "INTEGER"), "INTEGER", numbers(search.count_substrings, pa.int32())),
    "substring_index": (("VARCHAR", "VARCHAR", "INTEGER"), "VARCHAR", texts(search.substring_index)),
    "ended_by": (("VARCHAR", "VARCHAR"), "VARCHAR", texts(search.ended_by)),
    "sub_replace": (("VARCHAR", "VARCHAR", "INTEGER", "INTEGER"), "VARCHAR", texts(search.sub_replace)),
    "hamming": (("VARCHAR", "VARCHAR"), "BIGINT", numbers(search.hamming, pa.int64())),
    "soundex": (("VARCHAR",), "VARCHAR", texts(search.soundex)),
    "initcap": (("VARCHAR",), "VARCHAR", texts(search.initcap)),
    "overlay": (("VARCHAR", "INTEGER", "INTEGER", "VARCHAR"), "VARCHAR", texts(search.overlay)),
    "char": (("INTEGER[]",), "BLOB", binaries(search.char)),
    "is_uuid": (("VARCHAR",), "BOOLEAN", truths(search.is_uuid)),
    "grouped": (("VARCHAR", "INTEGER"), "VARCHAR", texts(formatting.grouped)),
    "grouped_double": (("DOUBLE", "INTEGER"), "VARCHAR", texts(formatting.grouped_double)),
    "scaled": (("DOUBLE",), "VARCHAR", texts(formatting.scaled)),
    "conv": (("VARCHAR", "INTEGER", "INTEGER"), "VARCHAR", texts(formatting.conv)),
    "mask": (("VARCHAR", "VARCHAR", "VARCHAR", "VARCHAR"), "VARCHAR", texts(formatting.mask)),
    "mask_middle": (("VARCHAR",), "VARCHAR", texts(formatting.mask_middle)),
    "mask_first": (("VARCHAR", "INTEGER"), "VARCHAR", texts(formatting.mask_first)),
    "mask_last": (("VARCHAR", "INTEGER"), "VARCHAR", texts(formatting.mask_last)),
    "url_part": (("VARCHAR", "VARCHAR"), "VARCHAR", texts(url.part)),
    "url_part_parameter": (("VARCHAR", "VARCHAR", "VARCHAR"), "VARCHAR", texts(url.parameter_part)),
    "url_parameter": (("VARCHAR", "VARCHAR"), "VARCHAR", texts(url.parameter)),
    "url_protocol": (("VARCHAR",), "VARCHAR", texts(url.protocol)),
    "url_domain": (("VARCHAR",), "VARCHAR", texts(url.domain)),
    "url_domain_without_www": (("VARCHAR",), "VARCHAR", texts(url.domain_without_www)),
    "url_top_level_domain": (("VARCHAR",), "VARCHAR", texts(url.top_level_domain)),
    "url_first_significant_subdomain": (("VARCHAR",), "VARCHAR", texts(url.first_significant_subdomain)),
    "url_cut_to_first_significant_subdomain": (("VARCHAR",), "VARCHAR", texts(url.cut_to_first_significant_subdomain)),
}  # fmt: skip


VOLATILE = frozenset({"random", "sleep"})  # computed for each row, also where its arguments are constants


def register(connection: duckdb.DuckDBPyConnection) -> None:
    """Make every function known to the database of `connection`."""
    for name, (arguments, result, function) in FUNCTIONS.items():
        connection.create_function(
            naming.PREFIX + name, function, list(arguments), result,
            type="arrow", null_handling="special", side_effects=name in VOLATILE,
        )  # type: ignore[call-overload]  # fmt: skip
