"""One engine for all examples of a module; each example works in a database of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.local import Local

settings.register_profile(
    "dorisette",
    deadline=None,  # a statement waits for the disk
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    print_blob=True,
    report_multiple_bugs=False,
)
settings.load_profile("dorisette")


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Local]:
    """The engine; its audit must be clean at the end (test by test it is checked as well)."""
    engine = Local(tmp_path_factory.mktemp("property"))
    yield engine
    engine.close()
