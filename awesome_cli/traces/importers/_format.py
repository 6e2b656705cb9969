"""What a format is that traces can be imported from."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from awesome_cli.traces.importers.foreign import Json
from awesome_cli.traces.importers.log_file import LogFile


@dataclass(frozen=True, slots=True)
class TraceFormat:
    """A format of logs.

    `detect` says whether a file's content is in this format. `convert(log, with_content=...)` yields the runs of a file
    as version 2 traces. Neither raises, whatever the content. An object with one of the `keys` looks a little like the
    format. The other fields are its row in the documentation: what is read, what becomes a spawn and a return, what the
    importer infers, and what the trace does not keep.
    """

    name: str
    detect: Callable[[LogFile], bool]
    convert: Callable[..., Iterator[Json]]
    keys: tuple[str, ...]
    reads: str
    spawns: str
    inferred: str
    lost: str
