"""What second coders gave for a term: paper by paper, and how often as the first coder."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass

from awesome_cli.analysis.audit import agreement
from awesome_cli.analysis.audit.coefficients import kappa
from awesome_cli.model.audits import NA, Audit
from awesome_cli.model.taxonomy import Axis, Term
from awesome_cli.survey.corpus import Corpus


@dataclass(frozen=True, slots=True)
class SecondCell:
    """What a second coder gave for a paper and a term: a strength, `yes`, or `NA`; `blind` as in the audit."""

    audit: str
    value: str
    blind: bool | None


@dataclass(frozen=True, slots=True)
class CellsAlike:
    """On how many of `n` cells two coders agree; `kappa` is None where it is not defined or a paper was not blind."""

    cells: str
    column: str
    n: int
    agree: int
    kappa: float | None


@dataclass(frozen=True, slots=True)
class SecondCoding:
    """An audit that covers the term's axis; `alone` are `(key, value)` of the term where the records have none."""

    audit: Audit
    rows: tuple[CellsAlike, ...]
    alone: tuple[tuple[str, str], ...]

    def to_json(self) -> dict[str, object]:
        """The published form."""
        return {
            "audit": self.audit.key,
            "note": self.audit.note,
            "rows": [asdict(row) for row in self.rows],
            "second_alone": [{"key": key, "value": value} for key, value in self.alone],
        }


def _audits(axis: Axis, corpus: Corpus) -> Iterator[Audit]:
    return (audit for audit in corpus.audits if axis.id in audit.columns)


def second_cells(axis: Axis, term: Term, corpus: Corpus) -> Mapping[str, tuple[SecondCell, ...]]:
    """By paper, what each audit that covers the axis has for a term."""
    found: dict[str, tuple[SecondCell, ...]] = {}
    for audit in _audits(axis, corpus):
        blind = {coding.key: coding.blind for coding in reversed(audit.codings)}
        for key, value in _column(audit, axis, term, corpus).items():
            own = blind.get(key)
            cell = SecondCell(audit.key, value, audit.blind if own is None else own)
            found[key] = (*found.get(key, ()), cell)
    return found


def _name(axis: Axis, term: Term) -> str:
    return axis.id if axis.kind == "one" else f"{axis.id}={term.id}"


def _column(audit: Audit, axis: Axis, term: Term, corpus: Corpus) -> Mapping[str, str]:
    """What the second coder gave, by paper; on an axis of kind one, the main term."""
    found = agreement.columns(audit, corpus.taxonomy).get(_name(axis, term))
    return {key: second for key, _, second in found.pairs} if found else {}


def second_codings(axis: Axis, term: Term, corpus: Corpus, coded: Collection[str]) -> Iterator[SecondCoding]:
    """Each audit that covers the axis; `coded` are the papers that have the term in the records."""
    for audit in _audits(axis, corpus):
        given = _column(audit, axis, term, corpus)
        has = {term.id} if axis.kind == "one" else set(given.values()) - {NA}
        alone = sorted((value, key) for key, value in given.items() if value in has and key not in coded)
        yield SecondCoding(audit, tuple(_alike(audit, axis, term, corpus)), tuple((key, value) for value, key in alone))


def _alike(audit: Audit, axis: Axis, term: Term, corpus: Corpus) -> Iterator[CellsAlike]:
    """The cells of the term and those of the whole axis, all of them and by group."""
    names = dict.fromkeys((_name(axis, term), axis.id if axis.kind == "one" else f"{axis.id}=*"))
    for group in (None, *audit.subsets):
        columns = agreement.columns(audit, corpus.taxonomy, group)
        label = audit.subsets[group].label if group else "all cells"
        for name in names:
            column = columns[name]
            if column.n:
                yield CellsAlike(label, name, column.n, column.agree, None if audit.seen else kappa(column.values))
