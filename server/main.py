"""`dorisette serve`: opens everything, waits for its end, closes everything.

Order of the start: settings and ports (cheap, so that mistakes are told at once), log, database, listeners. The
exit status is 0 after SIGTERM and SIGINT, and 1 with one line on stderr when the start fails.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from contextlib import ExitStack

from server import log
from server.start import Flags, Settings, StartError, bind, reason, settle
from storage.config import HTTP_PORT, QUERY_PORT, SYS_LOG_LEVEL, ConfigError
from storage.errors import DorisError

LOG = logging.getLogger(__name__)


def serve(flags: Flags) -> int:
    """Run the server until it is told to stop; return the exit status."""
    try:
        settings = settle(flags)
        for warning in settings.config.warnings:
            sys.stderr.write(f"{warning}\n")
        with ExitStack() as ports:
            query = ports.enter_context(bind(settings.host, settings.config[QUERY_PORT], QUERY_PORT.name))
            http = ports.enter_context(bind(settings.host, settings.config[HTTP_PORT], HTTP_PORT.name))
            _open_log(settings)
            _run(settings, query, http)
    except (StartError, ConfigError) as error:
        return _failed(str(error))
    except DorisError as error:
        return _failed(error.message)
    finally:
        log.close()
    return 0


def _failed(line: str) -> int:
    if logging.getLogger().hasHandlers():
        LOG.error("%s", line)
    sys.stderr.write(f"dorisette: {line}\n")
    return 1


def _open_log(settings: Settings) -> None:
    level = settings.config[SYS_LOG_LEVEL]
    try:
        log.configure(settings.log_directory, level)
    except ValueError as cause:
        raise StartError(f"Failed to set config, name: {SYS_LOG_LEVEL.name}, value: {level}") from cause
    except OSError as cause:
        raise StartError(f"cannot write the log in {settings.log_directory}: {reason(cause)}") from cause


def _run(settings: Settings, query: socket.socket, http: socket.socket) -> None:
    """Open the database, serve, close it; only now comes what takes long to import."""
    from server.lifetime import Lifetime
    from storage.database import Database

    LOG.info("starting, data in %s", settings.data_directory)
    try:
        database = Database(settings.data_directory, settings.config)
    except OSError as cause:
        raise StartError(f"cannot open {settings.data_directory}: {reason(cause)}") from cause
    try:
        asyncio.run(Lifetime(settings, database, query, http).run())
    finally:
        database.close()
    LOG.info("stopped")
