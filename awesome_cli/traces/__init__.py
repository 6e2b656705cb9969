"""Read, check, replay, measure and compare orchestration traces. This package does not depend on surveys."""

from typing import Any

from awesome_cli.traces.rules import manual

__all__ = ["json_schema", "manual"]


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of traces of versions 1 and 2."""
    from awesome_cli.traces import schema

    return schema.json_schema()
