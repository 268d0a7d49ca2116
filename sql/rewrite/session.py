"""Replace what depends on the session or the statement's clock (clock.py) by its value.

    DATABASE()  ->  'shop'          @@version_comment  ->  'Doris version …'
    @x          ->  its value       NOW(3)             ->  TIMESTAMP '2026-09-14 10:00:00.123'

Functions of unix time get the session's zone as an argument, quotients know their digits.
"""

from __future__ import annotations

from sqlglot import exp

from sql.bind.binding import Binding
from sql.dialect import pipes
from sql.dialect.binary import CIPHERS, MODE
from sql.dialect.bound import ToUnix
from sql.dialect.zone import FROM_EPOCH, PARSED, TO_EPOCH
from sql.privilege import account
from sql.rewrite import clock
from sql.variable import Scope
from storage.errors import (
    ENCRYPTION_VARIABLE,
    ENCRYPTION_VECTOR,
    FUNCTION_ARITY,
    PLACEHOLDER,
    UNKNOWN_TIME_ZONE,
)
from storage.text.encryption import default_mode, is_mode, needs_vector
from storage.zone import zone_name

MORE = "more"  # meta key of a quotient: how many digits it has more than what is divided
FOLDED = "folded"  # meta key of a number that no client wrote


def fold_session(tree: exp.Expr, binding: Binding) -> exp.Expr:
    """Give the tree with every session value in place; the tree is changed."""

    def fold(node: exp.Expr) -> exp.Expr:
        rewrite = _REWRITES.get(type(node))
        folded = rewrite(node, binding) if rewrite else node
        if folded is not node:
            folded.meta.update(node.meta)  # the heading that was noted on it
            binding.volatile = True
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
    return literal(value)


def _user_variable(node: exp.Expr, binding: Binding) -> exp.Expr:
    return literal(binding.context.user_variables.get(node.name.lower()))


def _database(node: exp.Expr, binding: Binding) -> exp.Expr:
    return literal(binding.context.database)


def _user(node: exp.Expr, binding: Binding) -> exp.Expr:
    return literal(f"'{binding.context.user}'@'{binding.context.host}'")


def _quotient(node: exp.Expr, binding: Binding) -> exp.Expr:
    node.meta[MORE] = binding.more_digits
    return node


def _no_value(node: exp.Expr, _: Binding) -> exp.Expr:
    raise PLACEHOLDER(name="?" if node.name in ("", "?") else f":{node.name}")


def _current_user(node: exp.Expr, binding: Binding) -> exp.Expr:
    """The user that answers for the connection, with the host of its account (Doris: CURRENT_USER)."""
    context = binding.context
    user = account(binding.catalog, context.user, context.host)
    return literal(f"'{context.user}'@'{user.host if user else context.host}'")


def _version(node: exp.Expr, binding: Binding) -> exp.Expr:
    return literal(binding.context.variables.get("version"))


def _function(node: exp.Expr, binding: Binding) -> exp.Expr:
    rewrite = _FUNCTIONS.get(node.name.upper())
    return rewrite(node, binding) if rewrite else node


def _connection_id(node: exp.Expr, binding: Binding) -> exp.Expr:
    return literal(binding.context.connection_id)


def _query_id(node: exp.Expr, binding: Binding) -> exp.Expr:
    return literal(binding.context.query_id)


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
        return literal(binding.now_ms // 1000)
    if len(node.expressions) > 2:
        return node
    moment, *shape = (fold_session(argument, binding) for argument in node.expressions)
    read = exp.Anonymous(this=PARSED, expressions=[moment, *shape]) if shape else moment
    return ToUnix(this=read, zone=_zone(binding))


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
    return exp.Concat(expressions=[fold_session(operand, binding) for operand in operands])


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


_FUNCTIONS: dict[str, clock.Rewrite] = {
    "CONNECTION_ID": _connection_id,
    "LAST_QUERY_ID": _query_id,
    "SLEEP": _sleep,
    "USER": _user,
    "SYSTEM_USER": _user,
    "UNIX_TIMESTAMP": _to_unix,
    **clock.NAMES,
    **dict.fromkeys(CIPHERS, _cipher),
    **dict.fromkeys(("FROM_UNIXTIME", *FROM_EPOCH, *TO_EPOCH), _in_zone),
}

_REWRITES: dict[type[exp.Expr], clock.Rewrite] = {
    exp.SessionParameter: _system_variable,
    exp.Parameter: _user_variable,
    **clock.NODES,
    exp.CurrentUser: _current_user,
    exp.SessionUser: _user,
    exp.CurrentVersion: _version,
    exp.CurrentSchema: _database,
    exp.Div: _quotient,
    exp.Placeholder: _no_value,
    exp.ConvertTimezone: _convert_zone,
    exp.Anonymous: _function,
    exp.Or: _or,
}
