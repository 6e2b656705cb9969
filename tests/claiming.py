"""Claims about coffee, for tests."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from builders import coffee

from awesome_cli.analysis.claims.results import check
from awesome_cli.analysis.claims.succession import Succession, of_results
from awesome_cli.model.claims import Claim, Claims
from awesome_cli.survey.corpus import Corpus

COFFEE_CLAIMS = """\
claims:
- id: no-cold
  statement: Nobody studies cold brew.
  expect:
  - {count: device=cold, at_most: 0}
  stated: [abstract]
  as_of: 2026-03-01
- id: sour-unmeasured
  statement: Nobody measures sourness.
  expect:
  - {count: "taste=sour:measured", at_most: 0}
  as_of: 2026-03-01
- id: pool
  statement: Three papers.
  expect:
  - {count: "*", equals: 3, dated: true}
  as_of: 2026-03-01
rereadings:
- {id: wet, label: press read as siphon, axis: device, term: press, read_as: siphon}
"""
CONTEST = '    contested: {"on": 2026-01-10, grade: strong, because: The panel was two people.}\n'
CONTEST_AS = """\
    contested:
      "on": 2026-01-10
      grade: strong
      as: {strength: measured}
      because: The panel was two people.
"""


def state_claims(root: Path, claims: str = COFFEE_CLAIMS) -> Path:
    """A coffee survey that states claims, in which the contest of a sour taste says that it was measured."""
    (root / "claims.yaml").write_text(claims)
    aero = root / "corpus" / "aero2020.yaml"
    text = aero.read_text()
    assert CONTEST in text
    aero.write_text(text.replace(CONTEST, CONTEST_AS))
    return root


def make_claim(*expect: dict[str, Any], name: str = "c", as_of: str = "2026-03-01") -> Claim:
    """A claim with some expectations."""
    return Claim.model_validate({"id": name, "statement": f"Claim {name}.", "expect": list(expect), "as_of": as_of})


def claiming(*claims: Claim, corpus: Corpus | None = None, **more: Any) -> Corpus:
    """A corpus (coffee, by default) that states some claims."""
    return replace(corpus or coffee(), claims_file=Claims(claims=claims, **more))


LIVES = """\
claims:
- id: no-cold
  statement: Nobody studies cold brew.
  expect:
  - {count: device=cold, at_most: 0}
  as_of: 2026-03-01
  revised:
    "on": 2026-05-10
    by: [sparse-cold, home-cold]
    records: [iced2026]
    because: A paper that the search had missed studies it.
- id: sparse-cold
  statement: At most two papers study cold brew.
  expect:
  - {state: device=cold, is: [gap, sparse]}
  as_of: 2026-05-10
  succeeds: [no-cold]
- id: home-cold
  statement: Cold brew is studied with robusta.
  expect:
  - {count: device=cold beans=robusta, at_least: 1}
  as_of: 2026-05-10
  succeeds: [no-cold]
- id: three
  statement: There are three papers.
  expect:
  - {count: "*", equals: 3, dated: true}
  as_of: 2026-03-01
  withdrawn: {"on": 2026-05-10, because: A count says nothing of coffee.}
- id: robust
  statement: What is said of cold brew survives the near-misses.
  expect:
  - {survive: [sparse-cold], under: near_misses}
  as_of: 2026-03-01
"""
"""Claims about coffee of which one was revised and one withdrawn on 2026-05-10."""
ICED = """\
title: Iced
authors:
- Bean, Ada
year: 2026
identifiers: {doi: 10.1000/iced}
added: 2026-05-10
tags:
  device: cold
  beans: arabica
"""
"""A paper on cold brew, found on that day."""


SOUR = """\
claims:
- id: sour-unmeasured
  statement: Nobody measures sourness.
  expect:
  - {count: "taste=sour:measured", at_most: 0}
  boundary: Two papers speak of it.
  stated: [abstract]
  as_of: 2026-03-01
  revised:
    "on": 2026-05-10
    by: [sour-measured]
    records: [aero2020]
    because: The paper was read again.
  account: |
    The first paragraph
    has two lines.

    The second has one.
- id: sour-measured
  statement: One paper measures sourness.
  expect:
  - {ids: "taste=sour:measured", equals: [aero2020], dated: true}
  as_of: 2026-05-10
  succeeds: [sour-unmeasured]
"""
SOUR_AUDIT = """\
"on": 2026-05-10
blind: true
columns: [taste]
note: The second coder read each cup.
chosen: Cups that were sour.
groups: {recoded: {label: cells that were read again, cells: {aero2020: taste=sour, drip2021: taste=sour}}}
codings:
- {key: aero2020, blind: false, first: {taste: "sour:measured"}, second: {taste: "sour:measured"}}
- {key: drip2021, first: {taste: NA}, second: {taste: NA}}
- {key: siphon2019, first: {taste: "sweet:measured"}, second: {taste: "sour:tasted"}}
"""
RULE = """\
  gap_strength: tasted
  history:
  - "on": 2026-05-10
    was: {gap_strength: measured}
    because: A panel counts.
"""
RECODING = 'history:\n- "on": 2026-05-10\n  field: tags.taste\n  was:\n'


def revised_survey(root: Path) -> Path:
    """A coffee survey in which sour was read again: one coding is stronger, one is gone, a second coder read both."""
    (root / "claims.yaml").write_text(SOUR)
    (root / "audits").mkdir()
    (root / "audits" / "cups.yaml").write_text(SOUR_AUDIT)
    _replace(root / "taxonomy.yaml", "  gap_strength: measured\n", RULE)
    aero, drip = (root / "corpus" / name for name in ("aero2020.yaml", "drip2021.yaml"))
    bitter = "  - {term: bitter, strength: measured}\n"
    _replace(aero, "strength: tasted\n", "strength: measured\n    source: github:o/r@3c41d62 panel.py\n")
    _replace(aero, '{"on": 2026-01-10, grade: strong, ', "{grade: strong, 'on': 2026-05-10, as: {strength: tasted}, ")
    aero.write_text(
        f"{aero.read_text()}{RECODING}{bitter}  - {{term: sour, strength: tasted}}\n  because: Read again.\n"
    )
    _replace(drip, "  - {term: sour, strength: mentioned, confidence: medium}\n", "")
    drip.write_text(
        f"{drip.read_text()}{RECODING}{bitter}  - {{term: sour, strength: mentioned}}\n  because: No panel.\n"
    )
    return root


def _replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def successions(corpus: Corpus) -> tuple[Succession, ...]:
    """How each claim changed that is revised on the day of the corpus."""
    names = [claim.id for claim in corpus.claims.claims if claim.revised and not claim.stands(corpus.day)]
    return of_results(check(corpus, names)) if names else ()
