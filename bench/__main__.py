"""`python -m bench [NAME…]`: run the benchmarks of some or all subjects; exit 1 when a figure is above its target."""

import importlib
import sys
from pathlib import Path

NAMES = sorted(
    path.stem
    for path in Path(__file__).parent.glob("*.py")
    if not path.stem.startswith("_") and path.stem not in {"synthetic", "timing"}
)


def main() -> int:
    above = 0
    for name in sys.argv[1:] or NAMES:
        print(f"\n{name}")
        for row in importlib.import_module(f"bench.{name}").run():
            print(row.line(), flush=True)
            above += row.ratio > row.target
    return int(above > 0)


sys.exit(main())
