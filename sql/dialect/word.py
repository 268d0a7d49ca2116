"""Words: which are reserved, and how Doris words a syntax error. No parser in here.

Source: apache/doris, DorisParser.g4 (ANTLR's messages).
"""

from __future__ import annotations

import re

from sqlglot.tokenizer_core import Token

# Words that cannot be a name without backticks. Doris reserves more of them; those that cause no
# doubt here are let through, so that a script written for MySQL needs fewer changes.
RESERVED = frozenset({
    "ADD", "ALL", "ALTER", "AND", "ANTI", "AS", "ASC", "BETWEEN", "BY", "CASE", "CREATE", "CROSS", "DELETE", "DESC",
    "DESCRIBE", "DISTINCT", "DROP", "ELSE", "EXCEPT", "EXISTS", "EXPLAIN", "FALSE", "FOR", "FROM", "FULL", "GRANT",
    "GROUP", "HAVING", "IN", "INNER", "INSERT", "INTERSECT", "INTO", "IS", "JOIN", "LEFT", "LIKE", "LIMIT", "NOT",
    "NULL", "ON", "OR", "ORDER", "OUTER", "OVER", "REVOKE", "RIGHT", "SELECT", "SEMI", "SET", "SHOW", "TABLE",
    "THEN", "TO", "TRUE", "UNION", "UPDATE", "USE", "USING", "VALUES", "WHEN", "WHERE", "WITH",
})  # fmt: skip

_EXPECTED = re.compile(r"Expect(?:ing|ed) (?:token )?([A-Z]+|[^\w\s])(?: after \w+)?")
_LONGEST = 60


def describe(sql: str, token: Token) -> str:
    """Quote a token as the client wrote it, shortened; ``'<EOF>'`` at the end."""
    if not token:
        return "'<EOF>'"
    text = sql[token.start : token.end + 1] or token.text
    printable = "".join(char if char.isprintable() else "?" for char in text[:_LONGEST])
    return f"'{printable}{'...' if len(text) > _LONGEST else ''}'"


def reason(complaint: str, token: str) -> str:
    """Word a complaint of sqlglot as ANTLR would, about an already quoted token."""
    expected = _EXPECTED.fullmatch(complaint)
    if expected:
        return f"mismatched input {token} expecting '{expected[1]}'"
    return f"no viable alternative at input {token}"
