"""The interactive session of `awesome code`: a key press codes a work with a term of an axis."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar, cast

from awesome_cli.analysis.screening.card import abstract_line, details, heading, shown
from awesome_cli.analysis.screening.coding import CodingQueue
from awesome_cli.cli._session import CommandSession
from awesome_cli.cli._sitting import LETTERS, NEXT, Sitting, decision_text, options, run_sitting
from awesome_cli.curation.editing.admitting import admitted
from awesome_cli.curation.editing.tagging import Grounds, TagRequest, tag_each
from awesome_cli.curation.screening import ScreeningSession, admits, completed
from awesome_cli.errors import UsageError
from awesome_cli.files.tree import FileTree
from awesome_cli.model.codings import Tag
from awesome_cli.model.records import AnyWork, Candidate
from awesome_cli.model.screenings import Screenings, Verdict
from awesome_cli.model.taxonomy import NA, Axis, Term
from awesome_cli.reports.report import Line
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.saving import Plan, edit
from awesome_cli.system.clock import today

TERM_KEYS = "".join(letter for letter in LETTERS if letter not in "bdnoqstu")
"""The keys of terms, in order: letters and digits without a function."""


@dataclass(kw_only=True)
class CodingSitting(Sitting[AnyWork]):
    """An interactive coding session.

    `chosen` has the terms chosen so far on an axis of kind `many`; `first` is the number of the first term on the
    page of a long axis, from 0. `typed` has the evidence typed for each term of the question.
    """

    queue: CodingQueue
    chosen: list[str] = field(default_factory=list)
    first: int = 0
    typed: dict[str, str] = field(default_factory=dict)

    KEYS: ClassVar[Mapping[str, str]] = {
        "1-9 a-z": "the term beside the key; on an axis with several terms, Enter saves the chosen ones",
        "0": "more terms, on an axis with many",
        "n": "NA: the axis does not apply to this work",
        "s": "skip: ask again after all other questions",
        "d": "definitions of the terms and strengths",
    }
    HELP = ("a key codes  n NA  s skip  d definitions  o open  t note  u undo", "q quit  ? help")
    TO_DO = "to code"
    NONE = "all papers of this queue are coded"

    def _decisions(self) -> Mapping[str, Callable[[AnyWork], None]]:
        terms = {key: partial(self._choose, key) for key in TERM_KEYS}
        return {**terms, NEXT: self._more, "enter": self._save, "n": self._not_applicable, "d": self._define}

    def _decided(self) -> int:
        return len({decision.key for decision in self.screening.log.held.decisions if decision.verdict == "code"})

    @property
    def _axis(self) -> Axis:
        return self.queue.axis(cast("AnyWork", self.shown))

    @property
    def _page_of_terms(self) -> tuple[Term, ...]:
        return self._axis.current[self.first : self.first + len(TERM_KEYS)]

    def _card(self, shown: AnyWork, notes: Sequence[str]) -> tuple[Line, ...]:
        axis = self._axis
        lines = [*heading(shown, notes), Line(), Line(f"{axis.label}: {axis.question}", "strong")]
        if axis.kind == "many":
            lines.append(Line(f"Enter: save the chosen terms ({', '.join(self.chosen) or 'none yet'})", "muted"))
        if len(axis.current) > len(TERM_KEYS):
            lines.append(Line(f"{NEXT}  more terms ({len(axis.current)} in all)", "muted"))
        for key, term in zip(TERM_KEYS, self._page_of_terms, strict=False):
            mark = "[x] " if term.id in self.chosen else "[ ] " if axis.kind == "many" else ""
            label = f"{axis.by_id[term.parent].label} / {term.label}" if term.parent else term.label
            about = f"{label}: {term.definition}" if term.definition else label
            lines.append(Line(f"{key}  {mark}{about}", cut=True))
        abstract = abstract_line(self.screening.corpus.abstract(shown))
        return (*lines, Line(), abstract, *details(shown))

    def _more(self, _: AnyWork) -> None:
        pages = -(-len(self._axis.current) // len(TERM_KEYS))
        self.first = (self.first + len(TERM_KEYS)) % (pages * len(TERM_KEYS))

    def _choose(self, key: str, shown: AnyWork) -> None:
        terms = self._page_of_terms
        place = TERM_KEYS.index(key)
        if place >= len(terms):
            self._say(f"'{key}' has no term on this axis; ? shows the keys", "warn")
        elif self._axis.kind == "many":
            term = terms[place].id
            self.chosen = [t for t in self.chosen if t != term] if term in self.chosen else [*self.chosen, term]
            self._say("")
        else:
            self._code(shown, [terms[place].id])

    def _save(self, shown: AnyWork) -> None:
        if self.chosen:
            self._code(shown, self.chosen)
        else:
            self._say("no term is chosen; n codes NA, s skips", "warn")

    def _code(self, shown: AnyWork, terms: Sequence[str]) -> None:
        axis, codings = self._axis, list[tuple[TagRequest, Grounds]]()
        for term in terms:
            answered = self._strength_and_grounds(shown, axis, term)
            if answered is None:
                return
            codings.append((TagRequest(axis, term, answered[0]), answered[1]))
        after = tag_each(shown, codings, self.screening.corpus.taxonomy)
        self._change(shown, after, "code", terms=[str(coding) for coding in after.tags_on(axis.id)])

    def _strength_and_grounds(self, shown: AnyWork, axis: Axis, term: str) -> tuple[str | None, Grounds] | None:
        """Prompt for strength, evidence and source on an axis with strengths; return None for Escape."""
        if not axis.strengths:
            return None, Grounds()
        abstract = self.screening.corpus.abstract(shown)
        about = (*heading(shown, ()), *((Line(), abstract_line(abstract)) if abstract else ()))
        while strength := self.terminal.choice(f"Strength of {term}?", options(axis.strengths), about=about):
            closes = axis.gap_strength is not None and axis.counts_at(strength)
            why = "it closes a gap and needs evidence" if closes else "Enter: none"
            title = f"Evidence for {Tag(term=term, strength=strength)}, in one sentence ({why})"
            while (evidence := self.terminal.line(title, about, self.typed.get(term, ""))) is not None:
                self.typed[term] = evidence
                origin = _source(shown)
                source = (
                    self.terminal.line(f"Source of the evidence (Enter: {origin or 'none'})", about) if evidence else ""
                )
                if source is not None:
                    return strength, Grounds(evidence or None, (source or origin) if evidence else None)
            if len(axis.strengths) == 1:  # its menu is not shown, so Escape would lead back here
                break
        return None

    def _not_applicable(self, shown: AnyWork) -> None:
        axis = self._axis
        self.queue.require_optional(shown, axis)
        remaining = tuple(name for name in shown.not_coded if name != axis.id)
        self._change(shown, shown.model_copy(update={"not_coded": remaining}), "code", terms=[NA])

    def _decide(self, shown: AnyWork, verdict: Verdict, **values: object) -> None:
        self._change(shown, shown, verdict, **values)

    def _change(self, shown: AnyWork, after: AnyWork, verdict: Verdict, **values: object) -> None:
        """Make a decision that changes the work to `after`; a candidate that lacks nothing then becomes a paper."""
        decision = self._decision(shown, verdict, axis=None if verdict == "note" else self._axis.id, **values)
        plan = self._log(shown, decision, partial(self._effect, shown, after, verdict))
        if became_paper := admits(plan):
            after = admitted(cast("Candidate", after), on=decision.on)
        self.queue.follow(shown.key, after)
        self._say(f"{decision_text(decision)}{' and admitted' * became_paper}; u undoes it", "good")
        if verdict != "note":
            self._show(self.queue.next())

    def _effect(self, shown: AnyWork, after: AnyWork, verdict: Verdict, tree: FileTree) -> Plan:
        corpus = self.screening.corpus
        if verdict == "code" and self.queue.is_last(after, self._axis):
            return completed(tree, corpus, shown, after, on=today())
        return Plan(edit(tree, shown, after, tuple(corpus.taxonomy.by_id)))

    def _show(self, work: AnyWork | None) -> None:
        self.shown, self.chosen, self.first, self.typed = work, [], 0, {}

    def _define(self, _: AnyWork) -> None:
        axis = self._axis
        entries = (*axis.current, *reversed(axis.strengths))
        self._page(axis.question, [Line(shown(f"{entry.label} ({entry.id}): {entry.definition}")) for entry in entries])


def _source(work: AnyWork) -> str | None:
    """Return a work's identifier, or its URL, as the usual source of evidence."""
    ids = work.identifiers
    return f"arxiv:{ids.arxiv}" if ids.arxiv else f"doi:{ids.doi}" if ids.doi else work.address


def run_coding(session: CommandSession, corpus: Corpus, held: Screenings, queue: CodingQueue) -> None:
    """Code the works of a queue until the user quits; raise `UsageError` if the person's decisions are blind."""
    if held.blind:
        message = f"the decisions in {held.path} are blind and change no records"
        raise UsageError(message, hint="code under another name: --who NAME")
    screening = replace(ScreeningSession.begun(session.root, corpus, held, None), command=("code",))
    run_sitting(
        session, lambda terminal: CodingSitting(session=session, terminal=terminal, screening=screening, queue=queue)
    )
