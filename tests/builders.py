"""One-line records for tests."""

from datetime import date
from pathlib import Path
from typing import Any

from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.records import Exclusion, Paper
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus

REPOSITORY = Path(__file__).parent.parent
PACKAGE = REPOSITORY / "awesome_cli"
EXAMPLES = REPOSITORY / "traces" / "examples"
PAPER = REPOSITORY / "examples" / "paper"
TESTS = REPOSITORY / "tests"
DATA = TESTS / "data"
COFFEE = DATA / "coffee"
COFFEE_SEARCH = """\
searches:
- id: pressing
  label: Pressing
  family: brewing
  query: press* AND (coffee OR "hot water")
  sources: [crossref]
- {id: around, citing: "key=drip2021,aero2020"}
"""
COFFEE_RUN = """\
by: Ada
asked:
- search: pressing
  source: crossref
  query: press* AND (coffee OR "hot water")
  sent: https://api.crossref.org/works?query=press
  at: 2026-04-01T10:00:00Z
  state: done
  hits: 7
  read: 7
  new: 3
  known: 2
  unfit: 1
  refused: 1
"""
COFFEE_PROTOCOL = """\
kind: tasting round
note: It is no census.
searched_until: 2026-02-01
sources:
- {id: library, label: the library}
- {id: cafe, label: cafés, also: [blog]}
query_families:
- {id: brewing, label: brewing, terms: [press, drip]}
include:
- {id: coffee, text: It is about coffee.}
exclude:
- {id: tea, text: It is about tea.}
evidence:
  axis: device
  supports:
  - {terms: [press, drip], text: Statements on hot coffee.}
"""
SENT_FORM = (Path(__file__).parent / "fuzz" / "seeds" / "forms" / "coding.md").read_text()
"""A form that disputes a coding of the coffee survey."""
COFFEE_SHEET = """\
key,device,taste,beans,sample
aero2020,press,bitter:measured,arabica,size=2 seed=0
drip2021,cold,bitter:tasted;sweet:mentioned,robusta,size=2 seed=0
"""
"""A second coding of two papers."""
COFFEE_ANSWER = '{"schema": "awesome/coder-answer/1", "codings": {"device": [{"term": "drip"}], "beans": "NA"}}'
"""What a program that codes says of a paper."""
PUBLISHED = date(2026, 5, 4)
"""The day of which the published figures speak: as of it, the shipped survey says the same for ever."""
CONTESTED = date(2026, 11, 20)
"""The day on which seven published codings of stopping had been contested, before they were read again."""


def make_paper(key: str = "a2020", **fields: Any) -> Paper:
    """A paper with a title, an author and the day 2026-01-01."""
    return Paper.model_validate(
        {"key": key, "title": f"Paper {key}", "authors": ["Bean, Ada"], "added": date(2026, 1, 1), **fields}
    )


def make_exclusion(key: str = "X9", **fields: Any) -> Exclusion:
    """An exclusion on its abstract, on 2026-01-01."""
    screening = {"stage": "abstract", "reason": "tea", "on": date(2026, 1, 1)}
    return Exclusion.model_validate({"key": key, "title": f"Record {key}", "screening": screening, **fields})


def coffee() -> Corpus:
    """The coffee survey."""
    return load_corpus(WorkingTree(COFFEE), candidates=True)


def make_corpus(*records: Paper | Exclusion) -> Corpus:
    """Records under the coffee taxonomy."""
    papers = tuple(record for record in records if isinstance(record, Paper))
    exclusions = tuple(record for record in records if isinstance(record, Exclusion))
    return Corpus(coffee().taxonomy, papers, exclusions)
