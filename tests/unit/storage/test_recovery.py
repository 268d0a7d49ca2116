"""Opening: one owner, nothing reused, nothing lost after SIGKILL at any step, clocks that step back."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from storage.audit import audit
from storage.catalog.schema import LEASE
from storage.config import Config
from storage.database import Database
from storage.errors import DATA_DIRECTORY_LOCKED, STORAGE_FAILURE, DorisError
from storage.numbering import prefix
from storage.step import STEPS, VARIABLE, from_environment
from tests.unit.storage.shop import ManualClock, change, column, make_table, put, select

ROOT = Path(__file__).resolve().parents[3]
CHILD = """
import sys
from pathlib import Path
from storage.config import Config
from storage.database import Database
from storage.work import Move, Work
from tests.unit.storage.shop import batch, make_stream, make_table, put, write
database = Database(Path(sys.argv[1]), Config())
table = database.catalog.table(1, "t") or make_table(database, "t")
stream = database.catalog.stream(1, "s_t") or make_stream(database, table)
print(database.reserve_ids(1)[0], flush=True)
for number in range(1, 6):
    commit = put(database, table, [(1, str(number)), (number + 1, "x")])
    print(number, commit.tso, commit.transaction_id, flush=True)
"""


def test_a_second_owner_is_refused_and_told_who_the_first_is(tmp_path: Path, config: Config) -> None:
    database = Database(tmp_path, config)
    with pytest.raises(DorisError) as raised:
        Database(tmp_path, config)
    assert raised.value.kind is DATA_DIRECTORY_LOCKED
    assert f"(pid {os.getpid()})" in raised.value.message
    database.close()
    Database(tmp_path, config).close()


def test_a_file_that_is_no_database_is_refused_and_not_owned(tmp_path: Path, config: Config) -> None:
    (tmp_path / "dorisette.duckdb").write_bytes(b"garbage" * 1000)
    for _ in range(2):
        with pytest.raises(DorisError) as raised:
            Database(tmp_path, config)
        assert raised.value.kind is STORAGE_FAILURE


def test_an_orderly_stop_keeps_no_numbers_of_tables_that_are_gone(tmp_path: Path, config: Config) -> None:
    database = Database(tmp_path, config)
    columns = [column(0, "k", key=True), replace(column(1, "n"), auto_increment=1)]
    kept, gone = (make_table(database, name, columns=columns) for name in ("kept", "gone"))
    for table in (kept, gone):
        database.numbering.take(table, columns[1], 2)
    change(database, lambda catalog: catalog.without_table(gone.id))
    database.close()
    database = Database(tmp_path, config)
    names = select(database, f"SELECT name FROM {LEASE.name} WHERE starts_with(name, 'auto_')")
    assert names == [(f"{prefix(kept)}1",)]
    assert list(database.numbering.take(kept, columns[1], 1)) == [3]
    database.close()


def test_ids_and_tsos_go_on_after_an_orderly_stop(tmp_path: Path, config: Config, clock: ManualClock) -> None:
    database = Database(tmp_path, config, clock)
    taken = database.reserve_ids(3)
    table = make_table(database, "t")
    tso = put(database, table, [(1, "a")]).tso
    database.close()
    clock.now -= 3_600_000
    again = Database(tmp_path, config, clock)
    assert again.reserve_ids(1)[0] == taken[-1] + 1 + 2
    assert put(again, table, [(2, "b")]).tso > tso
    assert again.locks.held() == []
    again.close()


def test_closing_leaves_no_log_and_no_thread(tmp_path: Path, config: Config) -> None:
    import threading

    before = threading.active_count()
    database = Database(tmp_path, config)
    put(database, make_table(database, "t"), [(1, "a")])
    database.close()
    assert not list(tmp_path.glob("*.wal"))
    assert threading.active_count() == before


def run(directory: Path, crash_at: str | None) -> tuple[int, list[str]]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    if crash_at:
        environment[VARIABLE] = crash_at
    command = [sys.executable, "-c", CHILD, str(directory)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=False)
    return done.returncode, done.stdout.splitlines()


@pytest.mark.parametrize("step", ["locked", "tso", "begun", "mark", "write", "before_commit", "after_commit"])
def test_a_kill_at_a_step_leaves_all_or_nothing(tmp_path: Path, config: Config, step: str) -> None:
    begin = 3 if step in ("locked", "tso", "begun", "before_commit", "after_commit") else 1  # create table, stream
    code, lines = run(tmp_path, f"{step}:{begin + 2}")
    assert code == -signal.SIGKILL
    acknowledged = [line.split() for line in lines[1:]]
    assert len(acknowledged) == 2
    database = Database(tmp_path, config)
    table = database.catalog.table(1, "t")
    assert table is not None
    expected = 3 if step == "after_commit" else 2
    assert select(database, f"SELECT v FROM t_{table.id} WHERE k = 1") == [(str(expected),)]
    assert len(select(database, f"SELECT * FROM t_{table.id}")) == expected + 1
    assert audit(database) == []
    assert database.reserve_ids(1)[0] > int(lines[0])
    commit = put(database, table, [(1, "after")])
    assert commit.tso > int(acknowledged[-1][1])
    assert commit.transaction_id > int(acknowledged[-1][2])
    database.close()


def test_an_unknown_step_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "nowhere")
    with pytest.raises(ValueError, match="unknown step nowhere"):
        from_environment()
    monkeypatch.setenv(VARIABLE, f"{STEPS[0]}:2")
    from_environment()("other")
