"""The command `dorisette`: serve, demo, --version. Also `python -m dorisette`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from dorisette import __version__, launch

_HOST, _QUERY_PORT = "127.0.0.1", 9030


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status."""
    given = _parser().parse_args(arguments)
    return _demo(given) if given.command == "demo" else _serve(given)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dorisette", description="A MySQL-protocol server on DuckDB with Apache Doris's change data."
    )
    parser.add_argument("--version", action="version", version=f"dorisette {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="{serve,demo}")
    serve = commands.add_parser("serve", help="run the server until SIGTERM or Ctrl-C")
    serve.add_argument(
        "--conf", type=Path, metavar="F", help="fe.conf (default: ./conf/fe.conf, else the built-in one)"
    )
    serve.add_argument("--data-dir", type=Path, metavar="D", help="data directory (default: meta_dir of fe.conf)")
    serve.add_argument("--host", metavar="H", help="address to listen on (default: loopback)")
    serve.add_argument("--query-port", type=int, metavar="N", help="port of the MySQL protocol (default: 9030)")
    serve.add_argument("--http-port", type=int, metavar="N", help="port of HTTP (default: 8030)")
    demo = commands.add_parser("demo", help="play the change-data pipeline against a running server")
    demo.add_argument("--host", default=_HOST, metavar="H", help=f"where the server is (default: {_HOST})")
    demo.add_argument("--port", type=int, default=_QUERY_PORT, metavar="N", help=f"its port (default: {_QUERY_PORT})")
    return parser


def _serve(given: argparse.Namespace) -> int:
    launch.prepare()
    from server.main import serve
    from server.start import Flags

    return serve(Flags(given.conf, given.data_dir, given.host, given.query_port, given.http_port))


def _demo(given: argparse.Namespace) -> int:
    import pymysql

    from dorisette import demo

    try:
        demo.run(given.host, given.port, sys.stdout)
    except (pymysql.Error, OSError) as error:
        sys.stderr.write(f"dorisette: the demo failed: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
