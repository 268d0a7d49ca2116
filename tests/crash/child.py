"""The process that is killed: open a data directory and run statements, telling each one that was acknowledged.

Run as `python -m tests.crash.child DIRECTORY`, statements come one a line (JSON strings) on standard input; each
answered one is named by a line on standard output. The environment says at which step of which commit it dies.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.local import Local


def main() -> None:
    """Run the statements in database `crash`, then close in order."""
    local = Local(Path(sys.argv[1]))
    session = local.connect("crash")
    for number, line in enumerate(sys.stdin):
        session.execute(json.loads(line))
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()
    local.close()


if __name__ == "__main__":
    main()
