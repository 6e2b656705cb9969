"""The class `Survey`: records as DataFrames, and results of analyses as values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from awesome_cli.analysis.audit.report import AuditResult, find
from awesome_cli.analysis.claims import report as claims_report
from awesome_cli.analysis.claims import results
from awesome_cli.analysis.diff import report as diff_report
from awesome_cli.analysis.diff.comparison import CorpusDiff, compare
from awesome_cli.analysis.flow import Flow, flow
from awesome_cli.analysis.gaps import report as gaps_report
from awesome_cli.analysis.gaps.cells import GapMap, gap_map
from awesome_cli.analysis.statistics import counts, frames
from awesome_cli.errors import UsageError
from awesome_cli.files.git import GitTree
from awesome_cli.files.tree import PARTS, FileTree, WorkingTree
from awesome_cli.files.writing import nearest
from awesome_cli.formats import exporting
from awesome_cli.publish.plots.kinds import unknown_kinds
from awesome_cli.reports.findings import Finding
from awesome_cli.rules import checking
from awesome_cli.rules.preconditions import require_usable
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus
from awesome_cli.survey.readings import reading_of

if TYPE_CHECKING:
    import pandas as pd

    from awesome_cli.publish.site.page import SitePage

REPORTS = (claims_report, diff_report, gaps_report)
"""Modules that register the reports of answers when they are imported."""


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

    Answers (`statistics`, `gaps`, `claims`, `audit`, `flow`, `diff`) are values with `to_report()`, the report of the
    command line, and `to_frame()`, the first table of its CSV as a DataFrame. Notebooks show them as their report.
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

        Raises `UsageError` for an invalid folder or date, `SurveyError` if the survey is missing or a record or the
        taxonomy cannot be read, `GitError` for an unknown revision.

        >>> Survey.open("coffee")
        Survey('How Coffee Is Brewed', 4 papers)
        >>> Survey.open("coffee", as_of="2026-03-01").papers().index.tolist()
        ['aero2020', 'drip2021', 'siphon2019']
        """
        root = nearest(Path(path))
        day = _day(as_of)
        corpus = require_usable(load_corpus(_tree(root, rev), candidates=True, evidence=True))
        return cls(root, (corpus if day is None else corpus.as_of(day)).with_known_tags()[0], rev)

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
        return frames.papers(self.corpus.where(query))

    def exclusions(self, query: str | None = None) -> "pd.DataFrame":
        """Return one row per matching exclusion; the index is `key`.

        Columns: `title`, `authors` (tuple), `year` (Int64), `stage`, `reason`, `source`, `query_family`, `screened`
        (the day), `near_miss` (tuple of `axis=term`), `url`. A stage or reason that is `unspecified` is missing.

        >>> Survey.open("coffee").exclusions("reason=tea").near_miss.loc["X1"]
        ('taste=umami',)
        """
        return frames.exclusions(self.corpus.where(query, "exclusions"))

    def candidates(self, query: str | None = None) -> "pd.DataFrame":
        """Return one row per matching candidate; the index is `key`. With `as_of` the frame is empty.

        Columns: as in `papers`, with `proposal` (exclude < consider < retain), `stage`, `reason` and `confidence`
        before the axes. Analyses do not count candidates.

        >>> Survey.open("coffee").candidates().proposal["salt2026"]
        'retain'
        """
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
        return frames.codings(self.corpus.where(query))

    def measures(self, query: str | None = None) -> "pd.DataFrame":
        """Return one row per recorded measure of a matching paper; the index is a counter.

        Columns: `key`, `measure`, `value` (float64, in `unit`; NaN where the paper reports none), `unit` (as the
        taxonomy names it), `confidence`, `basis`, `source`.

        >>> Survey.open("coffee").measures("device=press")[["value", "unit"]].to_dict("records")
        [{'value': 18.0, 'unit': 'grams'}]
        """
        return frames.measures(self.corpus.where(query))

    def crosstab(self, rows: str, columns: str, query: str | None = None) -> "pd.DataFrame":
        """Count papers by pairs of values (int64): every leaf term and `NA` (none) of both axes, including zeros.

        `rows` and `columns` are axes, or another name that `--by` of `awesome stats` takes; main codings count. A paper
        with several terms counts in each, so that sums may exceed the number of papers. Raises `UsageError` for
        another name.

        >>> int(Survey.open("coffee").crosstab("device", "beans").loc["press", "arabica"])
        1
        """
        return frames.crosstab(self.corpus.where(query), rows, columns)

    def statistics(self, by: Sequence[str] = (), query: str | None = None) -> counts.Stats:
        """Return the counts of `awesome stats`: totals, terms, strengths, exclusions, cross-tabs, as mappings to int.

        `by` adds tables: an axis (`"device"`) or two (`"device,beans"`). The frame has one row per count: `table`,
        `row`, `column` (of a cross-tab), `n`.

        >>> Survey.open("coffee").statistics().counts["device"]
        {'press': 1, 'siphon': 1, 'drip': 2, 'cold': 0, 'NA': 0}
        """
        return counts.statistics(self.corpus, by=by, where=query)

    def gaps(self, query: str | None = None) -> GapMap:
        """Return the evidence gap map: `axes` has a cell per axis and term, `pairs` one per pair of axes and two terms.

        The frame has one row per cell: `cell`, `state`, `reason`, `covering` and `n` (papers that count, and all),
        `by_strength`, `contested`, `keys`, `parts`, `near` (near-misses), `coded`, `uncoded`, `listed`, `total`.

        >>> cell = Survey.open("coffee").gaps().axes["taste"]["sour"]
        >>> cell.state.value, cell.why, cell.keys
        ('gap', 'weaker evidence only', ('aero2020', 'drip2021'))
        """
        return gap_map(self.corpus.where(query))

    def claims(self, reading: str | None = None, grade: str | None = None) -> results.ClaimResults:
        """Check the claims of `claims.yaml`, each as of its own date; no results without that file.

        `reading` is `"strict"` or `"generous"`: apply contests, optionally only those of a `grade` or above. Raises
        `UsageError` for another word, `SurveyError` for a claim that cannot be evaluated.

        The frame has one row per expectation: `claim`, `status`, `expected`, `observed`, `holds`, `contested`,
        `ended_by` (candidates that would end the claim), `keys`, `statement`.

        >>> Survey.open("coffee").claims().hold
        True
        """
        return results.check(self.corpus, reading=reading_of(self.corpus.taxonomy, reading, grade))

    def audit(self, name: str | None = None) -> AuditResult:
        """Return the agreement of the two coders of an audit [default: the latest], as in `awesome audit report`.

        The frame has one row per group of papers (`cells`) and `column`: `n`, `agree`, `percent`, `kappa`, `alpha`,
        `ac1`, each with the ends of its interval (`percent_low`, `percent_high`). Raises `UsageError` for another name.
        """
        return AuditResult.of(self.corpus, find(self.corpus, name))

    def flow(self) -> Flow:
        """Return the screening flow: boxes of records audited, screened out by stage and reason, and retained.

        The frame has one row per box, and one per reason in a box: `box`, `label`, `reason`, `n`.

        >>> Survey.open("coffee").flow()
        Flow(audited=6, retained=4)
        """
        return flow(self.corpus)

    def diff(self, other: "Survey") -> CorpusDiff:
        """Compare this survey with a later one: records, counts, cells of the evidence gap map, claims.

        The frame has one row per change: `what`, `key`, `kind`, `before`, `after`, `change`, `keys`, `text`.

        >>> change = Survey.open("coffee", as_of="2026-03-01").diff(Survey.open("coffee"))
        >>> [entry.key for entry in change.added]
        ['X2', 'salt2026', 'soup2022']
        """
        return compare(self.corpus, other.corpus, (_state(self), _state(other)))

    def check(self) -> tuple[Finding, ...]:
        """Return the findings of `awesome validate`, for the present files or those at `rev`.

        >>> Survey.open("coffee").check()
        ()
        """
        return checking.check(_tree(self.root, self.rev), also=unknown_kinds)

    def export(self, form: str, query: str | None = None) -> str:
        """Export the matching papers as text, in a format of `awesome export`.

        Raises `UsageError` for an unknown format, and for one with several files.

        >>> Survey.open("coffee").export("bibtex", "key=aero2020").splitlines()[0]
        '@article{bean2020,'
        """
        text = exporting.export(form, exporting.select(self.corpus, query))
        if not isinstance(text, str):
            hint = f"write them with 'awesome export {form} --out DIR'"
            raise UsageError(f"{form} consists of several files", hint=hint)
        return text

    def readme(self, text: str) -> str:
        """Fill the marked sections of a README; templates in the survey's folder override the defaults."""
        from awesome_cli.publish import readme

        return readme.render(text, self.corpus, self.root)

    def site(self, base: str | None = None) -> Iterator["SitePage"]:
        """Yield the pages of the survey's site, without writing them; `base` is the URL of the site, if known."""
        from awesome_cli.publish import site

        return site.pages(self.corpus, self.root, base=base)


def _tree(root: Path, rev: str | None) -> FileTree:
    return WorkingTree(root) if rev is None else GitTree(root, rev, PARTS)


def _state(survey: Survey) -> str:
    return str(survey.corpus.day or survey.rev or survey.root.resolve().name)


def _day(text: date | str | None) -> date | None:
    try:
        return date.fromisoformat(text) if isinstance(text, str) else text
    except ValueError:
        raise UsageError(f"{text!r} is not a valid date", hint="write the date as YYYY-MM-DD") from None
