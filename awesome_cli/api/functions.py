"""Functions of the public interface, on a corpus of `load_corpus`; the methods of `Survey` call most of them."""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from awesome_cli import errors
from awesome_cli.files.git import GitTree
from awesome_cli.files.tree import FileTree, WorkingTree
from awesome_cli.formats import exporting
from awesome_cli.publish.plots.kinds import unknown_kinds
from awesome_cli.reports.findings import Finding
from awesome_cli.rules import checking
from awesome_cli.rules.preconditions import require_usable
from awesome_cli.survey import loading
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import require_known

if TYPE_CHECKING:
    import pandas as pd

    from awesome_cli.analysis.claims.results import ClaimResults
    from awesome_cli.analysis.diff.comparison import CorpusDiff
    from awesome_cli.analysis.statistics.counts import Stats
    from awesome_cli.publish.site.page import SitePage
    from awesome_cli.traces.metrics import Measures
    from awesome_cli.traces.model import Trace
    from awesome_cli.traces.reading import Reading
    from awesome_cli.traces.replay import Replay


def _tree(root: str | Path, rev: str | None) -> FileTree:
    return WorkingTree(Path(root)) if rev is None else GitTree(Path(root), rev, loading.PARTS)


def load_corpus(root: str | Path = ".", rev: str | None = None, *, as_of: date | None = None) -> Corpus:
    """Load a survey from a folder or a git revision, optionally with the pool of a date.

    The corpus includes candidates (never counted), claims and audits. Raises `SurveyError` if a record or the taxonomy
    cannot be read.
    """
    corpus = require_usable(loading.load_corpus(_tree(root, rev), candidates=True, evidence=True))
    return corpus if as_of is None else corpus.as_of(as_of)


def check(root: str | Path = ".", rev: str | None = None) -> tuple[Finding, ...]:
    """Return all findings of a survey, sorted by file and line."""
    return checking.check(_tree(root, rev), also=unknown_kinds)


def papers_frame(corpus: Corpus) -> "pd.DataFrame":
    """Return a frame with one row per paper and one column per axis."""
    from awesome_cli.analysis.statistics import frames

    return frames.papers_frame(corpus)


def tags_frame(corpus: Corpus) -> "pd.DataFrame":
    """Return a frame with one row per coding: key, axis, term, strength, part, confidence, contested."""
    from awesome_cli.analysis.statistics import frames

    return frames.tags_frame(corpus)


def crosstab(corpus: Corpus, rows: str, columns: str) -> "pd.DataFrame":
    """Count papers by pairs of terms, including zeros."""
    from awesome_cli.analysis.statistics import frames

    return frames.crosstab(corpus, rows, columns)


def statistics(corpus: Corpus, *, by: Sequence[str] = (), where: str | None = None) -> "Stats":
    """Return totals, counts, strengths and cross-tabs, as in `awesome stats`."""
    from awesome_cli.analysis.statistics import counts

    return counts.statistics(corpus, by=by, where=where)


def export(corpus: Corpus, form: str, query: str | None = None) -> str:
    """Export the papers that match a query, in a format of `awesome export`."""
    text = exporting.export(form, exporting.select(corpus, query))
    if not isinstance(text, str):
        raise errors.UsageError(
            f"{form} consists of several files", hint=f"write them with 'awesome export {form} --out DIR'"
        )
    return text


def fill_readme(text: str, corpus: Corpus, root: str | Path = ".") -> str:
    """Fill the marked sections of a README; templates of the survey at `root` override the defaults."""
    from awesome_cli.publish import readme

    return readme.render(text, corpus, Path(root))


def evaluate_claims(corpus: Corpus, *, reading: str | None = None, grade: str | None = None) -> "ClaimResults":
    """Check the survey's claims, optionally in a `strict` or `generous` reading of contests of a grade or above."""
    from awesome_cli.analysis.claims import results
    from awesome_cli.survey.readings import reading_of

    return results.check(corpus, reading=reading_of(corpus.taxonomy, reading, grade))


def compare(before: Corpus, after: Corpus, names: tuple[str, str] = ("before", "after")) -> "CorpusDiff":
    """Compare two corpora: records, counts, cells of the evidence gap map, results."""
    from awesome_cli.analysis.diff import comparison

    return comparison.compare(before, after, names)


def build_site(corpus: Corpus, root: str | Path = ".", *, base: str | None = None) -> Iterator["SitePage"]:
    """Yield the pages of the survey's site without writing them."""
    from awesome_cli.publish import site

    return iter(site.pages(corpus, Path(root), base=base))


def load_trace(data: bytes, path: str = "-") -> "Reading":
    """Read a trace (JSON, version 1 or 2); if it is invalid, `trace` is None and `findings` contains the errors."""
    from awesome_cli.traces import reading

    return reading.read_trace(data, path)


def load_traces(*paths: str | Path) -> Iterator["Trace"]:
    """Yield the traces in files and folders (.json, .jsonl, .parquet), one at a time.

    Raises `AwesomeError` for the first unreadable trace; `load_trace` lists its findings.
    """
    from awesome_cli.traces import sources

    for reading in sources.readings(sources.pieces(map(str, paths))):
        if reading.trace is None:
            raise errors.AwesomeError(str(reading.error), hint="list all errors: awesome trace check FILE")
        yield reading.trace


def check_trace(trace: "Trace") -> tuple[Finding, ...]:
    """Return all findings of a trace: graph, replay and consistency."""
    from awesome_cli.traces import checking

    return checking.check_trace(trace)


def replay(trace: "Trace") -> "Replay":
    """Replay a trace: return its order of events, states, findings and digests."""
    from awesome_cli.traces import graph
    from awesome_cli.traces import replay as replaying

    return replaying.replay(trace, graph.graph_of(trace))


def trace_metrics(trace: "Trace") -> "Measures":
    """Compute all metrics of a trace; a metric that the trace does not support is null, with a reason."""
    from awesome_cli.traces import metrics

    return metrics.measure(trace)


def decisions(
    traces: Iterable["Trace"],
    *,
    channel: str = "team",
    gamma: float = 1.0,
    std: Literal["population", "sample"] = "population",
    rewards: str | Path | None = None,
    with_content: bool = False,
) -> "pd.DataFrame":
    """Return one row per decision of some traces, with returns and credit by published rules in one reward channel.

    Model calls without a decision also get a row. `gamma`, from 0 to 1, is the discount of a row; `std` is the
    standard deviation of a group; `rewards` is a table (.csv, .tsv, .jsonl) with the columns trace, group, agent and
    value. The column `missing` says why other columns are null.

    Raises `UsageError` for another `gamma` or `std`, and for a table of which no trace is among `traces`; warns of
    traces that only one of the two has.
    """
    import pandas as pd

    from awesome_cli.traces.rewards import read_rewards
    from awesome_cli.traces.training.table import DecisionTable

    require_known(std, ("population", "sample"), "standard deviation")
    if not 0 <= gamma <= 1:
        raise errors.UsageError(f"gamma is {gamma}, expected a number from 0 to 1")
    runs = list(traces)
    joined = read_rewards(rewards, channel)
    for message in joined.mismatches([trace.trace_id for trace in runs]):
        warnings.warn(message, stacklevel=2)
    table = DecisionTable.over(runs, channel=channel, gamma=gamma, std=std, with_content=with_content, joined=joined)
    rows = [row for trace in runs for row in table.rows(trace)]
    return pd.DataFrame(rows, columns=list(table.columns))


def analyze(document: Mapping[str, Any] | bytes | str) -> dict[str, Any]:
    """Convert a trace to a flat row. The function is pure, so any engine can map it over many traces."""
    from awesome_cli.traces import rows

    return rows.analyze(document)
