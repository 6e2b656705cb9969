"""From drafts to records: keys, words, stubs, and that nothing a file may hold stops the others."""

from datetime import date

import pytest
from builders import COFFEE
from hypothesis import example, given
from hypothesis import strategies as st

from awesome_cli.curation.intake import Settings, begin, take_in
from awesome_cli.curation.intake.recording import to_record
from awesome_cli.curation.intake.vocabulary import Vocabulary
from awesome_cli.errors import RefusedError, UsageError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.formats import ReadingOptions
from awesome_cli.formats.reading import InputFile, read
from awesome_cli.model.drafts import Draft
from awesome_cli.model.records import Exclusion, Paper, to_text
from awesome_cli.survey.keys import Names
from awesome_cli.survey.loading import load_corpus, load_record
from awesome_cli.text.inert import UNSEEN

TREE = WorkingTree(COFFEE)
CORPUS = load_corpus(TREE, candidates=True)
DAY = date(2026, 1, 2)


def record(draft: Draft, taken=()):
    return to_record(draft, Vocabulary(CORPUS.taxonomy), DAY, Names(set(taken)))


def draft(key=None, **fields) -> Draft:
    return Draft({"title": "On Bread and Its Crumbs", **fields}, "x:1", key)


@pytest.mark.parametrize(
    ("key", "taken", "expected"),
    [
        ("Bean.2020:Bread", (), "bean.2020-bread"),
        ("Müller_2020", (), "muller_2020"),
        ("key", ("key",), "bean2020-bread"),
        (None, (), "bean2020-bread"),
        ("", (), "bean2020-bread"),
        ("17", (), "bean2020-bread"),
        ("日本", (), "bean2020-bread"),
    ],
)
def test_keys(key, taken, expected):
    assert record(draft(key, authors=("Bean, Ada",), year=2020), taken).key == expected


def test_words_that_were_asked_for_become_tags_where_they_can():
    words = ("device=D2", "taste=Sour:tasted", "Cold", "press", "siphon", "crumbs", "taste=crumbs")
    vocabulary = Vocabulary(CORPUS.taxonomy)
    made = to_record(Draft({"title": "T"}, "x:1", tags=words), vocabulary, DAY, Names())
    assert {axis: [(t.term, t.strength) for t in tags] for axis, tags in made.tags.items()} == {
        "device": [("drip", None)],
        "taste": [("sour", "tasted")],
    }
    # 'Cold' stands on two axes; 'press' and 'siphon' find the device's one place taken.
    assert made.extra == {"keywords": ["Cold", "press", "siphon", "crumbs", "taste=crumbs"]}
    assert not vocabulary.mapped
    vocabulary.count()
    assert vocabulary.mapped == {"device=drip": 1, "taste=sour": 1}
    assert vocabulary.second == {"press": 1, "siphon": 1}


def test_a_value_that_does_not_fit_is_named():
    with pytest.raises(RefusedError, match=r"year: .*not 99999"):
        record(draft(year=99999))
    with pytest.raises(RefusedError, match="no title"):
        record(Draft({}, "x:1"))


def test_numbers_in_extra_are_kept_as_the_texts_that_a_file_holds():
    made = record(draft(extra={"count": 3, "list": [{"a": None, "b": True}]}))
    assert made.extra == {"count": "3", "list": [{"a": None, "b": "true"}]}
    again, findings = load_record(Paper, made.key, made.path, to_text(made).encode())
    assert (again, findings) == (made, ())


def test_an_exclusion_keeps_what_has_no_field():
    links = [{"label": "Paper", "url": "https://example.org/a"}, {"label": "Code", "url": "https://example.org/b"}]
    made = record(
        Draft({"title": "T", "venue": "V", "links": links, "screening": {"stage": "Full Text"}}, "x", kind="exclusion")
    )
    assert isinstance(made, Exclusion)
    assert (made.screening.stage, made.screening.reason, made.url) == (
        "full_text",
        "unspecified",
        "https://example.org/a",
    )
    assert made.extra == {"venue": "V", "links": links}
    screening = {"stage": "by title", "reason": "no bread"}
    noted = record(Draft({"title": "T", "note": "N", "screening": screening}, "x", kind="exclusion"))
    assert (noted.note, noted.extra) == ("N", {"stage": "by title", "reason": "no bread"})


@pytest.mark.parametrize("name", ["x" * 1_001, "x" + "\n" * 500 + "y"])
def test_a_name_that_could_not_be_read_again_fails_its_entry_alone(name: str):
    entries = [Draft({"title": "A", "extra": {name: "x"}}, "x:1"), Draft({"title": "B"}, "x:2")]
    result = take_in(begin(CORPUS, TREE, Settings(DAY)), entries)
    assert [taken.record.title for taken in result.taken] == ["B"]
    assert "extra: the name" in result.failed[0].message


def test_characters_that_nobody_sees_are_taken_out_and_the_fields_named():
    entry = Draft({
        "title": "A\x1b[31m st\u202eudy of\u2028bread", "year": 2020, "authors": ("Be\x92an, Ada", "R\ud800oast, Rob"),
        "venue": "\u0646\u200c\u0645 \u200f!", "extra": {"no\ufeffte": [{"a": "b\U000e0041"}]},
    }, "x:1", "be\u202ean")  # fmt: skip
    [taken] = take_in(begin(CORPUS, TREE, Settings(DAY)), [entry]).taken
    made = taken.record
    assert (made.title, made.authors) == ("A study of bread", ("Bean, Ada", "Roast, Rob"))
    assert (made.venue, made.extra) == ("\u0646\u200c\u0645 \u200f!", {"note": [{"a": "b"}]})
    assert taken.warnings == ("key, title, authors, extra: invisible characters were removed",)
    assert not UNSEEN.search(to_text(made))


def test_wishes_are_checked_before_anything_is_read():
    for setting in ({"create_terms": "tast"}, {"stage": "abstrat"}, {"reason": "te"}):
        with pytest.raises(UsageError, match="did you mean"):
            begin(CORPUS, TREE, Settings(DAY, **setting))


VALUES = st.one_of(
    st.none(), st.text(max_size=12), st.integers(), st.lists(st.text(max_size=5), max_size=2), st.floats()
)
NAMES = st.sampled_from(
    ["title", "authors", "year", "doi", "arxiv", "url", "tags", "decision", "reason", "taste", "key", "odd"]
)


@given(st.lists(st.dictionaries(NAMES, VALUES, max_size=6), min_size=1, max_size=4))
@example([{"title": "\x1b"}, {"authors": "0", "title": "\x1b"}])
def test_whatever_a_list_holds_is_taken_named_or_known(entries):
    import json

    source = InputFile("x.json", json.dumps(entries).encode())
    batch = read([source], ReadingOptions(CORPUS.taxonomy))
    done = take_in(begin(CORPUS, TREE, Settings(DAY)), batch.drafts)
    assert len(done.taken) + len(done.known) + len(done.failed) == len(batch.drafts)
    for change in done.changes():
        model = {"corpus": Paper, "exclusions": Exclusion}.get(change.path.partition("/")[0])
        if model is not None:
            made, findings = load_record(model, change.path.rpartition("/")[2][:-5], change.path, change.after)
            assert findings == ()
            assert made == done.works.records[made.key]
