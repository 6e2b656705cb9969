"""Runs of other frameworks as orchestration traces."""

from collections.abc import Mapping

from awesome_cli.traces.importers import (
    agents_sdk,
    atif,
    autogen,
    claude_code,
    claude_stream,
    claude_team,
    langsmith,
    otlp,
    swe_agent,
    who_and_when,
)
from awesome_cli.traces.importers._format import TraceFormat

TABLE = (
    claude_code, claude_stream, claude_team, agents_sdk, otlp, langsmith, atif, who_and_when, swe_agent,
    autogen,
)  # fmt: skip
FORMATS: Mapping[str, TraceFormat] = {module.FORMAT.name: module.FORMAT for module in TABLE}
"""Every format by its name. Where a file fits several, the first one counts."""
