"""What a format is that traces can be imported from."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from awesome_cli.traces.importers.foreign import Json
from awesome_cli.traces.importers.log_file import LogFile


class Convert(Protocol):
    """The runs of a file as version 2 traces; none if it holds no event. Raises for no content of a file."""

    def __call__(self, log: LogFile, *, with_content: bool) -> Iterator[Json]: ...


@dataclass(frozen=True, slots=True)
class TraceFormat:
    """A format of logs.

    `detect` says whether a file's content is in this format; it raises for no content. An object with one of the `keys`
    looks a little like it. `reads`, `spawns`, `inferred` and `lost` are its row in the documentation: what is read,
    what becomes a spawn and a return, what the importer infers, and what the trace does not keep.
    """

    name: str
    detect: Callable[[LogFile], bool]
    convert: Convert
    keys: tuple[str, ...]
    reads: str
    spawns: str
    inferred: str
    lost: str
