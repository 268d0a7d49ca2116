"""What openlineage.json says."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from pathlib import Path

from openlineage.client.transport.file import FileConfig, FileTransport
from openlineage.client.transport.http import ApiKeyTokenProvider, HttpConfig, HttpTransport
from openlineage.client.transport.transport import Transport

FILE = "openlineage.json"


@dataclass(frozen=True)
class Settings:
    """The keys of the file with their defaults; `path` may be relative to the plugin's folder."""

    transport: str = "file"
    path: str = "openlineage.jsonl"
    url: str = "http://localhost:5000"
    api_key: str = ""
    timeout_seconds: float = 5.0
    retries: int = 3
    queue_size: int = 10_000
    dataset_namespace: str = "doris://localhost:9030"
    job_namespace: str = "dorisette"
    include_sql: bool = False

    def sender(self) -> Transport:
        """What the client sends through; raises ValueError for an unknown transport."""
        if self.transport == "file":
            return FileTransport(FileConfig(self.path, append=True))
        if self.transport == "http":
            retry = {"total": self.retries}
            config = HttpConfig.from_dict({"url": self.url, "timeout": self.timeout_seconds, "retry": retry})
            if self.api_key:
                config.auth = ApiKeyTokenProvider({"api_key": self.api_key})
            return HttpTransport(config)
        raise ValueError(f"{FILE}: transport is file or http, not {self.transport}")


def read(folder: Path) -> Settings:
    """The settings of a plugin folder; raises ValueError for an unknown key. Without the file, the defaults."""
    path = folder / FILE
    given = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    unknown = sorted(set(given) - {field.name for field in fields(Settings)})
    if unknown:
        raise ValueError(f"{FILE}: unknown keys {', '.join(unknown)}")
    settings = Settings(**given)
    return replace(settings, path=str(folder / settings.path))
