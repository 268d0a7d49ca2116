"""Functions of Doris that sqlglot reads into nodes of its own, with the same meaning, and how many arguments they take.

A range says how many where sqlglot's reader drops what is too much and forgives what is missing, None leaves it to the
reader (sql/dialect/arity.py). Source: Doris: SQL functions, syntax.
"""

from __future__ import annotations

_NONE, _ONE, _TWO, _THREE = (range(count, count + 1) for count in range(4))
STOCK: dict[str, range | None] = {
    **dict.fromkeys((
        "ABS", "ANY_VALUE", "ARRAY", "ATAN2", "AVG", "CAST", "COALESCE", "CONCAT", "CONCAT_WS", "CONVERT", "COS",
        "COVAR_POP", "COVAR_SAMP", "CURRENT_CATALOG", "DEGREES", "EXISTS", "EXP", "EXTRACT", "FIRST_VALUE",
        "FROM_BASE64", "GREATEST", "GROUPING_ID", "GROUP_CONCAT", "HOUR", "IF", "LAG", "LAST_VALUE", "LEAD", "LEAST",
        "LN", "LOWER", "MAP", "MAX", "MD5", "MIN", "MINUTE", "NULLIF", "PI", "QUARTER", "RADIANS", "REVERSE",
        "SECOND", "SESSION_USER", "SHA", "SIGN", "SIN", "SQRT", "STDDEV_POP", "STDDEV_SAMP", "STRUCT", "SUM", "TAN",
        "TO_BASE64", "TRIM", "TRY_CAST", "UPPER",
    ), None),
    **dict.fromkeys((
        "CUME_DIST", "CURDATE", "CURRENT_DATE", "CURRENT_USER", "DATABASE", "DENSE_RANK", "PERCENT_RANK", "RANK",
        "ROW_NUMBER", "SCHEMA", "UUID", "VERSION",
    ), _NONE),
    **dict.fromkeys((
        "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP",
    ), range(2)),
    **dict.fromkeys((
        "BIT_AND", "BIT_OR", "BIT_XOR", "CHARACTER_LENGTH", "CHAR_LENGTH", "DAY", "DAYNAME", "DAYOFMONTH",
        "DAYOFWEEK", "DAYOFYEAR", "GROUPING", "HEX", "ISNULL", "LAST_DAY", "LCASE", "LENGTH", "LOG10", "LOG2",
        "MONTH", "MONTHNAME", "NTILE", "SHA1", "STDDEV", "UCASE", "UNHEX", "VARIANCE", "VAR_POP",
        "VAR_SAMP", "WEEKOFYEAR", "YEAR",
    ), _ONE),
    **dict.fromkeys((
        "CEIL", "CEILING", "FLOOR", "LOG", "LTRIM", "ROUND", "RTRIM", "TRUNCATE", "WEEK",
    ), range(1, 3)),
    **dict.fromkeys((
        "ADDDATE", "DATEDIFF", "DATE_ADD", "DATE_SUB", "DATE_TRUNC", "IFNULL", "INSTR", "LEFT", "MAX_BY", "MIN_BY",
        "MOD", "NTH_VALUE", "NVL", "POW", "POWER", "REGEXP", "RIGHT", "SHA2", "SUBDATE", "XOR",
    ), _TWO),
    **dict.fromkeys((
        "LOCATE", "POSITION", "SUBSTR", "SUBSTRING",
    ), range(2, 4)),
    **dict.fromkeys((
        "CONVERT_TZ", "LPAD", "RPAD", "TIMESTAMPADD", "TIMESTAMPDIFF",
    ), _THREE),
}  # fmt: skip
