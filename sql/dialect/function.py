"""Which functions there are: those sqlglot knows by a node, those spelled by a template, those spelled alike.

A name found nowhere is UNKNOWN_FUNCTION, so that no function of DuckDB, or of another dialect that
sqlglot reads, can be reached by a client. Source: Doris: SQL functions.
"""

from __future__ import annotations

from sql.dialect.calendar import computed
from storage.errors import FUNCTION_ARITY, UNKNOWN_FUNCTION, DorisError
from storage.naming import PREFIX

_DAY_OF_YEAR = "(make_date({0}, 1, 1) + CAST({1} - 1 AS INTEGER))"
_DAY_OF_CALENDAR = "(DATE '0000-01-01' + CAST({0} AS INTEGER))"
_TEXT = "CAST({0} AS VARCHAR)"

# {0}, {1} … are arguments, {} all of them, {t0} an argument as TIMESTAMP; several templates differ in their number.
TEMPLATES: dict[str, tuple[str, ...]] = {
    # texts
    "STRLEFT": ("left({0}, greatest({1}, 0))",),
    "STRRIGHT": ("right({0}, greatest({1}, 0))",),
    "STRCMP": ("CASE WHEN {0} < {1} THEN -1 WHEN {0} = {1} THEN 0 WHEN {0} > {1} THEN 1 END",),
    "FIND_IN_SET": (
        "CAST(COALESCE(list_position(string_split({1}, ','), {0}), CASE WHEN {0} || {1} IS NOT NULL THEN 0 END)"
        " AS INTEGER)",
    ),
    "ELT": ("[{rest}][CASE WHEN {0} > 0 THEN {0} END]",),
    "FIELD": ("CAST(COALESCE(list_position([{rest}], {0}), 0) AS INTEGER)",),
    "NULL_OR_EMPTY": ("(COALESCE({0}, '') = '')",),
    "NOT_NULL_OR_EMPTY": ("(COALESCE({0}, '') <> '')",),
    "SUBSTRING_INDEX": (
        "CASE WHEN {2} >= 0 THEN array_to_string(string_split({0}, {1})[:{2}], {1})"
        " ELSE array_to_string(string_split({0}, {1})[{2}:], {1}) END",
    ),
    "REGEXP_EXTRACT": ("regexp_extract({0}, {1}, {2})",),
    "REGEXP_EXTRACT_OR_NULL": ("nullif(regexp_extract({0}, {1}, {2}), '')",),
    "REGEXP_REPLACE_ONE": ("regexp_replace({0}, {1}, {2})",),
    "SPLIT_BY_STRING": ("string_split({0}, {1})",),
    "SPLIT_BY_REGEXP": ("regexp_split_to_array({0}, {1})",),
    "CHAR": ("concat({chars})",),
    "CRC32": (f"{PREFIX}crc32(CAST({{0}} AS VARCHAR))",),
    "BIN": ("bin(CAST({0} AS BIGINT))",),
    "PASSWORD": (f"CASE WHEN {_TEXT} = '' THEN '' ELSE '*' || upper(sha1(unhex(sha1({_TEXT})))) END",),
    # dates
    "WEEKDAY": ("CAST(isodow({t0}) - 1 AS INTEGER)",),
    "DOW": ("CAST(dayofweek({t0}) + 1 AS INTEGER)",),
    "DOY": ("CAST(dayofyear({t0}) AS INTEGER)",),
    "MICROSECOND": ("CAST(microsecond({t0}) % 1000000 AS INTEGER)",),
    "MAKEDATE": (f"CASE WHEN {{1}} > 0 THEN {computed(_DAY_OF_YEAR, 'makedate', '{0}', '{1}')} END",),
    "TO_DAYS": ("CAST(date_diff('day', DATE '0000-01-01', CAST({t0} AS DATE)) AS INTEGER)",),
    "FROM_DAYS": (f"({computed(_DAY_OF_CALENDAR, 'from_days', '{0}')})",),
    "TIME_TO_SEC": ("CAST(epoch(CAST({0} AS TIME)) AS INTEGER)",),
    # numbers
    "PMOD": ("((({0} % NULLIF({1}, 0)) + {1}) % NULLIF({1}, 0))",),
    "FMOD": ("(CAST({0} AS DOUBLE) % NULLIF(CAST({1} AS DOUBLE), 0))",),
    "DSQRT": ("CASE WHEN {0} >= 0 THEN sqrt({0}) END",),
    "E": ("exp(1)",),
    "ROUND_BANKERS": ("round_even({0}, 0)", "round_even({0}, {1})"),
    "BITAND": ("(CAST({0} AS BIGINT) & {1})",),
    "BITOR": ("(CAST({0} AS BIGINT) | {1})",),
    "BITXOR": ("xor(CAST({0} AS BIGINT), {1})",),
    "BITNOT": ("(~CAST({0} AS BIGINT))",),
    "BIT_SHIFT_LEFT": ("(CAST({0} AS BIGINT) << {1})",),
    "BIT_SHIFT_RIGHT": ("(CAST({0} AS BIGINT) >> {1})",),
    # conditions and aggregates
    "NVL2": ("CASE WHEN {0} IS NOT NULL THEN {1} ELSE {2} END",),
    "NDV": ("approx_count_distinct({0})",),
    "MULTI_DISTINCT_COUNT": ("count(DISTINCT {0})",),
    "MULTI_DISTINCT_SUM": ("sum(DISTINCT {0})",),
    "PERCENTILE": ("quantile_cont({0}, {1})",),
    "COLLECT_LIST": ("COALESCE(list({0}) FILTER (WHERE {0} IS NOT NULL), [])",),
    "SIZE": ("CAST(cardinality({0}) AS BIGINT)",),
    "CARDINALITY": ("CAST(cardinality({0}) AS BIGINT)",),
}  # fmt: skip

# Functions of Doris that sqlglot reads into nodes of its own, with the same meaning.
READ_BY_SQLGLOT = frozenset({
    "ABS", "ACOS", "ACOSH", "ADDDATE", "ANY_VALUE", "APPROX_COUNT_DISTINCT", "ARRAY", "ARRAY_AGG", "ARRAY_COMPACT",
    "ARRAY_CONCAT", "ARRAY_CONTAINS", "ARRAY_DISTINCT", "ARRAY_EXCEPT", "ARRAY_FILTER", "ARRAY_INTERSECT",
    "ARRAY_JOIN", "ARRAY_MAX", "ARRAY_MIN", "ARRAY_POSITION", "ARRAY_REMOVE", "ARRAY_SIZE", "ARRAY_SLICE",
    "ARRAY_SORT", "ARRAY_SUM", "ASCII", "ASIN", "ASINH", "ATAN", "ATAN2", "ATANH", "AVG", "BIT_AND", "BIT_COUNT",
    "BIT_OR", "BIT_XOR", "BOOL_AND", "BOOL_OR", "CAST", "CBRT", "CEIL", "CEILING", "CHARACTER_LENGTH", "CHAR_LENGTH",
    "COALESCE", "COLLECT_SET", "CONCAT", "CONCAT_WS", "CONVERT", "CONVERT_TZ", "CORR", "COS", "COSH", "COT", "COUNT",
    "COVAR_POP", "COVAR_SAMP", "CSC", "CUME_DIST", "CURDATE", "CURRENT_CATALOG", "CURRENT_DATE", "CURRENT_TIMESTAMP",
    "CURRENT_USER", "DATABASE", "DATE", "DATEDIFF", "DATE_ADD", "DATE_FORMAT", "DATE_SUB", "DATE_TRUNC", "DAY",
    "DAYNAME", "DAYOFMONTH", "DAYOFWEEK", "DAYOFYEAR", "DEGREES", "DENSE_RANK", "ENDS_WITH", "EXISTS", "EXP",
    "EXPLODE", "EXPLODE_OUTER", "EXTRACT", "FACTORIAL", "FIRST_VALUE", "FLOOR", "FROM_BASE64", "FROM_UNIXTIME",
    "GREATEST", "GROUPING", "GROUPING_ID", "GROUP_CONCAT", "HEX", "HOUR", "IF", "IFNULL", "INITCAP", "INSTR",
    "ISNULL", "JSONB_EXTRACT", "JSON_EXTRACT", "JSON_KEYS", "LAG", "LAST_DAY", "LAST_VALUE", "LCASE", "LEAD", "LEAST",
    "LEFT", "LENGTH", "LEVENSHTEIN", "LN", "LOCALTIME", "LOCALTIMESTAMP", "LOCATE", "LOG", "LOG10", "LOG2", "LOWER",
    "LPAD", "LTRIM", "MAP", "MAP_CONTAINS_KEY", "MAP_KEYS", "MAP_SIZE", "MAX", "MAX_BY", "MD5", "MEDIAN", "MIN",
    "MINUTE", "MIN_BY", "MOD", "MONTH", "MONTHNAME", "MONTHS_ADD", "NTH_VALUE", "NTILE", "NULLIF", "NVL",
    "PERCENT_RANK", "PI", "POSEXPLODE", "POSITION", "POW", "POWER", "QUARTER", "RADIANS", "RAND", "RANDOM", "RANK",
    "REGEXP", "REGEXP_COUNT", "REGEXP_REPLACE", "REPEAT", "REPLACE", "REVERSE", "RIGHT", "ROUND", "ROW_NUMBER",
    "RPAD", "RTRIM", "SCHEMA", "SEC", "SECOND", "SESSION_USER", "SHA", "SHA1", "SHA2", "SIGN", "SIN", "SINH",
    "SOUNDEX", "SPACE", "SPLIT_PART", "SQRT", "STARTS_WITH", "STDDEV", "STDDEV_POP", "STDDEV_SAMP", "STRUCT",
    "STR_TO_DATE", "SUBDATE", "SUBSTR", "SUBSTRING", "SUM", "TAN", "TANH", "TIMESTAMPADD", "TIMESTAMPDIFF",
    "TO_BASE64", "TO_DATE", "TRIM", "TRUNCATE", "TRY_CAST", "UCASE", "UNHEX", "UNNEST", "UPPER", "UUID", "VARIANCE",
    "VAR_POP", "VAR_SAMP", "VERSION", "WEEK", "WEEKOFYEAR", "XOR", "YEAR",
})  # fmt: skip

# Functions without such a node that mean the same in DuckDB under the same name, and how many arguments they take.
ALIKE = {"BIT_LENGTH": 1, "GCD": 2, "HAMMING": 2, "LCM": 2, "TRANSLATE": 3, "URL_DECODE": 1, "URL_ENCODE": 1}


SPELLED = frozenset({"YEARWEEK"})  # functions that need more than a template: duckdb.py knows them


def template(name: str, arguments: int) -> str | None:
    """The template of a function for so many arguments; None if it is spelled alike; unknown names raise."""
    if ALIKE.get(name.upper()) == arguments:
        return None
    known = TEMPLATES.get(name.upper(), ())
    fitting = [text for text in known if _fits(text, arguments)]
    if not fitting:
        raise _unknown(name, arguments)
    return fitting[0]


def _unknown(name: str, arguments: int) -> DorisError:
    """The error for a name that is no function, or is one of other numbers of arguments."""
    if name.upper() in SPELLED | READ_BY_SQLGLOT | TEMPLATES.keys() | ALIKE.keys():
        return FUNCTION_ARITY(name=name.lower(), count=arguments)
    return UNKNOWN_FUNCTION(name=name.lower())


def _fits(text: str, arguments: int) -> bool:
    """Whether a template is for so many arguments; {rest} and {chars} stand for one or more."""
    if "{chars}" in text:
        return arguments > 0
    return arguments > _takes(text) if "{rest}" in text else arguments == _takes(text)


def _takes(text: str) -> int:
    """How many arguments a template uses."""
    return 1 + max((index for index in range(9) if f"{{{index}}}" in text or f"{{t{index}}}" in text), default=-1)
