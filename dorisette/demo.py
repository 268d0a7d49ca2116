"""The change-data pipeline in one screen: a table with changelog, three streams, a target kept in step.

`run` plays it against a running server (`dorisette demo`); as a program (`python -m dorisette.demo`, used by
`make run`) it starts a server of its own first. It is an ordinary client: PyMySQL and SQL, nothing else.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import pymysql

from dorisette import box
from dorisette.process import ServerError, ServerProcess

DATABASE = "dorisette_demo"

_CHANGES = """SELECT order_id, status, amount, __DORIS_STREAM_CHANGE_TYPE_COL__ AS change_type
FROM {stream}
ORDER BY __DORIS_STREAM_SEQUENCE_COL__, __DORIS_STREAM_LSN_COL__"""

_SYNC = """INSERT INTO dwd_orders (order_id, status, amount, __DORIS_DELETE_SIGN__)
SELECT order_id, status, amount,
       CASE WHEN __DORIS_STREAM_CHANGE_TYPE_COL__ = 'DELETE' THEN 1 ELSE 0 END
FROM orders_stream
WHERE __DORIS_STREAM_CHANGE_TYPE_COL__ IN ('APPEND', 'UPDATE_AFTER', 'DELETE')"""

_LAG = f"""SELECT STREAM_NAME, UNIT, LAG FROM information_schema.table_stream_consumption
WHERE DB_NAME = '{DATABASE}' AND STREAM_NAME = 'orders_stream'"""


@dataclass(frozen=True, slots=True)
class Step:
    """One heading and the statements under it."""

    title: str
    statements: tuple[str, ...]


STEPS = (
    Step(
        "A table with a changelog, and a plain target",
        (
            f"DROP DATABASE IF EXISTS {DATABASE} FORCE",
            f"CREATE DATABASE {DATABASE}",
            f"USE {DATABASE}",
            """CREATE TABLE orders (
    order_id BIGINT,
    status   VARCHAR(16),
    amount   DECIMAL(10, 2)
)
UNIQUE KEY(order_id)
DISTRIBUTED BY HASH(order_id) BUCKETS 8
PROPERTIES (
    "enable_unique_key_merge_on_write" = "true",
    "changelog.enable" = "true",
    "changelog.need_historical_value" = "true"
)""",
            """CREATE TABLE dwd_orders (
    order_id BIGINT,
    status   VARCHAR(16),
    amount   DECIMAL(10, 2)
)
UNIQUE KEY(order_id)
DISTRIBUTED BY HASH(order_id) BUCKETS 8
PROPERTIES ("enable_unique_key_merge_on_write" = "true")""",
            "INSERT INTO orders VALUES (1, 'created', 100.00), (2, 'created', 200.00), (3, 'created', 300.00)",
        ),
    ),
    Step(
        "A stream that starts with the rows that are there; the first sync copies them",
        (
            """CREATE STREAM orders_stream ON TABLE orders
COMMENT 'sync order changes to dwd'
PROPERTIES ("type" = "min_delta", "show_initial_rows" = "true")""",
            _SYNC,
            "SELECT * FROM dwd_orders ORDER BY order_id",
        ),
    ),
    Step(
        "Two more streams, then five changes",
        (
            'CREATE STREAM orders_append ON TABLE orders PROPERTIES ("type" = "append_only")',
            'CREATE STREAM orders_detail ON TABLE orders PROPERTIES ("type" = "detail")',
            "INSERT INTO orders VALUES (1, 'paid', 100.00)",
            "DELETE FROM orders WHERE order_id = 2",
            "INSERT INTO orders VALUES (4, 'created', 400.00)",
            "INSERT INTO orders VALUES (5, 'created', 500.00)",
            "DELETE FROM orders WHERE order_id = 5",
        ),
    ),
    Step("append_only: the inserted rows", (_CHANGES.format(stream="orders_append"),)),
    Step("min_delta: one net change a key", (_CHANGES.format(stream="orders_stream"),)),
    Step("detail: every change", (_CHANGES.format(stream="orders_detail"),)),
    Step(
        "Sync: rows and offset move in one transaction, so the lag falls to 0",
        (_LAG, _SYNC, _LAG, "SELECT * FROM dwd_orders ORDER BY order_id"),
    ),
    Step(
        "Second round: the value before is the one of the last sync",
        (
            "UPDATE orders SET status = 'shipped' WHERE order_id = 4",
            "INSERT INTO orders VALUES (6, 'created', 600.00)",
            _CHANGES.format(stream="orders_stream"),
            _SYNC,
            "SELECT * FROM dwd_orders ORDER BY order_id",
            "SELECT * FROM orders ORDER BY order_id",
            _LAG,
        ),
    ),
)


def run(host: str, port: int, out: TextIO, steps: Sequence[Step] = STEPS) -> None:
    """Play the steps as root and write what the mysql client would show; raises pymysql.Error and OSError.

    The database `dorisette_demo` is made anew and stays afterwards.
    """
    connection = pymysql.connect(host=host, port=port, user="root", password="", autocommit=None, conv={})
    with connection, connection.cursor() as cursor:
        for step in steps:
            out.write(f"-- {step.title}\n\n")
            for statement in step.statements:
                affected = cursor.execute(statement)
                out.write(f"mysql> {_indented(statement)};\n{answer(cursor, affected)}\n\n")
            out.flush()


def answer(cursor: pymysql.cursors.Cursor, affected: int) -> str:
    """Lay out what the last statement of the cursor gave."""
    if cursor.description is None:
        return box.done(affected)
    rows = cursor.fetchall()
    if not rows:
        return box.summary(0)
    names = [column[0] for column in cursor.description]
    numeric = [box.is_numeric(column[1]) for column in cursor.description]
    return f"{box.render(names, numeric, rows)}\n{box.summary(len(rows))}"


def _indented(statement: str) -> str:
    """Continue a statement as the client does."""
    return statement.replace("\n", "\n    -> ")


def main() -> int:
    """Start a server in a folder of its own, play the demo, stop the server; the exit status tells how it went."""
    out, errors = sys.stdout, sys.stderr
    with tempfile.TemporaryDirectory(prefix="dorisette-demo-") as home:
        server = ServerProcess(Path(home))
        try:
            server.start()
            out.write(f"-- a server of its own on {server.host}:{server.port}, data in {home}\n\n")
            run(server.host, server.port, out)
            code = server.stop()
        except (ServerError, pymysql.Error, OSError) as error:
            errors.write(f"the demo failed: {error}\n{server.log_tail()}\n")
            return 1
        finally:
            server.kill()
    out.write(
        "-- The server is stopped and its data removed. To keep one running and connect:\n"
        "--   make serve\n"
        "--   mysql -h 127.0.0.1 -P 9030 -u root\n"
    )
    return code


if __name__ == "__main__":
    sys.exit(main())
