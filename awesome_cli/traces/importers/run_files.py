"""The files of one run. Most formats write one file; some programs write a file per agent, and more beside them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from awesome_cli.traces.importers.foreign import Json
from awesome_cli.traces.importers.log_file import LogFile


@dataclass(frozen=True)
class RunFiles:
    """The logs of one run.

    - `main`: the log that names the run; `others`: further logs of it, such as those of sub-agents
    - `before`: logs of other runs whose lines these logs can repeat, as those of a fork do
    - `side`: files that belong to the run and are not logs by themselves, such as descriptions and outputs of tasks
    - `second`: further logs of an agent, of which one is in `main` or `others`; they are not read
    - `id`: the id of the run, where its program gives it one
    """

    main: LogFile
    others: tuple[LogFile, ...] = ()
    before: tuple[LogFile, ...] = ()
    side: frozenset[Path] = frozenset()
    id: str = ""
    second: frozenset[Path] = frozenset()

    @property
    def paths(self) -> frozenset[Path]:
        """Every file of the run."""
        return self.side | self.second | {log.path for log in (self.main, *self.others)}

    @property
    def provenance(self) -> Json:
        """The fields of a trace that name the files that it was made from."""
        return self.main.provenance | ({"companions": [log.provenance for log in self.others]} if self.others else {})

    def described(self, path: Path) -> Json:
        """The object in a file beside the logs; an empty one if the run has no such file."""
        return LogFile(path).first if path in self.side else {}

    def broken(self) -> int:
        """How many lines of the logs are not JSON."""
        return sum(log.broken() for log in (self.main, *self.others))


def alone(logs: Iterable[LogFile]) -> Iterator[RunFiles]:
    """A run per log."""
    return (RunFiles(log) for log in logs)
