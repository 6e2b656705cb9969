"""Answers what `awesome gaps` is asked: about the whole map, an axis, a term or a pair of axes."""

from awesome_cli.analysis.gaps import gap_report, term_report
from awesome_cli.analysis.gaps.cells import GapMap, gap_map, term_cell
from awesome_cli.errors import UsageError
from awesome_cli.model.codings import split_axis, which_axis
from awesome_cli.model.taxonomy import Axis, Map, Term
from awesome_cli.reports.report import Report
from awesome_cli.survey.corpus import Corpus


def answer(
    corpus: Corpus, name: str | None, *, rows: str | None = None, columns: str | None = None
) -> tuple[GapMap, Report]:
    """The map that a question is about, and its report.

    `name` is an axis, a term (an id, a code, or `axis=term`) or None for the whole map; `rows` and `columns`
    name a pair of axes instead. Raises `UsageError` for a name that the taxonomy does not know.
    """
    by_id = corpus.taxonomy.by_id
    if rows is not None or columns is not None:
        pair = Map(rows=_axis(corpus, rows).id, columns=_axis(corpus, columns).id)
        declared = next((m for m in corpus.taxonomy.maps if m.name == pair.name), pair)
        gaps = gap_map(corpus, axes=(), pairs=(declared,))
        return gaps, gap_report.to_report(gaps)
    if name is None:
        gaps = gap_map(corpus)
        return gaps, gap_report.to_report(gaps)
    if name in by_id:
        gaps = gap_map(corpus, axes=(name,), pairs=())
        return gaps, gap_report.to_report(gaps)
    axis, term = find_term(corpus, name)
    gaps = GapMap(corpus, {axis.id: {term.id: term_cell(corpus, axis, term)}}, {})
    return gaps, term_report.term_report(gaps, axis, term)


def _axis(corpus: Corpus, name: str | None) -> Axis:
    if not name:
        raise UsageError(
            "a pair needs two axes", hint=f"write --by AXIS,AXIS; axes: {', '.join(corpus.taxonomy.by_id)}"
        )
    return corpus.taxonomy.axis(name)


def find_term(corpus: Corpus, name: str) -> tuple[Axis, Term]:
    """The axis and term that an id, a code or `axis=term` means; raises `UsageError` otherwise."""
    taxonomy = corpus.taxonomy
    axis_id, word = split_axis(name)
    if word is not None:
        axis = taxonomy.axis(axis_id)
        return axis, axis.term(word)
    axes = taxonomy.axes_with(name)
    if len(axes) > 1:
        raise UsageError(f"{name!r} stands on {len(axes)} axes", hint=which_axis(axes, name))
    if not axes:
        raise taxonomy.unknown_term(name)
    axis = taxonomy.by_id[axes[0]]
    return axis, axis.term(name)
