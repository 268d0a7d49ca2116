"""Functions whose value their arguments do not decide: those of the clock, of the session and of chance.

The clock stands still for a statement (sql/rewrite/clock.py). Source: Doris: SQL functions.
"""

from __future__ import annotations

from sqlglot import exp

NOW = (exp.CurrentTimestamp, exp.Localtime, exp.Localtimestamp)
NOW_NAMES = frozenset(("NOW", "SYSDATE"))
_CLOCKS = (*NOW, exp.CurrentDate, exp.CurrentTime)
_CLOCK_NAMES = NOW_NAMES | {"CURRENT_TIME", "CURTIME", "UTC_DATE", "UTC_TIME", "UTC_TIMESTAMP"}
_SESSION = (
    exp.CurrentCatalog, exp.CurrentSchema, exp.CurrentUser, exp.CurrentVersion, exp.Parameter, exp.SessionParameter,
    exp.SessionUser,
)  # fmt: skip
_SESSION_NAMES = frozenset(("CONNECTION_ID", "LAST_QUERY_ID", "SYSTEM_USER", "USER"))
_CHANCE = (exp.Uuid,)
_CHANCE_NAMES = frozenset(("RAND", "RANDOM", "RANDOM_BYTES", "SLEEP", "UNIFORM", "UUID_NUMERIC"))


def is_clock(node: exp.Expr) -> bool:
    """Whether a node asks for the time, which is the same for all rows of a statement."""
    return isinstance(node, _CLOCKS) or _name(node) in _CLOCK_NAMES


def changes(node: exp.Expr) -> bool:
    """Whether a node gives another value for the same arguments another time, or to another session."""
    if is_clock(node) or isinstance(node, (*_SESSION, *_CHANCE)):
        return True
    name = _name(node)
    return name in _SESSION_NAMES | _CHANCE_NAMES or (name == "UNIX_TIMESTAMP" and not node.expressions)


def _name(node: exp.Expr) -> str:
    return node.name.upper() if isinstance(node, exp.Anonymous) else ""
