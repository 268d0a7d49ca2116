"""Import every statement family once, so that its handlers are in the registry."""

from __future__ import annotations

import importlib
import pkgutil

import sql.statement

for _module in pkgutil.iter_modules(sql.statement.__path__):
    if _module.name != "all":
        importlib.import_module(f"sql.statement.{_module.name}")
