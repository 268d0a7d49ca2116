"""What a Stream Load asks for: its headers as one value, malformed ones refused.

Pure: nothing here knows a table. Header names come in lower case; unknown ones are ignored.
Source: Doris: Stream Load, parameters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from sql.ingest.target import Mode
from storage.errors import (
    LOAD_DELETE_MISSING,
    LOAD_DELETE_SURPLUS,
    LOAD_FORMAT,
    LOAD_MERGE_TYPE,
    LOAD_NUMBER,
    LOAD_ONE_BYTE,
    LOAD_PARTITIONS,
    LOAD_SEPARATOR,
    LOAD_STRICT_MODE,
    LOAD_SWITCH,
    LOAD_TIMEOUT,
    NEW_KEY_BEHAVIOR,
    NOT_SUPPORTED_YET,
    UPDATE_MODE,
)

Headers = Mapping[str, str]

FORMATS = {"csv": 0, "csv_with_names": 1, "csv_with_names_and_types": 2}  # lines that are no rows
_LATER_FORMATS = ("parquet", "orc", "arrow")
_LATER_SWITCHES = ("two_phase_commit",)


class Merge(Enum):
    """What the rows do to their keys."""

    APPEND = "APPEND"
    DELETE = "DELETE"
    MERGE = "MERGE"


@dataclass(frozen=True, slots=True)
class Csv:
    """How a CSV body is cut; `enclose` and `escape` are one character or empty."""

    separator: str = "\t"
    delimiter: str = "\n"
    skip: int = 0
    trim_double_quotes: bool = False
    enclose: str = ""
    escape: str = ""


@dataclass(frozen=True, slots=True)
class Json:
    """How a JSON body is taken apart."""

    strip_outer_array: bool = False
    by_line: bool = False
    paths: str = ""
    root: str = ""
    fuzzy: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """One load; texts of expressions are unparsed, empty where a header is absent."""

    label: str = ""
    format: Csv | Json = field(default_factory=Csv)
    compression: str = ""
    columns: str = ""
    where: str = ""
    delete: str = ""
    merge: Merge = Merge.APPEND
    sequence: str = ""
    hidden: tuple[str, ...] = ()
    mode: Mode = Mode.UPSERT
    append_new_keys: bool = True
    filter_ratio: float = 0.0
    strict: bool = False
    negative: bool = False
    partitions: tuple[str, ...] = ()
    temporary: bool = False  # the partitions are temporary ones
    timeout: int | None = None  # seconds
    timezone: str = ""
    comment: str = ""
    given: frozenset[str] = frozenset()  # the headers that are there


def read(headers: Headers) -> Request:
    """Read the headers of a load; raises the errors of malformed ones."""
    for name in _LATER_SWITCHES:
        if _switch(headers, name):
            raise NOT_SUPPORTED_YET(what=f"the Stream Load header {name}")
    return Request(
        label=headers.get("label", ""),
        format=_format(headers),
        compression=headers.get("compress_type", "").lower(),
        columns=headers.get("columns", ""),
        where=headers.get("where", ""),
        delete=headers.get("delete", ""),
        merge=_merge(headers),
        sequence=headers.get("function_column.sequence_col", "").strip("` "),
        hidden=_names(headers.get("hidden_columns", "")),
        mode=_mode(headers),
        append_new_keys=_appends(headers),
        filter_ratio=_ratio(headers),
        strict=_strict(headers),
        negative=_switch(headers, "negative"),
        partitions=_partitions(headers),
        temporary="temporary_partitions" in headers,
        timeout=_whole(headers, "timeout", LOAD_TIMEOUT) if "timeout" in headers else None,
        timezone=headers.get("timezone", ""),
        comment=headers.get("comment", ""),
        given=frozenset(headers),
    )


def _format(headers: Headers) -> Csv | Json:
    name = headers.get("format", "csv").lower()
    if name == "json":
        return Json(
            _switch(headers, "strip_outer_array"), _switch(headers, "read_json_by_line"),
            headers.get("jsonpaths", ""), headers.get("json_root", ""), _switch(headers, "fuzzy_parse"),
        )  # fmt: skip
    if name in _LATER_FORMATS:
        raise NOT_SUPPORTED_YET(what=f"the Stream Load format {name}")
    if name not in FORMATS:
        raise LOAD_FORMAT(value=headers["format"])
    skip = FORMATS[name] or _whole(headers, "skip_lines", LOAD_NUMBER)
    return Csv(
        _separator(headers, "column_separator", "\t"), _separator(headers, "line_delimiter", "\n"), skip,
        _switch(headers, "trim_double_quotes"), _one_byte(headers, "enclose"), _one_byte(headers, "escape"),
    )  # fmt: skip


# -- single headers ----------------------------------------------------------------------------------
_SWITCH = {"true": True, "false": False, "": False, "1": True, "0": False}
_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}


def _switch(headers: Headers, name: str) -> bool:
    found = _SWITCH.get(headers.get(name, "").lower())
    if found is None:
        raise LOAD_SWITCH(name=name, value=headers[name])
    return found


def _strict(headers: Headers) -> bool:
    text = headers.get("strict_mode", "false").lower()
    if text not in ("true", "false"):
        raise LOAD_STRICT_MODE()
    return text == "true"


def _whole(headers: Headers, name: str, refusal: Callable[..., Exception]) -> int:
    text = headers.get(name, "0").strip()
    if not re.fullmatch(r"\d{1,9}", text):
        raise refusal(name=name, value=text)
    return int(text)


def _ratio(headers: Headers) -> float:
    text = headers.get("max_filter_ratio", "0")
    try:
        ratio = float(text)
    except ValueError:
        ratio = -1.0
    if not 0 <= ratio <= 1:
        raise LOAD_NUMBER(name="max_filter_ratio", value=text)
    return ratio


def _separator(headers: Headers, name: str, default: str) -> str:
    r"""A separator as written, ``\x01`` and longer hexadecimal forms, or with the escapes ``\t \n \r \\``."""
    text = headers.get(name, default)
    if text[:2].lower() == "\\x":
        try:
            return bytes.fromhex(text[2:].replace("\\x", "").replace("\\X", "")).decode()
        except ValueError:
            raise LOAD_SEPARATOR(name=name, value=text) from None
    if not text:
        raise LOAD_SEPARATOR(name=name, value=text)
    return re.sub(r"\\([tnr\\])", lambda found: _ESCAPES[found[1]], text)


def _one_byte(headers: Headers, name: str) -> str:
    text = headers.get(name, "")
    if len(text.encode()) > 1:
        raise LOAD_ONE_BYTE(name=name, value=text)
    return text


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip("` ") for name in text.split(",") if name.strip())


def _partitions(headers: Headers) -> tuple[str, ...]:
    if "partitions" in headers and "temporary_partitions" in headers:
        raise LOAD_PARTITIONS()
    return _names(headers.get("partitions", "") or headers.get("temporary_partitions", ""))


def _merge(headers: Headers) -> Merge:
    text = headers.get("merge_type", "APPEND")
    if text.upper() not in Merge.__members__:
        raise LOAD_MERGE_TYPE(value=text)
    merge = Merge[text.upper()]
    if merge is Merge.MERGE and not headers.get("delete"):
        raise LOAD_DELETE_MISSING()
    if merge is not Merge.MERGE and headers.get("delete"):
        raise LOAD_DELETE_SURPLUS()
    return merge


def _mode(headers: Headers) -> Mode:
    text = headers.get("unique_key_update_mode")
    if text is None:
        return Mode.FIXED if _switch(headers, "partial_columns") else Mode.UPSERT
    mode = next((mode for mode in Mode if mode.value == text.upper()), None)
    if mode is None:
        raise UPDATE_MODE(value=text)
    return mode


def _appends(headers: Headers) -> bool:
    name = "partial_update_new_key_behavior"
    text = headers.get(name, "APPEND").upper()
    if text not in ("APPEND", "ERROR"):
        raise NEW_KEY_BEHAVIOR(name=name, value=headers[name])
    return text == "APPEND"
