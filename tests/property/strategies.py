"""Random tables, batches, transactions and histories for the property tests."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from tests.property.model import Delete, Key, Model, Statement, Update, Upsert
from tests.property.play import TYPES

ALL_KEYS: tuple[Key, ...] = (None, *range(10))  # few keys, so that they meet often
KEYS = st.sampled_from(ALL_KEYS)
VALUES = st.one_of(st.integers(0, 3), st.none())
TEXTS = st.sampled_from([None, "", "a", "b'c"])
ONE_PARTITION = (("base", None),)
THREE_PARTITIONS = (("p1", 3), ("p2", 7), ("p3", None))


@dataclass(frozen=True)
class Write:
    """One commit."""

    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class CreateStream:
    """A stream of a type, with or without initial rows."""

    kind: str
    initial: bool


@dataclass(frozen=True)
class Consume:
    """Consume the stream with that number (modulo how many there are), all partitions or one."""

    stream: int
    part: str | None


@dataclass(frozen=True)
class Checkpoint:
    """Force a checkpoint between two statements."""


@dataclass(frozen=True)
class Compact:
    """Sort the rows by key between two statements."""


Step = Write | CreateStream | Consume | Checkpoint | Compact


def models() -> st.SearchStrategy[Model]:
    """An empty table: Unique or Duplicate, partitioned or not."""
    return st.builds(Model, st.booleans(), st.sampled_from([ONE_PARTITION, THREE_PARTITIONS]))


@st.composite
def upserts(draw: st.DrawFn, unique: bool, without: frozenset[Key] = frozenset()) -> Upsert:
    """Rows to write; in a Unique table some carry the delete sign, and keys may repeat."""
    keys = st.sampled_from([key for key in ALL_KEYS if key not in without])
    rows = draw(st.lists(st.tuples(keys, VALUES, TEXTS), min_size=1, max_size=8))
    deleted = draw(st.sets(st.integers(0, len(rows) - 1), max_size=2)) if unique else set()
    return Upsert(rows, frozenset(deleted))


@st.composite
def transactions(draw: st.DrawFn, unique: bool) -> Write:
    """One to three statements of one commit.

    UPDATE and DELETE inside a transaction see the last committed rows, so they come first and keep to keys of
    their own; INSERTs follow each other in order and may meet the same keys. A Duplicate Key table refuses DELETE
    inside a transaction, so there it stands alone.
    """
    keys = frozenset(draw(st.sets(KEYS, min_size=1, max_size=4)))
    others = frozenset(draw(st.sets(KEYS, min_size=1, max_size=4))) - keys
    statements: list[Statement] = []
    if draw(st.booleans()):
        if not unique:  # its DELETE takes no OR
            return Write((Delete(keys - {None} or keys),))
        statements.append(Delete(keys))
    if unique and others and draw(st.booleans()):
        statements.append(Update(others, draw(VALUES)))
    touched = frozenset(key for statement in statements if not isinstance(statement, Upsert) for key in statement.keys)
    inserts = draw(st.integers(0 if statements else 1, 3 - len(statements))) if len(touched) < 8 else 0
    statements += [draw(upserts(unique, touched)) for _ in range(inserts)]
    return Write(tuple(statements or [draw(upserts(unique))]))


@st.composite
def histories(draw: st.DrawFn, model: Model) -> list[Step]:
    """Writes, streams that appear on the way, consumption of all or one partition, checkpoints, sorted rows."""
    consume = st.builds(Consume, st.integers(0, 5), st.sampled_from([None, *(name for name, _ in model.bounds)]))
    create = st.builds(CreateStream, st.sampled_from(TYPES), st.booleans())
    steps: st.SearchStrategy[Step] = st.one_of(
        transactions(model.unique),
        transactions(model.unique),
        create,
        consume,
        st.sampled_from([Checkpoint(), Compact()]),
    )
    return draw(st.lists(steps, min_size=8, max_size=16))
