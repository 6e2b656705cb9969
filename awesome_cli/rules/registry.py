"""What a rule is: a stable code, a level, and a function whose docstring is its manual page."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from awesome_cli.reports.findings import Fault, Level
from awesome_cli.survey.corpus import Corpus

Check = Callable[[Corpus], Iterator[Fault]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule; `check` yields a fault for each place that breaks it.

    Without `check`, the faults come out of reading the files, and only the manual stands here.
    """

    code: str
    level: Level
    manual: str
    check: Check | None = None

    @property
    def title(self) -> str:
        """The first line of the manual."""
        return self.manual.partition("\n")[0]


def rule(code: str, level: Level, check: Check) -> Rule:
    """The rule that a documented function stands for."""
    return Rule(code, level, inspect.getdoc(check) or "", check)


def run(corpus: Corpus, rules: Iterable[Rule]) -> Iterable[Fault]:
    """The faults that some rules find in a corpus."""
    for rule in rules:
        if rule.check is not None:
            yield from rule.check(corpus)
