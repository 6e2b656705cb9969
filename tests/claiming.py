"""Claims about coffee, for tests."""

from dataclasses import replace
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


def make_claim(*expect: dict[str, Any], name: str = "c", as_of: str = "2026-03-01") -> Claim:
    """A claim with some expectations."""
    return Claim.model_validate({"id": name, "statement": f"Claim {name}.", "expect": list(expect), "as_of": as_of})


def claiming(*claims: Claim, corpus: Corpus | None = None, **more: Any) -> Corpus:
    """A corpus (coffee, by default) that states some claims."""
    return replace(corpus or coffee(), claims_file=Claims(claims=claims, **more))
