"""The public Python interface; every other module may change between releases.

from awesome_cli.api import Survey

survey = Survey.open(".")           # the survey of a folder, as the command line finds it
survey.papers("year>=2025")         # a pandas DataFrame, one row per paper
survey.gaps().axes["taste"]["sour"].state

The functions beside `Survey` are on traces, which belong to no survey.
"""

from awesome_cli import errors
from awesome_cli.api.survey import Survey
from awesome_cli.api.traces import decisions, load_traces, replay
from awesome_cli.errors import AwesomeError
from awesome_cli.model.codings import Contest, Measured, NearMiss, Tag
from awesome_cli.model.records import AnyRecord, Candidate, Exclusion, Paper
from awesome_cli.model.taxonomy import Axis, Taxonomy, Term
from awesome_cli.reports.answer import SurveyAnswer
from awesome_cli.reports.findings import Finding, Level
from awesome_cli.reports.report import Report
from awesome_cli.survey.corpus import Corpus
from awesome_cli.traces.checking import check_trace
from awesome_cli.traces.metrics import measure as trace_metrics
from awesome_cli.traces.reading import read_trace as load_trace
from awesome_cli.traces.rows import analyze

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
    "Report",
    "Survey",
    "SurveyAnswer",
    "Tag",
    "Taxonomy",
    "Term",
    "analyze",
    "check_trace",
    "decisions",
    "errors",
    "load_trace",
    "load_traces",
    "replay",
    "trace_metrics",
]
