"""`python -m bench [NAME…] [--pairs DIR] [--data FILE LABELCOLUMN] [--queue N]`: run benchmarks.

The end names what is above its target, which makes the exit code 1, and the processor seconds of each benchmark.
"""

import argparse
import importlib
import resource
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from awesome_cli.cli.main import tune
from bench.timing import Row

NAMES = sorted(
    path.stem
    for path in Path(__file__).parent.glob("*.py")
    if not path.stem.startswith("_") and path.stem not in {"synthetic", "timing"}
)
WHOLE = 600.0
"""Seconds of the processor for all benchmarks."""


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
    parser.add_argument("--queue", type=int, default=10_000, metavar="N", help="screening: the candidates that wait")
    options = parser.parse_args()
    more = {"dedupe": {"pairs": options.pairs}, "screening": {"data": options.data, "queue": options.queue}}
    above: list[str] = []
    seconds: dict[str, float] = {}
    # Each in a process of its own, since the peak memory of a child counts from that of its parent.
    for name in options.names or NAMES:
        with ProcessPoolExecutor(1, get_context("fork")) as pool:
            missed, seconds[name] = pool.submit(measure, name, more.get(name, {})).result()
        above += missed
    print("\nseconds of the processor", *(f"{name:<58} {taken:>10.1f} s" for name, taken in seconds.items()), sep="\n")
    every = Row("all", sum(seconds.values()), WHOLE, 1)
    print(every.line())
    above += [every.line()] if every.ratio > every.target else []
    print(f"\n{len(above)} above their targets", *above, sep="\n")
    return int(bool(above))


def measure(name: str, more: Mapping[str, Any]) -> tuple[list[str], float]:
    """Print the rows of a benchmark; return those above their targets, and the seconds of the processor."""
    tune()  # what is measured inside this process runs as it does in a command
    print(f"\n{name}")
    above = []
    for row in importlib.import_module(f"bench.{name}").run(**more):
        print(row.line(), flush=True)
        above += [f"{name}: {row.line()}"] if row.ratio > row.target else []
    print(f"{spent():.1f} s of the processor", flush=True)
    return above, spent()


def spent() -> float:
    """Seconds of the processor of this process and its children."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in usages)


if __name__ == "__main__":
    sys.exit(main())
