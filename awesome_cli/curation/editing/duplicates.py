"""`dedupe`: the pairs in a survey, or between a file and the survey, and the decisions on a pair."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from awesome_cli.curation.editing import linking
from awesome_cli.errors import UsageError
from awesome_cli.files.tree import FileTree
from awesome_cli.reports.progress import watched
from awesome_cli.reports.report import Block, Report, Section, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.duplicates import Index, Match, sketched
from awesome_cli.survey.saving import Plan

KINDS = ("any", "same", "version", "wrong_link")
WORDS: Mapping[str, str] = {
    "same": "same work",
    "version": "version of the same work",
    "wrong_link": "same identifier, other title",
    "near": "alike, but two works",
}
Entries = Sequence[tuple[str, Mapping[str, Any]]]
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Duplicates:
    """The pairs found, best first; if a file is compared, `a` is the file's entry. `near` ones are no duplicates."""

    found: tuple[Match, ...]
    compared: str
    external: bool
    near: bool = False

    @property
    def matches(self) -> tuple[Match, ...]:
        """The pairs to be shown."""
        return tuple(match for match in self.found if self.near or match.kind != "near")

    def counts_for(self, kind: str | None) -> bool:
        """Whether a pair of this kind was found; `any` takes all but `near`."""
        return any(match.kind != "near" and kind in {"any", match.kind} for match in self.found)

    def to_report(self) -> Report:
        """The pairs with kind, score and reasons."""
        rows = [(WORDS[m.kind], f"{m.score:.2f}", m.a, m.b, "; ".join(m.because)) for m in self.matches]
        kinds = Counter(match.kind for match in self.matches)
        counted = ", ".join(f"{n} {WORDS[kind]}" for kind, n in kinds.items()) or "no duplicates"
        blocks: list[Block] = [Table.of(("kind", "score", "a", "b", "because"), rows)] if rows else []
        blocks.append(Text(f"{self.compared}: {counted}", "warn" if rows else "good"))
        if left := len(self.found) - len(self.matches):
            what = "pair looks alike but is" if left == 1 else "pairs look alike but are"
            blocks.append(Text(f"{left} {what} two works, left out: awesome dedupe --near", "muted"))
        if not self.external and kinds["same"] + kinds["version"]:
            blocks.append(Text("Decide with: awesome dedupe --link A B, --merge A B, or --distinct A B", "muted"))
        if kinds["wrong_link"]:
            blocks.append(Text("Correct a wrong identifier with: awesome set KEY identifiers.SCHEME=ID", "muted"))
        return Report(
            schema="awesome/dedupe/1",
            data={"pairs": [match.to_json() for match in self.matches]},
            sections=(Section(None, tuple(blocks)),),
            rows=Table.of(
                ("a", "b", "kind", "score", "because"),
                [(m.a, m.b, m.kind, round(m.score, 3), "; ".join(m.because)) for m in self.matches],
            ),
        )


def duplicates(corpus: Corpus, entries: Entries | None = None, *, near: bool = False) -> Duplicates:
    """The pairs among papers, exclusions and candidates, or between a file's entries and all of these.

    With `near`, pairs that look alike but are two works are shown, too.
    """
    index = Index.of(corpus)
    records = len(corpus.papers) + len(corpus.exclusions) + len(corpus.candidates)
    if entries is None:
        return Duplicates(index.pairs(), f"{records} records", external=False, near=near)
    found = [
        match
        for key, fields in watched(entries, "comparing entries")
        for match in index.look_up(sketched(f"{key}", fields))
    ]
    return Duplicates(tuple(found), f"{len(entries)} entries against {records} records", external=True, near=near)


def decide(
    *, link: Pair | None, merge: Pair | None, distinct: Pair | None
) -> Callable[[FileTree, Corpus], Plan] | None:
    """The planner of the decision that was asked for, or None; raises `UsageError` for several."""
    verbs = ((link, linking.link), (merge, linking.merge), (distinct, linking.distinct))
    wanted = [(pair, verb) for pair, verb in verbs if pair is not None]
    if len(wanted) > 1:
        raise UsageError("--link, --merge and --distinct exclude each other", hint="give one of them")
    if not wanted:
        return None
    (a, b), verb = wanted[0]
    return lambda tree, corpus: verb(tree, corpus, a, b)
