"""What the exporters write, the importers read: over the whole shipped corpus."""

import pytest
from builders import REPOSITORY

from awesome_cli.files.tree import WorkingTree
from awesome_cli.formats.exporting import export
from awesome_cli.formats.reading import Options, Source, read
from awesome_cli.survey.loading import load_corpus
from awesome_cli.text.names import OTHERS

CORPUS = load_corpus(WorkingTree(REPOSITORY))
ENDINGS = {"bibtex": "bib", "ris": "ris", "csljson": "json", "csv": "csv"}


@pytest.mark.parametrize("form", ENDINGS)
def test_a_format_is_read_back(form):
    source = Source(f"x.{ENDINGS[form]}", export(form, CORPUS).encode())
    batch = read([source], Options(CORPUS.taxonomy))
    assert batch.failures == ()
    assert len(batch.drafts) == len(CORPUS.papers)
    for draft, paper in zip(batch.drafts, CORPUS.papers, strict=True):
        authors = tuple(name for name in paper.authors if form != "ris" or name != OTHERS)
        assert draft.fields["title"] == paper.title
        assert draft.fields["authors"] == authors
        assert draft.fields["year"] == paper.year
        for scheme in ("arxiv", "doi"):
            assert draft.fields.get("identifiers", {}).get(scheme) == getattr(paper.identifiers, scheme)


@pytest.mark.parametrize("form", ["ris", "csv"])
def test_tags_are_read_back_with_their_strength(form):
    source = Source(f"x.{ENDINGS[form]}", export(form, CORPUS).encode())
    for draft, paper in zip(read([source], Options(CORPUS.taxonomy)).drafts, CORPUS.papers, strict=True):
        tags = {
            f"{axis}={t.term}" + (f":{t.strength}" if t.strength else "")
            for axis, given in paper.tags.items()
            for t in given
        }
        assert tags == set(draft.keywords)
