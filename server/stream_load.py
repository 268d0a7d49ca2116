"""Stream Load over HTTP: `PUT /api/<db>/<table>/_stream_load`, and the log of rejected rows.

Nothing but decoding: sql/load/request.py reads the headers, sql/load/run.py does the load, here on a worker thread,
and server/load_answer.py writes the answer. The body is taken completely before anything is answered, so that clients
that send it without waiting are not cut off. Source: Doris: Stream Load.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from starlette.requests import Request as HttpRequest
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from server.auth import Users, authenticate_plain
from server.load_answer import Times, answer, ended, failed, line
from sql.context import Context
from sql.engine import Engine, new_query_id
from sql.load import request as headers
from sql.load.request import Request
from sql.load.rows import Rejected
from sql.load.run import Outcome, run
from storage.config import STREAM_LOAD_TIMEOUT, STREAMING_LOAD_JSON_MAX_MB, STREAMING_LOAD_MAX_MB, Key
from storage.errors import (
    INTERNAL_ERROR,
    INTERRUPTED,
    LOAD_NO_AUTHORIZATION,
    LOAD_TIMED_OUT,
    LOAD_TOO_LARGE,
    NOT_SUPPORTED_YET,
    DorisError,
)

LOG = logging.getLogger(__name__)

_LOGS = 100  # error logs that are kept
_MEGABYTE = 1 << 20


class StreamLoad:
    """The routes of loads over one engine."""

    def __init__(self, engine: Engine, users: Users) -> None:
        self._engine = engine
        self._users = users
        self._logs = ErrorLogs()

    def routes(self) -> list[Route]:
        """Loads, the error log, and what belongs to loads and is not built."""
        return [
            Route("/api/{db}/{table}/_stream_load", self.load, methods=["PUT"]),
            Route("/api/_load_error_log", self._logs.show, methods=["GET"]),
            *(Route(path, _later(what), methods=methods) for path, methods, what in _LATER),
        ]

    async def load(self, http: HttpRequest) -> Response:
        """Answer one load; the status is 200 for success and failure alike, but for wrong credentials."""
        begun = time.monotonic()
        words = {name: _unicode(value) for name, value in http.headers.items()}
        limit, key = self._limit(words)
        body, times, refused = None, Times(begun, begun), True
        try:
            context = self._context(http)  # before the body is taken: nobody unknown may fill the memory
            refused = False
            body = await _body(http, limit * _MEGABYTE)
            times = Times(begun, time.monotonic())
            if body is None:
                raise LOAD_TOO_LARGE(limit=limit, name=key.name)
            asked = headers.read(words)
            outcome = await self._run(context, http.path_params, asked, bytes(body))
        except DorisError as error:
            if refused:
                await _body(http, 0)
            return failed(error, words, times, len(body or b""))
        return self._answer(http, asked, outcome, times, len(body))

    def _limit(self, words: Mapping[str, str]) -> tuple[int, Key[int]]:
        whole = words.get("format", "").lower() == "json" and words.get("read_json_by_line", "").lower() != "true"
        key = STREAMING_LOAD_JSON_MAX_MB if whole else STREAMING_LOAD_MAX_MB
        return self._engine.config[key], key

    def _context(self, http: HttpRequest) -> Context:
        """Who loads; raises LOAD_NO_AUTHORIZATION and ACCESS_DENIED."""
        host = http.client.host if http.client else ""
        name, password = _credentials(http.headers.get("authorization", ""))
        account = authenticate_plain(self._users, name, host, password)
        context = self._engine.context(0, account.name, host)
        context.begin_statement(new_query_id())
        return context

    async def _run(self, context: Context, path: Mapping[str, str], asked: Request, body: bytes) -> Outcome:
        """Run the load on a thread; its time limit interrupts it."""
        seconds = asked.timeout or self._engine.config[STREAM_LOAD_TIMEOUT]
        timer = asyncio.get_running_loop().call_later(seconds, context.interrupt)
        try:
            outcome = await asyncio.to_thread(self._guarded, context, path["db"], path["table"], asked, body)
        finally:
            timer.cancel()
        if outcome.failure is not None and outcome.failure.kind is INTERRUPTED:
            return replace(outcome, failure=LOAD_TIMED_OUT(seconds=seconds))
        return outcome

    def _guarded(self, context: Context, database: str, table: str, asked: Request, body: bytes) -> Outcome:
        """The outermost loop of a load: an unknown error goes to fe.log, never to the client."""
        try:
            return run(self._engine, context, database, table, asked, body)
        except DorisError:
            raise
        except Exception as error:
            LOG.error("load %s failed", context.query_id, exc_info=error)
            raise INTERNAL_ERROR(query_id=context.query_id) from error

    def _answer(self, http: HttpRequest, asked: Request, outcome: Outcome, times: Times, size: int) -> Response:
        log = None
        if outcome.rejected:
            host, port = http.url.hostname, http.url.port
            log = f"http://{host}:{port}/api/_load_error_log?file={self._logs.keep(outcome.rejected)}"
        return ended(asked, outcome, times, size, log)


class ErrorLogs:
    """The rejected rows of the last loads, in memory."""

    def __init__(self) -> None:
        self._texts: OrderedDict[str, str] = OrderedDict()

    def keep(self, rejected: Sequence[Rejected]) -> str:
        """Keep the rows of a load; gives the name of their log."""
        name = f"error_log_{secrets.token_hex(16)}"  # rows of a load are for who was told the name
        self._texts[name] = "".join(f"{line(row)}\n" for row in rejected)
        while len(self._texts) > _LOGS:
            self._texts.popitem(last=False)
        return name

    async def show(self, http: HttpRequest) -> Response:
        """GET /api/_load_error_log?file=…"""
        text = self._texts.get(http.query_params.get("file", ""))
        return PlainTextResponse("no such error log" if text is None else text, 404 if text is None else 200)


# -- request -------------------------------------------------------------------------------------------
async def _body(http: HttpRequest, limit: int) -> bytearray | None:
    """The body as it comes in; None when it is larger than `limit` bytes."""
    body = bytearray()
    size = 0
    async for piece in http.stream():
        size += len(piece)
        if size <= limit:
            body += piece
    return body if size <= limit else None


def _unicode(value: str) -> str:
    """A header value; clients send names that are not ASCII as UTF-8, which HTTP reads as Latin-1."""
    try:
        return value.encode("latin-1").decode()
    except UnicodeDecodeError:
        return value


def _credentials(header: str) -> tuple[str, str]:
    """User and password of HTTP Basic authentication."""
    scheme, _, value = header.partition(" ")
    try:
        text = base64.b64decode(value, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        raise LOAD_NO_AUTHORIZATION() from None
    if scheme.lower() != "basic" or ":" not in text:
        raise LOAD_NO_AUTHORIZATION()
    name, _, password = text.partition(":")
    return name.partition("@")[0], password


# -- what is not built ---------------------------------------------------------------------------------
_LATER = (
    ("/api/{db}/_stream_load_2pc", ["PUT"], "two-phase commit of Stream Load"),
    ("/api/{db}/{table}/_stream_load_2pc", ["PUT"], "two-phase commit of Stream Load"),
    ("/api/{db}/get_load_state", ["GET"], "get_load_state"),
    ("/api/_http_stream", ["PUT"], "http_stream()"),
)


def _later(what: str) -> Callable[[HttpRequest], object]:
    async def refuse(http: HttpRequest) -> Response:
        await _body(http, 0)
        return answer({"status": "Fail", "msg": NOT_SUPPORTED_YET(what=what).message})

    return refuse
