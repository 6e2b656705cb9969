"""Which claims introduce a survey, and their answers in the readings."""

from dataclasses import replace
from pathlib import Path

from builders import survey_of
from claiming import LIVES, claiming, make_claim, state_claims

from awesome_cli.analysis.claims.leading import MOST, leading
from awesome_cli.analysis.claims.results import check
from awesome_cli.survey.corpus import Corpus
