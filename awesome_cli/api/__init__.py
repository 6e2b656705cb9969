"""The public Python interface; every other module may change between releases.

from awesome_cli.api import Survey

survey = Survey.open(".")           # the survey of a folder, as the command line finds it
survey.papers("year>=2025")         # a pandas DataFrame, one row per paper
survey.gaps().axes["taste"]["sour"].state

The functions beside `Survey` answer from a `Corpus` and from traces; `docs/python.md` shows both.
"""

from awesome_cli import errors
from awesome_cli.analysis.gaps.cells import gap_map
from awesome_cli.api.functions import (
    analyze,
    build_site,
    check,
    check_trace,
    compare,
    crosstab,
    decisions,
    evaluate_claims,
    export,
    fill_readme,
    load_corpus,
    load_trace,
    load_traces,
    papers_frame,
    replay,
    statistics,
    tags_frame,
    trace_metrics,
)
from awesome_cli.api.survey import Survey
from awesome_cli.errors import AwesomeError
from awesome_cli.model.codings import Contest, Measured, NearMiss, Tag
from awesome_cli.model.records import AnyRecord, Candidate, Exclusion, Paper
from awesome_cli.model.taxonomy import Axis, Taxonomy, Term
from awesome_cli.query.parser import Query
from awesome_cli.reports.findings import Finding, Level
from awesome_cli.reports.report import Report
from awesome_cli.survey.corpus import Corpus

__all__ = [
    "AnyRecord",
    "AwesomeError",
    "Axis",
    "Candidate",
    "Contest",
    "Corpus",
    "Exclusion",
    "Finding",
    "Level",
    "Measured",
    "NearMiss",
    "Paper",
    "Query",
    "Report",
    "Survey",
    "Tag",
    "Taxonomy",
    "Term",
    "analyze",
    "build_site",
    "check",
    "check_trace",
    "compare",
    "crosstab",
    "decisions",
    "errors",
    "evaluate_claims",
    "export",
    "fill_readme",
    "gap_map",
    "load_corpus",
    "load_trace",
    "load_traces",
    "papers_frame",
    "replay",
    "statistics",
    "tags_frame",
    "trace_metrics",
]
