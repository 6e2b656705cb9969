"""The language of saved searches: what it says, what is an error, and what has the words."""

import re
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from searches import PHRASES, TEXTS, TREES

from awesome_cli.errors import UsageError
from awesome_cli.query.logic import DEEPEST, LONGEST
from awesome_cli.query.searching import MOST_WORDS, AllOf, AnyOf, NoneOf, Phrase, Search, marks, needs_a_word, parse

DAYS = st.none() | st.dates(date(1900, 1, 1), date(2100, 1, 1))


@given(TREES.filter(needs_a_word), DAYS, DAYS)
def test_a_search_that_is_printed_reads_the_same(tree, one, other):
    since, until = sorted((one, other)) if one and other else (one, other)
    again = parse(str(Search("", tree, since, until)))
    assert (again.tree, again.since, again.until) == (tree, since, until)


@given(TREES, TEXTS, TEXTS, st.lists(TEXTS, max_size=2))
def test_matches_agrees_with_a_simple_reading(tree, title, abstract, authors):
    assert Search("", tree).matches(title, abstract, authors) is simply(tree, title, abstract, authors)


FOLDED = {"müller": "muller", "mu\u0308ller": "muller", "mül": "mul", "crème": "creme", "ß": "ss"}


def words(text: str) -> list[str]:
    """The words of a text, folded by a table."""
    return [FOLDED.get(word, word) for word in re.split(r"[\s,-]+", text.lower()) if word]


def simply(tree, title, abstract, authors):
    if isinstance(tree, AllOf):
        return all(simply(part, title, abstract, authors) for part in tree.parts)
    if isinstance(tree, AnyOf):
        return any(simply(part, title, abstract, authors) for part in tree.parts)
    if isinstance(tree, NoneOf):
        return not simply(tree.part, title, abstract, authors)
    wanted = words(" ".join(tree.words))

    def same(found, i):
        return found.startswith(wanted[i]) if tree.begins and i == len(wanted) - 1 else found == wanted[i]

    if tree.field == "author":
        return any(all(any(same(word, i) for word in words(name)) for i in range(len(wanted))) for name in authors)
    texts = {"title": [title], "abstract": [abstract], "": [title, abstract]}[tree.field]
    rows = [words(text)[at : at + len(wanted)] for text in texts for at in range(len(words(text)))]
    return any(len(row) == len(wanted) and all(map(same, row, range(len(row)))) for row in rows)


@given(TREES, TEXTS)
def test_every_span_has_words_that_are_looked_for(tree, text):
    spans = marks([Search("", tree)], text)
    assert list(spans) == sorted(spans)
    assert all(b <= c for (_, b), (c, _) in pairwise(spans))
    looked_for = [word for phrase in phrases(tree) for word in words(" ".join(phrase.words))]
    for start, end in spans:
        found = words(text[start:end])
        assert found
        assert any(found[0].startswith(word) for word in looked_for)


@given(PHRASES.filter(lambda phrase: phrase.field != "author"), TEXTS)
def test_a_text_has_a_span_where_it_matches(phrase, text):
    field = phrase.field or "title"
    matches = Search("", phrase).matches(*((text, "") if field == "title" else ("", text)))
    assert bool(marks([Search("", phrase)], text, field)) is matches


def phrases(tree):
    if isinstance(tree, Phrase):
        return [tree]
    return [] if isinstance(tree, NoneOf) else [phrase for part in tree.parts for phrase in phrases(part)]


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("bean roast OR drip", "bean AND roast OR drip"),
        ("bean AND (roast OR drip)", "bean AND (roast OR drip)"),
        ("dark-roast*", '"dark roast*"'),
        ('title:("dark roast" OR bean*)', 'title:"dark roast" OR title:bean*'),
        ("NOT abstract:soup bean", "NOT abstract:soup AND bean"),
        ('author:"Ada Bean" bean', 'author:"Ada Bean" AND bean'),
        ('bean "and"', 'bean AND "and"'),
        ("C++ bean", "C AND bean"),
        ("bean date=2024", "bean AND date>=2024-01-01 AND date<=2024-12-31"),
        ("bean date>2024-02", "bean AND date>=2024-03-01"),
        ("bean date<2024-03-01", "bean AND date<=2024-02-29"),
        ("(bean OR roast) date>=2024 date<=2025-06", "(bean OR roast) AND date>=2024-01-01 AND date<=2025-06-30"),
    ],
)
def test_what_is_read(text, printed):
    assert str(parse(text)) == printed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a search needs at least one word"),
        ("NOT bean", "a search needs at least one word"),
        ("bean OR NOT roast", "a search needs at least one word"),
        ("bean and roast", "is it a word? 'and' at column 6"),
        ("bean (roast", "missing closing parenthesis for '(' at column 6"),
        ("bean)", "unexpected ')' at column 5"),
        ("bean AND", "unexpected end of the query"),
        ("venue:bean", "column 1: unknown field 'venue'"),
        ("titel:bean", "column 1: unknown field 'titel'; did you mean 'title'?"),
        ("title:(abstract:bean)", "a condition in 'title' cannot contain the field 'abstract' at column 8"),
        ("be* roast", "expected at least 3 letters before '*' in 'be*' at column 1"),
        ("*bean", "'*' is only valid at the end of a word, in '*bean' at column 1"),
        ('bean "?!"', "expected a letter or digit in '?!' at column 7"),
        ('bean "roast', "cannot parse '\"roast' at column 6"),
        ("bean OR date>=2024", "a date must not be in parentheses, OR or NOT: 'date' at column 9"),
        ("bean NOT date>=2024", "a date must not be in"),
        ("(bean date>=2024)", "a date must not be in"),
        ("bean date>=soon", "not a valid day, month or year: 'soon' at column 12"),
        ("bean date>=2024-02-30", "not a valid day, month or year"),
        ("bean date>9999", "not a valid day, month or year"),
        ("bean date>=2025 date<2024", "the dates exclude each other"),
        ("bean year>=2024", "only 'date' can be compared, outside of fields; got 'year' at column 6"),
        (
            "(" * (DEEPEST + 1) + "bean",
            f"more than {DEEPEST} nested parentheses and NOTs at '(' at column {DEEPEST + 1}",
        ),
        ("bean " * LONGEST, f"at most {LONGEST:,} characters"),
        ("bean " * (MOST_WORDS + 1), "a search takes at most 1,000 words"),
    ],
)
def test_what_cannot_be_read_is_said_where(text, message):
    with pytest.raises(UsageError) as error:
        parse(text)
    assert error.value.message.startswith("search: ")
    assert message in error.value.message
    assert error.value.hint


@given(st.text(alphabet='ab*:()"<>= ANDORNOT-date20\u0301', max_size=40))
def test_any_text_is_read_or_refused(text):
    try:
        search = parse(text)
    except UsageError:
        return
    assert parse(str(search)).tree == search.tree
    marks([search], text)


def test_spans_are_marked_in_the_text_as_it_stands():
    text = "On Dark-Roasted  BEANS, crème and dark\n roasts"
    search = parse('"dark roast*" OR title:beans OR abstract:creme NOT on')
    assert [text[a:b] for a, b in marks([search], text)] == ["Dark-Roasted", "BEANS", "crème", "dark\n roasts"]
    assert [text[a:b] for a, b in marks([search], text, "abstract")] == ["Dark-Roasted", "crème", "dark\n roasts"]
    overlapping = parse('"dark roasted" OR "roasted beans"')
    assert [text[a:b] for a, b in marks([overlapping], text)] == ["Dark-Roasted  BEANS"]
