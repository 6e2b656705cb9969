"""A survey as one value: its records as DataFrames, and the answers of the command line as values."""

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
    """A survey as it was read: nothing here writes, and files that change later change nothing in it.

    Make one with `Survey.open`. Wherever a method takes a `query`, it is one of the query language (`awesome explain
    query`), None stands for all records, and one that cannot be read raises `UsageError`.

    Frames share these types. Text is `str`, days are `datetime64[s]`, and `NaN`, `NaT` or `<NA>` stand for what is not
    recorded. An axis of the kind `one`, a strength, a confidence, a grade, a stage or a reason is an ordered
    categorical over all words of the taxonomy in its order, so that sorting, comparing and counting follow the
    taxonomy and show what never occurs; a word that the taxonomy does not know is missing (`check` names it).
    An axis of the kind `many` has tuples of terms; `explode` gives a row for each.
    """

    root: Path
    """The survey's folder."""
    corpus: Corpus
    """What was read: the taxonomy and every record as values."""
    rev: str | None = None
    """The git revision that was read; None for the files."""

    @classmethod
    def open(cls, path: str | Path = ".", rev: str | None = None, as_of: date | str | None = None) -> "Survey":
        """The survey in a folder or in the nearest one above it, as files or at a git revision, as of a day.

        `as_of` is a date or text such as `"2026-03-01"`: the pool of that day, without later records and codings.

        Raises `UsageError` for a folder or day that is none, `SurveyError` where there is no survey, or where its
        taxonomy or one of its records cannot be read, `GitError` for a revision that git does not know.

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
        """One row per paper of the pool that matches, in the order of their keys; the index is `key`.

        Columns: `title`, `authors` (tuple), `year` (Int64), `venue`, `added` (the day it joined the pool), `arxiv`,
        `doi`, `url`, then one per axis, named by its id: the term of the main coding, or a tuple of them on an axis of
        the kind `many`. Parts are in `codings` alone.

        >>> survey = Survey.open("coffee")
        >>> survey.papers("taste=sour").device.tolist()
        ['press', 'drip']
        >>> survey.papers().sort_values("device", ascending=False).index[0]
        'drip2021'
        """
        from awesome_cli.analysis.statistics import frames

        return frames.papers(self.corpus.where(query))

    def exclusions(self, query: str | None = None) -> "pd.DataFrame":
        """One row per record that was screened out and matches; the index is `key`.

        Columns: `title`, `authors` (tuple), `year` (Int64), `stage`, `reason`, `source`, `query_family`, `screened`
        (the day), `near_miss` (tuple of `axis=term`), `url`. A stage or reason that is `unspecified` is missing.

        >>> Survey.open("coffee").exclusions("reason=tea").near_miss.loc["X1"]
        ('taste=umami',)
        """
        from awesome_cli.analysis.statistics import frames

        return frames.exclusions(self.corpus.where(query, "exclusions"))

    def candidates(self, query: str | None = None) -> "pd.DataFrame":
        """One row per candidate that matches; the index is `key`. As of an earlier day there are none.

        Columns: as in `papers`, with `proposal` (exclude < consider < retain), `stage`, `reason` and `confidence`
        before the axes. Candidates count nowhere.

        >>> Survey.open("coffee").candidates().proposal["salt2026"]
        'retain'
        """
        from awesome_cli.analysis.statistics import frames

        return frames.candidates(self.corpus.where(query, "candidates"))

    def codings(self, query: str | None = None) -> "pd.DataFrame":
        """One row per coding of the papers that match, parts included; the index counts the rows.

        Columns: `key`, `axis`, `term`, `strength` (weak to strong), `part` (bool: a further coding beside the main
        one), `confidence`, `contested` (the grade of the contest), `evidence`, `source`. Terms and strengths of several
        axes share one order that keeps that of each axis; compare them within one axis. Where axes contradict each
        other (`low`, `high` on one and `high`, `low` on another), the column is a categorical without an order.

        >>> codings = Survey.open("coffee").codings()
        >>> codings[(codings.axis == "taste") & (codings.strength >= "tasted")].key.tolist()
        ['aero2020', 'aero2020', 'drip2021', 'siphon2019']
        """
        from awesome_cli.analysis.statistics import frames

        return frames.codings(self.corpus.where(query))

    def measures(self, query: str | None = None) -> "pd.DataFrame":
        """One row per measure that was looked for in a paper that matches; the index counts the rows.

        Columns: `key`, `measure`, `value` (float64, in `unit`; NaN where the paper reports none), `unit` (as the
        taxonomy names it), `confidence`, `basis`, `source`.

        >>> Survey.open("coffee").measures("device=press")[["value", "unit"]].to_dict("records")
        [{'value': 18.0, 'unit': 'grams'}]
        """
        from awesome_cli.analysis.statistics import frames

        return frames.measures(self.corpus.where(query))

    def crosstab(self, rows: str, columns: str, query: str | None = None) -> "pd.DataFrame":
        """How many papers have each pair of values: int64, every leaf term and `NA` (none) of both, zeros included.

        `rows` and `columns` are axes, or another name that `--by` of `awesome stats` takes; main codings count. A paper
        with several terms counts in each, so that sums may exceed the number of papers. Raises `UsageError` for
        another name.

        >>> int(Survey.open("coffee").crosstab("device", "beans").loc["press", "arabica"])
        1
        """
        return functions.crosstab(self.corpus.where(query), rows, columns)

    def statistics(self, by: Sequence[str] = (), query: str | None = None) -> "Stats":
        """The counts of `awesome stats`: totals, terms, strengths, exclusions and cross-tabs, as mappings to int.

        `by` asks for tables besides: an axis (`"device"`) or two (`"device,beans"`).

        >>> Survey.open("coffee").statistics().counts["device"]
        {'press': 1, 'siphon': 1, 'drip': 2, 'cold': 0, 'NA': 0}
        """
        return functions.statistics(self.corpus, by=by, where=query)

    def gaps(self, query: str | None = None) -> GapMap:
        """The evidence-gap map: `axes` gives a cell per axis and term, `pairs` one per pair of axes and two terms.

        >>> cell = Survey.open("coffee").gaps().axes["taste"]["sour"]
        >>> cell.state.value, cell.why, cell.keys
        ('gap', 'weaker evidence only', ('aero2020', 'drip2021'))
        """
        return gap_map(self.corpus.where(query))

    def claims(self, reading: str | None = None, grade: str | None = None) -> "ClaimResults":
        """The answers to the claims of `claims.yaml`, each as of its own day; none without that file.

        `reading` is `"strict"` or `"generous"`: contested codings as challengers would code them, from a `grade` of
        contest on. Raises `UsageError` for another word, `SurveyError` for a claim that cannot be evaluated.

        >>> Survey.open("coffee").claims().hold
        True
        """
        return functions.evaluate_claims(self.corpus, reading=reading, grade=grade)

    def diff(self, other: "Survey") -> "CorpusDiff":
        """What changed from this survey to `other`: records, counts, cells of the gap map, answers to claims.

        >>> change = Survey.open("coffee", as_of="2026-03-01").diff(Survey.open("coffee"))
        >>> [entry.key for entry in change.added]
        ['X2', 'salt2026', 'soup2022']
        """
        return functions.compare(self.corpus, other.corpus, (_state(self), _state(other)))

    def check(self) -> tuple[Finding, ...]:
        """Every finding of `awesome validate`, of the files as they are now or at `rev`, in the order of their places.

        >>> Survey.open("coffee").check()
        ()
        """
        return functions.check(self.root, self.rev)

    def export(self, form: str, query: str | None = None) -> str:
        """The papers that match, as text in one of the formats of `awesome export`.

        Raises `UsageError` for an unknown format, and for one that is several files.

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
        raise UsageError(f"{text!r} is not a date", hint="write it as YYYY-MM-DD") from None
