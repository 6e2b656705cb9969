"""What a page holds, as far as it was read: entries that are papers, links that are none, entries without a title."""

from dataclasses import dataclass, field, replace

from awesome_cli.formats.markdown import facts
from awesome_cli.formats.markdown.entries import ListEntry, elsewhere
from awesome_cli.formats.markdown.links import Anchor, sort_of
from awesome_cli.formats.markdown.sections import Sections

WHY = {
    "code": "leads to code or a model, not to a paper",
    "video": "leads to a video, not to a paper",
    "list": "leads to another list, not to a paper",
    "page": "leads to a page, not to a paper",
    "paper": "a paper that is mentioned, and has no entry of its own here",
}


@dataclass
class SortedPage:
    """Entries that are papers, entries that lead elsewhere, links that are neither with the reason, and failed entries.

    `open` is an entry whose links may stand in what follows.
    """

    sections: Sections = field(default_factory=Sections)
    entries: list[ListEntry] = field(default_factory=list)
    others: list[ListEntry] = field(default_factory=list)
    left: list[tuple[Anchor, str]] = field(default_factory=list)
    failed: list[ListEntry] = field(default_factory=list)
    open: ListEntry | None = None

    def pass_over(self, entry: ListEntry) -> None:
        """Note what leads to no paper: an entry of its own, or links."""
        other = elsewhere(entry)
        self.others.append(other) if other.is_entry else self.leave(entry)

    def leave(self, entry: ListEntry, why: str = "") -> None:
        """Note the links of what is no paper."""
        self.left += [(anchor, why or WHY[sort_of(anchor.url)]) for anchor in entry.links]

    def take(self, entry: ListEntry) -> None:
        """Note an entry that is a paper; one without a title has that of its heading, if it is the first below it."""
        mentioned = tuple(
            a for a in entry.links if sort_of(a.url) == "paper" and not a.is_label and entry.main and a != entry.main
        )
        self.leave(replace(entry, links=mentioned), WHY["paper"])
        entry = replace(entry, links=tuple(a for a in entry.links if a not in mentioned))
        heading = self.sections.path[-1:] if self.sections.fresh and not entry.title else ()
        if heading and len(heading[0].split()) > 3:
            entry = replace(entry, title=facts.titled(facts.without_lead(heading[0])), path=entry.path[:-1])
        self.sections.fresh = False
        (self.entries if entry.title else self.failed).append(entry)

    def settle(self) -> None:
        """An entry that still waits for its links is a paper only if it has them."""
        waiting, self.open = self.open, None
        if waiting is None:
            return
        if waiting.is_work or (waiting.papers and not waiting.title):
            self.take(waiting)
        else:
            self.pass_over(waiting)
