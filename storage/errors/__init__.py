"""Every error a client can see, declared once: code, SQLSTATE and words, by family in the modules beside.

`from storage.errors import NAME` finds all of them; a new one goes into the module of its family.
"""

from __future__ import annotations

from storage.errors.alter import *  # noqa: F403
from storage.errors.change import *  # noqa: F403
from storage.errors.connection import *  # noqa: F403
from storage.errors.definition import *  # noqa: F403
from storage.errors.kind import DorisError as DorisError
from storage.errors.kind import Kind as Kind
from storage.errors.load import *  # noqa: F403
from storage.errors.name import *  # noqa: F403
from storage.errors.query import *  # noqa: F403
from storage.errors.write import *  # noqa: F403
