"""Where the templates are that come with the tool."""

from pathlib import Path

PACKAGE = Path(__file__).parent.parent


def shipped() -> Path:
    """Their folder: in the package, or beside it in a checkout."""
    inside = PACKAGE / "templates"
    return inside if inside.is_dir() else PACKAGE.parent / "templates"
