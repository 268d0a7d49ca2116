"""A client over a fresh database per test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.sql.client import Client, client_of, open_database


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    """A root connection in the database `shop`."""
    database = open_database(tmp_path)
    client = client_of(database)
    client.run("CREATE DATABASE shop; USE shop")
    yield client
    assert database.locks.held() == []
    database.close()
