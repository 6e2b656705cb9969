"""Taking works into a survey: drafts become records, known works are recognised, and a bad entry stops no other."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal

from awesome_cli.curation.editing.linking import with_version
from awesome_cli.curation.intake.recording import to_record
from awesome_cli.curation.intake.wording import Vocabulary
from awesome_cli.errors import AwesomeError
from awesome_cli.files.tree import FileTree
from awesome_cli.model.drafts import STUB_NOTE, Draft, Failure
from awesome_cli.model.records import AnyRecord, Candidate, Paper
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.duplicates import Index, Match
from awesome_cli.survey.loading import TAXONOMY
from awesome_cli.survey.saving import Changes, KnownError, create, edit
from awesome_cli.text.known import require_known

OnDuplicate = Literal["ask", "skip", "link", "error"]
Choice = Literal["skip", "link", "add"]
Finish = Callable[[AnyRecord], AnyRecord]


@dataclass(frozen=True)
class Settings:
    """How drafts are taken in. `ask` decides what becomes of a known work; `create_terms` names an axis."""

    day: date
    on_duplicate: OnDuplicate = "skip"
    create_terms: str | None = None
    kind: Literal["paper", "candidate", "exclusion"] | None = None
    stage: str | None = None
    reason: str | None = None
    ask: Callable[[AnyRecord, Match], Choice] | None = None
    finish: Finish = lambda record: record


@dataclass(frozen=True, slots=True)
class Taken:
    """A record that was made, and the draft behind it."""

    record: AnyRecord
    draft: Draft


@dataclass(frozen=True, slots=True)
class Known:
    """A draft of a work that is in the survey, the match, and whether it was linked to the record."""

    draft: Draft
    match: Match
    linked: bool = False


@dataclass
class Intake:
    """The result of taking in drafts, and the plan that writes it."""

    corpus: Corpus
    tree: FileTree
    settings: Settings
    vocabulary: Vocabulary
    index: Index
    records: dict[str, AnyRecord]
    taken: list[Taken] = field(default_factory=list)
    known: list[Known] = field(default_factory=list)
    failed: list[Failure] = field(default_factory=list)
    kept: Counter[str] = field(default_factory=Counter)
    edited: set[str] = field(default_factory=set)
    decisions: dict[str, Mapping[str, object]] = field(default_factory=dict)

    def add(self, draft: Draft) -> None:
        """Take in one draft; raises `RefusedError` if it cannot be a record, or is known and that is an error."""
        settings = self.settings
        if settings.kind is not None:
            draft = replace(draft, kind=settings.kind)
        if draft.kind == "exclusion":
            given = {name: value for name in ("stage", "reason") if (value := getattr(settings, name))}
            draft = replace(draft, fields={**draft.fields, "screening": {**draft.fields.get("screening", {}), **given}})
        record = settings.finish(to_record(draft, self.vocabulary, settings.day, self.records))
        match = next(iter(self.index.find(record)), None)
        if match is not None and STUB_NOTE in (record.note, self.records[match.b].note):
            # A stub has no title that could differ.
            match = replace(match, kind="same", because=match.because[:1])
        if match is not None:
            if self._is_known(draft, record, match):
                return
            if match.kind == "wrong_link":
                warning = f"{match.b} carries the same identifier ({match.because[0]}): one of the two is wrong"
                draft = replace(draft, warnings=(*draft.warnings, warning))
            else:
                record = record.model_copy(update={"distinct_from": (*record.distinct_from, match.b)})
        if record.key in self.records:
            raise KnownError(Match(record.key, record.key, "same", 1.0, ("the key is the same",)), record.path)
        self.records[record.key] = record
        self.index.add(record)
        self.taken.append(Taken(record, draft))
        self.kept.update(getattr(record, "extra", {}).keys())

    def _is_known(self, draft: Draft, record: AnyRecord, match: Match) -> bool:
        """Whether the work was handled as a known one; False if it is to be added."""
        settings, known = self.settings, self.records[match.b]
        refusal = KnownError(match, known.path)
        choice: str = settings.on_duplicate
        if match.kind == "wrong_link" and choice in {"skip", "link"}:
            # The entry is a work of its own; that one of the two identifiers is wrong is for a person to settle.
            return False
        if choice == "ask":
            choice = settings.ask(known, match) if settings.ask else "error"
        if choice == "error":
            raise refusal
        if choice == "add":
            return False
        link = choice == "link" and isinstance(known, Paper) and isinstance(record, Paper | Candidate)
        if link and isinstance(known, Paper) and isinstance(record, Paper | Candidate):
            self._link(known, record)
        self.known.append(Known(draft, match, linked=link))
        return True

    def _link(self, known: Paper, record: Paper | Candidate) -> None:
        after = with_version(known, record)
        self.records[known.key] = after
        self.edited.add(known.key)
        self.index.add(after)

    def changes(self) -> Changes:
        """The changes: new files, linked records, new terms."""
        axes = tuple(self.corpus.taxonomy.by_id)
        new = {taken.record.key for taken in self.taken}
        made = tuple(create(self.tree, self.records[key], axes) for key in sorted(new))
        linked = (edit(self.tree, self.corpus.by_key[k], self.records[k], axes) for k in sorted(self.edited - new))
        changed = tuple(change for changes in linked for change in changes)
        return (*self.vocabulary.change(self.tree, TAXONOMY), *made, *changed)

    def listed(self, kind: type[AnyRecord]) -> list[Taken]:
        """The records that were made, of one kind."""
        return [taken for taken in self.taken if isinstance(taken.record, kind)]


def begin(corpus: Corpus, tree: FileTree, settings: Settings) -> Intake:
    """An intake into a corpus, which should hold its candidates; raises `UsageError` for an unknown axis or code."""
    taxonomy = corpus.taxonomy
    axis = taxonomy.axis(settings.create_terms) if settings.create_terms else None
    for name, word, entries in (
        ("stage", settings.stage, taxonomy.stages),
        ("reason", settings.reason, taxonomy.reasons),
    ):
        if word:
            require_known(word, [entry.id for entry in entries], name)
    records = {record.key: record for record in corpus.records}
    return Intake(corpus, tree, settings, Vocabulary(taxonomy, axis), Index.of(corpus), records)


def take_in(intake: Intake, drafts: Iterable[Draft]) -> Intake:
    """Take in all drafts; one that cannot be a record is noted under `failed` and stops no other."""
    for draft in drafts:
        try:
            intake.add(draft)
        except AwesomeError as error:
            intake.failed.append(Failure(draft.place, error.message, draft.key))
    return intake
