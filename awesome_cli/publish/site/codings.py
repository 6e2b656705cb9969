"""The codings of a paper as texts for its page; computed here, since templates are slow for thousands of pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlencode

from awesome_cli.analysis.claims.sensitivity import Trial
from awesome_cli.analysis.claims.wording import observed, titled
from awesome_cli.analysis.gaps.cells import Place
from awesome_cli.analysis.gaps.rereading import CellChange, ContestEffect
from awesome_cli.analysis.likeness import Near
from awesome_cli.model.codings import Tag, on_axis
from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Axis
from awesome_cli.publish.forms import form_address
from awesome_cli.publish.hosts import in_repository
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.names import byline
from awesome_cli.text.numbers import counted

Coded = tuple[Tag, str, str, str, str, str | None, "Otherwise | None"]
"""A tag with label, page and definition of its term, definition of its strength, URL of the form to dispute it, and
the effect of its contest."""
SHORT = 120
"""Maximum length of a statement; longer ones are cut."""


@dataclass(frozen=True, slots=True)
class Otherwise:
    """The effect of a contest: its `codings` in words, None if it proposes none.

    `claims`: `(id, statement, result, figure if the contest is right, figure as coded)`. `cells` with a new state:
    `(URL on the map, name, change)`. `others`: number of cells that change their count only.
    """

    summary: str
    codings: str | None
    claims: list[tuple[str, str, str, str, str]]
    cells: list[tuple[str, str, CellChange]]
    others: int


def about(paper: Paper) -> str:
    """Return the line under the title of a paper: short authors, year and venue."""
    return " · ".join(filter(None, (byline(paper.authors), str(paper.year or ""), paper.venue)))


class CodingWords:
    """Texts for the codings of a survey's papers; texts shared by several papers are cached."""

    def __init__(self, corpus: Corpus) -> None:
        self.axes = corpus.taxonomy.by_id
        self.survey = corpus.taxonomy.survey
        self.has_forms = bool(in_repository(self.survey)["form"])
        self.papers = {paper.key: paper for paper in corpus.papers}
        self.statements = {claim.id: titled(corpus, claim.statement) for claim in corpus.claims.claims}
        self.shared = cache(self._shared)
        self.about = {paper.key: about(paper) for paper in corpus.papers}

    def codings(
        self, paper: Paper, contested: Sequence[ContestEffect]
    ) -> tuple[list[tuple[Axis, list[Coded]]], list[tuple[Axis, list[Coded]]]]:
        """Return the coded axes with evidence or strengths, and the other coded axes; main codings before parts."""
        otherwise = {id(effect.tag): effect for effect in contested}
        argued: list[tuple[Axis, list[Coded]]] = []
        plain: list[tuple[Axis, list[Coded]]] = []
        for axis in self.axes.values():
            tags = [tag for tag in (*paper.tags_on(axis.id), *paper.parts_on(axis.id)) if tag.term in axis.by_id]
            if tags:
                is_argued = any(tag.evidence or tag.strength or tag.quote or tag.contested for tag in tags)
                coded = [self._coded(paper, axis, tag, otherwise.get(id(tag))) for tag in tags]
                (argued if is_argued else plain).append((axis, coded))
        return argued, plain

    def _coded(self, paper: Paper, axis: Axis, tag: Tag, contest: ContestEffect | None) -> Coded:
        term = axis.by_id[tag.term]
        strength = next((s.definition for s in axis.strengths if s.id == tag.strength), None)
        address = None
        if self.has_forms and not tag.contested:
            address = form_address(self.survey, "coding", key=paper.key, coding=on_axis(axis.id, tag.term))
        page = f"{axis.id}.{term.id}.html"
        otherwise = self._otherwise(contest) if contest else None
        return tag, term.full_label, page, term.definition, strength or "", address, otherwise

    def _otherwise(self, effect: ContestEffect) -> Otherwise:
        effects = [counted(len(e), word) for e, word in ((effect.claims, "claim"), (effect.cells, "cell")) if e]
        if effect.codings is None:
            return Otherwise("", None, [], [], 0)
        codings = "; ".join(self._said(effect.axis, tag.term, tag.strength, part=tag.part) for tag in effect.codings)
        turning = [(self._on_map(cell.place), _name(cell.place), cell) for cell in effect.cells if cell.turns]
        summary = f"{' and '.join(effects)}{' of the map' if effect.cells else ''} would change" if effects else ""
        claims = [self._claim(trial) for trial in effect.claims]
        return Otherwise(summary, codings or "nothing", claims, turning, len(effect.cells) - len(turning))

    def _claim(self, trial: Trial) -> tuple[str, str, str, str, str]:
        statement = " ".join(self.statements[trial.claim].split())
        short = statement if len(statement) <= SHORT else f"{statement[:SHORT].rpartition(' ')[0]} …"
        does = f"{'' if trial.flips else 'still '}{'hold' if trial.holds else 'fail'}"
        return trial.claim, short, does, observed(trial.after, keys=False), observed(trial.before, keys=False)

    def _said(self, axis: Axis, term: str, strength: str | None, *, part: bool = False) -> str:
        label = axis.by_id[term].full_label if term in axis.by_id else term
        return f"{label}{f', {axis.display(strength)}' if strength else ''}{' as a part' if part else ''}"

    def _on_map(self, place: Place) -> str:
        (axis, term), second = place[0], place[1] if len(place) > 1 else None
        column = second[1].id if second else axis.gap_strength or "any"
        view = {"rows": axis.id, "columns": second[0].id if second else "", "cell": f"{term.id},{column}"}
        return f"map.html#{urlencode(view, safe=',')}"

    def near(self, near: Near) -> tuple[str, str, str, int, str]:
        """Return `(key, title, byline, similarity in percent, shared codings)` of a similar paper."""
        paper = self.papers[near.key]
        return near.key, paper.title, self.about[near.key], round(100 * near.score), self.shared(near.shared)

    def _shared(self, codings: tuple[tuple[str, str, str | None], ...]) -> str:
        known = [(self.axes[axis], term, strength) for axis, term, strength in codings if axis in self.axes]
        return "; ".join(f"{axis.label}: {self._said(axis, term, strength)}" for axis, term, strength in known)


def _name(place: Place) -> str:
    return " \N{MULTIPLICATION SIGN} ".join(term.full_label for _, term in place)
