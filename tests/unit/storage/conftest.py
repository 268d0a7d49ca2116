"""A fresh database per test, with a clock that only the test moves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.config import Config
from storage.database import Database
from tests.unit.storage.shop import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def config() -> Config:
    config = Config()
    config.override("changelog_cleanup_interval_second", "0")
    return config


@pytest.fixture
def database(tmp_path: Path, config: Config, clock: ManualClock) -> Iterator[Database]:
    database = Database(tmp_path, config, clock)
    yield database
    assert database.locks.held() == []
    assert not database.timestamps.inflight
    database.close()
