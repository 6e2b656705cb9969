"""What the exporters write, the importers read: over the whole shipped corpus."""

import pytest
from builders import make_corpus, make_paper

from awesome_cli.curation.intake.wording import Vocabulary
from awesome_cli.formats import export_format
from awesome_cli.formats.artifact import write
from awesome_cli.formats.exporting import export
from awesome_cli.formats.reading import InputFile, ReadingOptions, read
from awesome_cli.model.codings import on_axis
from awesome_cli.survey.corpus import Corpus

FORMS = ("bibtex", "ris", "csljson", "csv")


@pytest.mark.parametrize("form", FORMS)
def test_a_format_is_read_back(form: str, shipped: Corpus):
    file = InputFile(export_format(form).file, export(form, shipped).encode())
    batch = read([file], ReadingOptions(shipped.taxonomy))
    assert batch.failures == ()
    assert len(batch.drafts) == len(shipped.papers)
    for draft, paper in zip(batch.drafts, shipped.papers, strict=True):
        assert draft.fields["title"] == paper.title
        assert draft.fields["authors"] == paper.authors
        assert draft.fields["year"] == paper.year
        for scheme in ("arxiv", "doi"):
            assert draft.fields.get("identifiers", {}).get(scheme) == getattr(paper.identifiers, scheme)


@pytest.mark.parametrize("form", ["ris", "csv"])
def test_tags_are_read_back_with_strength_and_part(form: str, shipped: Corpus):
    file = InputFile(export_format(form).file, export(form, shipped).encode())
    for draft, paper in zip(read([file], ReadingOptions(shipped.taxonomy)).drafts, shipped.papers, strict=True):
        tags = {on_axis(axis, tag) for axis, given in paper.tags.items() for tag in given}
        assert tags == set(draft.keywords)


PARTS = make_corpus(
    make_paper(
        tags={
            "device": [{"term": "press"}, {"term": "cold", "part": True}],
            "taste": [{"term": "sour", "strength": "tasted"}, {"term": "umami", "strength": "measured", "part": True}],
        }
    )
)


@pytest.mark.parametrize("form", ["ris", "csv"])
def test_parts_are_written_and_read_back(form: str):
    [draft] = read(
        [InputFile(export_format(form).file, export(form, PARTS).encode())], ReadingOptions(PARTS.taxonomy)
    ).drafts
    tags, left = Vocabulary(PARTS.taxonomy).place(draft.keywords)
    assert left == ()
    assert tags == dict(PARTS.papers[0].tags)


def test_keywords_of_bibtex_may_name_parts():
    entry = "@misc{a, title={A}, keywords={device=press, device=cold:part, device=drip, taste=sour:tasted:part}}"
    [draft] = read([InputFile("a.bib", entry.encode())], ReadingOptions(PARTS.taxonomy)).drafts
    tags, left = Vocabulary(PARTS.taxonomy).place(draft.keywords)
    assert {axis: [str(tag) for tag in found] for axis, found in tags.items()} == {
        "device": ["press", "cold:part"],
        "taste": ["sour:tasted:part"],
    }
    assert left == ("device=drip",)


def test_the_artifact_has_main_codings_only():
    assert write(PARTS)["papers.csv"] == "id,name,device\na2020,Paper a2020,french_press\n"
