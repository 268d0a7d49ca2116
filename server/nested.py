"""The text of ARRAY, MAP and STRUCT: ``[1, 2, null]``, ``{"a":1, "b":2}``.

The inside is written by the formatters of its own types; texts and dates stand in double quotes, NULL is
``null``. This module knows no scalar type. Source: Doris: ARRAY, MAP, STRUCT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pyarrow as pa

from storage.types import DorisType

Texts = Sequence[bytes]
Choose = Callable[[pa.DataType, DorisType | None], Callable[[pa.Array], pa.Array]]


def nested_formatter(arrow: pa.DataType, declared: DorisType | None, choose: Choose) -> Callable[[pa.Array], pa.Array]:
    """Choose how nested values become text; `choose` gives the formatter of an inner type."""
    write = _writer(arrow, declared, choose)
    return lambda array: pa.array(_with_nulls(array, write(array)), pa.binary())


def _writer(arrow: pa.DataType, declared: DorisType | None, choose: Choose) -> Callable[[pa.Array], Texts]:
    kinds = [kind for _, kind in declared.children] if declared is not None else []
    if pa.types.is_map(arrow):
        key, item = (*kinds, None, None)[:2]
        return _map(_inner(arrow.key_type, key, choose), _inner(arrow.item_type, item, choose))
    if pa.types.is_struct(arrow):
        fields = [arrow.field(index) for index in range(arrow.num_fields)]
        known = kinds if len(kinds) == len(fields) else [None] * len(fields)
        return _struct([(f.name, _inner(f.type, kind, choose)) for f, kind in zip(fields, known, strict=True)])
    if pa.types.is_list(arrow) or pa.types.is_large_list(arrow) or pa.types.is_fixed_size_list(arrow):
        return _list(_inner(arrow.value_type, next(iter(kinds), None), choose))
    return _unknown


def _inner(arrow: pa.DataType, declared: DorisType | None, choose: Choose) -> Callable[[pa.Array], Texts]:
    """Texts of an inner array: quoted where Doris quotes, ``null`` for NULL."""
    format_array = choose(arrow, declared)
    quoted = _is_quoted(arrow)

    def texts(array: pa.Array) -> Texts:
        found = format_array(array).to_pylist()
        return [b"null" if text is None else b'"%b"' % text if quoted else text for text in found]

    return texts


def _is_quoted(arrow: pa.DataType) -> bool:
    kind = arrow.value_type if pa.types.is_dictionary(arrow) else arrow
    tests = (
        pa.types.is_string,
        pa.types.is_large_string,
        pa.types.is_string_view,
        pa.types.is_binary,
        pa.types.is_large_binary,
        pa.types.is_temporal,
    )
    return any(test(kind) for test in tests)


def _list(inner: Callable[[pa.Array], Texts]) -> Callable[[pa.Array], Texts]:
    def write(array: pa.Array) -> Texts:
        start, ends = _bounds(array)
        texts = inner(array.values.slice(start, ends[-1] - start if ends else 0))
        return [b"[%b]" % b", ".join(texts[lo:hi]) for lo, hi in _spans(start, ends)]

    return write


def _map(keys: Callable[[pa.Array], Texts], items: Callable[[pa.Array], Texts]) -> Callable[[pa.Array], Texts]:
    def write(array: pa.Array) -> Texts:
        start, ends = _bounds(array)
        length = ends[-1] - start if ends else 0
        both = zip(keys(array.keys.slice(start, length)), items(array.items.slice(start, length)), strict=True)
        pairs = [b"%b:%b" % pair for pair in both]
        return [b"{%b}" % b", ".join(pairs[lo:hi]) for lo, hi in _spans(start, ends)]

    return write


def _struct(fields: Sequence[tuple[str, Callable[[pa.Array], Texts]]]) -> Callable[[pa.Array], Texts]:
    def write(array: pa.Array) -> Texts:
        columns = [
            [b'"%b":%b' % (name.encode(), text) for text in texts(array.field(index))]
            for index, (name, texts) in enumerate(fields)
        ]
        return [b"{%b}" % b", ".join(row) for row in zip(*columns, strict=True)]

    return write


def _unknown(array: pa.Array) -> Texts:
    """What no Doris type stands for (UNION): Python's text."""
    return [str(value).encode() for value in array.to_pylist()]


def _bounds(array: pa.Array) -> tuple[int, list[int]]:
    """Where the elements of a (possibly sliced) list array begin, and where each list ends, in the child array."""
    if pa.types.is_fixed_size_list(array.type):
        size = array.type.list_size
        return array.offset * size, [(array.offset + index + 1) * size for index in range(len(array))]
    offsets = array.offsets.to_pylist()
    return (offsets[0], offsets[1:]) if offsets else (0, [])


def _spans(start: int, ends: Sequence[int]) -> Iterator[tuple[int, int]]:
    low = start
    for end in ends:
        yield low - start, end - start
        low = end


def _with_nulls(array: pa.Array, texts: Texts) -> Iterator[bytes | None]:
    valid = array.is_valid().to_pylist()
    return (text if known else None for text, known in zip(texts, valid, strict=True))
