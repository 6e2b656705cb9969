"""A format from which traces can be imported, and the files of one run."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
        """The number of lines of the logs that are not JSON."""
        return sum(log.broken() for log in (self.main, *self.others))


def alone(logs: Iterable[LogFile]) -> Iterator[RunFiles]:
    """A run per log."""
    return (RunFiles(log) for log in logs)


@dataclass(frozen=True, slots=True)
class Home:
    """Where a program keeps its runs: the folders `runs` in the folder that `variable` names, else in `folder`.

    `program` is its name in `awesome trace import PROGRAM:latest`; several formats can share it.
    """

    program: str
    variable: str
    folder: str
    runs: tuple[str, ...]

    def folders(self, environment: Mapping[str, str]) -> list[Path]:
        """The folders of runs, with the variables of the environment; they need not exist."""
        top = Path(environment.get(self.variable) or Path(self.folder).expanduser())
        return [top / name for name in self.runs]

    def within(self, top: Path) -> list[Path]:
        """The folders of runs in a folder; the folder itself if it has none of them."""
        return [top / name for name in self.runs if (top / name).is_dir()] or [top]


@dataclass(frozen=True, slots=True)
class TraceFormat:
    """A format of logs.

    `detect` says whether a file's content is in this format. `convert(run, with_content=...)` yields the traces, in
    version 2, of the files of a run; most formats write one file, `run.main`. Neither raises, whatever the content. An
    object with one of the `keys` looks a little like the format. The next four fields are its row in the documentation:
    what is read, what becomes a spawn and a return, what the importer infers, and what the trace does not keep.

    A format whose runs have several files also has `around(path)`, the folder in which all files of the run of this
    file lie, and `group(logs)`, which makes runs of all logs in a folder. `home` is where its program keeps its runs.
    """

    name: str
    detect: Callable[[LogFile], bool]
    convert: Callable[..., Iterator[Json]]
    keys: tuple[str, ...]
    reads: str
    spawns: str
    inferred: str
    lost: str
    group: Callable[[Sequence[LogFile]], Iterable[RunFiles]] = alone
    around: Callable[[Path], Path] | None = None
    home: Home | None = None
