"""Wrong code put in on purpose: how much of it do the tests notice? `make mutants`, `make mutants PER=200 SEED=7`.

mutmut changes one operator, name, constant or argument at a time. A sample of these mutants, so many for each subject, is
run against the tests that pyproject.toml names under `tool.mutmut`. A mutant is killed when a test fails or takes far
too long. Modules and functions that only word an answer are left out: golden files of tests/cli and tests/publish hold
their sentences. These tests and those of the shipped survey take too long to be run for each mutant.
"""

import argparse
import random
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

SUBJECTS: Mapping[str, str] = {
    "query": "awesome_cli.query.",
    "gaps": "awesome_cli.analysis.gaps.",
    "claims": "awesome_cli.analysis.claims.",
    "dedupe": "awesome_cli.survey.duplicates.",
    "replay": "awesome_cli.traces.",
    "YAML editing": "awesome_cli.files.",
}
WORDING = re.compile(
    r"\.(?:x_|xǁ\w+ǁ)_?(?:to_report|to_json|notes_on|\w+_(?:report|words|sentence|json|line|entry|section))__mutmut_\d+$"
)
"""Mutants of functions that word or lay out an answer."""
FLOOR = 0.85
KILLED = ("killed", "timeout")
# mutmut makes all mutants and learns which test runs which function before it tries the one that is asked for.
FIRST = "awesome_cli.query.parser.x_parse__mutmut_1"
# Each function is called through one of mutmut's: what nests deeply needs a higher stack.
MUTMUT = (sys.executable, "-c", "import sys; sys.setrecursionlimit(10_000); from mutmut.__main__ import cli; cli()")
LOG = Path("mutants/run.txt")


def run(names: Sequence[str]) -> None:
    """Try these mutants, one process at a time; what mutmut prints goes to a file."""
    LOG.parent.mkdir(exist_ok=True)
    with LOG.open("w") as log:
        done = subprocess.run([*MUTMUT, "run", "--max-children", "1", *names], stdout=log, stderr=log)
    if done.returncode:
        sys.exit(f"mutmut stopped with {done.returncode}: see {LOG}")


def answers() -> dict[str, str]:
    """By name of a mutant, what became of it so far."""
    done = subprocess.run([*MUTMUT, "results", "--all", "true"], capture_output=True, text=True, check=True)
    lines = (line.strip().partition(": ") for line in done.stdout.splitlines())
    return {name: answer for name, _, answer in lines}


def sample(names: Sequence[str], per: int, seed: int) -> dict[str, list[str]]:
    """At most `per` mutants of each subject that do not only word, the same for the same seed and code."""
    chance = random.Random(seed)
    names = [name for name in names if not WORDING.search(name)]
    ours = {subject: sorted(name for name in names if name.startswith(start)) for subject, start in SUBJECTS.items()}
    return {subject: chance.sample(these, min(per, len(these))) for subject, these in ours.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--per", type=int, default=60, help="mutants of each subject (60)")
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000), help="which ones (by chance)")
    asked = parser.parse_args()
    print(f"seed {asked.seed}, {asked.per} mutants of each subject", flush=True)
    run([FIRST])
    chosen = sample(list(answers()), asked.per, asked.seed)
    run([name for names in chosen.values() for name in names])
    found = answers()
    low = False
    for subject, names in chosen.items():
        left = [name for name in names if found[name] not in KILLED]
        share = 1 - len(left) / len(names)
        low |= share < FLOOR
        print(f"{subject}: {len(names) - len(left)} of {len(names)} killed ({share:.0%})")
        for name in left:
            print(f"  {found[name]}: {name}    (mutmut show {name!r})")
    return int(low)


if __name__ == "__main__":
    sys.exit(main())
