"""The query language: what matches, what is an error, and what the error advises."""

import pytest
from builders import coffee, make_corpus, make_paper
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.errors import UsageError
from awesome_cli.query.logic import DEEPEST, LONGEST
from awesome_cli.query.parser import parse

CORPUS = coffee()


@pytest.fixture(autouse=True)
def nothing_was_read_before():
    """A vocabulary reads a query once: without this a test could pass on what another one, or an earlier run, read."""
    CORPUS.taxonomy.memo.clear()


def keys(text: str) -> str:
    return " ".join(record.key for record in CORPUS.query(text).select(CORPUS.papers))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*", "aero2020 drip2021 siphon2019 soup2022"),
        ("device=drip", "drip2021 soup2022"),
        ("device=D2", "drip2021 soup2022"),
        ("device=immersion", "aero2020 siphon2019"),
        ("beans!=arabica", "drip2021"),
        ("beans=NA", "siphon2019 soup2022"),
        ("taste=sour:tasted", "aero2020"),
        ("taste=sour:=mentioned", "drip2021"),
        ("sour", "aero2020 drip2021"),
        ("taste=*:measured", "aero2020 drip2021 siphon2019"),
        ("T2:tasted", "aero2020"),
        ("year>=2021", "drip2021 soup2022"),
        ("year<2020", "siphon2019"),
        ("year=2020,2021", "aero2020 drip2021"),
        ("grams>20", "drip2021 siphon2019"),
        ("added<=2026-01-10", "aero2020"),
        ('text~"chromatografy"', "aero2020"),
        ('"dripping"', "drip2021"),
        ('title="is it SOUP?"', "soup2022"),
        ("author~bean", "aero2020 soup2022"),
        ("arxiv=hep-th/9901001", "soup2022"),
        ("contested=yes", "aero2020"),
        ("contested=weak", "aero2020"),
        ("contested=no", "drip2021 siphon2019 soup2022"),
        ("confidence=low", "aero2020"),
        ("venue=NA", "drip2021 siphon2019 soup2022"),
        ("grams=NA", "soup2022"),
        ("grams!=NA", "aero2020 drip2021 siphon2019"),
        ("NOT device=drip AND year=2020", "aero2020"),
        ("NOT (device=drip OR year=2020)", "siphon2019"),
        ("year=2019 OR year=2020 beans=robusta", "siphon2019"),
        ("(year=2019 OR year=2020) beans=arabica", "aero2020"),
    ],
)
def test_queries_select(text: str, expected: str):
    assert keys(text) == expected


def test_quotation_marks_in_a_text_are_escaped():
    paper = make_paper("q1", venue='The "Cup" \\ Saucer')
    query = CORPUS.query(r'venue="the \"cup\" \\ saucer"')
    assert query.select([paper]) == (paper,)


def test_identifiers_and_keys_are_words_of_a_text():
    paper = make_paper("q1", identifiers={"arxiv": "2601.00001", "doi": "10.1234/cup"}, citation={"key": "Bean2020"})
    for name in ("2601.00001", "10.1234/cup", "bean2020", "q1"):
        assert CORPUS.query(f'text~"{name}"').select([paper]) == (paper,), name


@pytest.mark.parametrize(
    ("text", "wider"),
    [
        ("author=Bean", "author~Bean"),
        ("year=2020 (venue=Cup OR author=Bean)", "year=2020 (venue~Cup OR author~Bean)"),
        ("year=2020", None),
        ("venue=NA", None),
        ("device=drip", None),
    ],
)
def test_a_query_of_whole_texts_has_a_wider_one(text: str, wider: str | None):
    assert CORPUS.query(text).wider == wider


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("reason=opinion", "X2"),
        ("near_miss=yes", "X1"),
        ("near_miss=no", "X2"),
        ("screened>2026-02-01", "X2"),
        ("device!=drip", ""),
    ],
)
def test_queries_over_exclusions(text: str, expected: str):
    assert " ".join(e.key for e in CORPUS.query(text).select(CORPUS.exclusions)) == expected


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("", "must not be empty", "query"),
        ("devise=drip", "did you mean 'device'?", "one of: device"),
        ("device=drp", "did you mean 'drip'?", "one of: immersion"),
        ("taste=sour:tastet", "axis 'taste' has no strength 'tastet'; did you mean 'tasted'?", "one of: mentioned"),
        ("judged=maybe", "unknown verdict 'maybe'", "one of: "),
        ("cold", "is a term of 2 axes", "device=cold or beans=cold"),
        ("device", "needs a term", "device=TERM with one of: immersion, press"),
        ("sweat", "did you mean 'sweet'?", 'text~"sweat"'),
        ("year>=soon", "a number", "query"),
        ("added>=soon", "a date", "query"),
        ("year~2020", "is not valid", "query"),
        ("(year=2020", "missing closing", "query"),
        ("year=2020)", "unexpected ')'", "query"),
        ("year=", "unexpected end of the query", "query"),
        ("year=(", "missing value before '(' at column 6", "query"),
        ("near_miss=maybe", "yes or no", "query"),
        ("contested=huge", "unknown grade 'huge'", "weak, strong"),
        ('text~"open', "cannot parse", "query"),
    ],
)
def test_errors_say_what_and_what_next(text: str, message: str, hint: str):
    with pytest.raises(UsageError) as caught:
        CORPUS.query(text)
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")


def test_a_query_knows_what_it_compares():
    assert CORPUS.query("(year>2 device=drip) OR grams>1").names == {"year", "device", "grams"}


def test_every_and_no_word_of_a_text_must_match():
    papers = (make_paper("a1", title="Shapley credit"), make_paper("b1", title="Shapley values"))
    assert [p.key for p in CORPUS.query('text~"shaply credit"').select(papers)] == ["a1"]


@pytest.mark.parametrize("open_", ["NOT ", "(NOT "])
def test_a_query_may_nest_so_deep_and_no_deeper(open_: str):
    """What nests deeper would end in a fault of the interpreter, in reading or in every record's test."""
    levels, close = len(open_.replace(" ", "").replace("NOT", "N")), ")" * open_.count("(")
    deep = DEEPEST // levels
    assert CORPUS.query(open_ * deep + "*" + close * deep).select(CORPUS.papers) == CORPUS.papers
    for n in (deep + 1, 3000):
        with pytest.raises(UsageError, match=f"more than {DEEPEST} nested parentheses and NOTs"):
            CORPUS.query(open_ * n + "*" + close * n)


def test_a_very_long_query_is_refused():
    longest = " ".join(["*"] * (LONGEST // 2)) + " "
    assert len(longest) == LONGEST
    assert len(CORPUS.select(longest)) == len(CORPUS.papers)
    with pytest.raises(UsageError, match="got 20,001"):
        CORPUS.query(longest.ljust(LONGEST + 1, "*"))


def test_a_message_has_the_beginning_of_a_long_query():
    for text in ("* " * 500 + ")", "year>=" + "a b" * 500, "* OR " * 500, "* " * 200 + "'" * 3000 + '"'):
        with pytest.raises(UsageError) as caught:
            CORPUS.query(text)
        assert len(caught.value.message) < 600


@given(st.text(max_size=30))
def test_any_text_is_a_query_or_a_usage_error(text: str):
    try:
        parse(text, CORPUS.taxonomy)
    except UsageError as error:
        assert error.message.startswith("query:")


@given(st.lists(st.sampled_from(["device=drip", "year>=2020", "sour", "NOT beans=NA", "contested=yes"]), min_size=1))
def test_blanks_mean_and(parts: list[str]):
    assert keys(" ".join(parts)) == keys(" AND ".join(parts))


def test_parts_and_main_codings_are_told_apart():
    part = {"term": "sour", "strength": "measured", "part": True}
    corpus = make_corpus(make_paper(tags={"taste": [{"term": "bitter", "strength": "tasted"}, part]}))
    for text, found in {
        "taste=sour": 1,
        "sour:part": 1,
        "sour:main": 0,
        "sour:measured:part": 1,
        "sour:tasted": 1,
    }.items():
        assert len(corpus.select(text)) == found, text
    only = make_corpus(make_paper(tags={"taste": [part]}))
    assert len(only.select("taste=NA")) == 1
    assert len(only.select("taste=*")) == 1
    assert len(only.select("taste=*:main")) == 0


CONDITIONS = [
    "device=drip",
    "year>=2020",
    "sour",
    "taste!=sour",
    "beans=NA",
    "contested=yes",
    '"water"',
    "judged=yes",
    "*",
]
NESTED = st.lists(st.sampled_from(CONDITIONS), min_size=1, max_size=3).map(" OR NOT ".join)


@given(NESTED)
def test_silence_matters_only_to_queries_that_depend_on_it(text: str):
    query = CORPUS.query(text)
    if not query.depends_on_silence(CORPUS.taxonomy, CORPUS.uncoded):
        for silent in (True, False):
            assert parse(text, CORPUS.taxonomy, silent=silent).select(CORPUS.papers) == query.select(CORPUS.papers)


@given(NESTED, st.sampled_from(["device", "taste"]))
def test_a_query_means_the_same_with_the_axes_it_names(text: str, changed: str):
    axes = CORPUS.taxonomy.axes
    other = CORPUS.taxonomy.model_copy(update={"axes": tuple(a.model_copy() if a.id == changed else a for a in axes)})
    query = CORPUS.query(text)
    assert query.means_the_same(CORPUS.taxonomy, CORPUS.taxonomy)
    if query.means_the_same(CORPUS.taxonomy, other):
        assert changed not in query.axes
        assert {*query.names} == {*query.axes}
        assert parse(text, other).select(CORPUS.papers) == query.select(CORPUS.papers)
