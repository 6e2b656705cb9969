"""Orchestration traces: read, check, replay, measure, compare. Independent of the corpus half."""

from importlib.resources import files

from awesome_cli.traces.rules import manual

__all__ = ["manual", "schema_text"]


def schema_text() -> str:
    """The JSON Schema (2020-12) of a trace, version 1 or 2, as text."""
    return files("awesome_cli.traces").joinpath("schema", "trace.json").read_text(encoding="utf-8")
