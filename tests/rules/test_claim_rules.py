"""Rules on claims and audits find what they are for, at its place."""

from pathlib import Path

import pytest
from claiming import COFFEE_CLAIMS, REPOSITORY

from awesome_cli.files.tree import WorkingTree
from awesome_cli.rules.checking import check

MORE = """\
- id: more
  statement: More.
  expect:
  - {largest: grams, group: shop, over: home, at_least: 2}
  - {agreement: taste=bitter, audit: second, at_least: 1}
  - {survive: [no-cold], under: near_misses}
  - {ids: device=drip, at_least: [drip2021]}
  as_of: 2026-03-01
rereadings:
"""
AUDIT = """\
on: 2026-05-02
columns: [device, taste]
codings:
- key: drip2021
  first: {device: drip, taste: "bitter:measured"}
  second: {device: drip, taste: NA}
"""
CASES = [
    ("L001", "claims.yaml", "id: pool", "id: no-cold", "13:7"),
    ("L002", "claims.yaml", "device=cold", "devise=cold", "5:13"),
    ("L003", "claims.yaml", "largest: grams", "largest: gram", "21:15"),
    ("L003", "claims.yaml", "group: shop", "group: shops", "21:29"),
    ("L003", "claims.yaml", "over: home", "over: hom", "21:41"),
    ("L003", "claims.yaml", "audit: second", "audit: third", "22:38"),
    ("L003", "claims.yaml", "agreement: taste=bitter", "agreement: taste", "22:17"),
    ("L003", "claims.yaml", "[no-cold]", "[no-cold, more]", "23:25"),
    ("L003", "claims.yaml", "read_as: siphon", "read_as: syphon", "27:78"),
    ("L004", "claims.yaml", "[drip2021]", "[drip2022]", "24:35"),
    ("L005", "audits/second.yaml", "[device, taste]", "[device, smell]", "2:19"),
    ("L005", "audits/second.yaml", "key: drip2021", "key: drip2029", "4:8"),
    ("L005", "audits/second.yaml", "bitter:measured", "biter:measured", "5:32"),
    ("S003", "claims.yaml", "at_least: 2", "at_leats: 2", None),
    ("Y002", "claims.yaml", "claims:", "claims: [", None),
]  # fmt: skip


@pytest.fixture
def claimed(root: Path) -> Path:
    (root / "claims.yaml").write_text(COFFEE_CLAIMS.replace("rereadings:\n", MORE))
    (root / "audits").mkdir()
    (root / "audits" / "second.yaml").write_text(AUDIT)
    return root


def test_sound_claims_have_no_finding(claimed: Path):
    assert check(WorkingTree(claimed)) == ()
    assert check(WorkingTree(REPOSITORY)) == ()


@pytest.mark.parametrize(("code", "name", "old", "new", "place"), CASES)
def test_each_rule_finds_its_fault(claimed: Path, code: str, name: str, old: str, new: str, place: str | None):
    path = claimed / name
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    found = [f for f in check(WorkingTree(claimed)) if f.code in {code, "S001"}]
    assert found
    assert {f.path for f in found} == {name}
    if place is not None:
        assert place in {f"{f.line}:{f.column}" for f in found}
