"""A function of single values over Arrow columns: computed once for equal arguments, NULL where an argument is NULL."""

from __future__ import annotations

import datetime
import inspect
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

import pyarrow as pa

from storage.column import Column, whole

V = TypeVar("V")

Over = Callable[..., pa.Array]
_REMEMBERED = 4096  # within one call; texts that never come again must not pile up


def texts(function: Callable[..., str | None]) -> Over:
    """A function that gives texts."""
    return _over(function, pa.string())


def numbers(function: Callable[..., int | None], kind: pa.DataType) -> Over:
    """A function that gives integers of the Arrow type `kind`."""
    return _over(function, kind)


def dates(function: Callable[..., datetime.date | None]) -> Over:
    """A function that gives dates."""
    return _over(function, pa.date32())


def moments(function: Callable[..., datetime.datetime | None]) -> Over:
    """A function that gives dates and times without zone."""
    return _over(function, pa.timestamp("us"))


def truths(function: Callable[..., bool | None]) -> Over:
    """A function that gives truths."""
    return _over(function, pa.bool_())


def binaries(function: Callable[..., bytes | None]) -> Over:
    """A function that gives bytes."""
    return _over(function, pa.binary())


def records(function: Callable[..., dict[str, str] | None], *names: str) -> Over:
    """A function that gives structs of texts with these names."""
    return _over(function, pa.struct([(name, pa.string()) for name in names]))


def _over(function: Callable[..., V | None], kind: pa.DataType) -> Over:
    def compute(*columns: Column) -> pa.Array:
        once = lru_cache(_REMEMBERED)(function)
        rows = zip(*(whole(column).to_pylist() for column in columns), strict=True)
        return pa.array((None if None in row else once(*map(_hashable, row)) for row in rows), kind)

    compute.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]  # DuckDB counts the parameters
    return compute


def _hashable(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value
