"""Output of a survey: README islands, site, plots, new surveys and reports on its status."""

from pathlib import Path

PACKAGE = Path(__file__).parent.parent


def shipped(folder: str = "templates") -> Path:
    """Return a folder shipped with the tool: inside the package, or beside it in a checkout."""
    inside = PACKAGE / folder
    return inside if inside.is_dir() else PACKAGE.parent / folder
