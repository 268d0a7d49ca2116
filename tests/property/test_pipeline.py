"""Base, history, change records, the three stream types and offsets agree with the model, for random histories."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.audit import audit
from tests.local import Local, Session
from tests.property.model import Model
from tests.property.play import TYPES, compare, create_table, same_changes, write
from tests.property.strategies import Checkpoint, Compact, Consume, CreateStream, Step, histories, models

NUMBERS = itertools.count()

pytestmark = pytest.mark.timeout(600)  # hypothesis shrinks what it finds


@given(st.data())
@settings(max_examples=25)
def test_every_reader_agrees_with_the_model(local: Local, data: st.DataObject) -> None:
    """After each step all that a client can read is what the model says; the audit finds nothing."""
    model = data.draw(models())
    session = _database(local, model)
    for kind in TYPES:
        _play(local, session, model, CreateStream(kind, False))
    for step in data.draw(histories(model)):
        _play(local, session, model, step)
        compare(session, model)
    assert audit(local.database) == []
    session.execute(f"DROP DATABASE {session.context.database} FORCE")


@given(st.data())
@settings(max_examples=12)
def test_consuming_in_pieces_equals_the_whole_history(local: Local, data: st.DataObject) -> None:
    """What a detail stream consumed piece by piece, added up, is what a stream read from the start gives at once."""
    model = data.draw(models())
    session = _database(local, model)
    model.create_stream("pieces", "detail", False)
    session.execute('CREATE STREAM pieces ON TABLE base PROPERTIES ("type" = "detail")')
    for step in data.draw(histories(model)):
        if not isinstance(step, CreateStream | Consume):
            _play(local, session, model, step)
            _consume(session, model, "pieces", None)
    consumed = session.query("SELECT ct, k, v, w FROM sink ORDER BY seq, lsn")
    wanted = [change for part, _ in model.bounds for change in model.emit("detail", part, 0, model.commits)]
    same_changes([(str(ct), (k, v, w)) for ct, k, v, w in consumed], wanted)  # type: ignore[misc]
    session.execute(f"DROP DATABASE {session.context.database} FORCE")


def _database(local: Local, model: Model) -> Session:
    session = local.connect()
    name = f"example_{next(NUMBERS)}"
    session.execute(f"CREATE DATABASE {name}")
    session.execute(f"USE {name}")
    create_table(session, model)
    session.execute(
        "CREATE TABLE sink (k INT, v INT, w VARCHAR(8), ct VARCHAR(16), seq BIGINT, lsn BIGINT)"
        " DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1"
    )
    return session


def _play(local: Local, session: Session, model: Model, step: Step) -> None:
    if isinstance(step, CreateStream):
        name = f"s{len(model.streams)}"
        model.create_stream(name, step.kind, step.initial)
        properties = f'"type" = "{step.kind}", "show_initial_rows" = "{str(step.initial).lower()}"'
        session.execute(f"CREATE STREAM {name} ON TABLE base PROPERTIES ({properties})")
    elif isinstance(step, Consume):
        if model.streams:
            _consume(session, model, f"s{step.stream % len(model.streams)}", step.part)
    elif isinstance(step, Checkpoint):
        local.database.checkpoint()
    elif isinstance(step, Compact):
        session.execute("ADMIN COMPACT TABLE base WHERE TYPE = 'BASE'")
    else:
        model.commit(step.statements)
        write(session, step.statements)


def _consume(session: Session, model: Model, stream: str, part: str | None) -> None:
    """Consume into the sink; what arrives is what the model emits."""
    parts = None if part is None or len(model.bounds) == 1 else [part]
    wanted = model.read(stream, parts)
    before = session.query("SELECT count(*) FROM sink")[0][0]
    only = f" PARTITION ({part})" if parts else ""
    affected = session.execute(
        "INSERT INTO sink SELECT k, v, w, __DORIS_STREAM_CHANGE_TYPE_COL__, __DORIS_STREAM_SEQUENCE_COL__,"
        f" __DORIS_STREAM_LSN_COL__ FROM {stream}{only}"
    )
    assert affected == len(wanted)
    assert session.query("SELECT count(*) FROM sink")[0][0] == before + len(wanted)  # type: ignore[operator]
    model.consume(stream, parts)
