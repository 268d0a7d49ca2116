"""Which functions there are: those sqlglot knows by a node, those spelled by a template.

A name found nowhere is UNKNOWN_FUNCTION, so that no function of DuckDB, or of another dialect that
sqlglot reads, can be reached by a client. Source: Doris: SQL functions.
"""

from __future__ import annotations

from sql.dialect.built import BUILT
from sql.dialect.function import (
    aggregate,
    array,
    behaviour,
    collection,
    condition,
    digest,
    formatting,
    json,
    moment,
    nested,
    network,
    number,
    regexp,
    text,
    url,
)
from sql.dialect.function.function import Function
from storage.errors import FUNCTION_ARITY, UNKNOWN_FUNCTION, DorisError

FUNCTIONS: dict[str, Function] = {
    **text.FUNCTIONS,
    **regexp.FUNCTIONS,
    **url.FUNCTIONS,
    **formatting.FUNCTIONS,
    **digest.FUNCTIONS,
    **moment.FUNCTIONS,
    **number.FUNCTIONS,
    **condition.FUNCTIONS,
    **array.FUNCTIONS,
    **nested.FUNCTIONS,
    **json.FUNCTIONS,
    **network.FUNCTIONS,
    **aggregate.FUNCTIONS,
    **behaviour.FUNCTIONS,
    **collection.FUNCTIONS,
}

# Functions of Doris that sqlglot reads into nodes of its own, with the same meaning.
READ_BY_SQLGLOT = frozenset({
    "ABS", "ADDDATE", "ANY_VALUE", "ARRAY", "ATAN", "ATAN2", "AVG", "BIT_AND", "BIT_OR", "BIT_XOR", "CAST", "CEIL",
    "CEILING", "CHARACTER_LENGTH", "CHAR_LENGTH", "COALESCE", "CONCAT", "CONCAT_WS", "CONVERT", "CONVERT_TZ", "COS",
    "COUNT", "COVAR_POP", "COVAR_SAMP", "CUME_DIST", "CURDATE", "CURRENT_CATALOG", "CURRENT_DATE",
    "CURRENT_TIMESTAMP", "CURRENT_USER", "DATABASE", "DATE", "DATEDIFF", "DATE_ADD", "DATE_SUB", "DATE_TRUNC",
    "DAY", "DAYNAME", "DAYOFMONTH", "DAYOFWEEK", "DAYOFYEAR", "DEGREES", "DENSE_RANK", "EXISTS", "EXP", "EXTRACT",
    "FIRST_VALUE", "FLOOR", "FROM_BASE64", "GREATEST", "GROUPING", "GROUPING_ID", "GROUP_CONCAT", "HEX", "HOUR",
    "IF", "IFNULL", "INSTR", "ISNULL", "LAG", "LAST_DAY", "LAST_VALUE", "LCASE", "LEAD", "LEAST", "LEFT", "LENGTH",
    "LN", "LOCALTIME", "LOCALTIMESTAMP", "LOCATE", "LOG", "LOG10", "LOG2", "LOWER", "LPAD", "LTRIM", "MAP", "MAX",
    "MAX_BY", "MD5", "MIN", "MINUTE", "MIN_BY", "MOD", "MONTH", "MONTHNAME", "NTH_VALUE", "NTILE", "NULLIF", "NVL",
    "PERCENT_RANK", "PI", "POSITION", "POW", "POWER", "QUARTER", "RADIANS", "RANK", "REGEXP", "REVERSE", "RIGHT",
    "ROUND", "ROW_NUMBER", "RPAD", "RTRIM", "SCHEMA", "SECOND", "SESSION_USER", "SHA", "SHA1", "SHA2", "SIGN",
    "SIN", "SQRT", "STDDEV", "STDDEV_POP", "STDDEV_SAMP", "STRUCT", "SUBDATE", "SUBSTR", "SUBSTRING", "SUM", "TAN",
    "TIMESTAMPADD", "TIMESTAMPDIFF", "TO_BASE64", "TO_DATE", "TRIM", "TRUNCATE", "TRY_CAST", "UCASE", "UNHEX",
    "UPPER", "UUID", "VARIANCE", "VAR_POP", "VAR_SAMP", "VERSION", "WEEK", "WEEKOFYEAR", "XOR", "YEAR",
})  # fmt: skip


def template(name: str, arguments: int) -> str:
    """The template of a function for so many arguments; unknown names raise."""
    known = FUNCTIONS.get(name.upper())
    fitting = None if known is None else known.template(arguments)
    if fitting is None:
        raise _unknown(name, arguments)
    return fitting


def _unknown(name: str, arguments: int) -> DorisError:
    """The error for a name that is no function, or is one of other numbers of arguments."""
    if name.upper() in READ_BY_SQLGLOT | BUILT.keys() | FUNCTIONS.keys():
        return FUNCTION_ARITY(name=name.lower(), count=arguments)
    return UNKNOWN_FUNCTION(name=name.lower())
