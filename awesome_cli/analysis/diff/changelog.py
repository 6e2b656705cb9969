"""Release notes of a survey, made from the difference of two revisions."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from awesome_cli.analysis.diff.comparison import CorpusDiff, RecordMove, to_json
from awesome_cli.analysis.diff.report import bullets, to_table
from awesome_cli.analysis.diff.revisions import Sound, between
from awesome_cli.errors import UsageError
from awesome_cli.files import git
from awesome_cli.reports.report import Report, Section, Text, with_sections
from awesome_cli.text.grouping import group_pairs
from awesome_cli.text.numbers import counted

COUNTED = {
    "Claims": ("claim", "added or changed"),
    "Gaps": ("gap", "changed"),
    "New papers": ("paper", "added"),
    "Screened out": ("record", "screened out"),
    "Waiting for screening": ("candidate", "added"),
    "Recoded": ("paper", "recoded"),
    "Renamed": ("name", "changed"),
    "Retired": ("term", "retired"),
    "Corrected": ("paper", "corrected"),
    "Completed": ("paper", "completed"),
    "Edited": ("paper", "edited"),
    "Removed": ("record", "removed"),
}
"""For each heading of the notes, the noun and the verb that summarise its lines."""


@dataclass(frozen=True)
class Changelog:
    """Release notes of a range of revisions; `date` is the commit date of the later one (RFC 3339)."""

    diff: CorpusDiff
    date: str

    @property
    def title(self) -> str:
        return self.diff.survey.title

    @property
    def url(self) -> str | None:
        return self.diff.survey.url

    @property
    def author(self) -> str:
        """The survey's authors, else its title; an Atom feed requires an author."""
        return ", ".join(self.diff.survey.authors) or self.title

    def notes(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return headings with their lines, without empty headings."""
        diff = self.diff
        new = (*diff.added, *diff.moved)
        papers = [entry for entry in new if entry.kind == "paper" and entry.was in {None, "candidate", "exclusion"}]
        screened = [entry for entry in new if entry.kind == "exclusion"]
        waiting = [entry for entry in diff.added if entry.kind == "candidate"]
        retagged = group_pairs((entry.key, entry.axis) for entry in diff.retagged if entry.kind == "paper")
        lines_of = {
            "Claims": [str(claim) for claim in diff.claims],
            "Gaps": [str(cell) for cell in diff.turned],
            "New papers": [_entry(entry) for entry in papers],
            "Screened out": [_entry(entry) for entry in screened],
            "Waiting for screening": [_entry(entry) for entry in waiting],
            "Recoded": [f"{key}: {', '.join(axes)}" for key, axes in retagged.items()],
            "Renamed": [*(_entry(entry) for entry in diff.moved if entry.is_renamed), *diff.new_names],
            "Retired": list(diff.retired.values()),
            **{name: [*_fields(diff, name.lower())] for name in ("Corrected", "Completed", "Edited")},
            "Removed": [_entry(entry) for entry in diff.removed],
        }
        return tuple((heading, tuple(lines)) for heading, lines in lines_of.items() if lines)

    def summary(self) -> str:
        """Return the number of lines of each heading as text: `2 claims added or changed, 1 paper recoded`."""
        pairs = ((COUNTED[heading], len(lines)) for heading, lines in self.notes())
        return ", ".join(f"{counted(n, noun)} {done}" for (noun, done), n in pairs)

    def headline(self) -> str:
        """Return the counts of records with their changes: `84 papers (+2)`."""
        parts = [
            counted(b, name.removesuffix("s")) + (f" ({b - a:+d})" if a != b else "")
            for name, (a, b) in self.diff.counts.items()
            if a or b
        ]
        return ", ".join(parts)

    def to_report(self) -> Report:
        sections = [Section(None, tuple(Text(text) for text in (self.headline(), self.summary()) if text))]
        sections += [Section(heading, (bullets(lines),)) for heading, lines in self.notes()]
        if len(sections) == 1:
            sections.append(Section(None, (Text("Nothing changed."),)))
        title = f"{self.title}: {self.diff.names[0]} to {self.diff.names[1]}"
        title += f", where {self.diff.where}" if self.diff.where else ""
        data = {**to_json(self.diff), "title": self.title, "date": self.date}
        return with_sections(Report("awesome/changelog/2", data, tuple(sections), title, to_table(self.diff)))


def _fields(diff: CorpusDiff, kind: str) -> Iterator[str]:
    papers = ((entry.key, getattr(entry, kind)) for entry in diff.edited if entry.kind == "paper")
    yield from (f"{key}: {', '.join(fields)}" for key, fields in papers if fields)


def _entry(entry: RecordMove) -> str:
    return f"{entry.title} ({entry.key}{f', was {entry.was}' if entry.was else ''})"


def changelog(root: Path, span: str, *, sound: Sound, where: str | None = None) -> Changelog:
    """Return the notes of `FROM..TO` [TO: HEAD], optionally restricted to the records that match a query.

    Raises `UsageError` if `span` has another form, `GitError` for an unknown revision.
    """
    before, dots, after = span.partition("..")
    if not dots or not before or after.startswith("."):
        raise UsageError(f"{span!r} is not a range of revisions", hint="write FROM..TO, for instance v1.0..HEAD")
    after = after or "HEAD"
    return Changelog(between(root, before, after, sound=sound, where=where), git.date(root, after))
