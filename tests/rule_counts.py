"""How often each rule of traces fires over real runs: `python tests/rule_counts.py PATH…` prints the table of a folder."""

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from trace_runs import import_path

from awesome_cli.traces.checking import check_trace
from awesome_cli.traces.reading import read_document
from awesome_cli.traces.rules import RULES


@dataclass
class RuleCounts:
    """`runs` as `format:trace_id`; `fired` has for each rule the findings per run, `places` the first one of each."""

    runs: list[str] = field(default_factory=list)
    fired: dict[str, Counter[str]] = field(default_factory=dict)
    places: dict[tuple[str, str], str] = field(default_factory=dict)

    def add(self, run: str, document: Mapping[str, object], path: Path) -> None:
        """Check one run. Every run must be readable."""
        trace = read_document(document, str(path)).trace
        assert trace is not None, path
        self.runs.append(run)
        for found in check_trace(trace):
            self.fired.setdefault(found.code, Counter())[run] += 1
            self.places.setdefault((found.code, run), f"{found.pointer} {found.message}")


def count(paths: Iterable[Path]) -> RuleCounts:
    """Import all runs below the paths, and check each; what is no run is left out."""
    counts = RuleCounts()
    for path in paths:
        for result in import_path(path):
            for document in result.traces:
                counts.add(f"{result.format}:{document['trace_id']}", document, result.path)
    return counts


def main() -> None:
    """Print a row for every rule that fired, with its runs below it."""
    counts = count(map(Path, sys.argv[1:]))
    print(f"{len(counts.runs)} runs, {len(RULES)} rules")
    for code, runs in sorted(counts.fired.items()):
        print(f"{code}  {RULES[code].levels[2]}  {len(runs)} of {len(counts.runs)} runs, {sum(runs.values())} findings")
        for run, n in runs.items():
            print(f"    {n:5}  {run}: {counts.places[code, run]}")


if __name__ == "__main__":
    main()
