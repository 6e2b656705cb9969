"""Papers per year."""

from collections import Counter
from collections.abc import Callable

from awesome_cli.model.appearance import Plot
from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import NA, Axis, Term
from awesome_cli.publish.plots.axes import chosen_axis, label, last_day
from awesome_cli.publish.plots.figures import Bars
from awesome_cli.publish.plots.kinds import plot_kind
from awesome_cli.survey.corpus import Corpus

FEW = 2
"""Empty years in a row that are shown; more of them are left out, and the place is marked."""
MANY = "A paper with several terms is in several panels."
LEFT_OUT = "//: years without a paper are left out."


@plot_kind("rows")
def years(corpus: Corpus, plot: Plot) -> Bars:
    """Papers per year by the terms of an axis: stacked, or a panel for each term where a paper can have several."""
    readme = corpus.taxonomy.readme
    axis = chosen_axis(corpus, plot.rows, readme.group_by if readme else None)
    many = axis.kind == "many"
    dated = [paper for paper in corpus.papers if paper.year]
    shown = _shown({paper.year or 0 for paper in dated})
    series = []
    for name, has in ((label(term), _test(axis, term, many=many)) for term in axis.terms):
        counts = Counter(paper.year for paper in dated if has(paper))
        series.append((name, tuple(counts[year] for year in shown)))
    without = Counter(paper.year for paper in dated if not paper.tags_on(axis.id))
    series.append((NA, tuple(without[year] for year in shown)))
    # A panel without a bar says that nobody has the term; a stack without one says nothing.
    kept = tuple((name, counts) for name, counts in series if any(counts) or (many and name != NA))
    breaks = tuple(i for i, year in enumerate(shown) if i and year > shown[i - 1] + 1)
    until = last_day(corpus)
    unended = until is not None and shown[-1:] == [until.year] and (until.month, until.day) != (12, 31)
    partial = str(shown[-1]) if unended else ""
    notes = (MANY if many else "", LEFT_OUT if breaks else "", f"* {partial} until {until}." if partial else "")
    title = plot.label or f"Papers per year by {axis.label.lower()}"
    note = " ".join(filter(None, notes))
    return Bars(title, "Year of publication", "Papers", tuple(map(str, shown)), kept, note, many, breaks, partial)


def _test(axis: Axis, term: Term, *, many: bool) -> Callable[[Paper], bool]:
    """Whether a paper counts for a term: where it can count for several, with any term below; else by its main one."""
    if not many:
        return lambda paper: [tag.term for tag in paper.tags_on(axis.id)[:1]] == [term.id]
    return lambda paper: any(tag.term in axis.family[term.id] for tag in paper.tags_on(axis.id))


def _shown(with_papers: set[int]) -> list[int]:
    """The years from the first to the last, without empty ones where more than a few follow each other."""
    found: list[int] = []
    for year in sorted(with_papers):
        if found and year - found[-1] <= FEW + 1:
            found += range(found[-1] + 1, year)
        found.append(year)
    return found
