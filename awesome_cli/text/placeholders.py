"""What stands in a command that a message prints for what only its reader knows; nothing takes it for data."""

from awesome_cli.errors import UsageError

DOTS = "…"
AUTHOR = "Last, First"
ADDRESS = "ADDRESS"
LABEL = "LABEL"
URL = "URL"
PLACEHOLDERS = frozenset({DOTS, "...", AUTHOR, ADDRESS, LABEL, URL})


def refuse_placeholder(name: str, text: str) -> None:
    """Raise `UsageError` for a value of a field, or an entry of a list of texts, that is a placeholder."""
    for entry in (text, *text.split(";")):
        if entry.strip() in PLACEHOLDERS:
            raise UsageError(f"{name}: {entry.strip()!r} stands for a value", hint="write the value in its place")
