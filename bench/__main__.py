"""Run the benchmark: `python -m bench [--quick] [--only WORD] [--update]`."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from bench import aggregate, change, commit, insert, lineage, point, stream, unique, upsert, wire
from bench.measure import FULL, QUICK, Result, report

BASELINE = Path(__file__).parent / "baseline.json"
SUITES = {
    "upsert": upsert.run,
    "stream": stream.run,
    "change": change.run,
    "commit": commit.run,
    "wire": wire.run,
    "lineage": lineage.run,
    "aggregate": aggregate.run,
    "unique": unique.run,
    "insert": insert.run,
    "point": point.run,
}


def main() -> int:
    """Run the suites one after the other and print one table; with --update write the baseline of this scale."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows; ratios are rougher")
    parser.add_argument("--only", choices=sorted(SUITES), help="one suite")
    parser.add_argument("--update", action="store_true", help="write the figures to bench/baseline.json")
    args = parser.parse_args()
    scale = QUICK if args.quick else FULL
    results: list[Result] = []
    for name, run in SUITES.items():
        if args.only in (None, name):
            with tempfile.TemporaryDirectory(prefix="dorisette-bench-") as folder:
                for result in run(Path(folder), scale):
                    results.append(result)
                    sys.stderr.write(f"{result.name} ...\n")
    baselines = json.loads(BASELINE.read_text(encoding="utf-8"))
    print(report(results, baselines.get(scale.name, {})))
    if args.update:
        baselines.setdefault(scale.name, {}).update({result.name: round(result.figure, 3) for result in results})
        BASELINE.write_text(json.dumps(baselines, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
