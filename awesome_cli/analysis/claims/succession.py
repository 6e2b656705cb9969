"""How a finding changed: codings and rules on the day of a revised claim and now, contests, second codings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimResult, ClaimResults, ClaimStatus, check
from awesome_cli.analysis.claims.second_codings import SecondCell, SecondCoding, second_cells, second_codings
from awesome_cli.analysis.gaps.cells import GapCell, pools_to_compare, term_readings
from awesome_cli.model.codings import Tag
from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Axis, AxisChange, Term
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.passages import what_was_read

FULL_TEXT = "full text"


@dataclass(frozen=True, slots=True)
class CodingChange:
    """The coding of a paper with a term on the claim's day and now (None: none), and what was read for it.

    `because` is the reason of the last revision on the axis. `read` are the kinds of `what_was_read` of today's
    source; `full text` stands for all places in it, and counts where the source of any coding of the paper says so.
    """

    paper: Paper
    term: str
    then: Tag | None
    now: Tag | None
    because: str | None
    seconds: tuple[SecondCell, ...]
    read: tuple[str, ...]

    @property
    def changed(self) -> bool:
        return str(self.then) != str(self.now)

    def to_json(self) -> dict[str, object]:
        """The published form."""
        return {
            "key": self.paper.key,
            "then": self.then.model_dump(mode="json", by_alias=True) if self.then else None,
            "now": self.now.model_dump(mode="json", by_alias=True) if self.now else None,
            "because": self.because,
            "second": [asdict(cell) for cell in self.seconds],
            "read": list(self.read),
        }


@dataclass(frozen=True, slots=True)
class TermChange:
    """A term that a revised claim asks about: the axis then and now, with the `rules` that came between.

    `readings` are its cell in each pool to compare, with the label of the pool and the axis there.
    """

    axis: Axis
    before: Axis | None
    term: Term
    rules: tuple[AxisChange, ...]
    codings: tuple[CodingChange, ...]
    readings: tuple[tuple[str, Axis, GapCell], ...]
    seconds: tuple[SecondCoding, ...]

    def to_json(self) -> dict[str, object]:
        """The published form."""
        return {
            "axis": self.axis.id,
            "term": self.term.id,
            "strengths": _strengths(self.axis),
            "strengths_then": _strengths(self.before),
            "rules": [{"on": rule.on.isoformat(), "because": rule.because} for rule in self.rules],
            "codings": [one.to_json() for one in self.codings],
            "readings": [{"reading": label, **cell.to_json()} for label, _, cell in self.readings],
            "second_codings": [one.to_json() for one in self.seconds],
        }


def _strengths(axis: Axis | None) -> Mapping[str, str]:
    return {strength.id: strength.definition for strength in axis.strengths} if axis else {}


@dataclass(frozen=True, slots=True)
class Succession:
    """A revised claim, and what changed in the terms that it asks about; `account` is what curators tell of it."""

    result: ClaimResult
    terms: tuple[TermChange, ...]

    @property
    def account(self) -> tuple[str, ...]:
        """The paragraphs of the claim's account."""
        text = self.result.claim.account or ""
        return tuple(" ".join(paragraph.split()) for paragraph in text.split("\n\n") if paragraph.strip())

    def to_json(self) -> dict[str, object]:
        """The published form."""
        return {"account": list(self.account), "terms": [one.to_json() for one in self.terms]}


def successions(corpus: Corpus) -> tuple[Succession, ...]:
    """Every claim that is revised on the day of the corpus."""
    names = [claim.id for claim in corpus.claims.claims if claim.revised and not claim.stands(corpus.day)]
    return of_results(check(corpus, names)) if names else ()


def of_results(found: ClaimResults) -> tuple[Succession, ...]:
    """Those of the results that are of a revised claim."""
    return tuple(_succession(one, found.pool) for one in found.results if one.status is ClaimStatus.REVISED)


def _succession(result: ClaimResult, pool: Pool) -> Succession:
    """What changed in the terms that a revised claim asks about, those alone in which a coding changed."""
    then = pool.as_of(result.claim.as_of)
    asked = {pair for query in then.queries(result.claim) for pair in query.terms}
    axes = pool.corpus.taxonomy.axes
    pairs = ((axis, term) for axis in axes for term in axis.terms if (axis.id, term.id) in asked)
    pools = [one for one in pools_to_compare(pool.corpus) if one[1].day != then.corpus.day]
    changes = (_term_change(axis, term, then.corpus, pool.corpus, pools) for axis, term in pairs)
    return Succession(result, tuple(change for change in changes if any(one.changed for one in change.codings)))


def _term_change(axis: Axis, term: Term, then: Corpus, now: Corpus, pools: Sequence[tuple[str, Corpus]]) -> TermChange:
    before = then.taxonomy.by_id.get(axis.id)
    known = before.history if before else ()
    codings = tuple(_codings(axis, term, then, now))
    return TermChange(
        axis,
        before,
        term,
        tuple(change for change in axis.history if change not in known),
        codings,
        term_readings([(f"as of {then.day}", then), *pools], axis, term),
        tuple(second_codings(axis, term, now, {one.paper.key for one in codings if one.now})),
    )


def _codings(axis: Axis, term: Term, then: Corpus, now: Corpus) -> Iterator[CodingChange]:
    """Strongest coding of today first, then those that are gone."""
    earlier, today = (dict(_tagged(pool, axis, term)) for pool in (then, now))
    papers = {paper.key: paper for pool in (then, now) for paper in pool.papers}
    seconds = second_cells(axis, term, now)
    codings = ((papers[key], name, earlier.get((key, name)), today.get((key, name))) for key, name in earlier | today)
    found = [
        CodingChange(
            paper,
            name,
            was,
            tag,
            _because(paper, axis, then),
            seconds.get(paper.key, ()),
            _read(paper, tag),
        )
        for paper, name, was, tag in codings
    ]
    rank = axis.rank
    found.sort(key=lambda one: (one.now is None, -rank.get((one.now and one.now.strength) or "", -1), one.paper.key))
    yield from found


def _tagged(pool: Corpus, axis: Axis, term: Term) -> Iterator[tuple[tuple[str, str], Tag]]:
    return (((paper.key, tag.term), tag) for paper, tag in pool.coded(axis.id, axis.family[term.id]))


def _because(paper: Paper, axis: Axis, then: Corpus) -> str | None:
    field = f"tags.{axis.id}"
    later = [entry for entry in paper.history if entry.field == field and (then.day is None or entry.on > then.day)]
    return max(later, key=lambda entry: entry.on).because if later else None


def _read(paper: Paper, tag: Tag | None) -> tuple[str, ...]:
    own = what_was_read(tag.source) if tag else ()
    in_full = any(FULL_TEXT in what_was_read(other.source) for tags in paper.tags.values() for other in tags)
    return (FULL_TEXT, *(kind for kind in own if kind not in {FULL_TEXT, "paper"})) if own and in_full else own
