"""What a format says that it keeps comes back: written, then read or imported into an empty survey, and compared."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest
from builders import coffee, make_corpus, make_paper
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from awesome_cli.curation.intake import Settings, begin, take_in
from awesome_cli.curation.intake.recording import to_record
from awesome_cli.curation.intake.vocabulary import Vocabulary
from awesome_cli.files.tree import WorkingTree
from awesome_cli.formats import EXPORTED, ReadingOptions, export_format, import_formats
from awesome_cli.formats.exporting import export, keeps, left_out, names_of, select, sentence
from awesome_cli.formats.reading import InputFile, read
from awesome_cli.model.codings import on_axis
from awesome_cli.model.drafts import filled
from awesome_cli.model.records import Paper
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.keys import Names
from awesome_cli.text.inert import without_unseen

MAIN = {"artifact": {"tags.term"}}
"""What a format keeps of main codings only; `test_artifact` compares them."""
GIVEN = {"added", "citation.key", "citation.type", "citation.container", "venue", "links.url", "links.label"} | {
    "distinct_from"
}

"""What an import gives a record that does not bring it: a day, a citation key, the type `misc`, the venue of its
container and the other way round, a link of its address."""


def back(form: str, corpus: Corpus, root) -> list[Paper]:
    """The papers of an export after an import into an empty survey, in their order."""
    answer = export(form, corpus)
    texts = {export_format(form).file: answer} if isinstance(answer, str) else answer
    batch = read([InputFile(name, text.encode()) for name, text in texts.items()], ReadingOptions(corpus.taxonomy))
    assert batch.failures == ()
    asked = Settings(date(2026, 1, 2), ask=lambda *_: "add", on_duplicate="ask")
    done = take_in(begin(Corpus(corpus.taxonomy), WorkingTree(root), asked), batch.drafts)
    assert not done.failed
    return [taken.record for taken in done.taken if isinstance(taken.record, Paper)]


def part(value: Any, name: str) -> Any:
    """A part of a value, in the shape of the value."""
    if isinstance(value, Mapping):
        return {key: found for key, one in value.items() if (found := part(one, name)) is not None}
    if isinstance(value, tuple):
        return tuple(part(one, name) for one in value)
    return getattr(value, name, None)


def at(paper: Paper, name: str) -> Any:
    top, _, rest = name.partition(".")
    value = getattr(paper, top)
    return value if not rest else value.get(rest) if top == "extra" else part(value, rest)


def compare(form: str, papers: list[Paper], read_back: list[Paper]) -> None:
    kept = export_format(form).keeps
    assert len(papers) == len(read_back)
    for paper, again in zip(papers, read_back, strict=True):
        own = set(names_of(paper))
        for name in own - MAIN.get(form, set()) - {*export_format(form).changes(paper)}:
            assert not keeps(kept, name) or at(again, name) == at(paper, name), (paper.key, name)
        assert {*names_of(again)} - own <= GIVEN | tagged(paper, again), paper.key


def tagged(paper: Paper, again: Paper) -> set[str]:
    """The field that holds nothing but the paper's tags, where a format has only keywords for them."""
    tags = {on_axis(axis, tag) for axis, given in paper.tags.items() for tag in given}
    return {"extra.keywords"} if {*again.extra.get("keywords", ())} <= tags else set()


@pytest.mark.parametrize("form", [form for form in EXPORTED if export_format(form).keeps])
def test_what_a_format_keeps_comes_back(form: str, shipped: Corpus, tmp_path):
    papers = list(shipped.papers)
    if form == "artifact":
        # Papers stand in their published order there, then those without; a position is the order of what is read.
        papers.sort(key=lambda paper: (paper.order is None, paper.order, paper.key))
        papers = [paper.model_copy(update={"order": place}) for place, paper in enumerate(papers, 1)]
    compare(form, papers, back(form, shipped, tmp_path))


WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp", "Zs"), exclude_characters="\\&<"),
    min_size=1,
    max_size=8,
).filter(lambda word: without_unseen(word) == word)
"""Words without what is LaTeX or HTML in a title, and without what an import takes out."""
TEXTS = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
WORKS = st.fixed_dictionaries(
    {"title": TEXTS},
    optional={
        "authors": st.lists(st.from_regex(r"[A-Z][a-z]+( [A-Z][a-z]*)?(, [A-Z][a-z.]+( [A-Z][a-z.;]*)?)?", fullmatch=True), max_size=4, unique=True),
        "year": st.integers(100, 2200),
        "venue": TEXTS,
        "note": TEXTS,
        "summary": TEXTS,
        "links": st.lists(
            st.fixed_dictionaries({"label": TEXTS, "url": st.from_regex(r"https://[a-z]{1,5}\.org/[a-z;:,?=]{0,6}", fullmatch=True)}),
            max_size=3,
            unique_by=lambda entry: entry["url"],
        ),
        "tags": st.fixed_dictionaries({}, optional={
            "device": st.sampled_from([["press"], ["press", {"term": "cold", "part": True}]]),
            "taste": st.sampled_from([[{"term": "sour", "strength": "tasted"}], [{"term": "umami", "strength": "measured", "part": True}, "sour"]]),
        }),
        "citation": st.fixed_dictionaries({"key": WORDS}, optional={"volume": TEXTS, "month": TEXTS, "note": TEXTS}),
        "extra": st.dictionaries(
            st.one_of(st.sampled_from(["abstract", "volume"]), st.from_regex(r"[a-z]{1,6}", fullmatch=True)), TEXTS, max_size=3
        ),
    },
)  # fmt: skip


@pytest.mark.parametrize("form", ["csv", "csljson", "json"])
@given(st.lists(WORKS, min_size=1, max_size=3))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_a_record_holds_comes_back(form: str, tmp_path, works):
    for number, work in enumerate(works):
        # Two works of one citation key are told apart by an import.
        work["citation"] = {**work.get("citation", {}), "key": f"{number}{work.get('citation', {}).get('key', '')}"}
    corpus = make_corpus(*(make_paper(f"work{number}", **work) for number, work in enumerate(works)))
    papers = list(corpus.papers)
    found = {paper.title: paper for paper in papers}
    if len(found) == len(papers):
        compare(form, papers, back(form, corpus, tmp_path))


LETTERS = "abcXYZ àéößŁ漢 09 -\N{EN DASH}_.,:;!?'()&%#$~^@/*+=<>[]|{}\""
"""Without the backslash: a record may hold LaTeX, and LaTeX is read as what it says."""
SAFE = "abc XYZ àéößŁ漢 09 -:.()&%#_"


def text(alphabet: str = LETTERS) -> st.SearchStrategy[str]:
    return st.text(alphabet, min_size=1, max_size=20).map(lambda t: " ".join(t.split())).filter(bool)


def words(alphabet: str = "abc XYZé09-") -> st.SearchStrategy[str]:
    return text(alphabet).filter(lambda t: t[0].isalpha() and t[-1].isalnum() and "--" not in t)


NAME = st.from_regex(r"\A[A-ZÀÉÖ][a-zéöß]{1,6}( [a-zé]{1,5})?, [A-Z][a-zö]{0,5}( [A-Z]\.)?\Z")
GROUP = st.sampled_from(["World Bank", "OpenAI", "Bakers and Sons", "École of Bread", "Anonymous"])
URL = st.from_regex(r"\Ahttps://example\.org/[a-z0-9_~%#&=?.-]{0,12}\Z")
RECORDS = st.fixed_dictionaries(
    {"key": st.just("k"), "added": st.just("2026-01-01"), "title": words()},
    optional={
        "authors": st.lists(st.one_of(NAME, GROUP), min_size=1, max_size=4).flatmap(
            lambda authors: st.sampled_from([authors, [*authors, "others"]])
        ),
        "year": st.integers(100, 2200),
        "venue": words(SAFE),
        "affiliation": words(SAFE),
        "summary": words(SAFE),
        "links": st.lists(
            st.fixed_dictionaries({"label": words(SAFE), "url": URL}), max_size=3, unique_by=lambda link: link["url"]
        ),
        "identifiers": st.fixed_dictionaries(
            {},
            optional={
                "arxiv": st.just("2101.01230"),
                "doi": st.from_regex(r"\A10\.1000/[a-z0-9_()#<>-]{1,8}[a-z0-9]\Z"),
                "isbn": st.just("978-3-16-148410-0"),
                "acl": st.just("2025.acl-long.476"),
                "openreview": st.just("ur295YVtmt"),
            },
        ),
        "citation": st.fixed_dictionaries(
            {"key": st.just("k"), "container": words(SAFE)},
            optional={
                "type": st.sampled_from(
                    ["article", "inbook", "phdthesis", "mastersthesis", "online", "misc", "mvbook"]
                ),
                "volume": st.sampled_from(["3", "XII", "3A"]),
                "number": st.sampled_from(["1", "2--3"]),
                "pages": st.sampled_from(["1--12", "40-50", "e12", "7"]),
                "publisher": words(SAFE),
                "month": st.sampled_from(["mar", "March", "Spring", "Mar/Apr", "may"]),
                "note": words(SAFE),
            },
        ),
        "extra": st.fixed_dictionaries(
            {},
            optional={
                "abstract": words(SAFE),
                "keywords": st.lists(words("abc XYZ,09"), min_size=1, max_size=3),
                "address": words(SAFE),
                "edition": words(SAFE),
                "editor": st.lists(NAME, min_size=1, max_size=3).map(" and ".join),
                "issn": st.just("1234-5679"),
                "language": st.just("English"),
                "myfield": words(SAFE),
            },
        ),
    },
)


def read_back(form: str, paper: Paper) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a paper has that a format keeps, and what of that comes back."""
    corpus = make_corpus(paper)
    written = export_format(form).write(corpus)
    assert isinstance(written, str)
    batch = import_formats()[form].read(written, "x", None)  # type: ignore[arg-type]
    assert batch.failures == ()
    (draft,) = batch.drafts
    assert draft.warnings == ()
    back = {**draft.fields, "extra": {**draft.fields.get("extra", {}), "keywords": list(draft.keywords)}}
    lost = left_out(form, corpus)
    kept: dict[str, Any] = {}
    for name, value in paper.model_dump(mode="json", exclude={"added"}, exclude_defaults=True).items():
        if name == "links" and "links.label" in lost:
            back["links"], value = [link["url"] for link in back["links"]], [link["url"] for link in value]  # noqa: PLW2901
        parts = value if isinstance(value, dict) else {"": value}
        keep = {part: v for part, v in parts.items() if f"{name}.{part}".rstrip(".") not in lost and name not in lost}
        kept[name] = keep if isinstance(value, dict) else keep.get("")
    found = {
        name: {part: back.get(name, {}).get(part) for part in value} if isinstance(value, dict) else back.get(name)
        for name, value in kept.items()
    }
    return filled(kept), filled({n: list(v) if isinstance(v, tuple) else v for n, v in found.items()})


@pytest.mark.parametrize("form", ["bibtex", "ris"])
@given(record=RECORDS)
def test_whatever_bibtex_and_ris_keep_comes_back(form: str, record: dict[str, Any]):
    kept, found = read_back(form, Paper.model_validate(record))
    assert found == kept


@given(title=text(), summary=text())
def test_any_text_comes_back_from_bibtex(title: str, summary: str):
    kept, found = read_back("bibtex", Paper(key="k", added="2026-01-01", title=title, summary=summary))
    assert found == kept


@given(title=text(), note=text())
def test_any_text_comes_back_from_ris(title: str, note: str):
    paper = Paper(key="k", added="2026-01-01", title=title, citation={"note": note, "key": "k"})
    kept, found = read_back("ris", paper)
    assert found == kept


def test_the_editors_of_a_work_without_authors_are_no_authors_when_written():
    paper = Paper(
        key="k",
        added="2026-01-01",
        title="T",
        authors=("Doe, J.", "World Bank"),
        extra={"editor": "Doe, J. and World Bank"},
    )
    written = export_format("bibtex").write(make_corpus(paper))
    assert "  editor = {Doe, J. and {World Bank}},\n" in written
    assert "author" not in written
    assert "AU  -" not in export_format("ris").write(make_corpus(paper))


def test_a_hyphen_doubled_in_a_title_stays_doubled():
    for title in ("A -- B", "A \N{EN DASH} B", "A --- B", "A — B"):
        kept, found = read_back("bibtex", Paper(key="k", added="2026-01-01", title=title))
        assert found == kept


FOREIGN = {
    "key": "k",
    "added": "2026-01-01",
    "title": "T",
    "year": 2001,
    "identifiers": {"doi": "10.1000/x", "other": "PMID:12"},
    "citation": {"key": "Doe 2001", "type": "article", "container": "J", "note": "first", "pages": "242-243"},
    "extra": {"note": "second", "DP": "2004", "TA": "J", "SO": "J. 2004", "abstract": "One <b>x</b>.\n\nTwo."},
}
"""What another format gave to a record, under names and in forms that a format has for something else."""


@pytest.mark.parametrize(
    ("form", "lost"),
    [
        ("bibtex", {"citation.key", "extra.note", "extra.DP", "extra.TA", "extra.SO"}),
        ("ris", {"citation.key", "extra.DP", "extra.TA", "extra.abstract"}),
        ("csljson", set()),
    ],
)
def test_what_would_come_back_as_something_else_is_named_and_the_rest_comes_back(form, lost):
    paper = Paper.model_validate(FOREIGN)
    assert left_out(form, make_corpus(paper)).keys() - {"added"} == lost
    if form != "csljson":
        kept, found = read_back(form, paper)
        assert found == kept
    again = import_formats()["json" if form == "csljson" else form]
    (draft,) = again.read(
        export_format(form).write(make_corpus(paper)), "x", ReadingOptions(make_corpus().taxonomy)
    ).drafts
    assert draft.fields.get("extra", {}).keys() <= FOREIGN["extra"].keys()
    assert "links" not in draft.fields


@pytest.mark.parametrize("kind", ["exclusion", "candidate"])
def test_records_of_other_kinds_stay_what_they_are_in_csv_and_other_formats_say_that_they_do_not(kind):
    corpus = select(coffee(), None, kind)
    records = corpus.exclusions if kind == "exclusion" else corpus.papers
    text = export("csv", corpus, kind)
    drafts = import_formats()["csv"].read(text, "x.csv", ReadingOptions(corpus.taxonomy)).drafts  # type: ignore[arg-type]
    assert [draft.kind for draft in drafts] == [kind] * len(records)
    made = [to_record(draft, Vocabulary(corpus.taxonomy), date(2026, 2, 2), Names()) for draft in drafts]
    for record, again in zip(records, made, strict=True):
        if kind == "exclusion":
            given = {name: getattr(record.screening, name) for name in ("stage", "reason", "on")}
            assert given == {name: getattr(again.screening, name) for name in given}
        else:
            assert (again.stage, again.reason) == (record.stage, record.reason)
    lost = left_out("bibtex", corpus, kind)
    assert lost[{"exclusion": "screening", "candidate": "proposal"}[kind]] == len(records)
    assert f"import the {kind}s with '--kind {kind}'" in sentence("bibtex", lost, kind)
    assert left_out("json", corpus, kind) == {}
