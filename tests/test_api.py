"""The public face: what it promises is there, and works on real files."""

from pathlib import Path

from builders import EXAMPLES

from awesome_cli import api


def test_every_promised_name_is_there():
    assert sorted(api.__all__) == list(api.__all__)
    assert all(hasattr(api, name) for name in api.__all__)


def test_the_records_half(root: Path):
    corpus = api.load_corpus(root)
    assert api.check(root) == ()
    assert api.gap_map(corpus).axes["taste"]["sour"].state.value == "gap"
    assert list(api.papers_frame(corpus).key) == [paper.key for paper in corpus.papers]
    assert set(api.tags_frame(corpus).axis) == {"device", "taste", "beans"}
    assert api.crosstab(corpus, "device", "beans").loc["press", "arabica"] == 1
    assert api.statistics(corpus).totals["retained"] == len(corpus.papers)
    assert api.export(corpus, "bibtex", "key=aero2020").startswith("@article{bean2020")
    assert "Pressing matters" in api.fill_readme((root / "README.md").read_text(), corpus, root)
    assert api.evaluate_claims(corpus).hold
    assert not api.compare(corpus, corpus).retagged
    assert any(page.path == "index.html" for page in api.build_site(corpus, root))


def test_a_revision_is_a_corpus_too(git_root: Path):
    (git_root / "corpus" / "aero2020.yaml").unlink()
    now, then = api.load_corpus(git_root), api.load_corpus(git_root, "HEAD")
    assert [entry.key for entry in api.compare(then, now).removed] == ["aero2020"]


def test_the_traces_half():
    data = (EXAMPLES / "rich-v2.json").read_bytes()
    trace = api.load_trace(data).trace
    assert trace is not None
    assert isinstance(api.check_trace(trace), tuple)
    assert api.replay(trace).digest == api.analyze(data)["digest"]
    assert api.trace_metrics(trace).values
