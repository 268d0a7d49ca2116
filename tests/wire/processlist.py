"""What SHOW PROCESSLIST tells of other connections."""

from __future__ import annotations

import pymysql

from tests.waiting import wait


def processes(cursor: pymysql.cursors.Cursor) -> dict[int, dict[str, object]]:
    """The lines of SHOW PROCESSLIST by connection id."""
    cursor.execute("SHOW PROCESSLIST")
    names = [column[0] for column in cursor.description or ()]
    lines = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return {int(line["Id"]): line for line in lines}


def await_running(cursor: pymysql.cursors.Cursor, number: int) -> str:
    """The query id of a connection's statement, once it runs."""

    def running() -> str | None:
        process = processes(cursor).get(number, {})
        return str(process["QueryId"] or "") if process.get("Command") == "Query" else None

    return wait(running)
