"""What the exporters write, the importers read: over the whole shipped corpus."""

import pytest
from builders import make_corpus, make_paper

from awesome_cli.curation.intake.vocabulary import Vocabulary
from awesome_cli.formats import ReadingOptions, export_format
from awesome_cli.formats.artifact import write
from awesome_cli.formats.exporting import export
from awesome_cli.formats.reading import InputFile, read
from awesome_cli.model.codings import Tag, on_axis
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


@pytest.mark.parametrize(("form", "tags_from"), [("ris", ("keywords",)), ("csv", ())])
def test_tags_are_read_back_where_they_are_asked_for(form: str, tags_from: tuple[str, ...], shipped: Corpus):
    """A column of a table keeps the strength; a keyword has none."""
    file = InputFile(export_format(form).file, export(form, shipped).encode())
    batch = read([file], ReadingOptions(shipped.taxonomy, tags_from=tags_from))
    for draft, paper in zip(batch.drafts, shipped.papers, strict=True):
        wanted = {(axis, tag) for axis, given in paper.tags.items() for tag in given}
        words = {on_axis(axis, tag if not tags_from else unrated(tag)) for axis, tag in wanted}
        assert words == set(draft.tags)


def unrated(tag: Tag) -> Tag:
    """The tag without its strength."""
    return tag.model_copy(update={"strength": None})


PARTS = make_corpus(
    make_paper(
        tags={
            "device": [{"term": "press"}, {"term": "cold", "part": True}],
            "taste": [{"term": "sour", "strength": "tasted"}, {"term": "umami", "strength": "measured", "part": True}],
        }
    )
)


def test_parts_are_written_and_read_back():
    [draft] = read([InputFile("papers.csv", export("csv", PARTS).encode())], ReadingOptions(PARTS.taxonomy)).drafts
    tags, left = Vocabulary(PARTS.taxonomy).place(draft.tags)
    assert left == ()
    assert tags == dict(PARTS.papers[0].tags)


def test_keywords_of_bibtex_may_name_parts():
    entry = "@misc{a, title={A}, keywords={device=press, device=cold:part, device=drip, taste=sour:tasted:part}}"
    options = ReadingOptions(PARTS.taxonomy, tags_from=("keywords",))
    [draft] = read([InputFile("a.bib", entry.encode())], options).drafts
    tags, left = Vocabulary(PARTS.taxonomy).place(draft.tags)
    assert {axis: [str(tag) for tag in found] for axis, found in tags.items()} == {
        "device": ["press", "cold:part"],
        "taste": ["sour:part"],
    }
    assert left == ("device=drip",)
    assert draft.keywords == ()


def test_the_artifact_has_main_codings_only():
    assert write(PARTS)["papers.csv"] == "id,name,device\na2020,Paper a2020,french_press\n"
