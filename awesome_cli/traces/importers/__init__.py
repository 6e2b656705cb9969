"""Import runs of other agent frameworks as orchestration traces."""

from collections.abc import Mapping
from importlib import import_module

from awesome_cli.traces.importers.log_file import TraceFormat

NAMES = (
    "codex", "codex_bundle", "claude_code", "claude_stream", "claude_team", "kimi_code", "kimi_cli", "agents_sdk",
    "otlp", "langsmith", "atif", "who_and_when", "swe_agent", "autogen",
)  # fmt: skip
TABLE = tuple(import_module(f"{__name__}.{name}") for name in NAMES)
FORMATS: Mapping[str, TraceFormat] = {module.FORMAT.name: module.FORMAT for module in TABLE}
"""The formats by name. If a file fits several formats, the first of these formats is used."""
