"""DuckDB's names of types, where it says them in an error, as Doris names them.

MAP(VARCHAR, INTEGER[])  ->  MAP<VARCHAR, ARRAY<INT>>
"""

from __future__ import annotations

import re

_NAMES = {
    "INT8": "TINYINT", "INT16": "SMALLINT", "INT32": "INT", "INTEGER": "INT", "INTEGER_LITERAL": "INT",
    "INT64": "BIGINT", "INT128": "LARGEINT", "HUGEINT": "LARGEINT", "UBIGINT": "LARGEINT", "BOOL": "BOOLEAN",
    "STRING_LITERAL": "VARCHAR", "BLOB": "VARBINARY", '"NULL"': "NULL", "TIMESTAMP": "DATETIME",
    "timestamp": "DATETIME", "date": "DATE",
}  # fmt: skip
_NAME = re.compile(rf"(?<!\w)({'|'.join(_NAMES)})(?!\w)")
_MARK = "\0"  # begins and ends the number of a type that is read already
_ATOM = rf'(?:{_MARK}\d+{_MARK}|"NULL"|\w+(?:\([\d, ]*\))?)'
_NESTED = re.compile(rf"({_ATOM})\[\d*\]|(MAP|STRUCT)\(((?:[^()\[\]]|\([\d, ]*\))*)\)")
_NUMBER = re.compile(rf"{_MARK}(\d+){_MARK}")


def spelled(said: str) -> str:
    """A text that names types of DuckDB with the names of Doris; innermost types are read first."""
    read: list[str] = []

    def note(found: re.Match[str]) -> str:
        read.append(f"ARRAY<{found[1]}>" if found[1] else f"{found[2]}<{found[3]}>")
        return f"{_MARK}{len(read) - 1}{_MARK}"

    text = said.replace(_MARK, "")
    for pattern, change in ((_NESTED, note), (_NUMBER, lambda found: read[int(found[1])])):
        while (changed := pattern.sub(change, text)) != text:
            text = changed
    return _NAME.sub(lambda found: _NAMES[found[0]], text)
