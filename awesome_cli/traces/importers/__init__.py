"""Other frameworks' runs as orchestration traces. `IMPORTERS` is the table; its order is the precedence."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from awesome_cli.traces.importers import (
    agents_sdk,
    atif,
    autogen,
    claude_code,
    langsmith,
    otlp,
    swe_agent,
    who_and_when,
)
from awesome_cli.traces.importers.foreign import Json
from awesome_cli.traces.importers.log_file import LogFile


class Importer(Protocol):
    """What a module of this folder offers. Neither function raises over what a file contains."""

    def detect(self, log: LogFile) -> bool:
        """Whether the file's content is in this format."""

    def convert(self, log: LogFile, *, with_content: bool) -> Iterator[Json]:
        """The file's runs as version 2 traces; none where it holds no event."""


IMPORTERS: Mapping[str, Importer] = {
    "claude-code": claude_code,
    "openai-agents-sdk": agents_sdk,
    "otlp": otlp,
    "langsmith": langsmith,
    "atif": atif,
    "who-and-when": who_and_when,
    "swe-agent": swe_agent,
    "autogen": autogen,
}
