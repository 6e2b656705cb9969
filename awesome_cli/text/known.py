"""Errors for unknown names, with the closest match, and placeholders.

Commands in messages contain placeholders for values that only the reader knows; placeholders are rejected as data.
"""

from collections.abc import Collection

from awesome_cli.errors import UsageError
from awesome_cli.text.numbers import shortened

LISTED = 40
"""Maximum number of known words in a hint."""
LONGEST = 60
"""Maximum length of a quoted value in a message, in characters."""
EXCERPT = 200
LINE = 1_000
"""Approximate maximum length of a line in a report, in characters."""


def shown(value: object) -> str:
    """Return a value for a message: quoted, and truncated if long."""
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def without_middle(line: str) -> str:
    """Shorten a very long line of a report by removing its middle."""
    return line if len(line) <= LINE else f"{line[: LINE // 2]} … {line[-LINE // 2 :]}"


def excerpt(text: str) -> str:
    """Truncate a text to `EXCERPT` characters for a message."""
    return text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…"


def nearest(word: str, known: Collection[str]) -> str | None:
    """Return the known word closest to `word`, such as `check-links` for its part `links`; None if none is close."""
    import difflib  # Imported here, since only mistakes need it.

    word, folded = word.casefold(), {name.casefold(): name for name in known}
    near = [name for fold, name in folded.items() if word in fold.replace("_", "-").split("-")]
    if len(near) == 1:
        return near[0]
    if matches := difflib.get_close_matches(word, list(folded), n=1, cutoff=0.7):
        return folded[matches[0]]
    return next((name for fold, name in folded.items() if fold.startswith(word) and len(word) > 1), None)


def unknown(word: str, known: Collection[str], what: str, *, owner: str | None = None) -> str:
    """Return the message for an unknown word: `unknown axis 'tast'; did you mean 'taste'?`.

    With an `owner`: `axis 'beans' has no term 'arabic'; did you mean 'arabica'?`.
    """
    close = nearest(word, known) if len(word) <= LONGEST else None
    meant = f"; did you mean {close!r}?" if close else ""
    return f"{f'{owner} has no' if owner else 'unknown'} {what} {shown(word)}{meant}"


def listed(known: Collection[str]) -> str:
    """Return the hint that lists the known words: `one of: arabica, robusta`."""
    return f"one of: {shortened(known, LISTED)}" if known else "none is defined yet"


def require_known(
    word: str, known: Collection[str], what: str, *, owner: str | None = None, hint: str | None = None
) -> str:
    """Return the word if it is known; raises `UsageError` with the closest match otherwise.

    `what` is the kind of word (`term`), `owner` what it belongs to (`axis 'beans'`). The default hint lists the known
    words.
    """
    if word not in known:
        raise UsageError(unknown(word, known, what, owner=owner), hint=hint or listed(known))
    return word


DOTS = "…"
AUTHOR = "Last, First"
ADDRESS = "ADDRESS"
LABEL = "LABEL"
URL = "URL"
PLACEHOLDERS = frozenset({DOTS, "...", AUTHOR, ADDRESS, LABEL, URL})


def refuse_placeholder(name: str, text: str) -> None:
    """Raise `UsageError` if a field's value, or an entry of a list separated by `;`, is a placeholder."""
    for entry in (text, *text.split(";")):
        if entry.strip() in PLACEHOLDERS:
            raise UsageError(f"{name}: {entry.strip()!r} is a placeholder", hint="replace it with the value")
