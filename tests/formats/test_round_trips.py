"""What the exporters write, the importers read: over the whole shipped corpus."""

import pytest

from awesome_cli.formats import export_format
from awesome_cli.formats.exporting import export
from awesome_cli.formats.reading import InputFile, ReadingOptions, read
from awesome_cli.model.codings import on_axis
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.names import OTHERS

FORMS = ("bibtex", "ris", "csljson", "csv")


@pytest.mark.parametrize("form", FORMS)
def test_a_format_is_read_back(form: str, shipped: Corpus):
    file = InputFile(export_format(form).file, export(form, shipped).encode())
    batch = read([file], ReadingOptions(shipped.taxonomy))
    assert batch.failures == ()
    assert len(batch.drafts) == len(shipped.papers)
    for draft, paper in zip(batch.drafts, shipped.papers, strict=True):
        authors = tuple(name for name in paper.authors if form != "ris" or name != OTHERS)
        assert draft.fields["title"] == paper.title
        assert draft.fields["authors"] == authors
        assert draft.fields["year"] == paper.year
        for scheme in ("arxiv", "doi"):
            assert draft.fields.get("identifiers", {}).get(scheme) == getattr(paper.identifiers, scheme)


@pytest.mark.parametrize("form", ["ris", "csv"])
def test_tags_are_read_back_with_strength_and_part(form: str, shipped: Corpus):
    file = InputFile(export_format(form).file, export(form, shipped).encode())
    for draft, paper in zip(read([file], ReadingOptions(shipped.taxonomy)).drafts, shipped.papers, strict=True):
        tags = {on_axis(axis, tag) for axis, given in paper.tags.items() for tag in given}
        assert tags == set(draft.keywords)
