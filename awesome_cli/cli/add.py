"""`awesome add`: add works by reference, file or description."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._corpus import readable_corpus, require_vocabulary
from awesome_cli.cli._options import (
    ConfidenceOption,
    DiffOption,
    DirectionOption,
    DryRunOption,
    EvidenceOption,
    FormatOption,
    KeyOption,
    KindOption,
    SourceOption,
)
from awesome_cli.cli._printing import say
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli._writing import FAILED, finish_open, locked
from awesome_cli.cli.import_ import SourceFormatOption, settings, sources
from awesome_cli.errors import AwesomeError, PartialError, RefusedError, UsageError
from awesome_cli.output import Format
from awesome_cli.text.numbers import counted

if TYPE_CHECKING:
    from awesome_cli.curation.editing.tagging import Grounds
    from awesome_cli.curation.intake import Intake, Settings
    from awesome_cli.formats import ReadingOptions
    from awesome_cli.model.drafts import Draft
    from awesome_cli.model.records import AnyRecord, AnyWork
    from awesome_cli.model.taxonomy import Axis, Taxonomy
    from awesome_cli.survey.corpus import Corpus
    from awesome_cli.survey.saving import Plan
    from awesome_cli.system.network import Net
    from awesome_cli.system.prompts import Choice


def drafts_of(
    session: CommandSession,
    references: Sequence[str],
    assignments: Sequence[str],
    tags: Sequence[str],
    *,
    key: str | None,
    form: str | None,
) -> "list[tuple[str, Draft | AwesomeError]]":
    """Return `(reference, draft or error)` for each work, described by a service, a file or prompts.

    Call this before taking the lock, because services and prompts are slow. With a single work, raise its error.
    """
    if key and len(references) > 1:
        raise UsageError("--key needs a single REFERENCE", hint="add the works one by one, or leave out --key")
    from awesome_cli.curation.editing.tagging import read_requests
    from awesome_cli.formats import ReadingOptions

    taxonomy = require_vocabulary(session)
    read_requests(tags, taxonomy)  # Reject wrong tags before any request.
    drafts: list[tuple[str, Draft | AwesomeError]] = []
    how, net = ReadingOptions(taxonomy, form=form, raw=session.raw), session.net()
    for text in references or [""]:
        try:
            drafts.append((text, _draft(session, how, text, net, assignments)))
        except AwesomeError as error:
            if len(references) < 2:
                raise
            drafts.append((text, error))
    return drafts


def take_in_works(
    session: CommandSession,
    drafts: "Sequence[tuple[str, Draft | AwesomeError]]",
    settings_of: "Callable[[Corpus], Settings]",
    assignments: Sequence[str],
    *,
    key: str | None,
    written: bool,
) -> "tuple[Intake, Plan]":
    """Add works under the lock. With a single work, raise its error; with several, collect the failures."""
    from awesome_cli.curation.intake import begin
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.model.drafts import Failure
    from awesome_cli.survey.saving import Plan

    with locked(session, written=written) as lock:
        corpus = readable_corpus(session, remark=True, candidates=True)
        intake = begin(corpus, WorkingTree(session.root), settings_of(corpus))
        for text, draft in drafts:
            try:
                intake.add(_filled(draft, intake, assignments, key))
            except AwesomeError as error:
                if len(drafts) < 2:
                    raise
                intake.failed.append(Failure(text, error.message))
        lock.commit(changes := intake.changes())
    return intake, Plan(changes)


def _filled(draft: "Draft | AwesomeError", intake: "Intake", assignments: Sequence[str], key: str | None) -> "Draft":
    """Return the draft with the values of --set and --key; raise `AwesomeError` for a key that cannot be used."""
    from awesome_cli.curation.editing import check_key
    from awesome_cli.curation.intake.recording import own_key, preset

    if isinstance(draft, AwesomeError):
        raise draft
    draft = preset(draft, assignments)
    if key is None:
        return draft
    draft = replace(draft, key=key)
    check_key(intake.corpus, key)
    if own_key(draft) != key:
        raise UsageError(f"{key!r} is not a valid key", hint="a key is neither a number nor a single letter")
    if key in intake.names:
        raise RefusedError(f"{key!r} is already used by a record that cannot be read", hint="see 'awesome validate'")
    return draft


def _draft(
    session: CommandSession, how: "ReadingOptions", text: str, net: "Net", assignments: Sequence[str]
) -> "Draft":
    from awesome_cli.curation.intake.recording import gather
    from awesome_cli.files.paths import named
    from awesome_cli.formats.reading import single
    from awesome_cli.model.drafts import Draft
    from awesome_cli.model.identifiers import parse_reference

    if not text:
        described = any(assignment.startswith("title=") for assignment in assignments)
        return Draft({}, "by hand") if described else _described(session)
    if text == "-" or Path(text).is_file():
        named(session.root, Path(text))  # raises OutsideError for a link out of the survey
        return single(sources([Path(text)])[0], how)
    return gather(parse_reference(text, files=True), net)


def _described(session: CommandSession) -> "Draft":
    from awesome_cli.formats.people import authors_of
    from awesome_cli.model.drafts import Draft, filled, link
    from awesome_cli.model.identifiers import HELP, OR_FILE, identifiers
    from awesome_cli.system import prompts

    if not session.interactive:
        raise UsageError("REFERENCE is missing", hint=f"give {HELP}{OR_FILE}; or describe the work with --set title=…")
    title = prompts.ask_text("Title")
    authors = tuple(authors_of(prompts.ask_text("Authors (Last, First; Last, First)")))
    year, venue, url = prompts.ask_text("Year"), prompts.ask_text("Venue"), prompts.ask_text("Address")
    links = [link("Paper", url)] if url else []
    fields = {"title": title, "authors": authors, "year": year, "venue": venue, "links": links}
    return Draft(filled({**fields, "identifiers": identifiers([url])}), "by hand")


def finisher(
    session: CommandSession,
    corpus: "Corpus",
    assignments: Sequence[str],
    tags: Sequence[str],
    grounds: "Grounds",
) -> "Callable[[AnyRecord], AnyRecord]":
    """Return a function that completes a record before it is saved: set fields and tags, or prompt for tags."""
    from awesome_cli.curation.editing.fields import assign
    from awesome_cli.curation.editing.tagging import read_requests, tag
    from awesome_cli.model.records import Exclusion

    requests = read_requests(tags, corpus.taxonomy)

    def finish(record: "AnyRecord") -> "AnyRecord":
        record = assign(record, assignments, corpus.taxonomy)
        if isinstance(record, Exclusion):
            return record
        if requests:
            return tag(record, requests, grounds, corpus.taxonomy)
        return _interviewed(record, corpus.taxonomy) if session.interactive else record

    return finish


def _interviewed(record: "AnyWork", taxonomy: "Taxonomy") -> "AnyWork":
    from awesome_cli.curation.editing.tagging import Grounds, read_requests, tag
    from awesome_cli.model.records import Paper
    from awesome_cli.query.parser import parse

    say(f"{record.title} ({record.first_author or 'no author'}, {record.year or 'no year'})")
    for axis in taxonomy.axes:
        if not record.tags_on(axis.id):
            needed = axis.required_for is not None and parse(axis.required_for, taxonomy).matches(record)
            tags, evidence = _prompt_tags(axis, required=needed and isinstance(record, Paper))
            record = tag(record, read_requests(tags, taxonomy), Grounds(evidence=evidence), taxonomy)
    return record


def _prompt_tags(axis: "Axis", *, required: bool) -> tuple[list[str], str | None]:
    """Prompt for terms of an axis (at least one if `required`), strengths and evidence."""
    from awesome_cli.model.codings import Tag, on_axis
    from awesome_cli.system import prompts

    choices = [prompts.Choice(term.id, term.label, term.definition) for term in axis.current]
    if axis.kind == "many":
        terms: Sequence[str] = prompts.ask_many(axis.question, choices, required=required)
    else:
        none = [] if required else [prompts.Choice("", "none", "the axis does not apply")]
        chosen = prompts.ask_one(axis.question, [*none, *choices])
        terms = [chosen] if chosen else []
    if not terms or not axis.strengths:
        return [on_axis(axis.id, term) for term in terms], None
    strengths: list[Choice] = [prompts.Choice(s.id, s.label, s.definition) for s in axis.strengths]
    tags = [Tag(term=term, strength=prompts.ask_one(f"Strength of {term}", strengths)) for term in terms]
    evidence = prompts.ask_text("Evidence, in one sentence (optional)")
    return [on_axis(axis.id, tag) for tag in tags], evidence or None


def print_outcome(
    session: CommandSession, intake: "Intake", plan: "Plan", form: Format, *, diff: bool, dry_run: bool
) -> None:
    """Print the report of the added works, or a preview; raise `PartialError` if some works failed."""
    from awesome_cli.curation.intake.summary import added

    report = added(intake, written=not (diff or dry_run))
    session.emit(plan.to_diff() if diff else report.followed_by(plan.to_diff()) if dry_run else report, form)
    if intake.failed:
        raise PartialError(f"{counted(len(intake.failed), 'work')} could not be added", hint=FAILED)


def add(
    ctx: CommandContext,
    references: Annotated[
        list[str] | None,
        typer.Argument(metavar="REFERENCE", help="arXiv id, DOI, acl:ID, openreview:ID, URL, file, or - (stdin)."),
    ] = None,
    tag: Annotated[
        list[str] | None,
        typer.Option("--tag", "-t", metavar="AXIS=TERM[:STRENGTH]", help="Add a tag; may be repeated."),
    ] = None,
    assign: Annotated[list[str] | None, typer.Option("--set", metavar="FIELD=VALUE", help="Set a field.")] = None,
    evidence: EvidenceOption = None,
    direction: DirectionOption = None,
    source: SourceOption = None,
    confidence: ConfidenceOption = None,
    key: KeyOption = None,
    kind: KindOption = None,
    source_format: SourceFormatOption = None,
    on_duplicate: Annotated[
        str | None,
        typer.Option(
            "--on-duplicate",
            metavar="ACTION",
            help="Action for a known work: error, skip, add, link or ask. [default: ask on a terminal, else error]",
        ),
    ] = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Add a paper with its metadata; on a terminal, prompt for its tags.

    Without a REFERENCE, describe the paper with --set or answer the prompts. With --offline, add a stub that
    'awesome refresh' completes later.

    Example: awesome add arxiv:ID --tag AXIS=TERM --evidence 'What the paper does.'
    """
    from awesome_cli.curation.editing.tagging import Grounds

    session, written = ctx.obj, not (dry_run or diff)
    if kind == "exclusion":
        raise UsageError("'awesome add' cannot add exclusions", hint="awesome exclude REFERENCE --stage … --reason …")
    if written:
        finish_open(session)
    drafts = drafts_of(session, references or [], assign or [], tag or [], key=key, form=source_format)
    grounds = Grounds(evidence, source, confidence, direction=direction)
    way = on_duplicate or ("ask" if session.interactive else "error")

    def settings_of(corpus: "Corpus") -> "Settings":
        finish = finisher(session, corpus, assign or [], tag or [], grounds)
        return settings(session, way, kind=kind, finish=finish, alone=True)

    intake, plan = take_in_works(session, drafts, settings_of, assign or [], key=key, written=written)
    print_outcome(session, intake, plan, form, diff=diff, dry_run=dry_run)
