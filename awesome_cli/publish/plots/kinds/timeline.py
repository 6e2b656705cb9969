"""The growth of the literature in the pool."""

import re
from bisect import bisect_left, bisect_right
from calendar import monthrange
from datetime import date

from awesome_cli.model.appearance import Plot
from awesome_cli.model.records import Paper
from awesome_cli.publish.plots.axes import chosen_axis, label, last_day
from awesome_cli.publish.plots.figures import Curves
from awesome_cli.publish.plots.kinds import plot_kind
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.numbers import counted

ARXIV = re.compile(r"(?:[a-z.-]+/)?(\d\d)(\d\d)")
"""The year and the month in which an arXiv identifier was given (info.arxiv.org/help/arxiv_identifier.html)."""
APPEARS = "A paper appears in the month of its arXiv identifier, else at the end of its year, before it was added."
EARLY = 20
"""The curves begin in the year by which one paper in so many had appeared."""
FIRST_OF_ARXIV = 91
"""The service began in 1991: identifiers with lower years are of this century."""


@plot_kind("rows")
def timeline(corpus: Corpus, plot: Plot) -> Curves:
    """Papers of the pool that had appeared by each day, all or by the terms of an axis, with the survey's cutoff."""
    appeared = {paper.key: day for paper in corpus.papers if (day := first_public(paper)) is not None}
    until = last_day(corpus)
    axis = chosen_axis(corpus, plot.rows, None) if plot.rows else None
    groups: list[tuple[str, list[Paper]]] = [("all papers", list(corpus.papers))]
    if axis is not None:
        families = ((label(term), axis.family[term.id]) for term in axis.terms)
        groups = [
            (name, [paper for paper in corpus.papers if any(tag.term in family for tag in paper.tags_on(axis.id))])
            for name, family in families
        ]
    every = sorted(map(as_year, appeared.values()))
    first = float(int(every[len(every) // EARLY])) if every else 0.0
    before = bisect_left(every, first)
    lines = []
    for name, papers in groups:
        days = sorted(as_year(appeared[paper.key]) for paper in papers if paper.key in appeared)
        start = max(first, days[0]) if days else first
        steps = sorted({start, *(day for day in days if day > start), *([as_year(until)] if until else [])})
        lines.append((name, tuple((at, float(bisect_right(days, at))) for at in steps)))
    top = max((points[-1][1] for _, points in lines if points), default=0.0)
    cutoff = corpus.taxonomy.survey.cutoff
    at = as_year(cutoff) if cutoff else 0
    marks = ((f"cutoff {cutoff}", ((at, 0.0), (at, top))),) if cutoff and lines[0][1] else ()
    missing = len(corpus.papers) - len(appeared)
    note = APPEARS
    if before and axis is None:
        note += f" {counted(before, 'paper')} appeared before {first:.0f}."
    if missing:
        note += f" {counted(missing, 'paper')} without a year left out."
    title = plot.label or ("Papers by " + axis.label.lower() if axis else "Papers of the pool") + ", cumulative"
    return Curves(title, "Year of first appearance", "Papers", tuple(lines), marks, note, shares=False)


def first_public(paper: Paper) -> date | None:
    """The last day of the time in which the paper appeared, as far as its record tells; None without a year."""
    found = ARXIV.match(paper.identifiers.arxiv or "")
    year, month = paper.year, 12
    if found and 1 <= int(found[2]) <= 12:
        short = int(found[1])
        year, month = (1900 if short >= FIRST_OF_ARXIV else 2000) + short, int(found[2])
    return min(date(year, month, monthrange(year, month)[1]), paper.added) if year else None


def as_year(day: date) -> float:
    """A day as its year with the fraction that has passed by its end, in thousandths."""
    return round(day.year + day.timetuple().tm_yday / (366 if monthrange(day.year, 2)[1] == 29 else 365), 3)
