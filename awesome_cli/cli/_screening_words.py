"""What the keys of `awesome screen` do, and what was decided, in words."""

from collections.abc import Mapping

from awesome_cli.model.screenings import Decision, Verdict

DONE: Mapping[Verdict, str] = {
    "include": "included", "exclude": "excluded", "near_miss": "excluded as a near-miss", "skip": "skipped",
    "duplicate": "is a duplicate", "note": "noted",
}  # fmt: skip
"""What was done, for each verdict."""
MEANINGS: Mapping[str, str] = {
    "i": "include: it is to be retained; one that lacks nothing becomes a paper at once, another waits to be coded",
    "e": "exclude: asks for the stage and the reason",
    "s": "skip: it comes again when all others are decided",
    "n": "near-miss: exclude, and say which tags it nearly has",
    "d": "duplicate of a record: merge the two, or exclude it",
    "o": "open its page in the browser",
    "t": "write a note on it",
    "u": "undo: take back the last decision of this sitting",
    "a": "advice on when to stop",
    "q": "quit: everything is saved already",
    "space": "scroll on, b back",
}
HELP = "i include  e exclude  s skip  n near-miss  d duplicate  o open  t note  u undo"


def named(decision: Decision) -> str:
    """A decision in words: `rossi2021 excluded (abstract, off_topic)`."""
    why = ", ".join(filter(None, (decision.of, decision.stage, decision.reason)))
    return f"{decision.key} {DONE[decision.verdict]}" + (f" ({why})" if why else "")
