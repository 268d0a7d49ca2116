"""What DuckDB says of a client's query, in Doris's words: one table of texts and errors.

storage/cursor.py asks it about errors that are neither an interruption nor a failure of the storage. The unit test of
this module makes DuckDB say each of them: a version that says it otherwise is noticed there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from storage import said_type
from storage.errors import (
    AGGREGATE_IN_AGGREGATE,
    AGGREGATE_PLACE,
    ARGUMENT_CONSTANT,
    ARGUMENT_TYPES,
    ARITHMETIC_OVERFLOW,
    CAST_TYPE,
    CAST_VALUE,
    COLUMN_COUNT,
    CTE_TWICE,
    DATE_FORMAT,
    EXECUTION_FAILED,
    EXPRESSION_DEPTH,
    GENERATOR_PLACE,
    GROUPING_ARGUMENT,
    JSON_TEXT,
    LAMBDA_BODY,
    LAMBDA_PLACE,
    LIKE_ESCAPE,
    LIKE_PATTERN,
    NO_COMMON_TYPE,
    NO_SIGNATURE,
    NO_WINDOW_FUNCTION,
    NOT_GROUPED,
    NOT_SUPPORTED,
    OUT_OF_CALENDAR,
    PERCENT_RANGE,
    QUALIFY_WINDOW,
    REGULAR_EXPRESSION,
    SET_COLUMNS,
    STAR_PLACE,
    SUBQUERY_COLUMNS,
    SUBQUERY_ROWS,
    TEXT_SIZE,
    TIME_UNIT,
    UNKNOWN_COLUMN,
    UNKNOWN_FIELD,
    UNKNOWN_FUNCTION,
    UNKNOWN_TIME_ZONE,
    VALUE_RANGE,
    WINDOW_IN_AGGREGATE,
    WINDOW_PLACE,
    WINDOW_WITHOUT_OVER,
    DorisError,
)


def _no_column(relation: str, column: str) -> DorisError:
    return UNKNOWN_COLUMN(name=f"{relation}.{column}", place="table list")


# The words of the errors are the groups of the patterns; they match from the start of what DuckDB says.
_REFUSALS: tuple[tuple[str, Callable[..., DorisError]], ...] = (
    # aggregates, windows, subqueries
    (r'column "(?P<name>.*?)" must appear in the GROUP BY clause', NOT_GROUPED),
    (r"(?P<clause>[A-Z ]+) clause cannot contain aggregates", AGGREGATE_PLACE),
    (r"(?P<clause>[A-Z ]+) clause cannot contain window functions", WINDOW_PLACE),
    (r"aggregate function calls cannot be nested", AGGREGATE_IN_AGGREGATE),
    (r"aggregate function calls cannot contain window function calls", WINDOW_IN_AGGREGATE),
    (r"Window functions are not supported here", WINDOW_WITHOUT_OVER),
    (r"(?P<name>\w+) is not an aggregate function", NO_WINDOW_FUNCTION),
    (r"GROUPING (?:statement|child) ", GROUPING_ARGUMENT),
    (r"STAR expression is only allowed", STAR_PLACE),
    (r"at least one window function must appear in the SELECT column or QUALIFY clause", QUALIFY_WINDOW),
    (r"This scalar function (?:does not support lambdas|requires a lambda)|Invalid lambda expression", LAMBDA_PLACE),
    (r"subqueries in lambda expressions|aggregate functions cannot reference lambda parameters", LAMBDA_BODY),
    (r"More than one row returned by a subquery", SUBQUERY_ROWS),
    (r"Subquery returns (?P<found>\d+) columns - expected (?P<expected>\d+)", SUBQUERY_COLUMNS),
    (r"Set operations can only apply to expressions with the same number", SET_COLUMNS),
    (r"VALUES lists must all be the same length", COLUMN_COUNT),
    (r'syntax error at or near "(?P<what>.*)"', NOT_SUPPORTED),
    (r"(?P<what>Collation with name .*) does not exist", NOT_SUPPORTED),
    (r'Duplicate CTE name "(?P<name>.*)"', CTE_TWICE),
    (r"UNNEST not supported here", partial(GENERATOR_PLACE, name="unnest")),
    (r'(?:Values list|Table) "(?P<relation>.*?)" does not have a column named "(?P<column>.*?)"', _no_column),
    (r"Scalar Function with name (?P<name>\w+) does not exist", UNKNOWN_FUNCTION),
    # types
    (r"(?:ARRAY_SLICE|Cardinality|UNNEST\(\)) can only |First argument of list aggregate must be|"
     r"Invalid LIST argument during lambda|Cannot deduce template type|No matching aggregate function|"
     r"Function \"\w+\" has a template parameter type|Cannot concatenate lists of types|MAP_CONCAT only takes map|"
     r"No function matches the given name and argument types '(?:__doris|list|map|struct)_", ARGUMENT_TYPES),
    (r"No function matches the given name and argument types '(?P<function>.*?)\((?P<types>.*)\)'\.", NO_SIGNATURE),
    (r'Could not choose a best candidate function .* "(?P<function>.*?)\((?P<types>.*)\)"\.', NO_SIGNATURE),
    (r"Cannot mix values of type (?P<left>.*?) and (?P<right>.*?) in ", NO_COMMON_TYPE),
    (r"Cannot compare values of type (?P<left>.*?) and type (?P<right>.*?) - ", NO_COMMON_TYPE),
    (r"Cannot compare values of type (?P<left>.*?) and (?P<right>.*?) in IN", NO_COMMON_TYPE),
    (r"Cannot combine types of (?P<left>.*?) and (?P<right>.*?) - ", NO_COMMON_TYPE),
    (r"Unimplemented type for cast \((?P<source>.*?) -> (?P<target>.*?)\)", CAST_TYPE),
    (r"Cannot extract field '(?P<field>.*?)' from expression \"(?P<value>.*?)\"", UNKNOWN_FIELD),
    # values
    (r"Map keys can not be NULL", partial(NOT_SUPPORTED, what="NULL as the key of a map")),
    (r"(?:PARTITION|ORDER) BY window expressions cannot be volatile",
     partial(NOT_SUPPORTED, what="a function of chance in a window")),
    (r"Python exception occurred while executing the UDF: RefusedRow: (?P<reason>.*)", EXECUTION_FAILED),
    (r"Date and time not in timestamp range|(?:Date|Timestamp|Interval .*?value.*) out of range",
     partial(OUT_OF_CALENDAR, operation="on dates", operands="these values")),
    (r"Could not convert string ['\"](?P<value>.*)['\"] to (?P<type>.*?)(?: when casting.*)?$", CAST_VALUE),
    (r"Could not cast value (?P<value>.*) to (?P<type>.*?)(?: when casting.*)?$", VALUE_RANGE),
    (r'Casting value "(?P<value>.*)" to type (?P<type>.*) failed', VALUE_RANGE),
    (r"Type \S+ with value (?P<value>.*) can't be cast .*destination type (?P<type>\w+)", VALUE_RANGE),
    (r'(?:invalid )?(?P<type>date|timestamp) field (?:format|value out of range): "(?P<value>.*?)"', CAST_VALUE),
    (r"Max expression depth limit of (?P<most>\d+) exceeded", EXPRESSION_DEPTH),
    (r"Arrow Appender: The maximum total string size", partial(TEXT_SIZE, most=2_147_483_647)),
    (r"Invalid (?:hex escape|byte).* in string -> blob conversion of string \"(?P<value>.*)\":",
     partial(CAST_VALUE, type="VARBINARY")),
    (r"(?P<operation>\w+)(?: value)? is out of range", ARITHMETIC_OVERFLOW),
    (r"Overflow (?:in|on) (?P<operation>.*?)[!.]?(?: You might .*)?$", ARITHMETIC_OVERFLOW),
    (r'extract specifier "(?P<unit>.*)" not recognized', TIME_UNIT),
    (r"Failed to parse format specifier (?P<format>.*?):", DATE_FORMAT),
    (r"Unknown TimeZone '(?P<name>.*)'", UNKNOWN_TIME_ZONE),
    (r"Like pattern must not end with escape character", LIKE_PATTERN),
    (r"Invalid escape string", LIKE_ESCAPE),
    (r"Malformed JSON at byte \d+ of input: (?P<reason>.*?)\.? +Input: (?P<value>.*)", JSON_TEXT),
    (r'The "quantile" argument in function "quantile_cont" must be', partial(ARGUMENT_CONSTANT, function="percentile")),
    (r'The "quantile" argument in function "quantile_cont" must not', partial(PERCENT_RANGE, value="NULL")),
    (r"QUANTILE can only take parameters in the range", partial(PERCENT_RANGE, value="a constant")),
    # what the functions of storage/udf.py refuse
    (r"Python exception occurred while executing the UDF: DorisError: (?P<reason>.*)", EXECUTION_FAILED),
    # what the library of regular expressions says
    (r"(?:Pattern failed to parse, error: ')?"
     r"(?P<reason>(?:missing [)\]]|unexpected \)|trailing \\|no argument for repetition|bad repetition|invalid "
     r"(?:perl operator|escape sequence|character class|repetition|named capture|UTF-8)).*)", REGULAR_EXPRESSION),
)  # fmt: skip
_PATTERNS = tuple((re.compile(pattern, re.DOTALL), kind) for pattern, kind in _REFUSALS)

_TYPED = frozenset({"type", "source", "target", "left", "right", "types", "operation"})  # words that name types


def refusal(said: str) -> DorisError | None:
    """The declared error for the first line of what DuckDB said; None when it is not in the table."""
    for pattern, kind in _PATTERNS:
        found = pattern.match(said)
        if found is not None:
            return kind(**{word: _spelled(word, text) for word, text in found.groupdict().items()})
    return None


def _spelled(word: str, text: str) -> str:
    """A word of an error, types under their names in Doris."""
    return said_type.spelled(text) if word in _TYPED else text
