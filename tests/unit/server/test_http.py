"""HTTP routes, asked without a socket."""

from __future__ import annotations

import asyncio
import json

import pytest
from starlette.types import Message

from server.http import application


def ask(method: str, path: str) -> tuple[int, str, object]:
    """Status, content type and JSON of an answer."""
    scope = {"type": "http", "method": method, "path": path, "headers": [], "query_string": b"", "root_path": ""}
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(application()(scope, receive, send))
    headers = dict(sent[0]["headers"])
    return sent[0]["status"], headers[b"content-type"].decode(), json.loads(sent[1]["body"])


def test_health() -> None:
    body = {"msg": "success", "code": 0, "data": {"online_backend_num": 1, "total_backend_num": 1}, "count": 0}
    assert ask("GET", "/api/health") == (200, "application/json", body)


@pytest.mark.parametrize(("method", "path"), [("GET", "/"), ("GET", "/api/health/"), ("POST", "/api/health")])
def test_anything_else_is_404_in_json(method: str, path: str) -> None:
    status, kind, body = ask(method, path)
    assert (status, kind, body) == (
        404,
        "application/json",
        {"msg": "Not Found", "code": 404, "data": None, "count": 0},
    )
