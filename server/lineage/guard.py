"""The one place where code of a plugin, or code on its behalf, may fail without consequences: it is logged."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TypeVar

LOG = logging.getLogger(__name__)
T = TypeVar("T")


class ForeignError(Exception):
    """Code of a plugin raised something; that is the cause."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__("code of a plugin failed")
        self.cause = cause


def attempt(call: Callable[[], T]) -> T:
    """The result of a call; raises ForeignError, whatever the call raises.

    SystemExit and the like count too: a plugin cannot end the server. Ctrl-C during the start can.
    """
    try:
        return call()
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread():
            raise
        raise ForeignError(error) from error


def guarded(call: Callable[[], T], otherwise: T, line: str, *words: object) -> T:
    """The result of a call; if it raises anything, `otherwise`, and one WARN line with the traceback."""
    try:
        return attempt(call)
    except ForeignError as error:
        LOG.warning(line, *words, exc_info=error.cause)
        return otherwise
