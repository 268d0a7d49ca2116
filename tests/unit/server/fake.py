"""A stand-in for sql.engine.Engine: canned answers by statement, so that the wire is tested without SQL.

Statements are split at `;`. It keeps to the engine's contract: lazy results, DorisError, interruption through
the context.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from sql.context import Context
from sql.prepared import Prepared, Value, filled, prepare
from sql.result import Done, Field, Held, Result, Rows
from sql.transaction import Transaction
from sql.variable import Globals, Variables
from storage.errors import INTERRUPTED, SYNTAX_ERROR, UNKNOWN_DATABASE


class Sleeping:
    """A call that lasts until it is interrupted."""

    def __init__(self) -> None:
        self.started = threading.Event()
        self._stop = threading.Event()

    def interrupt(self) -> None:
        self._stop.set()

    def run(self) -> None:
        self.started.set()
        if self._stop.wait(30):
            raise INTERRUPTED()


@dataclass
class Endless:
    """A Source of equal batches that does something before one of them; it remembers what was read and closed."""

    batch: pa.RecordBatch
    batches: int
    before: int = 1
    action: Callable[[], None] = lambda: None
    read: int = 0
    is_closed: bool = False

    @property
    def schema(self) -> pa.Schema:
        return self.batch.schema

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        for number in range(self.batches):
            if number == self.before:
                self.action()
            self.read += 1
            yield self.batch

    def close(self) -> None:
        self.is_closed = True


def rows(source: pa.Table) -> Rows:
    """A result of undeclared types."""
    return Rows(tuple(Field(name, None) for name in source.column_names), Held(source))


@dataclass
class FakeEngine:
    """Answers a few statements; `sources` are the streamed results it has handed out."""

    sources: list[Endless] = field(default_factory=list)
    sleeping: Sleeping = field(default_factory=Sleeping)
    globals: Globals = field(default_factory=Globals)
    statements: list[str] = field(default_factory=list)

    def context(self, connection_id: int, user: str, host: str) -> Context:
        return Context(connection_id, user, host, Variables(self.globals))

    def leave(self, context: Context) -> None:
        """No temporary tables here."""

    def run(self, text: str, context: Context) -> Iterator[Result]:
        for statement in filter(None, (part.strip() for part in text.split(";"))):
            context.begin_statement(str(uuid.uuid4()), statement)
            self.statements.append(statement)
            yield self._answer(statement, context)
            context.running(None)

    def prepare(self, text: str, context: Context) -> Prepared:
        return prepare(text)

    def execute(self, prepared: Prepared, values: Sequence[Value], context: Context) -> Iterator[Result]:
        return self.run(filled(prepared, values).text, context)

    def _answer(self, statement: str, context: Context) -> Result:
        word, _, rest = statement.partition(" ")
        handler = getattr(self, f"_{word.lower()}", None)
        if handler is None:
            raise SYNTAX_ERROR(line=1, column=1, reason=f"mismatched input '{word}'")
        result: Result = handler(rest, context)
        return result

    def _select(self, rest: str, context: Context) -> Result:
        """``SELECT 1``: a number; ``SELECT * FROM …``, ``SELECT 'text'``: one row, the length of the text."""
        return rows(pa.table({"value": [int(rest) if rest.isdigit() else len(rest)]}))

    def _use(self, rest: str, context: Context) -> Result:
        name = rest.strip("`")
        if name != "shop":
            raise UNKNOWN_DATABASE(name=name)
        context.database = name
        return Done()

    def _insert(self, rest: str, context: Context) -> Result:
        return Done(affected=int(rest), info="{'label':'l', 'status':'VISIBLE', 'txnId':'7'}", warnings=2)

    def _begin(self, rest: str, context: Context) -> Result:
        context.transaction = Transaction("label")
        return Done()

    def _commit(self, rest: str, context: Context) -> Result:
        context.transaction = None
        return Done()

    def _set(self, rest: str, context: Context) -> Result:
        name, equals, value = rest.partition("=")
        if not equals:  # SET NAMES
            return Done()
        context.variables.set(name.strip(), value.strip())
        return Done()

    def _sleep(self, rest: str, context: Context) -> Result:
        context.running(self.sleeping)
        self.sleeping.run()
        return Done()

    def _crash(self, rest: str, context: Context) -> Result:
        raise RuntimeError("the secret of the server")

    def _cell(self, rest: str, context: Context) -> Result:
        """``CELL n``: one cell of n bytes."""
        return rows(pa.table({"cell": pa.array([b"x" * int(rest)], pa.binary())}))

    def _stream(self, rest: str, context: Context) -> Result:
        """``STREAM n``: n batches of 16384 rows of about 100 bytes; ``STREAM n wait m``: sleeps after m batches."""
        count, option, before = (*rest.split(), "", "")[:3]
        batch = pa.record_batch({"id": pa.array(range(16_384)), "text": pa.array(["y" * 90] * 16_384)})
        source = Endless(batch, int(count), int(before or 1))
        if option == "wait":
            context.running(self.sleeping)
            source.action = self.sleeping.run
        if option == "fail":
            source.action = _fail
        self.sources.append(source)
        return Rows((Field("id", None), Field("text", None)), source)


def _fail() -> None:
    raise RuntimeError("in the middle")
