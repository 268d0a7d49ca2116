"""Run `dorisette serve` as a child process; the pytest fixture, `make run` and the project's own tests share it.

It imports nothing of the server and talks to it only as any client does: by signals, files and sockets.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pymysql

HOST = "127.0.0.1"
DEFAULT_CONF = {"enable_feature_changelog": "true", "enable_table_stream": "true"}
_STARTUP_SECONDS = 40.0
_STOP_SECONDS = 20.0
_TAIL = 2000


class ServerError(Exception):
    """The server process did not start, did not answer or did not stop; the text ends with its last log lines."""


def free_port() -> int:
    """Ask the system for a TCP port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


class ServerProcess:
    """One server on loopback with its own home: fe.conf, data, log and the process's output live in `home`.

    `conf` are lines of fe.conf; by default changelog and streams are switched on. `environment` is added to
    the caller's. The ports are chosen at the first start and kept through restarts.
    """

    def __init__(
        self, home: Path, conf: Mapping[str, str] | None = None, environment: Mapping[str, str] | None = None
    ) -> None:
        self.home = home
        self.conf = dict(DEFAULT_CONF if conf is None else conf)
        self.environment = dict(environment or {})
        self.host = HOST
        self.port = 0
        self.http_port = 0
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def data_directory(self) -> Path:
        return self.home / "data"

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def exit_code(self) -> int | None:
        """The exit status once the process has ended, else None."""
        return self._process.poll() if self._process else None

    def start(self, timeout: float = _STARTUP_SECONDS) -> None:
        """Start and wait until it answers; raises ServerError. A port lost to another process is chosen anew once."""
        chosen = self.port != 0
        for attempt in (1, 2):
            if not chosen:
                self.port, self.http_port = free_port(), free_port()
            self.launch()
            try:
                return self._await_answer(timeout)
            except ServerError:
                self.stop(signal.SIGKILL)
                if chosen or attempt == 2 or "in use" not in self.log_tail():
                    raise

    def launch(self) -> None:
        """Start the process without waiting for it to answer."""
        self.data_directory.mkdir(parents=True, exist_ok=True)
        conf = self.home / "fe.conf"
        lines = {"sys_log_dir": str(self.home / "log"), **self.conf}
        conf.write_text("".join(f"{key} = {value}\n" for key, value in lines.items()), encoding="utf-8")
        flags = {
            "--conf": conf,
            "--data-dir": self.data_directory,
            "--host": self.host,
            "--query-port": self.port,
            "--http-port": self.http_port,
        }
        words = [sys.executable, "-m", "dorisette", "serve", *(str(word) for pair in flags.items() for word in pair)]
        with (self.home / "output.log").open("ab") as output:
            self._process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=self.home, env=self._environment()
            )

    def _environment(self) -> dict[str, str]:
        """In a checkout the child finds the package where this process found it, installed or not."""
        environment = {**os.environ, **self.environment}
        package = Path(__file__).resolve().parent
        if not (package / "app").is_dir():
            paths = [str(package.parent), environment.get("PYTHONPATH", "")]
            environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
        return environment

    def _await_answer(self, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            if self.exit_code is not None:
                raise ServerError(f"the server exited with {self.exit_code}\n{self.log_tail()}")
            try:
                self.connect().close()
            except (OSError, pymysql.Error):
                time.sleep(0.05)
            else:
                return
        raise ServerError(f"the server did not answer within {timeout:g} s\n{self.log_tail()}")

    def connect(self, **options: object) -> pymysql.connections.Connection:
        """Open a client connection as root; `options` are those of pymysql.connect."""
        given: dict[str, object] = {"host": self.host, "port": self.port, "user": "root", "password": "", **options}
        return pymysql.connect(**given)

    def send(self, how: signal.Signals) -> None:
        """Send a signal if the process still runs."""
        if self._process and self._process.poll() is None:
            self._process.send_signal(how)

    def wait(self, timeout: float = _STOP_SECONDS) -> int:
        """Wait for the end and return the exit status; raises ServerError (after SIGKILL) if it does not come."""
        if self._process is None:
            return 0
        try:
            return self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise ServerError(f"the server did not stop within {timeout:g} s\n{self.log_tail()}") from None

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Stop it (SIGKILL for a crash) and return the exit status; a stopped server is left alone."""
        self.send(how)
        return self.wait()

    def kill(self) -> None:
        """Make sure that it is gone (SIGKILL); never raises, for `finally` and fixtures' ends."""
        self.send(signal.SIGKILL)
        if self._process:
            self._process.wait()

    def restart(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop it by that signal and start it again on the same data and ports."""
        self.stop(how)
        self.start()

    def log_tail(self) -> str:
        """The last lines of what the process printed and of its fe.log."""
        paths = (self.home / "output.log", self.home / "log" / "fe.log")
        return "\n".join(
            f"--- {path.name} ---\n{path.read_text(encoding='utf-8', errors='replace')[-_TAIL:]}"
            for path in paths
            if path.exists()
        )
