"""What changed since the published version."""

from dataclasses import replace
from datetime import date
from pathlib import Path

from builders import COFFEE
from claiming import revised_survey
from sites import survey

from awesome_cli.analysis.diff.revisions import since_published


def test_changes_since_the_cutoff(root: Path):
    aero = root / "corpus" / "aero2020.yaml"
    revised_survey(root)
    aero.write_text(aero.read_text() + "corrections:\n- {field: venue, published: Foam, corrected_on: 2026-04-01}\n")
    found = since_published(survey(root))
    assert found is not None
    assert found.day == date(2026, 3, 1)
    assert [(one.claim, one.before, one.after) for one in found.turned] == [("sour-unmeasured", "holds", "revised")]
    assert [(one.claim, one.after) for one in found.made] == [("sour-measured", "contested")]
    assert [(cell.cell, cell.before, cell.after) for cell in found.diff.cells if "x" not in cell.cell] == [
        ("taste=sour", "gap", "sparse"), ("beans=cold", "gap", "unknown")
    ]  # fmt: skip
    assert {(entry.key, entry.axis) for entry in found.diff.retagged} == {("aero2020", "taste"), ("drip2021", "taste")}
    corrected = [(paper.key, one.field, one.published) for paper, one in found.corrections]
    assert ("aero2020", "venue", "Foam") in corrected


def test_nothing_without_a_cutoff_or_before_it():
    coffee = survey(COFFEE)
    assert since_published(coffee.as_of(date(2026, 2, 1))) is None
    bare = coffee.taxonomy.model_copy(update={"survey": coffee.taxonomy.survey.model_copy(update={"cutoff": None})})
    assert since_published(replace(coffee, taxonomy=bare)) is None
    found = since_published(coffee.as_of(date(2026, 3, 1)))
    assert found is not None
    assert (found.turned, found.made, found.corrections, found.diff.cells) == ((), (), (), ())
