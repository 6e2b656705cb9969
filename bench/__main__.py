"""`python -m bench [NAME…] [--pairs DIR] [--data FILE LABELCOLUMN]`: run some or all benchmarks.

The exit code is 1 when a figure is above its target.
"""

import argparse
import importlib
import sys
from pathlib import Path

from awesome_cli.cli.main import tune

NAMES = sorted(
    path.stem
    for path in Path(__file__).parent.glob("*.py")
    if not path.stem.startswith("_") and path.stem not in {"synthetic", "timing"}
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--pairs", type=Path, metavar="DIR", help="dedupe: the folder of labelled pairs")
    parser.add_argument(
        "--data",
        nargs=2,
        action="append",
        default=[],
        metavar=("FILE", "LABELCOLUMN"),
        help="screening: a labelled set",
    )
    options = parser.parse_args()
    tune()  # what is measured inside this process runs as it does in a command
    above = 0
    for name in options.names or NAMES:
        print(f"\n{name}")
        more = {"dedupe": {"pairs": options.pairs}, "screening": {"data": options.data}}.get(name, {})
        for row in importlib.import_module(f"bench.{name}").run(**more):
            print(row.line(), flush=True)
            above += row.ratio > row.target
    return int(above > 0)


sys.exit(main())
