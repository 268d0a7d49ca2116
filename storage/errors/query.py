"""The errors of queries that cannot be run, or that meet values they cannot compute: code, SQLSTATE and words."""

from __future__ import annotations

from storage.errors.kind import general

# Aggregates, windows, subqueries (Doris: SELECT)
NOT_GROUPED = general("'{name}' must appear in the GROUP BY clause or be used in an aggregate function")
AGGREGATE_PLACE = general("{clause} clause can not contain aggregate functions")
AGGREGATE_IN_AGGREGATE = general("aggregate function cannot contain aggregate parameters")
WINDOW_PLACE = general("{clause} clause can not contain window functions")
COUNT_ARGUMENTS = general("COUNT must have DISTINCT for multiple arguments: {call}")
DIGEST_LENGTH = general("sha2 functions only support digest length of [224, 256, 384, 512]")
WINDOW_IN_AGGREGATE = general("aggregate function cannot contain window functions")
WINDOW_WITHOUT_OVER = general("Analytic function requires an OVER clause")
NO_WINDOW_FUNCTION = general("Function '{name}' can not be used with an OVER clause")
GROUPING_ARGUMENT = general("arguments of GROUPING and GROUPING_ID must be columns of GROUP BY")
QUALIFY_WINDOW = general("QUALIFY clause needs a window function")
LAMBDA_PLACE = general("A lambda expression can not stand here, or is missing")
LAMBDA_FIRST = general("The 1st arg of {function} must be lambda")
LAMBDA_BODY = general("A lambda expression can not contain a subquery or an aggregate function")
APPLY_OPERATOR = general("array_apply(arr, op, val): op support =, >=, <=, >, <, !=, but we get {value}")
LAMBDA_ARGUMENT = general("lambda argument must be array but is {value}")
LAMBDA_PARAMETERS = general("lambda {function} arguments' size is not equal parameters' size")
ARRAY_LENGTHS = general("in array map function, the input column size are not equal completely")
ARRAY_SIZE = general("Array size should be in range [0, {most}]")
UNEVEN_ARGUMENTS = general("function {function} has uneven arguments")
STRUCT_FIELD = general("the specified field name {field} was not found")
STRUCT_PLACE = general("the specified field index {field} is out of bound")
STRUCT_FIELD_CONSTANT = general("struct_element only allows constant int or string second parameter: {call}")
NAMED_STRUCT_NAME = general("named_struct only allows constant string parameter in odd position: {call}")
NAMED_STRUCT_TWICE = general("The name of the struct field cannot be repeated: {call}")
LATERAL_COLUMNS = general("{function} gives {found} columns, but the LATERAL VIEW names {given}")
NUMBERS_PROPERTY = general("numbers table function: '{key}' is invalid property")
NUMBERS_VALUE = general("cannot parse parameter '{key}' of numbers table function: '{value}'")
NUMBERS_MISSING = general('can not find `number` param, please specify `number`, like: numbers("number" = "10")')
GENERATOR_PLACE = general("Table generating function {name} can only be used in LATERAL VIEW")
ARGUMENT_TYPES = general(
    "Can not find the compatibility function signature: arguments, or their elements, are of types that do not fit"
)
LIKE_PATTERN = general("LIKE pattern must not end with its escape character")
LIKE_ESCAPE = general("like escape character must be a single ascii character")
JSON_TEXT = general("Json parse error: {reason} for value: {value}")
STAR_PLACE = general("'*' can not stand here")
SUBQUERY_ROWS = general("Subquery returns more than 1 row")
SUBQUERY_COLUMNS = general("Subquery returns {found} columns, expected {expected}")
SET_COLUMNS = general("Operands of a set operation have unequal number of columns")
UNKNOWN_FIELD = general("Unknown field '{field}' of '{value}'")
COLUMN_POSITION = general("Position {name} of ORDER BY or GROUP BY is not in the select list")
VIEW_COLUMN_TWICE = general("Duplicated inline view column alias: '{name}' in inline view: '{view}'")
COLUMN_LABELS = general(
    "{kind} [{name}] returns {found} columns, but {labels} labels were specified. "
    "The number of column labels must be smaller or equal to the number of returned columns."
)
RECURSION_DEPTH = general("Recursive CTE reached cte_max_recursion_depth {limit}")
CTE_TWICE = general("Not unique CTE name: '{name}'")

# Types and values (Doris: data type conversion)
NO_COMMON_TYPE = general("Can not find a common type of {left} and {right}")
CAST_VALUE = general("Can not cast '{value}' to {type}")
VALUE_RANGE = general("Value {value} is out of range of {type}")
ARITHMETIC_OVERFLOW = general("Arithmetic overflow in {operation}")
TIME_UNIT = general("Unsupported time unit: {unit}")
DATE_FORMAT = general("Invalid date format: {format}")
REGULAR_EXPRESSION = general("Invalid regular expression: {reason}")
URL_PART = general(
    "Invalid URL part: {part} (Valid URL parts are 'PROTOCOL', 'HOST', 'PATH', 'REF', 'AUTHORITY', 'FILE',"
    " 'USERINFO', 'PORT' and 'QUERY')"
)
SOUNDEX_ASCII = general("soundex only supports ASCII, but got: {value}")
DECIMAL_PLACES = general("The second argument is {value}, it should be in range [0, 1024]")
MASK_LENGTH = general("function {function} only accept non-negative input for 2nd argument but got {value}")
ENCRYPTION_MODE = general("Block encryption mode {mode} is not supported")
ENCRYPTION_VARIABLE = general("session variable block_encryption_mode is invalid with {cipher}")
ENCRYPTION_VECTOR = general(
    "Incorrect parameter count in the call to native function '{cipher}_encrypt' or '{cipher}_decrypt'"
)
ENCRYPTED_BYTES = general("{function} gives bytes that are no text; TO_BASE64 and HEX make one of them")
CHARSET = general("only support charset name 'utf8', but got: {name}")
