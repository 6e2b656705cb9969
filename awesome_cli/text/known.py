"""Words that must be known ones: the nearest of them, and one sentence for a word that is not among them.

Placeholders stand in commands that messages print for what only the reader knows; nothing takes them for data.
"""

from collections.abc import Collection

from awesome_cli.errors import UsageError
from awesome_cli.text.numbers import shortened

LISTED = 40
"""A hint lists this many known words at most."""
LONGEST = 60
"""A word is shown up to this many characters."""
EXCERPT = 200
LINE = 1_000
"""A line of a report has about this many characters at most."""


def shown(value: object) -> str:
    """A value as a message shows it: in quotes, and cut where it is long."""
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def without_middle(line: str) -> str:
    """A line of a report: one that is very long, since it has somebody's long value, without its middle."""
    return line if len(line) <= LINE else f"{line[: LINE // 2]} … {line[-LINE // 2 :]}"


def excerpt(text: str) -> str:
    """The beginning of a text, which is enough for a message."""
    return text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…"


def nearest(word: str, known: Collection[str]) -> str | None:
    """The known word that `word` was probably meant to be."""
    import difflib  # Imported here, since only mistakes need it.

    folded = {name.casefold(): name for name in known}
    if found := difflib.get_close_matches(word.casefold(), list(folded), n=1, cutoff=0.7):
        return folded[found[0]]
    return next((name for fold, name in folded.items() if fold.startswith(word.casefold()) and len(word) > 1), None)


def unknown(word: str, known: Collection[str], what: str, *, owner: str | None = None) -> str:
    """The sentence for an unknown word: `no axis 'tast'; did you mean 'taste'?`.

    With an `owner` it is `beans has no term 'arabic'; did you mean 'arabica'?`.
    """
    close = nearest(word, known) if len(word) <= LONGEST else None
    meant = f"; did you mean {close!r}?" if close else ""
    return f"{f'{owner} has ' if owner else ''}no {what} {shown(word)}{meant}"


def listed(known: Collection[str]) -> str:
    """The hint that lists the known words: `one of: arabica, robusta`."""
    return f"one of: {shortened(known, LISTED)}" if known else "there is none yet"


def require_known(
    word: str, known: Collection[str], what: str, *, owner: str | None = None, hint: str | None = None
) -> str:
    """The word, if it is one of the known ones; raises `UsageError` that names the nearest.

    `what` says what kind of word it is, `owner` who would have it (`axis 'beans'`). The hint lists the known words,
    unless another `hint` is given.
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
    """Raise `UsageError` for a value of a field, or an entry of a list of texts, that is a placeholder."""
    for entry in (text, *text.split(";")):
        if entry.strip() in PLACEHOLDERS:
            raise UsageError(f"{name}: {entry.strip()!r} stands for a value", hint="write the value in its place")
