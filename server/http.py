"""The HTTP listener: routes, and nothing but decoding and encoding in them.

/api/health and the routes of loads (server/stream_load.py); everything else is a 404 in JSON.
Source: Doris: Health Action.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterable, Iterator

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

_STOP_SECONDS = 2


async def health(request: Request) -> Response:
    """GET /api/health: one backend, the server itself."""
    return JSONResponse(
        {"msg": "success", "code": 0, "data": {"online_backend_num": 1, "total_backend_num": 1}, "count": 0}
    )


async def _not_found(request: Request, error: Exception) -> Response:
    """No route, or not with this method."""
    return JSONResponse({"msg": "Not Found", "code": 404, "data": None, "count": 0}, 404)


def application(more: Iterable[Route] = ()) -> Starlette:
    """The routes, with `more` of other modules."""
    routes = [Route("/api/health", health, methods=["GET"]), *more]
    application = Starlette(routes=routes, exception_handlers={404: _not_found, 405: _not_found})
    application.router.redirect_slashes = False
    return application


class HttpServer:
    """Serves the routes on one socket, in the running event loop."""

    def __init__(self, routes: Iterable[Route] = ()) -> None:
        config = uvicorn.Config(
            application(routes),
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_STOP_SECONDS,
        )
        self._server = _Server(config)
        self._task: asyncio.Task[None] | None = None

    async def start(self, listener: socket.socket) -> None:
        """Listen on a bound socket."""
        self._task = asyncio.create_task(self._server.serve([listener]), name="http")

    async def stop(self) -> None:
        """Answer what was asked and end."""
        self._server.should_exit = True
        if self._task is not None:
            await self._task


class _Server(uvicorn.Server):
    """uvicorn without its signal handlers: server/lifetime.py has them."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
