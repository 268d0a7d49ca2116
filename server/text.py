"""The text of values as a Doris client reads it: Arrow arrays in, arrays of bytes out.

One formatter per column, chosen once per result from the Arrow type and the declared Doris type. This
module frames nothing (server/encode.py does) and reads no value twice.
Source: Doris documentation, "Data Types Overview".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from server.nested import nested_formatter
from storage.types import DorisType

Formatter = Callable[[pa.Array], pa.Array]  # any array of the column's type -> pa.binary(), NULLs kept

_BYTES, _TEXT = pa.binary(), pa.string()
_PLAIN = 19  # characters of ``YYYY-MM-DD hh:mm:ss``
_ARROW_PRINTS_AS_DORIS = (1e-4, 1e10)  # magnitudes that Arrow writes without an exponent and without loss
_EXPONENT_FROM, _EXPONENT_BELOW = 16, -4  # 1e+16 and 9e-05, but 1234567890123456 and 0.0001
_SCALE_ARROW_PRINTS_PLAINLY = 6  # beyond it Arrow writes ``1E-7`` and ``0E-10``


@lru_cache(maxsize=1024)
def formatter(arrow: pa.DataType, declared: DorisType | None) -> Formatter:
    """Choose how values of a column become text.

    `declared` matters for the fraction digits of DATETIME and TIME and for the inside of ARRAY, MAP and STRUCT;
    None means that only the Arrow type is known: then a fraction is shown where there is one.
    """
    if isinstance(arrow, pa.BaseExtensionType):
        return _extension(arrow, declared)
    if pa.types.is_nested(arrow):
        return nested_formatter(arrow, declared, formatter)
    if pa.types.is_dictionary(arrow):
        inner = formatter(arrow.value_type, declared)
        return lambda array: inner(array.dictionary_decode())
    if pa.types.is_timestamp(arrow):
        return _moment(arrow, declared)
    if pa.types.is_time(arrow):
        return lambda array: _fraction(_cast(array.cast(pa.time64("us"))), len("hh:mm:ss"), _scale(declared))
    if pa.types.is_decimal(arrow):
        return _decimal if arrow.scale > _SCALE_ARROW_PRINTS_PLAINLY else _cast
    if pa.types.is_floating(arrow):
        return _floating
    if pa.types.is_boolean(arrow):
        return lambda array: _cast(array.cast(pa.int8()))
    if pa.types.is_interval(arrow):
        return _object
    return _cast


def few(write: Formatter, array: pa.Array) -> list[bytes | None]:
    """The same texts for a handful of values; integers, the most frequent, without a call into Arrow."""
    if pa.types.is_integer(array.type):
        return [None if value is None else b"%d" % value for value in array.to_pylist()]
    texts: list[bytes | None] = write(array).to_pylist()
    return texts


def _cast(array: pa.Array) -> pa.Array:
    """Text and bytes as they are; integers, dates and small decimals as Arrow prints them."""
    kind = array.type
    if pa.types.is_binary(kind):
        return array
    if pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind):
        return array.cast(_BYTES)
    text = array if pa.types.is_string(kind) else array.cast(_TEXT)
    return text.view(_BYTES)


def _object(array: pa.Array) -> pa.Array:
    """What no Doris type stands for (INTERVAL, UUID): Python's text."""
    return pa.array([None if value is None else str(value).encode() for value in array.to_pylist()], _BYTES)


def _extension(arrow: pa.BaseExtensionType, declared: DorisType | None) -> Formatter:
    """DuckDB's lossless forms: bool8 is an int8, HUGEINT sixteen bytes; JSON is its text."""
    name = getattr(arrow, "type_name", "")
    if name in ("hugeint", "uhugeint"):
        return lambda array: _wide(array.storage, signed=name == "hugeint")
    if arrow.extension_name in ("arrow.bool8", "arrow.json"):
        inner = formatter(arrow.storage_type, declared)
        return lambda array: inner(array.storage)
    return _object


def _wide(storage: pa.Array, signed: bool) -> pa.Array:
    numbers = (
        None if value is None else int.from_bytes(value, "little", signed=signed) for value in storage.to_pylist()
    )
    return pa.array([None if number is None else str(number).encode() for number in numbers], _BYTES)


# -- dates and times -----------------------------------------------------------------------------
def _scale(declared: DorisType | None) -> int | None:
    """Declared fraction digits of DATETIME or TIME; None when they are not known."""
    return (declared.scale or 0) if declared is not None and declared.name in ("datetime", "time") else None


def _moment(arrow: pa.TimestampType, declared: DorisType | None) -> Formatter:
    naive = pa.timestamp("us")
    scale = _scale(declared)

    def text(array: pa.Array) -> pa.Array:
        local = pc.local_timestamp(array) if arrow.tz else array
        return _fraction(_cast(local.cast(naive, safe=False)), _PLAIN, scale)

    return text


def _fraction(full: pa.Array, plain: int, scale: int | None) -> pa.Array:
    """Cut texts that end in six fraction digits to `scale` of them; None: all six or, of a whole second, none."""
    if scale is not None:
        return pc.binary_slice(full, 0, plain + 1 + scale if scale else plain)
    short = pc.binary_slice(full, 0, plain)
    whole = pc.ends_with(full, pattern=".000000")
    return short if pc.all(whole, min_count=0).as_py() else pc.if_else(whole, short, full)


# -- numbers -------------------------------------------------------------------------------------
def _floating(array: pa.Array) -> pa.Array:
    """The shortest digits that read back the same, without ``.0``: 2.5, 100, 1e+16, 1e-05, Infinity, NaN."""
    text = _cast(array)
    values = array.to_numpy(zero_copy_only=False)
    low, high = _ARROW_PRINTS_AS_DORIS
    size = np.abs(values)
    odd = ~((size >= low) & (size < high) | (size == 0))
    if array.null_count:
        odd &= array.is_valid().to_numpy(zero_copy_only=False)
    if not odd.any():
        return text
    own = pa.array([float_text(value).encode() for value in values[odd]], _BYTES)
    return pc.replace_with_mask(text, pa.array(odd), own)


def float_text(value: np.floating) -> str:
    """Write one float or double; FLOAT has at most 9 digits, DOUBLE at most 17."""
    if not np.isfinite(value):
        return "NaN" if np.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    digits, _, exponent = np.format_float_scientific(value, trim="-").partition("e")
    power = int(exponent)
    if _EXPONENT_BELOW <= power < _EXPONENT_FROM:
        return str(np.format_float_positional(value, trim="-"))
    return f"{digits}e{'-' if power < 0 else '+'}{abs(power):02}"


def _decimal(array: pa.Array) -> pa.Array:
    """All digits of the scale, never an exponent: the unscaled number as text, with the point set in."""
    scale = array.type.scale
    wide = array.cast(pa.decimal128(array.type.precision, scale))
    unscaled = pa.Array.from_buffers(pa.decimal128(38, 0), len(wide), wide.buffers(), offset=wide.offset)
    digits = pc.utf8_lpad(pc.abs(unscaled).cast(_TEXT), width=scale + 1, padding="0")
    sign = pc.if_else(pc.less(unscaled, 0), "-", "")
    whole, part = pc.utf8_slice_codeunits(digits, 0, -scale), pc.utf8_slice_codeunits(digits, -scale)
    return pc.binary_join_element_wise(sign, whole, ".", part, "").view(_BYTES)
