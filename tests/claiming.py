"""Claims about coffee, for tests."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from builders import coffee

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
CONTEST = "    contested: {grade: strong, because: The panel was two people.}\n"
CONTEST_AS = """\
    contested:
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
    on: 2026-05-10
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
  withdrawn: {on: 2026-05-10, because: A count says nothing of coffee.}
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
