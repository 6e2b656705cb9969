"""Orchestration traces: read, check, replay, measure, compare. Independent of the corpus half."""

from typing import Any

from awesome_cli.traces.rules import manual

__all__ = ["json_schema", "manual"]


def json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a trace, version 1 or 2."""
    from awesome_cli.traces import schema

    return schema.json_schema()
