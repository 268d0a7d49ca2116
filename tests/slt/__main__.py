"""Run scenario files from the command line: `python -m tests.slt [--keep-going] [-q] PATH...`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from dorisette.process import ServerProcess
from tests.slt.record import changes_the_server, read, squeeze
from tests.slt.scenario import clean, play


def main() -> int:
    """Run all files of the paths, each on an empty server; returns 1 if one of them failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.slt", description=__doc__)
    parser.add_argument("--keep-going", action="store_true", help="go on with a file after a record failed")
    parser.add_argument("-q", "--quiet", action="store_true", help="one short line a failure")
    parser.add_argument("paths", nargs="+", type=Path)
    args = parser.parse_args()
    files = sorted(file for path in args.paths for file in (path.rglob("*.slt") if path.is_dir() else [path]))
    failed = 0
    with tempfile.TemporaryDirectory(prefix="dorisette-slt-") as home:
        server: ServerProcess | None = None
        for path in files:
            server = _usable(server, Path(home))
            problems = play(path, server, args.keep_going)
            failed += bool(problems)
            for text in problems:
                sys.stdout.write((squeeze(text)[:300] if args.quiet else text) + "\n")
            if changes_the_server(read(path)):
                server.kill()
        if server:
            server.kill()
    sys.stdout.write(f"{len(files) - failed} passed, {failed} failed\n")
    return 1 if failed else 0


def _usable(server: ServerProcess | None, home: Path) -> ServerProcess:
    """The same server, emptied, as long as it runs; else a new one."""
    if server and server.pid is not None and server.exit_code is None:
        clean(server)
        return server
    fresh = ServerProcess(Path(tempfile.mkdtemp(dir=home)))
    fresh.start()
    return fresh


if __name__ == "__main__":
    sys.exit(main())
