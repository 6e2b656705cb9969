"""Add works to a survey: drafts become records, known works are recognised, invalid entries are reported."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal

from awesome_cli.curation.editing.duplicates import with_version
from awesome_cli.curation.intake.knowing import KnownWorks, left, remark, renamed
from awesome_cli.curation.intake.recording import readable, to_record
from awesome_cli.curation.intake.vocabulary import Vocabulary, extended, topics
from awesome_cli.errors import AwesomeError
from awesome_cli.files.tree import FileTree
from awesome_cli.model.drafts import Batch, Draft, Failure
from awesome_cli.model.records import AnyRecord, Exclusion, Paper
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.duplicates import Match
from awesome_cli.survey.keys import Names
from awesome_cli.survey.loading import TAXONOMY
from awesome_cli.survey.saving import Changes, KnownError, create, edit
from awesome_cli.text.known import require_known

OnDuplicate = Literal["ask", "skip", "add", "link", "error"]
Choice = Literal["skip", "link", "add"]
Finish = Callable[[AnyRecord], AnyRecord]
NO_BATCH = Batch()
NEAREST = 5
"""Maximum number of similar records in a remark."""


@dataclass(frozen=True)
class Settings:
    """Options of an intake. `ask` decides on a known work; `create_terms` and `headings` are axes.

    With `skip`, `add` and `link` only certain matches count as known; works with other matches are added with a
    warning. With `ask` and `error` every match counts.
    """

    day: date
    on_duplicate: OnDuplicate = "skip"
    create_terms: str | None = None
    headings: str | None = None
    kind: Literal["paper", "candidate", "exclusion"] | None = None
    stage: str | None = None
    reason: str | None = None
    ask: Callable[[AnyRecord, Match], Choice] | None = None
    finish: Finish = lambda record: record


@dataclass(frozen=True, slots=True)
class Taken:
    """A new record, the position of its entry, and warnings.

    `near` are the keys of similar records, `alike` remarks on similar works that are different.
    """

    record: AnyRecord
    place: str
    warnings: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """An entry of a work that is already in the survey, its match, and whether it was linked to the record.

    `left` lists the values of the entry that the record lacks, tags as `tags.AXIS=TERM`.
    """

    title: str
    place: str
    match: Match
    linked: bool = False
    left: tuple[str, ...] = ()


@dataclass
class Intake:
    """The state and result of an intake, the plan that writes it, and the `batch` without its drafts."""

    corpus: Corpus
    tree: FileTree
    settings: Settings
    vocabulary: Vocabulary
    works: KnownWorks
    names: Names
    taken: list[Taken] = field(default_factory=list)
    known: list[Known] = field(default_factory=list)
    failed: list[Failure] = field(default_factory=list)
    kept: Counter[str] = field(default_factory=Counter)
    edited: set[str] = field(default_factory=set)
    decided: Counter[str] = field(default_factory=Counter)
    batch: Batch = NO_BATCH

    def add(self, draft: Draft) -> None:
        """Add one draft; raises `RefusedError` if it is not a valid record, or is known and that is an error."""
        settings, known = self.settings, self.works.records
        draft = readable(draft)
        if self.vocabulary.topics:
            draft = self.vocabulary.topics.tagged(draft)
        if settings.kind is not None:
            draft = replace(draft, kind=settings.kind)
        if draft.kind == "exclusion":
            coded = {name: value for name in ("stage", "reason") if (value := getattr(settings, name))}
            draft = replace(draft, fields={**draft.fields, "screening": {**draft.fields.get("screening", {}), **coded}})
        self.vocabulary.placed = []
        record = settings.finish(to_record(draft, self.vocabulary, settings.day, self.names))
        matches = self.works.find(record, draft.key)
        choice = self._choice(record, matches[0]) if matches else None
        if choice in {"skip", "link"}:
            linked = choice == "link" and self._link(matches[0].b, record)
            lost = left(record, self.works.records[matches[0].b])
            self.known.append(Known(draft.title, draft.place, matches[0], linked, lost))
            return
        warnings = [*draft.warnings, *renamed(draft, record)]
        alike: list[str] = []
        if choice == "add":
            keys = [match.b for match in matches if match.certain] or [matches[0].b]
            record = record.model_copy(update={"distinct_from": (*record.distinct_from, *keys)})
            reasons = "; ".join(matches[0].because)
            warnings.append(f"looks like {', '.join(keys)} ({reasons}); marked as different works in distinct_from")
        else:
            shown = [match for match in matches if match.kind != "near"] or matches[:1]
            for match in shown[:NEAREST]:
                (alike if match.kind == "near" else warnings).append(remark(record, match, known[match.b]))
        self.names.add(record)
        self.works.add(record, draft.key)
        near = tuple(match.b for match in matches[:NEAREST])
        self.taken.append(Taken(record, draft.place, tuple(warnings), near, tuple(alike)))
        self.vocabulary.count()
        self.decided[draft.decision] += 1
        self.kept.update(record.extra.keys())

    def _choice(self, record: AnyRecord, match: Match) -> Choice | None:
        """Return the choice for a record with a match; None to add it with a remark. Raises `KnownError`."""
        way, known = self.settings.on_duplicate, self.works.records[match.b]
        if match.kind == "near":
            return None
        if way == "ask" and self.settings.ask:
            chosen = self.settings.ask(known, match)
            return None if chosen == "add" and match.kind == "wrong_link" else chosen
        if way in {"ask", "error"}:
            linkable = isinstance(known, Paper) and match.kind != "wrong_link"
            link = "--on-duplicate link adds it there as a version; " if linkable else ""
            raise KnownError(match, known.path, way=f"{link}--on-duplicate add adds it as a different work")
        if match.kind == "wrong_link":
            # The entry is a different work; a person must decide which identifier is wrong.
            return None
        if way == "link" and isinstance(known, Paper) and not isinstance(record, Exclusion):
            return "link"
        if not match.certain:
            return None
        return "add" if way == "add" else "skip"

    def _link(self, key: str, record: AnyRecord) -> bool:
        known = self.works.records[key]
        if not isinstance(known, Paper) or isinstance(record, Exclusion):
            return False
        self.works.put(with_version(known, record))
        self.edited.add(key)
        return True

    def changes(self) -> Changes:
        """Return the changes: new files, linked records, new terms."""
        axes = tuple(self.vocabulary.taxonomy.by_id)
        new = {taken.record.key for taken in self.taken}
        records = self.works.records
        made = tuple(create(self.tree, records[key], axes) for key in sorted(new))
        linked = (edit(self.tree, self.corpus.by_key[k], records[k], axes) for k in sorted(self.edited - new))
        changed = tuple(change for changes in linked for change in changes)
        return (*self.vocabulary.change(self.tree, TAXONOMY), *made, *changed)


def begin(corpus: Corpus, tree: FileTree, settings: Settings, batch: Batch = NO_BATCH) -> Intake:
    """Begin an intake into a corpus, which should include its candidates, with the failures and headings of a batch.

    Raises `UsageError` for an unknown axis or code.
    """
    taxonomy = corpus.taxonomy
    axis = taxonomy.axis(settings.create_terms) if settings.create_terms else None
    for name in ("stage", "reason"):
        if word := getattr(settings, name):
            require_known(word, [entry.id for entry in getattr(taxonomy, f"{name}s")], name)
    new_topics = topics((path for draft in batch.drafts for path in draft.headings), taxonomy, settings.headings)
    return Intake(
        corpus,
        tree,
        settings,
        Vocabulary(extended(taxonomy, new_topics), axis, topics=new_topics),
        KnownWorks.of(corpus),
        Names.of(corpus),
        failed=list(batch.failures),
        batch=replace(batch, drafts=()),
    )


def take_in(intake: Intake, drafts: Iterable[Draft]) -> Intake:
    """Add all drafts; those that are not valid records are listed under `failed`."""
    for draft in drafts:
        try:
            intake.add(draft)
        except AwesomeError as error:
            intake.failed.append(Failure(draft.place, error.message, draft.key))
    return intake
