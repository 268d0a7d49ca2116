"""A lineage plugin that writes one log line per event, without the text of the statement; a start for your own."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping

from dorisette.lineage import (
    DirectLineage,
    LineageExpr,
    LineageInfo,
    LineagePlugin,
    LineagePluginFactory,
    PluginContext,
)

LOG = logging.getLogger("example-lineage")
NAME = "example-lineage"


class ExamplePlugin(LineagePlugin):
    """Logs what it is given."""

    def name(self) -> str:
        return NAME

    def event_filter(self) -> bool:
        return LOG.isEnabledFor(logging.INFO)

    def exec(self, info: LineageInfo) -> bool:
        LOG.info("%s", line(info))
        return True


class ExampleFactory(LineagePluginFactory):
    """Makes the plugin."""

    def name(self) -> str:
        return NAME

    def create(self, context: PluginContext) -> LineagePlugin:
        return ExamplePlugin()


LINEAGE_PLUGIN_FACTORY = ExampleFactory


def line(info: LineageInfo) -> str:
    """The event as one line."""
    context = info.context
    return (
        f"LINEAGE_EVENT queryId={context.query_id} command={context.source_command} user={context.user} "
        f"target={info.target_table} sources={_list(info.source_tables)} direct={_direct(info.direct)} "
        f"datasetIndirect={_kinds(info.dataset_indirect)} outputIndirect={_outputs(info.output_indirect)}"
    )


def _list(items: Iterable[str]) -> str:
    return f"[{', '.join(sorted(items))}]"


def _map(items: Iterable[tuple[str, str]]) -> str:
    return "{" + ", ".join(f"{key}={text}" for key, text in sorted(items)) + "}"


def _direct(columns: Mapping[str, Iterable[DirectLineage]]) -> str:
    texts = {column: _list(f"{entry.type} {entry.expr.sql}" for entry in found) for column, found in columns.items()}
    return _map(texts.items())


def _kinds(kinds: Mapping[str, Iterable[LineageExpr]]) -> str:
    return _map((kind, _list(entry.sql for entry in found)) for kind, found in kinds.items())


def _outputs(columns: Mapping[str, Mapping[str, Iterable[LineageExpr]]]) -> str:
    return _map((column, _kinds(kinds)) for column, kinds in columns.items())
