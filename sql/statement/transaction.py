"""BEGIN, COMMIT, ROLLBACK: stages are kept in the Context and applied at COMMIT under one TSO.

Outside a transaction COMMIT and ROLLBACK answer OK (MySQL: COMMIT). LOCK TABLES locks nothing: a dump tool sends it.
"""

from __future__ import annotations

from sqlglot import exp

from sql.bind.name import current_database, find, resolve_database
from sql.dialect.node import Begin, LockTables, UnlockTables
from sql.result import Done, Result
from sql.statement import Call, handles, transactional
from sql.transaction import Transaction
from sql.write import commit as apply
from sql.write import info, new_label
from storage.errors import NO_SUCH_TABLE
from storage.work import Label

transactional(exp.Commit, exp.Rollback, UnlockTables)


@handles(Begin)
def begin(call: Call[Begin]) -> Result:
    """Open a transaction; nothing is read or locked yet."""
    given = call.node.args.get("label")
    name = given.name if given is not None else new_label()
    read_only = bool(call.node.args.get("read_only"))
    call.context.transaction = Transaction(name, _stored(call, given), read_only)
    return Done(info=f"{{'label':'{name}', 'status':'PREPARE', 'txnId':''}}")


def _stored(call: Call[Begin], given: exp.Expr | None) -> Label | None:
    """The label of a transaction belongs to the current database: its statements may write to several."""
    if given is None:
        return None
    database = resolve_database(call.engine.database.catalog, current_database(call.context))
    return Label(database.id, given.name)


@handles(LockTables)
def lock_tables(call: Call[LockTables]) -> Result:
    """LOCK TABLES: each table, view or stream must exist; nothing is locked, as in Doris."""
    for reference in call.node.args["tables"]:
        if find(call.engine.database.catalog, reference, call.context) is None:
            raise NO_SUCH_TABLE(name=reference.name)
    return Done()


@handles(UnlockTables)
def unlock_tables(call: Call[UnlockTables]) -> Result:
    """UNLOCK TABLES: nothing was locked."""
    return Done()


@handles(exp.Commit)
def commit(call: Call[exp.Commit]) -> Result:
    """Apply all stages or none; the transaction is over either way (MySQL: COMMIT)."""
    transaction, call.context.transaction = call.context.transaction, None
    if transaction is None or not (transaction.writes or transaction.moves):
        return Done()
    done = apply(call.engine, call.context, transaction.work())
    return Done(info=info(transaction.label, "VISIBLE", done.transaction_id))


@handles(exp.Rollback)
def rollback(call: Call[exp.Rollback]) -> Result:
    """Forget the stages."""
    call.context.transaction = None
    return Done()
