"""Texts as moments: many layouts, offsets and names of zones, rounding, and what is none."""

from __future__ import annotations

import datetime

import pyarrow as pa
import pytest

from storage.text.moment import moment, moments


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2024-5-1", "2024-05-01 00:00:00"),
        (" 24-5-1 ", "2024-05-01 00:00:00"),
        ("70-01-01", "1970-01-01 00:00:00"),
        ("2024/05/01 7:8", "2024-05-01 07:08:00"),
        ("2024-05-01T12:30:00.5", "2024-05-01 12:30:00.500000"),
        ("20240501", "2024-05-01 00:00:00"),
        ("240501", "2024-05-01 00:00:00"),
        ("20240501123045.25", "2024-05-01 12:30:45.250000"),
        ("20240501T123045", "2024-05-01 12:30:45"),
        ("2024-12-31 23:59:59.9999995", "2025-01-01 00:00:00"),
        ("2024-12-31 23:59:59.9999994", "2024-12-31 23:59:59.999999"),
        ("2024-01-01 00:00:00+00:00", "2024-01-01 08:00:00"),
        ("2024-01-01 00:00:00 -0530", "2024-01-01 13:30:00"),
        ("2024-01-01T00:00:00Z", "2024-01-01 08:00:00"),
        ("2024-01-01 00:00:00+08", "2024-01-01 00:00:00"),
        ("2024-07-01 12:00:00 Europe/Berlin", "2024-07-01 18:00:00"),
    ],
)
def test_moments(text: str, wanted: str) -> None:
    """Seen from Shanghai."""
    assert str(moment(text, "Asia/Shanghai")) == wanted


NONE = (
    "", "epoch", "infinity", "2024-02-30", "2024-05-01 24:00:00", "2024-05-01 12:60:00", "12024-01-01", "-2024-01-01",
    "2024-01-01 BC", "2024-01-01x", "12:00:00", "2024-01-01 00:00:00 Nowhere/City", "2024-01-01 00:00:00+15:00",
    "0001-01-01 00:00:00 +14:00", "2024050112304",
)  # fmt: skip


@pytest.mark.parametrize("text", NONE)
def test_texts_that_are_no_moments(text: str) -> None:
    assert moment(text, "UTC") is None


def test_columns() -> None:
    """Each text has a zone beside it."""
    found = moments(pa.array(["2024-01-01 00:00:00Z", None]), pa.array(["+01:00", "UTC"]))
    assert found.to_pylist() == [datetime.datetime(2024, 1, 1, 1), None]
