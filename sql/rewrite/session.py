"""Replace what depends on the session or the statement's clock by its value.

    DATABASE()  ->  'shop'          @@version_comment  ->  'Doris version …'
    @x          ->  its value       NOW(3)             ->  TIMESTAMP '2026-09-14 10:00:00.123'

Functions of unix time get the session's zone as an argument, quotients know their digits.

One clock a statement: NOW() is equal everywhere in it (MySQL: functions of date and time).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from sqlglot import exp

from sql.bind.binding import Binding
from sql.dialect import pipes
from sql.dialect.binary import CIPHERS, MODE
from sql.dialect.bound import ToUnix
from sql.dialect.changing import NOW, NOW_NAMES
from sql.dialect.zone import FROM_EPOCH, PARSED, TO_EPOCH
from sql.privilege import account
from sql.rewrite.moment import written
from sql.variable import Scope
from storage.errors import (
    DATETIME_SCALE,
    ENCRYPTION_VARIABLE,
    ENCRYPTION_VECTOR,
    FUNCTION_ARITY,
    PLACEHOLDER,
    UNKNOWN_TIME_ZONE,
)
from storage.text.encryption import default_mode, is_mode, needs_vector
from storage.types import DATE, datetime
from storage.zone import local_time, zone_name

MORE = "more"  # meta key of a quotient: how many digits it has more than what is divided
FOLDED = "folded"  # meta key of a number that no client wrote
_SCALES = "0123456"

Rewrite = Callable[[exp.Expr, Binding], exp.Expr]


def fold_session(tree: exp.Expr, binding: Binding) -> exp.Expr:
    """Give the tree with every session value in place; the tree is changed."""

    def fold(node: exp.Expr) -> exp.Expr:
        rewrite = _REWRITES.get(type(node))
        folded = rewrite(node, binding) if rewrite else node
        binding.volatile |= folded is not node
        return folded

    return tree.transform(fold, copy=False)


def literal(value: object) -> exp.Expr:
    """A constant of the statement: NULL, number, boolean as 1/0, or text."""
    if value is None:
        return exp.Null()
    if isinstance(value, (int, float)):
        number = exp.Literal.number(int(value) if isinstance(value, bool) else value)
        next(number.find_all(exp.Literal)).meta[FOLDED] = True  # behind the sign
        return number
    return exp.Literal.string(str(value))


def _system_variable(node: exp.Expr, binding: Binding) -> exp.Expr:
    scope: Scope = "GLOBAL" if str(node.args.get("kind") or "").upper() == "GLOBAL" else "SESSION"
    value = binding.context.variables.get(node.name.lower(), scope)
    return _named(literal(value), node)


def _user_variable(node: exp.Expr, binding: Binding) -> exp.Expr:
    return literal(binding.context.user_variables.get(node.name.lower()))


def _named(value: exp.Expr, node: exp.Expr) -> exp.Expr:
    """Keep the heading that the parser noted on the replaced node."""
    value.meta.update(node.meta)
    return value


def _now(node: exp.Expr, binding: Binding) -> exp.Expr:
    return _moment(node, binding.now)


def _utc_now(node: exp.Expr, binding: Binding) -> exp.Expr:
    return _moment(node, local_time(binding.now_ms, dt.UTC))


def _moment(node: exp.Expr, now: dt.datetime) -> exp.Expr:
    digits = _digits(node)
    text = written(now, datetime(digits))
    return _named(exp.cast(exp.Literal.string(text), exp.DataType.build(f"DATETIME({digits})", dialect="mysql")), node)


def _time(node: exp.Expr, binding: Binding) -> exp.Expr:
    return _clock(node, binding.now)


def _utc_time(node: exp.Expr, binding: Binding) -> exp.Expr:
    return _clock(node, local_time(binding.now_ms, dt.UTC))


def _clock(node: exp.Expr, now: dt.datetime) -> exp.Expr:
    """The time of day as a TIME."""
    digits = _digits(node)
    _, _, text = written(now, datetime(digits)).partition(" ")
    return _named(exp.cast(exp.Literal.string(text), exp.DataType.build(f"TIME({digits})", dialect="mysql")), node)


def _digits(node: exp.Expr) -> int:
    """The argument of NOW(p), 0 without one."""
    if len(node.expressions) > 1:
        raise FUNCTION_ARITY(name=node.name.lower(), count=len(node.expressions))
    argument = next(iter(node.expressions), None) if isinstance(node, exp.Anonymous) else node.this
    if argument is None:
        return 0
    if not isinstance(argument, exp.Literal) or argument.is_string or argument.name not in _SCALES:
        raise DATETIME_SCALE(value=argument.sql())
    return int(argument.name)


def _today(node: exp.Expr, binding: Binding) -> exp.Expr:
    return _named(exp.cast(exp.Literal.string(written(binding.now, DATE)), "DATE"), node)


def _utc_today(node: exp.Expr, binding: Binding) -> exp.Expr:
    if node.expressions:
        raise FUNCTION_ARITY(name=node.name.lower(), count=len(node.expressions))
    text = written(local_time(binding.now_ms, dt.UTC), DATE)
    return _named(exp.cast(exp.Literal.string(text), "DATE"), node)


def _database(node: exp.Expr, binding: Binding) -> exp.Expr:
    return _named(literal(binding.context.database), node)


def _user(node: exp.Expr, binding: Binding) -> exp.Expr:
    return _named(literal(f"'{binding.context.user}'@'{binding.context.host}'"), node)


def _quotient(node: exp.Expr, binding: Binding) -> exp.Expr:
    node.meta[MORE] = binding.more_digits
    return node


def _no_value(node: exp.Expr, _: Binding) -> exp.Expr:
    raise PLACEHOLDER(name="?" if node.name in ("", "?") else f":{node.name}")


def _current_user(node: exp.Expr, binding: Binding) -> exp.Expr:
    """The user that answers for the connection, with the host of its account (Doris: CURRENT_USER)."""
    context = binding.context
    user = account(binding.catalog, context.user, context.host)
    return _named(literal(f"'{context.user}'@'{user.host if user else context.host}'"), node)


def _version(node: exp.Expr, binding: Binding) -> exp.Expr:
    return _named(literal(binding.context.variables.get("version")), node)


def _function(node: exp.Expr, binding: Binding) -> exp.Expr:
    rewrite = _FUNCTIONS.get(node.name.upper())
    return rewrite(node, binding) if rewrite else node


def _connection_id(node: exp.Expr, binding: Binding) -> exp.Expr:
    return _named(literal(binding.context.connection_id), node)


def _query_id(node: exp.Expr, binding: Binding) -> exp.Expr:
    return _named(literal(binding.context.query_id), node)


def _sleep(node: exp.Expr, binding: Binding) -> exp.Expr:
    """SLEEP(seconds) ends early when the statement is stopped."""
    if len(node.expressions) != 1:
        raise FUNCTION_ARITY(name="sleep", count=len(node.expressions))
    binding.volatile = True
    node.append("expressions", exp.Literal.number(binding.context.bell.number))
    return node


def _zone(binding: Binding) -> exp.Literal:
    binding.volatile = True
    return exp.Literal.string(binding.zone)


def _in_zone(node: exp.Expr, binding: Binding) -> exp.Expr:
    """What is spelled for the zone of the session (sql/dialect/zone.py)."""
    binding.volatile = True
    return node


def _to_unix(node: exp.Expr, binding: Binding) -> exp.Expr:
    """UNIX_TIMESTAMP([moment [, format]]); other numbers of arguments are left to be refused."""
    if not node.expressions:
        return _named(literal(binding.now_ms // 1000), node)
    if len(node.expressions) > 2:
        return node
    moment, *shape = (fold_session(argument, binding) for argument in node.expressions)
    read = exp.Anonymous(this=PARSED, expressions=[moment, *shape]) if shape else moment
    return _named(ToUnix(this=read, zone=_zone(binding)), node)


def _convert_zone(node: exp.Expr, binding: Binding) -> exp.Expr:
    """Spell the zones that are literals as DuckDB knows them."""
    for key in ("source_tz", "target_tz"):
        zone = node.args.get(key)
        if isinstance(zone, exp.Literal):
            known = zone_name(zone.name)
            if known is None:
                raise UNKNOWN_TIME_ZONE(name=zone.name)
            node.set(key, exp.Literal.string(known))
    return node


def _or(node: exp.Expr, binding: Binding) -> exp.Expr:
    """`||` is a concatenation if sql_mode says so."""
    operands = pipes.operands(node)
    if operands is None:
        return node
    binding.volatile = True
    if not binding.pipes_as_concat:
        return node
    return _named(exp.Concat(expressions=[fold_session(operand, binding) for operand in operands]), node)


def _cipher(node: exp.Expr, binding: Binding) -> exp.Expr:
    """AES_… or SM4_… without a mode of its own takes that of the session (Doris: block_encryption_mode)."""
    if len(node.expressions) in (2, 3):
        cipher = CIPHERS[node.name.upper()]
        mode = binding.context.variables.text("block_encryption_mode") or default_mode(cipher)
        if not is_mode(cipher, mode):
            raise ENCRYPTION_VARIABLE(cipher=cipher.lower())
        if len(node.expressions) == 2 and needs_vector(mode):
            raise ENCRYPTION_VECTOR(cipher=cipher.lower())
        node.meta[MODE] = mode
        binding.volatile = True
    return node


_FUNCTIONS: dict[str, Rewrite] = {
    "CONNECTION_ID": _connection_id,
    "LAST_QUERY_ID": _query_id,
    "SLEEP": _sleep,
    "USER": _user,
    "SYSTEM_USER": _user,
    "UNIX_TIMESTAMP": _to_unix,
    "UTC_TIMESTAMP": _utc_now,
    "UTC_DATE": _utc_today,
    "UTC_TIME": _utc_time,
    "CURTIME": _time,
    "CURRENT_TIME": _time,
    **dict.fromkeys(CIPHERS, _cipher),
    **dict.fromkeys(NOW_NAMES, _now),
    **dict.fromkeys(("FROM_UNIXTIME", *FROM_EPOCH, *TO_EPOCH), _in_zone),
}

_REWRITES: dict[type[exp.Expr], Rewrite] = {
    exp.SessionParameter: _system_variable,
    exp.Parameter: _user_variable,
    exp.CurrentDate: _today,
    exp.CurrentTime: _time,
    exp.CurrentUser: _current_user,
    exp.SessionUser: _user,
    exp.CurrentVersion: _version,
    exp.CurrentSchema: _database,
    exp.Div: _quotient,
    exp.Placeholder: _no_value,
    exp.ConvertTimezone: _convert_zone,
    exp.Anonymous: _function,
    exp.Or: _or,
    **dict.fromkeys(NOW, _now),
}
