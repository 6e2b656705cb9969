"""The fields of a work that is not in the survey: from the command line, else fetched."""

from collections.abc import Callable, Mapping
from typing import Any

from awesome_cli.cli._workspace import Workspace


def fields_of(workspace: Workspace, *, title: str | None) -> Callable[[str], Mapping[str, Any]]:
    """A function from a reference to the fields of its record; with a title nothing is fetched."""

    def fields(reference: str) -> Mapping[str, Any]:
        from awesome_cli import sources
        from awesome_cli.model.references import parse

        named = parse(reference)
        if title is not None:
            return {**sources.stub(named).fields, "title": title}
        return sources.fetch(named, workspace.net()).fields

    return fields
