"""Import runs of other agent frameworks as orchestration traces."""

from collections.abc import Mapping

from awesome_cli.traces.importers import (
    agents_sdk,
    atif,
    autogen,
    claude_code,
    claude_stream,
    claude_team,
    codex,
    codex_bundle,
    kimi_cli,
    kimi_code,
    langsmith,
    otlp,
    swe_agent,
    who_and_when,
)
from awesome_cli.traces.importers.log_file import TraceFormat

TABLE = (
    codex,
    codex_bundle,
    claude_code,
    claude_stream,
    claude_team,
    kimi_code,
    kimi_cli,
    agents_sdk,
    otlp,
    langsmith,
    atif,
    who_and_when,
    swe_agent,
    autogen,
)
FORMATS: Mapping[str, TraceFormat] = {module.FORMAT.name: module.FORMAT for module in TABLE}
"""The formats by name. If a file fits several formats, the first of these formats is used."""
