"""The class `Survey`: records as DataFrames, and results of analyses as values."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from awesome_cli.analysis.gaps.cells import GapMap, gap_map
from awesome_cli.api import functions
from awesome_cli.errors import UsageError
from awesome_cli.files.writing import nearest
from awesome_cli.reports.findings import Finding
from awesome_cli.survey.corpus import Corpus

if TYPE_CHECKING:
    import pandas as pd

    from awesome_cli.analysis.claims.results import ClaimResults
    from awesome_cli.analysis.diff.comparison import CorpusDiff
    from awesome_cli.analysis.statistics.counts import Stats


@dataclass(frozen=True, eq=False, repr=False)
class Survey:
    """A read-only snapshot of a survey; later changes of its files have no effect.

    Create one with `Survey.open`. A `query` uses the query language (`awesome explain query`); None selects all
    records, and an invalid query raises `UsageError`.

    Types of columns: text is `str`, dates are `datetime64[s]`, missing values are `NaN`, `NaT` or `<NA>`. Axes of kind
    `one`, strengths, confidences, grades, stages and reasons are ordered categoricals with all words of the taxonomy in
    its order, so that sorting and counting follow the taxonomy and include unused words. Words that the taxonomy does
    not define are missing values (`check` reports them). Axes of kind `many` contain tuples of terms; use `explode` to
    get a row for each.
    """

    root: Path
    """The survey's folder."""
    corpus: Corpus
    """The taxonomy and all records."""
    rev: str | None = None
    """The git revision; None for the working tree."""

    @classmethod
    def open(cls, path: str | Path = ".", rev: str | None = None, as_of: date | str | None = None) -> "Survey":
        """Load the survey of a folder or its nearest parent, from files or a git revision.

        `as_of` is a date or a text such as `"2026-03-01"`: the pool of that date, without later records and codings.

        Raises `UsageError` for an invalid folder or date, `SurveyError` if there is no survey or a record or the
        taxonomy cannot be read, `GitError` for an unknown revision.

        >>> Survey.open("coffee")
        Survey('How Coffee Is Brewed', 4 papers)
        >>> Survey.open("coffee", as_of="2026-03-01").papers().index.tolist()
        ['aero2020', 'drip2021', 'siphon2019']
        """
        root = nearest(Path(path))
        corpus = functions.load_corpus(root, rev, as_of=_day(as_of)).with_known_tags()[0]
        return cls(root, corpus, rev)

    def __repr__(self) -> str:
        state = [f"as of {self.corpus.day}"] if self.corpus.day else []
        state += [f"at {self.rev}"] if self.rev else []
        return f"Survey({', '.join([repr(self.title), f'{len(self.corpus.papers)} papers', *state])})"

    @property
    def title(self) -> str:
        """The title of the survey."""
        return self.corpus.taxonomy.survey.title

    def papers(self, query: str | None = None) -> "pd.DataFrame":
        """Return one row per matching paper of the pool, sorted by key; the index is `key`.

        Columns: `title`, `authors` (tuple), `year` (Int64), `venue`, `added` (the day it joined the pool), `arxiv`,
        `doi`, `url`, then one per axis, named by its id: the term of the main coding, or a tuple of them on an axis of
        the kind `many`. Terms coded as a part are only in `codings()`.

        >>> survey = Survey.open("coffee")
        >>> survey.papers("taste=sour").device.tolist()
        ['press', 'drip']
        >>> survey.papers().sort_values("device", ascending=False).index[0]
        'drip2021'
        """
        from awesome_cli.analysis.statistics import frames

        return frames.papers(self.corpus.where(query))

    def exclusions(self, query: str | None = None) -> "pd.DataFrame":
        """Return one row per matching exclusion; the index is `key`.

        Columns: `title`, `authors` (tuple), `year` (Int64), `stage`, `reason`, `source`, `query_family`, `screened`
        (the day), `near_miss` (tuple of `axis=term`), `url`. A stage or reason that is `unspecified` is missing.

        >>> Survey.open("coffee").exclusions("reason=tea").near_miss.loc["X1"]
        ('taste=umami',)
        """
        from awesome_cli.analysis.statistics import frames

        return frames.exclusions(self.corpus.where(query, "exclusions"))

    def candidates(self, query: str | None = None) -> "pd.DataFrame":
        """Return one row per matching candidate; the index is `key`. With `as_of` the frame is empty.

        Columns: as in `papers`, with `proposal` (exclude < consider < retain), `stage`, `reason` and `confidence`
        before the axes. Analyses do not count candidates.

        >>> Survey.open("coffee").candidates().proposal["salt2026"]
        'retain'
        """
        from awesome_cli.analysis.statistics import frames

        return frames.candidates(self.corpus.where(query, "candidates"))

    def codings(self, query: str | None = None) -> "pd.DataFrame":
        """Return one row per coding of the matching papers, including parts; the index is a counter.

        Columns: `key`, `axis`, `term`, `strength` (weak to strong), `part` (bool: a further coding beside the main
        one), `confidence`, `contested` (the grade of the contest), `evidence`, `direction` (`for` or `against` the
        coding), `source`. Terms and strengths of several axes share one order that keeps that of each axis; compare
        them within one axis. Where axes contradict each other (`low`, `high` on one and `high`, `low` on another), the
        column is a categorical without an order.

        >>> codings = Survey.open("coffee").codings()
        >>> codings[(codings.axis == "taste") & (codings.strength >= "tasted")].key.tolist()
        ['aero2020', 'aero2020', 'drip2021', 'siphon2019']
        """
        from awesome_cli.analysis.statistics import frames

        return frames.codings(self.corpus.where(query))

    def measures(self, query: str | None = None) -> "pd.DataFrame":
        """Return one row per recorded measure of a matching paper; the index is a counter.

        Columns: `key`, `measure`, `value` (float64, in `unit`; NaN where the paper reports none), `unit` (as the
        taxonomy names it), `confidence`, `basis`, `source`.

        >>> Survey.open("coffee").measures("device=press")[["value", "unit"]].to_dict("records")
        [{'value': 18.0, 'unit': 'grams'}]
        """
        from awesome_cli.analysis.statistics import frames

        return frames.measures(self.corpus.where(query))

    def crosstab(self, rows: str, columns: str, query: str | None = None) -> "pd.DataFrame":
        """Count papers by pairs of values (int64): every leaf term and `NA` (none) of both axes, including zeros.

        `rows` and `columns` are axes, or another name that `--by` of `awesome stats` takes; main codings count. A paper
        with several terms counts in each, so that sums may exceed the number of papers. Raises `UsageError` for
        another name.

        >>> int(Survey.open("coffee").crosstab("device", "beans").loc["press", "arabica"])
        1
        """
        return functions.crosstab(self.corpus.where(query), rows, columns)

    def statistics(self, by: Sequence[str] = (), query: str | None = None) -> "Stats":
        """Return the counts of `awesome stats`: totals, terms, strengths, exclusions, cross-tabs, as mappings to int.

        `by` adds tables: an axis (`"device"`) or two (`"device,beans"`).

        >>> Survey.open("coffee").statistics().counts["device"]
        {'press': 1, 'siphon': 1, 'drip': 2, 'cold': 0, 'NA': 0}
        """
        return functions.statistics(self.corpus, by=by, where=query)

    def gaps(self, query: str | None = None) -> GapMap:
        """Return the evidence gap map: `axes` has a cell per axis and term, `pairs` one per pair of axes and two terms.

        >>> cell = Survey.open("coffee").gaps().axes["taste"]["sour"]
        >>> cell.state.value, cell.why, cell.keys
        ('gap', 'weaker evidence only', ('aero2020', 'drip2021'))
        """
        return gap_map(self.corpus.where(query))

    def claims(self, reading: str | None = None, grade: str | None = None) -> "ClaimResults":
        """Check the claims of `claims.yaml`, each as of its own date; no results without that file.

        `reading` is `"strict"` or `"generous"`: apply contests, optionally only those of a `grade` or above. Raises
        `UsageError` for another word, `SurveyError` for a claim that cannot be evaluated.

        >>> Survey.open("coffee").claims().hold
        True
        """
        return functions.evaluate_claims(self.corpus, reading=reading, grade=grade)

    def diff(self, other: "Survey") -> "CorpusDiff":
        """Compare this survey with a later one: records, counts, cells of the evidence gap map, claims.

        >>> change = Survey.open("coffee", as_of="2026-03-01").diff(Survey.open("coffee"))
        >>> [entry.key for entry in change.added]
        ['X2', 'salt2026', 'soup2022']
        """
        return functions.compare(self.corpus, other.corpus, (_state(self), _state(other)))

    def check(self) -> tuple[Finding, ...]:
        """Return the findings of `awesome validate`, for the present files or those at `rev`.

        >>> Survey.open("coffee").check()
        ()
        """
        return functions.check(self.root, self.rev)

    def export(self, form: str, query: str | None = None) -> str:
        """Export the matching papers as text, in a format of `awesome export`.

        Raises `UsageError` for an unknown format, and for one with several files.

        >>> Survey.open("coffee").export("bibtex", "key=aero2020").splitlines()[0]
        '@article{bean2020,'
        """
        return functions.export(self.corpus, form, query)


def _state(survey: Survey) -> str:
    return str(survey.corpus.day or survey.rev or survey.root.resolve().name)


def _day(text: date | str | None) -> date | None:
    try:
        return date.fromisoformat(text) if isinstance(text, str) else text
    except ValueError:
        raise UsageError(f"{text!r} is not a valid date", hint="write the date as YYYY-MM-DD") from None
