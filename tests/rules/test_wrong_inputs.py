"""Mistakes that a tired curator makes, three of each kind: each is found, with its place and its cure."""

from pathlib import Path

import pytest
from builders import make_corpus, make_paper
from rule_cases import AERO, ANA, AUDIT, CLAIMS, DRIP, PROTOCOL, TAX, X1, complete

from awesome_cli.files.tree import WorkingTree
from awesome_cli.rules.checking import check
from awesome_cli.rules.figures import odd_figure

Edit = tuple[str, str, str]
SALT, SIPHON = "candidates/salt2026.yaml", "corpus/siphon2019.yaml"
DOI, ARXIV = "10.1000/coffee.2", "{doi: 10.1000/coffee.2}"
OF_AERO = 'year: 2020\nvenue: Journal of Coffee\nidentifiers: {arxiv: "2001.00010", doi: 10.1000/coffee.1}'
OF_DRIP = "title: Dripping slowly\nauthors:\n- Pour, Olga\nyear: 2021"
OF_SALT = "title: A pinch of salt\nauthors:\n- Salz, Sam\nyear: 2026"
MISS, UNSURE, LATE = "because: Broth-like.}", "    confidence: low", "2099-01-01"
RULE = "  gap_strength: measured\n"


def claim(expectation: str) -> Edit:
    """The edit that adds a claim with an expectation."""
    text = f"- {{id: wrong, statement: Nothing., expect: [{expectation}], as_of: 2026-03-01}}\n"
    return CLAIMS, "rereadings:\n", f"{text}rereadings:\n"


WRONG: dict[str, list[Edit | tuple[Edit, ...]]] = {
    "one work by its arXiv DOI": [
        (DRIP, DOI, "10.48550/arXiv.2001.00010"),
        (DRIP, DOI, "10.48550/ARXIV.2001.00010"),
        (X1, "{other: TEA-1}", "{doi: 10.48550/arxiv.2001.00010}"),
    ],
    "one title with its authors": [
        (DRIP, OF_DRIP.rpartition("\n")[0], 'title: "Pressing matters: a study"\nauthors:\n- Bean, Ada\n- Roast, Rob'),
        (DRIP, OF_DRIP, "title: Pressing Matters — a Study\nauthors:\n- Ada Bean\n- Rob Roast\nyear: 2020"),
        (SALT, OF_SALT, OF_DRIP),
    ],
    "an exclusion in the pool": [
        (X1, "title: Tea for two", "title: Dripping slowly"),
        (X1, "title: Tea for two", 'title: "Pressing matters: a study"'),
        (X1, "title: Tea for two", "title: Is it soup?"),
    ],
    "a record that names itself": [
        (DRIP, "summary: Drips.", "summary: Drips.\nversion_of: drip2021"),
        (DRIP, "summary: Drips.", "summary: Drips.\ndistinct_from: [drip2021]"),
        (X1, "note: It", "distinct_from: [X1]\nnote: It"),
    ],
    "a near-miss twice": [
        (X1, MISS, f"{MISS}\n- {{axis: taste, term: umami, strength: tasted, because: Broth-like.}}"),
        (X1, MISS, f"{MISS}\n- {{axis: taste, term: umami, strength: measured}}"),
        (X1, MISS, f"{MISS}\n- {{axis: device, term: drip}}\n- {{axis: device, term: drip}}"),
    ],
    "a link to another arXiv id": [
        (AERO, "abs/2001.00010", "abs/2001.00011"),
        (AERO, "https://arxiv.org/abs/2001.00010", "https://arxiv.org/pdf/1901.00010v2"),
        (AERO, "label: Paper, url: https://arxiv.org/abs/2001.00010", "label: arXiv, url: https://www.arxiv.org/abs/2001.00099"),
    ],
    "a year before the arXiv id": [
        (AERO, OF_AERO, 'year: 2018\nidentifiers: {arxiv: "2001.00010"}'),
        (AERO, OF_AERO, 'year: 2019\nvenue: arXiv preprint\nidentifiers: {arxiv: "2001.00010"}'),
        (AERO, OF_AERO, 'year: 2002\nidentifiers: {arxiv: "2001.00010", doi: 10.48550/arXiv.2001.00010}'),
    ],
    "a negative measure": [(AERO, "value: 18", "value: -18"), (DRIP, "value: 60", "value: -0.5"), (AERO, "value: 18", "value: -1e9")],
    "an absurd measure": [(AERO, "value: 18", "value: 30000000"), (DRIP, "value: 60", "value: 1e12"), (AERO, "value: 18", "value: 99999999")],
    "a measure without support": [
        (AERO, "basis: per cup, confidence: high", "basis: per cup"),
        (DRIP, "basis: per pot, confidence: medium}", "basis: per pot}"),
        (SIPHON, "{value: 25, confidence: low}", "{value: 25}"),
    ],
    "empty evidence": [
        (AERO, "evidence: A panel of nine.", "evidence: ''"),
        (AERO, "evidence: A panel of nine.", "evidence: '  '"),
        (AERO, "evidence: A panel of nine.", "evidence: A panel of nine.\n    quote: ' '"),
    ],
    "a source without a place": [(AERO, UNSURE, f"    source: {text}\n{UNSURE}") for text in ("somewhere", "the paper", "trust me")],
    "a source of another paper": [
        (AERO, UNSURE, f"    source: {text}\n{UNSURE}") for text in (f"doi:{DOI}", f"https://doi.org/{DOI}", f"{DOI} §3")
    ],
    "a future day of a record": [
        (DRIP, "added: 2026-01-11", f"added: {LATE}"),
        (SALT, "proposal:", f"added: {LATE}\nproposal:"),
        (DRIP, "summary: Drips.", f"withdrawn: {LATE}\nsummary: Drips."),
        (SIPHON, "corrected_on: ", f"corrected_on: {LATE} # "),
        (AERO, "summary: Presses", 'history:\n- {"on": 2099-02-01, field: tags.taste, was: bitter}\nsummary: Presses'),
        (AERO, 'contested: {"on": 2026-01-10', f'contested: {{"on": {LATE}'),
        (SALT, "proposal:", 'found: {"on": 2099-01-01}\nproposal:'),
        (SALT, "proposal:", 'first_public: "2031"\nproposal:'),
        (X1, "2026-01-05", LATE),
    ],
    "a future day elsewhere": [
        (TAX, RULE, f'{RULE}  history: [{{"on": {LATE}, was: {{gap_strength: tasted}}}}]\n'),
        (TAX, "cutoff: 2026-03-01", "cutoff: 2036-03-01"),
        (CLAIMS, "as_of: 2026-03-01", f"as_of: {LATE}"),
        (CLAIMS, 'revised: {"on": 2026-04-01', 'revised: {"on": 2036-04-01'),
        (AUDIT, "2026-05-02", "2036-05-02"),
        (ANA, "2026-05-02", LATE),
        (PROTOCOL, "searched_until: 2026-02-01", "searched_until: 2036-02-01"),
    ],
    "a future month of arXiv": [
        (AERO, 'arxiv: "2001.00010"', 'arxiv: "9901.00010"'),
        (DRIP, ARXIV, '{arxiv: "3701.00001"}'),
        (DRIP, ARXIV, '{arxiv: "9012.00001"}'),
    ],
    "a screening before its time": [
        ((X1, "2026-01-05", "1999-01-05"), (X1, "note: It", "year: 2020\nnote: It")),
        ((X1, "2026-01-05", "1999-01-05"), (PROTOCOL, "searched_until", "begun: 2025-12-01\nsearched_until")),
        (ANA, 'drip2021, verdict: include, "on": 2026-05-02', 'drip2021, verdict: include, "on": 1999-05-02'),
        (PROTOCOL, "searched_until: 2026-02-01", "searched_until: 2026-02-01\naudited_until: 2026-01-01"),
    ],
    "a claim that always holds": [
        claim("{count: device=cold, at_least: 0}"),
        claim("{share: device=drip, at_least: 0}"),
        claim("{share: device=drip, at_most: 1}"),
        claim("{share: device=drip, among: beans=arabica, at_most: 1}"),
        claim("{state: device=cold, is: [gap, sparse, covered]}"),
        claim("{state: taste=sour, is: [covered, sparse, gap]}"),
        claim("{ids: device=drip, at_least: []}"),
    ],
    "a claim that cannot hold": [
        claim("{count: device=drip, at_least: 3, at_most: 1}"),
        claim("{share: device=drip, at_least: 0.5, at_most: 0.1}"),
        claim("{count: device=drip, equals: 3, at_most: 1}"),
        claim("{share: device=drip, at_least: 12.5}"),
    ],
    "a query without matches": [
        claim("{count: key=drip2020, at_least: 1}"),
        claim('{count: "device=drip key=aero2020,foo", at_least: 1}'),
        claim("{ids: key=nobody, at_least: [drip2021]}"),
        claim("{count: device=drip device=cold, at_most: 1}"),
        claim("{share: device=press AND device=drip, at_most: 0.5}"),
        claim("{count: beans=arabica beans=robusta, at_most: 0}"),
    ],
    "a place that the survey lacks": [
        ((CLAIMS, "statement: Three papers.", f"stated: {places}\n  statement: Three papers."),
         (TAX, "  short: coffee", "  short: coffee\n  places: [abstract, results]"))
        for places in ("[abstrct]", "[nowhere]", "[results, x]")
    ],
    "a confidence outside the scale": [
        claim("{largest: grams, group: shop, confidence: lo, at_least: 2}"),
        claim("{median: grams, group: shop, confidence: sure, at_least: 2}"),
        claim("{largest: grams, group: home, over: shop, confidence: hgh, at_least: 2}"),
    ],
    "an audit": [
        (AUDIT, "second: Rob", "- {key: drip2021, first: {device: drip}, second: {device: drip}}\nsecond: Rob"),
        (AUDIT, "- key: drip2021", "- {key: aero2020, first: {}, second: {}}\n- {key: aero2020, first: {}, second: {}}\n- key: drip2021"),
        (AUDIT, "first: {device: drip", "first: {device: press"),
        (AUDIT, "first: {device: drip", "first: {device: NA"),
        (AUDIT, "bitter:measured", "sweet:measured"),
        (AUDIT, "second: Rob\n", ""),
        (AUDIT, "second: Rob", "second: ''"),
        (AUDIT, "second: Rob", "second: Rob\nfirst_of: {devise: Ada}"),
    ],
    "a name without quotes": [
        (AUDIT, '"on"', "on"),
        (ANA, '"on"', "on"),
        (TAX, RULE, f"{RULE}  history: [{{on: 2026-02-01, was: {{gap_strength: tasted}}}}]\n"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "edits"), [(kind, edits) for kind, each in WRONG.items() for edits in each])
def test_a_mistake_is_found_with_its_place_and_its_cure(root: Path, kind: str, edits: Edit | tuple[Edit, ...], run):
    survey = complete(root)
    for path, before, after in (edits,) if isinstance(edits[0], str) else edits:  # type: ignore[misc]
        text = (survey / path).read_text()
        assert before in text, f"{kind}: the edit is not in {path}"
        (survey / path).write_text(text.replace(before, after, 1))
    # The claims of this file say nothing but "Nothing.", and a file need not be in canonical form.
    found = [finding for finding in check(WorkingTree(survey)) if finding.code not in {"C001", "L009", "L010"}]
    assert found, kind
    assert all(finding.fix and finding.message and finding.line for finding in found)
    assert "bug:" not in run("claims", "check", root=survey, code=None).err


@pytest.mark.parametrize("value", [2.5, 0.25, 17.999])
def test_a_fraction_among_whole_numbers_is_found(value: float):
    papers = [make_paper(f"p{i}", measures={"grams": {"value": float(i), "confidence": "high"}}) for i in range(10)]
    wrong = make_paper("wrong", measures={"grams": {"value": value, "confidence": "high"}})
    assert [found.key for found in odd_figure(make_corpus(*papers, wrong))] == ["wrong"]
    assert not [*odd_figure(make_corpus(*papers[1:], wrong))]  # too few to tell
