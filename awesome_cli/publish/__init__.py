"""From values to pages and pictures: the README's islands, the site, the drawings."""

from pathlib import Path

PACKAGE = Path(__file__).parent.parent


def shipped(folder: str = "templates") -> Path:
    """A folder that comes with the tool: in the package, or beside it in a checkout."""
    inside = PACKAGE / folder
    return inside if inside.is_dir() else PACKAGE.parent / folder
