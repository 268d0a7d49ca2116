"""One lineage as an OpenLineage run event: COMPLETE, with the schema and the column lineage of the target."""

from __future__ import annotations

import datetime
import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator

from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.facet_v2 import column_lineage_dataset, schema_dataset, sql_job

from dorisette import __version__
from dorisette.lineage import ColumnRef, LineageExpr, LineageInfo

from .settings import Settings

PRODUCER = f"urn:dorisette:{__version__}"
CATALOG = "internal"

Found = tuple[LineageExpr, str, str]  # an expression, DIRECT or INDIRECT, and the kind of it


def run_event(info: LineageInfo, settings: Settings) -> RunEvent:
    """The event of one statement; the same statement always has the same run id."""
    target = _short(info.target_table)
    return RunEvent(
        eventType=RunState.COMPLETE,
        eventTime=_time(info.context.timestamp_ms),
        producer=PRODUCER,
        run=Run(str(_run_id(info.context.query_id))),
        job=Job(settings.job_namespace, target, _job_facets(info, settings)),
        inputs=[InputDataset(settings.dataset_namespace, _short(table)) for table in sorted(info.source_tables)],
        outputs=[OutputDataset(settings.dataset_namespace, target, facets=_facets(info, settings))],
    )


def _short(table: str) -> str:
    """`db.table`; another catalog than the internal one stays in front."""
    return table.removeprefix(f"{CATALOG}.")


def _time(milliseconds: int) -> str:
    return datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.UTC).isoformat(timespec="milliseconds")


def _run_id(query_id: str) -> uuid.UUID:
    """The 128 bits of the query id."""
    try:
        return uuid.UUID(hex=query_id.replace("-", ""))
    except ValueError:
        return uuid.uuid5(uuid.NAMESPACE_OID, query_id)


def _job_facets(info: LineageInfo, settings: Settings) -> dict[str, sql_job.SQLJobFacet]:
    """The statement may hold secrets in its literals, so it is sent on demand only."""
    return {"sql": sql_job.SQLJobFacet(info.context.query_text)} if settings.include_sql else {}


def _facets(
    info: LineageInfo, settings: Settings
) -> dict[str, schema_dataset.SchemaDatasetFacet | column_lineage_dataset.ColumnLineageDatasetFacet]:
    types = dict(zip(info.target_columns, info.target_types, strict=True))
    columns = [schema_dataset.SchemaDatasetFacetFields(name, types[name] or None) for name in info.target_columns]
    fields = {column: _field(info, column, settings) for column in info.target_columns}
    whole = [(entry, "INDIRECT", kind) for kind, entries in info.dataset_indirect.items() for entry in entries]
    return {
        "schema": schema_dataset.SchemaDatasetFacet(columns),
        "columnLineage": column_lineage_dataset.ColumnLineageDatasetFacet(fields, list(_inputs(whole, settings))),
    }


def _field(info: LineageInfo, column: str, settings: Settings) -> column_lineage_dataset.Fields:
    """A target column; one with a constant has no inputs."""
    direct = [(entry.expr, "DIRECT", entry.type) for entry in info.direct[column]]
    indirect = [
        (entry, "INDIRECT", kind) for kind, entries in info.output_indirect.get(column, {}).items() for entry in entries
    ]
    return column_lineage_dataset.Fields(list(_inputs([*direct, *indirect], settings)))


def _inputs(found: Iterable[Found], settings: Settings) -> Iterator[column_lineage_dataset.InputField]:
    """One input per source column, with all that is done to it."""
    uses: dict[ColumnRef, list[Found]] = defaultdict(list)
    for use in found:
        for column in use[0].columns:
            uses[column].append(use)
    for column in sorted(uses, key=lambda column: (column.catalog, column.db, column.table, column.column)):
        table = _short(f"{column.catalog}.{column.db}.{column.table}")
        done = [
            column_lineage_dataset.Transformation(kind, subtype, entry.sql, masking=False)
            for entry, kind, subtype in sorted(uses[column], key=lambda use: (use[1], use[2], use[0].sql))
        ]
        yield column_lineage_dataset.InputField(settings.dataset_namespace, table, column.column, done)
