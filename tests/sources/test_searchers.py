"""The services that are searched, asked over HTTP on loopback: what is sent, what is read, and every way to fail."""

import json
import os
import re
from dataclasses import replace
from datetime import date
from urllib.parse import parse_qs, urlsplit

import pytest
from builders import DATA
from hypothesis import given
from hypothesis import strategies as st
from searches import TEXTS, TREES
from serving import Reply
from test_services import ENTRY, ERROR, FEED, WORK, as_json, feed

from awesome_cli.errors import NetError, UsageError
from awesome_cli.model.records import Identifiers
from awesome_cli.model.searches import TITLES_ONLY
from awesome_cli.query.searching import AllOf, AnyOf, NoneOf, Phrase, Search, conjuncts, needs_a_word, parse
from awesome_cli.sources import SEARCHERS, connect, openalex, searchers
from awesome_cli.sources.crossref import MOST_READ
from awesome_cli.sources.openalex import LONGEST_ADDRESS
from awesome_cli.sources.searchers import MOST_REQUESTS, Around

PUBLIC = {
    "arxiv": "https://export.arxiv.org/api/query",
    "openalex": "https://api.openalex.org",
    "crossref": "https://api.crossref.org",
}
PATHS = {"arxiv": "/arxiv", "openalex": "/openalex/works", "crossref": "/crossref/works"}


@pytest.fixture
def net(service):
    return connect(os.environ)


def pages(name, text, net, start=None, since=None):
    searcher = SEARCHERS[name]
    wanted = parse(text) if isinstance(text, str) else text
    return list(searcher.pages(searcher.request(wanted, since), net, start))


def sent(name, text, since=None):
    """What each address of a request asks for, by parameter."""
    addresses = SEARCHERS[name].request(parse(text), since).addresses
    return [{key: values[0] for key, values in parse_qs(urlsplit(one).query).items()} for one in addresses]


def titles(found):
    return [draft.title for page in found for draft in page.drafts]


def alex(number, title="On Bean Roasting", **more):
    work = {
        "id": f"https://openalex.org/W{number}",
        "doi": f"https://doi.org/10.1000/{number}",
        "title": title,
        "type": "article",
        "publication_year": 2025,
        "publication_date": "2025-03-04",
        "authorships": [{"author": {"display_name": "Ada Bean"}, "raw_author_name": "A. Bean"}],
        "primary_location": {
            "landing_page_url": "https://example.org/a",
            "source": {"display_name": "Journal of Bread"},
        },
        "biblio": {"volume": "3", "first_page": "1", "last_page": "9"},
        "abstract_inverted_index": {"Dark": [0], "beans": [1, 3], "and": [2]},
    }
    return {**work, **more}


def alex_page(works, count=None, cursor=None):
    return as_json({"meta": {"count": len(works) if count is None else count, "next_cursor": cursor}, "results": works})


def crossref_page(items, count=None, cursor="next"):
    total = len(items) if count is None else count
    return as_json({"status": "ok", "message": {"total-results": total, "items": items, "next-cursor": cursor}})


def item(number, title="On Bean Roasting", **more):
    return {**WORK, "DOI": f"10.1000/{number}", "title": [title], "subtitle": [], **more}


# What is sent.

QUERIES = [
    (
        "bean roast*",
        "(ti:bean OR abs:bean)",
        ['title_and_abstract.search.exact:("bean" AND "roast*")'],
        [{"query.bibliographic": "bean"}],
    ),
    (
        '"dark roast" OR title:bean',
        '((ti:"dark roast" OR abs:"dark roast") OR ti:bean)',
        ['title_and_abstract.search.exact:("dark roast" OR "bean")'],
        [{"query.bibliographic": "dark roast"}, {"query.title": "bean"}],
    ),
    (
        'bean NOT (soup OR tea) author:"Ada Doe"',
        "((ti:bean OR abs:bean) AND (au:Ada AND au:Doe) ANDNOT ((ti:soup OR abs:soup) OR (ti:tea OR abs:tea)))",
        [
            'title_and_abstract.search.exact:("bean" NOT ("soup" OR "tea"))',
            'raw_author_name.search:("Ada" AND "Doe")',
        ],
        [{"query.bibliographic": "bean", "query.author": "Ada Doe"}],
    ),
]


@pytest.mark.parametrize(("text", "arxiv", "filters", "crossref"), QUERIES)
def test_a_search_in_each_services_words(text, arxiv, filters, crossref):
    assert sent("arxiv", text)[0]["search_query"] == arxiv
    assert sent("openalex", text)[0]["filter"] == ",".join(filters)
    asked = [{key: one[key] for key in one if key.startswith("query")} for one in sent("crossref", text)]
    assert asked == crossref


def test_days_in_each_services_words():
    since, text = date(2025, 3, 1), "bean date>=2025-02 date<=2025-06"
    arxiv = sent("arxiv", text, since)[0]["search_query"]
    assert arxiv.endswith(" AND submittedDate:[202503010000 TO 202506302359]")
    assert sent("arxiv", "bean", since)[0]["search_query"].endswith("[202503010000 TO 299912312359]")
    assert sent("arxiv", "bean date<=2025-06")[0]["search_query"].endswith("[199101010000 TO 202506302359]")
    alone = sent("openalex", text, since)[0]["filter"]
    assert alone.endswith(",from_publication_date:2025-03-01,to_publication_date:2025-06-30")
    assert sent("crossref", text, since)[0]["filter"] == "from-pub-date:2025-03-01,until-pub-date:2025-06-30"
    assert "filter" not in sent("crossref", "bean")[0]


@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize("text", [text for text, *_ in QUERIES])
def test_what_is_shown_is_what_is_sent(service, net, name, text):
    """Each address that a request shows is asked so, and no other; at a server that knows the user and has no works."""
    service.routes["/arxiv"] = Reply(feed(total=0))
    service.routes["/openalex/works"] = alex_page([])
    service.routes["/crossref/works"] = crossref_page([])
    request = SEARCHERS[name].request(parse(text), date(2025, 1, 1))
    known = replace(net, contact="curator@example.org")
    found = list(SEARCHERS[name].pages(request, known, None))
    public = [address.replace(PUBLIC[name], f"/{name}") for address in request.addresses]
    assert service.asked == public
    assert [(page.hits, page.read, page.drafts) for page in found] == [(0, 0, ())] * len(public)
    assert found[-1].next is None
    assert "curator" not in request.sent
    assert all("mailto:curator@example.org" in agent for agent in service.agents)


@given(TREES.filter(needs_a_word), TEXTS, TEXTS, st.lists(TEXTS, max_size=2))
def test_a_translation_finds_at_least_what_was_asked(tree, title, abstract, authors):
    """arXiv's and OpenAlex's words are read back as a search; what says of itself that it is exact finds no more."""
    work = (title, abstract, authors)
    search = Search("", tree)
    for name, back in (("arxiv", of_arxiv), ("openalex", of_openalex)):
        try:
            request = SEARCHERS[name].request(search, None)
        except UsageError:
            continue
        found = any(all(part.matches(*work) for part in back(address)) for address in request.addresses)
        assert found or not search.matches(*work)
        if request.exact:
            assert found is search.matches(*work)


def of_arxiv(address):
    text = parse_qs(urlsplit(address).query)["search_query"][0]
    for theirs, ours in (("ti:", "title:"), ("abs:", "abstract:"), ("au:", "author:"), (" ANDNOT ", " AND NOT ")):
        text = text.replace(theirs, ours)
    return [parse(text)]


def of_openalex(address):
    parts = (part.split(":", 1) for part in parse_qs(urlsplit(address).query)["filter"][0].split(","))
    return [parse(re.sub('"([^"]*)"', r'author:"\1"', text) if "author" in field else text) for field, text in parts]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("arxiv", "roast* OR bean*", "arXiv does not support the search roast*"),
        ("crossref", "roast*", "Crossref does not support a search with prefixes alone"),
        ("crossref", " OR ".join(f"bean{i}" for i in range(MOST_REQUESTS + 1)), "Crossref would need more than"),
        ("openalex", "author:bea*", "OpenAlex does not support the search author:bea*"),
        ("openalex", " ".join("b" * 60 + str(i) for i in range(70)), "this search is longer"),
        ("openalex", " ".join(f"(author:a{i} OR b{i})" for i in range(2)) + " author:c", ""),
    ],
)
def test_what_cannot_be_asked(name, text, message):
    if not message:
        assert SEARCHERS[name].request(parse(text), None).remarks
        return
    with pytest.raises(UsageError, match=message.replace("*", r"\*")):
        SEARCHERS[name].request(parse(text), None)


def test_citations_are_asked_of_openalex_only():
    around = Around("citing", (Identifiers(doi="10.1000/1"),))
    for name in ("arxiv", "crossref"):
        with pytest.raises(UsageError, match="citation"):
            SEARCHERS[name].request(around, None)
    with pytest.raises(UsageError, match="none of these works has one"):
        SEARCHERS["openalex"].request(Around("citing", (Identifiers(other="x"),)), None)


def test_a_long_or_is_divided_so_that_no_word_is_lost():
    words = [f"{'b' * 40}{i}" for i in range(200)]
    asked = sent("openalex", f"roast ({' OR '.join(words)})")
    addresses = SEARCHERS["openalex"].request(parse(f"roast ({' OR '.join(words)})"), None).addresses
    assert 1 < len(asked) <= MOST_REQUESTS
    assert all(len(address) <= LONGEST_ADDRESS for address in addresses)
    assert all('"roast"' in one["filter"] for one in asked)
    assert sorted(word for word in words for one in asked if f'"{word}"' in one["filter"]) == sorted(words)


def test_a_search_that_needs_far_too_many_requests_is_refused_after_a_few(monkeypatch):
    """Forty alternatives of two long words need 2^n short addresses: they are not all made before they are counted."""
    made = []
    address = openalex._address

    def counted(*arguments):
        made.append(arguments)
        assert len(made) < 1_000
        return address(*arguments)

    monkeypatch.setattr(openalex, "_address", counted)
    search = parse(" ".join(f"({'b' * 40}{i} OR {'c' * 40}{i})" for i in range(40)))
    with pytest.raises(UsageError, match="OpenAlex would need more than 20 requests"):
        SEARCHERS["openalex"].request(search, None)


@pytest.mark.parametrize(
    ("source", "part"),
    [
        ("openalex", "(a{0} OR b{0})"),
        ("openalex", "(author:abc{0}* OR author:abd{0}*)"),
        ("arxiv", "(abc{0}* OR abd{0}*)"),
    ],
)
def test_hundreds_of_alternatives_are_not_split_one_within_the_other(source, part, monkeypatch):
    split = []

    def counted(tree):
        split.append(tree)
        assert len(split) < 1_000
        return conjuncts(tree)

    for module in (searchers, openalex):
        monkeypatch.setattr(module, "conjuncts", counted)
    with pytest.raises(UsageError, match="would need more than 20 requests"):
        SEARCHERS[source].request(parse(" ".join(map(part.format, range(490)))), None)


@pytest.mark.parametrize("depth", [40, 160])
def test_each_part_of_a_nested_search_is_examined_a_few_times_however_deep_it_is(depth):
    class Parts(tuple):
        read = 0

        def __iter__(self):
            Parts.read += 1
            return super().__iter__()

    tree = Phrase(("z",))
    for i in range(depth):
        inner = AllOf(Parts((NoneOf(Phrase((f"b{i}",))), tree)))
        tree = AnyOf(Parts((Phrase((f"a{i}",), "author"), inner)))
    with pytest.raises(UsageError, match="would need more than"):
        SEARCHERS["openalex"].request(Search("", AllOf((tree, Phrase(("bea",), "author", begins=True)))), None)
    assert Parts.read < 20 * depth


def test_texts_or_authors_are_asked_one_after_the_other(service, net):
    service.routes["/openalex/works"] = [alex_page([alex(1), alex(2, "Tea")]), alex_page([alex(3, "Soup")])]
    found = pages("openalex", 'author:"Ada Doe" OR bean roasting', net)
    filters = [parse_qs(urlsplit(path).query)["filter"][0] for path in service.asked]
    assert filters == [
        'raw_author_name.search:("Ada" AND "Doe")',
        'title_and_abstract.search.exact:("bean" AND "roasting")',
    ]
    assert titles(found) == ["On Bean Roasting"]
    assert [(page.hits, page.read) for page in found] == [(2, 2), (3, 1)]
    assert SEARCHERS["openalex"].request(parse("author:doe OR bean"), None).exact


# What is read.


def entries(*numbers, total):
    made = [ENTRY.format(id=f"2508.{n:05}v1", title="Bean roasting", more="") for n in numbers]
    return Reply(FEED.format(entries="".join(made), total=total).encode())


def test_pages_of_arxiv(service, net):
    service.routes["/arxiv"] = [entries(*range(1, 101), total=130), entries(*range(101, 131), total=130)]
    found = pages("arxiv", "bean", net)
    assert [(page.hits, page.read, len(page.drafts), page.next) for page in found] == [
        (130, 100, 100, "0:100:0:130:100"), (130, 30, 30, None),
    ]  # fmt: skip
    assert [parse_qs(urlsplit(path).query)["start"] for path in service.asked] == [["0"], ["100"]]
    fields = found[0].drafts[0].fields
    assert fields["extra"] == {"abstract": "Text."}
    assert fields["first_public"] == "2025-08-06"
    service.asked.clear()
    service.routes["/arxiv"] = entries(*range(101, 131), total=130)
    assert pages("arxiv", "bean", net, start="0:100:0:130:100") == found[1:]
    assert len(service.asked) == 1


def test_a_page_of_arxiv_that_is_empty_without_a_reason_is_asked_again(service, net):
    service.routes["/arxiv"] = [entries(total=2), entries(1, 2, total=2)]
    assert len(titles(pages("arxiv", "bean", net))) == 2
    service.routes["/arxiv"] = entries(total=2)
    service.asked.clear()
    with pytest.raises(NetError, match="counts results that it does not contain"):
        pages("arxiv", "bean", net)
    assert len(service.asked) == 3


def test_a_recorded_answer_of_arxiv(service, net):
    body = (DATA / "inputs" / "arxiv" / "q_testing_s0_m15_80c242b59d59.xml").read_bytes()
    service.routes["/arxiv"] = Reply(body.replace(b"214881", b"15"))
    (page,) = pages("arxiv", "testing", net)
    assert (page.hits, page.read, len(page.drafts)) == (15, 15, 15)
    assert all(draft.fields["extra"]["abstract"] and draft.fields["identifiers"]["arxiv"] for draft in page.drafts)
    service.routes["/arxiv"] = Reply(body)
    with pytest.raises(NetError, match="arXiv reports 214,881 works but returns at most 30,000"):
        pages("arxiv", "testing", net)


def test_what_arxiv_cannot_express_is_filtered_here(service, net):
    service.routes["/arxiv"] = Reply(feed("2508.00001v1", "2508.00002v1", title="Roasted Beans"))
    (page,) = pages("arxiv", "beans roast*", net)
    assert (page.read, len(page.drafts)) == (2, 2)
    (page,) = pages("arxiv", "beans boil*", net)
    assert (page.read, len(page.drafts)) == (2, 0)
    (page,) = pages("arxiv", 'beans author:"Jan Bean"', net)
    assert not page.drafts  # Jan van der Berg and Ada Bean
    (page,) = pages("arxiv", 'beans author:"Berg van der"', net)
    assert len(page.drafts) == 2


def test_pages_of_openalex(service, net):
    service.routes["/openalex/works"] = [
        alex_page([alex(1), alex(2)], 3, "a/b="), alex_page([alex(3)], 3, "last"),
    ]  # fmt: skip
    found = pages("openalex", "bean", net)
    assert [(page.hits, page.read, page.next) for page in found] == [(3, 2, "0:2:0:3:a/b="), (3, 1, None)]
    assert [parse_qs(urlsplit(path).query)["cursor"] for path in service.asked] == [["*"], ["a/b="]]
    assert dict(found[0].drafts[0].fields) == {
        "title": "On Bean Roasting",
        "authors": ("Bean, Ada",),
        "year": 2025,
        "first_public": "2025-03-04",
        "venue": "Journal of Bread",
        "identifiers": {"doi": "10.1000/1"},
        "links": [{"label": "Paper", "url": "https://doi.org/10.1000/1"}],
        "citation": {"type": "article", "container": "Journal of Bread", "volume": "3", "pages": "1--9"},
    }


@pytest.mark.parametrize(
    ("more", "kept"),
    [
        ({}, False),
        ({"primary_location": {"license": "cc-by"}}, True),
        ({"best_oa_location": {"license": "public-domain"}}, True),
        ({"best_oa_location": {"license": "cc-by-nc-nd"}}, False),
        ({"doi": "https://doi.org/10.48550/arXiv.2501.00001"}, True),
        ({"doi": None, "locations": [{"landing_page_url": "http://arxiv.org/abs/2501.00001"}]}, False),
    ],
)
def test_abstracts_of_openalex_are_kept_where_the_terms_allow(service, net, more, kept):
    service.routes["/openalex/works"] = alex_page([alex(1, **more)])
    (page,) = pages("openalex", "bean", net)
    assert page.drafts[0].fields.get("extra") == ({"abstract": "Dark beans and beans"} if kept else None)
    if "arxiv" in json.dumps(more).lower():
        assert page.drafts[0].fields["identifiers"] == {"arxiv": "2501.00001"}


def test_a_work_that_makes_no_record_is_named_and_counted(service, net):
    service.routes["/openalex/works"] = alex_page([alex(1), alex(2, None), {"id": 5}])
    (page,) = pages("openalex", "bean", net)
    assert (page.read, len(page.drafts)) == (3, 1)
    assert [failure.place for failure in page.failures] == ["OpenAlex, work 2 of a page", "OpenAlex, work 3 of a page"]
    assert page.failures[0].message == "OpenAlex has no title for https://openalex.org/W2"


def test_what_openalex_cannot_express_is_filtered_here(service, net):
    """Words of an abstract that is not kept count, too."""
    service.routes["/openalex/works"] = alex_page([alex(1), alex(2, abstract_inverted_index=None)])
    assert len(titles(pages("openalex", "abstract:dark", net))) == 1
    assert len(titles(pages("openalex", "title:bean", net))) == 2
    assert not titles(pages("openalex", "title:dark", net))
    assert len(titles(pages("openalex", "bean NOT author:doe", net))) == 2
    assert not titles(pages("openalex", "bean NOT author:ada", net))


def test_works_around_others(service, net):
    def works(path):
        query = {key: values[0] for key, values in parse_qs(urlsplit(path).query).items()}
        if query["filter"].startswith("doi:"):
            return alex_page([{"id": "https://openalex.org/W7", "doi": "https://doi.org/10.1000/A"}])
        return alex_page([alex(1)])

    service.routes["/openalex/works"] = works
    known = (Identifiers(doi="10.1000/a"), Identifiers(arxiv="2501.00001"), Identifiers(other="x"))
    for relation, expected in (("citing", "cites:W7"), ("cited_by", "cited_by:W7")):
        service.asked.clear()
        (page,) = pages("openalex", Around(relation, known), net, since=date(2025, 1, 1))
        filters = [parse_qs(urlsplit(path).query)["filter"][0] for path in service.asked]
        assert filters == [
            "doi:10.1000/a|10.48550/arxiv.2501.00001", f"{expected},from_publication_date:2025-01-01",
        ]  # fmt: skip
        assert (page.hits, page.read, len(page.drafts)) == (1, 1, 1)
        assert [failure.place for failure in page.unknown] == ["doi:10.48550/arxiv.2501.00001"]
        request = SEARCHERS["openalex"].request(Around(relation, known), date(2025, 1, 1))
        assert expected.partition(":")[0] in request.remarks[0]
        assert "1 of 3 works have neither a DOI nor an arXiv id" in request.remarks[1]
        assert [f"/openalex{urlsplit(one).path}?{urlsplit(one).query}" for one in request.addresses] == service.asked[
            :1
        ]


def test_works_around_others_that_are_all_unknown(service, net):
    service.routes["/openalex/works"] = alex_page([])
    (page,) = pages("openalex", Around("citing", (Identifiers(doi="10.1000/a"),)), net)
    assert (page.hits, page.next, len(page.unknown)) == (0, None, 1)


def test_pages_of_crossref(service, net):
    """The same cursor may stand in several answers; of each request the first works are read."""
    full = [crossref_page([item(100 * n + i) for i in range(100)], 12_345, "same") for n in range(5)]
    service.routes["/crossref/works"] = full
    found = pages("crossref", "bean", net)
    assert len(found) == MOST_READ / 100 == len(service.asked)
    assert found[0].next == "0:100:0:12345:same"
    assert found[-1].next is None
    assert {page.hits for page in found} == {12_345}
    assert [parse_qs(urlsplit(path).query)["cursor"][0] for path in service.asked] == ["*", *["same"] * 4]
    draft = found[0].drafts[0]
    assert draft.fields["identifiers"] == {"doi": "10.1000/0"}
    assert "extra" not in draft.fields


def test_crossrefs_answers_are_filtered_here(service, net):
    works = [
        item(1),
        item(2, "Soup"),
        item(3, "Bean Soup"),
        item(4, "Roasting the Bean"),
        item(5, "Tea", abstract="<p>Bean <i>roasting</i>"),
    ]
    service.routes["/crossref/works"] = crossref_page(works)
    (page,) = pages("crossref", '"bean roasting"', net)
    assert (page.read, titles([page])) == (5, ["On Bean Roasting", "Tea"])
    assert all("extra" not in draft.fields for draft in page.drafts)
    assert titles(pages("crossref", "bean NOT soup", net)) == ["On Bean Roasting", "Roasting the Bean", "Tea"]


@pytest.mark.parametrize(
    ("days", "first"),
    [
        ({"published-print": {"date-parts": [[2021, 3]]}, "posted": {"date-parts": [[2020, 12, 5]]}}, "2020-12-05"),
        (
            {"published-print": {"date-parts": [[2021]]}, "published-online": {"date-parts": [[2021, 2, 3]]}},
            "2021-02-03",
        ),
        ({"issued": {"date-parts": [[2021, 13]]}, "published-print": {"date-parts": [[2022]]}}, "2022"),
        ({"issued": {"date-parts": [[None]]}, "published-print": None}, None),
    ],
)
def test_the_day_of_appearance_at_crossref(service, net, days, first):
    service.routes["/crossref/works"] = crossref_page([item(1, **days)])
    assert pages("crossref", "bean", net)[0].drafts[0].fields.get("first_public") == first


def test_the_sources_without_abstracts_say_so(net):
    notes = {name: " ".join(searcher.remarks(net)) for name, searcher in SEARCHERS.items()}
    assert {name for name, note in notes.items() if "does not search abstracts" in note} == TITLES_ONLY


def test_openalex_is_asked_again_after_it_said_slow_down(service, net):
    service.routes["/openalex/works"] = [Reply(b"{}", 403), alex_page([alex(1)])]
    assert [draft.title for page in pages("openalex", "bean", net) for draft in page.drafts]


# Every way to fail.

NO_JSON = Reply(b"<html>Down for maintenance</html>")
FAULTS = {
    "openalex": [
        (NO_JSON, "OpenAlex sent an invalid response for a search: not JSON"),
        (Reply(b""), "OpenAlex sent an invalid response"),
        (Reply(alex_page([alex(1)]).body[:-30]), "OpenAlex sent an invalid response for a search: not JSON"),
        (as_json([]), "OpenAlex sent an invalid response"),
        (as_json({"results": []}), "OpenAlex sent an invalid response"),
        (as_json({"meta": {"count": 0}}), "OpenAlex sent an invalid response"),
        (as_json({"meta": {"count": "many"}, "results": []}), "OpenAlex sent an invalid response"),
        (as_json({"meta": {"count": -1}, "results": []}), "OpenAlex sent an invalid response"),
        (alex_page([5, {}, None]), "all 3 works are invalid"),
        (alex_page([], count=7), "OpenAlex reported 7 works but returned none"),
        (alex_page([alex(1)], count=7), "OpenAlex reported 7 works but returned 1"),
        (alex_page([alex(1)], count=10**7, cursor="a"), "OpenAlex reported 10,000,000 works; at most 100,000 are read"),
        (as_json({"error": "Invalid", "message": "no  such field"}, 400), "OpenAlex refused the request: no such field"),
        (Reply(b"x", 500), "OpenAlex answered with status 500"),
        (Reply(b"x", 429, {"Retry-After": "9999"}), r"OpenAlex refused to answer \(status 429\)"),
        (Reply(b"x", 403), r"OpenAlex refused to answer \(status 403\)"),
        (Reply(b"{", claim=500), "the response is incomplete"),
    ],
    "crossref": [
        (NO_JSON, "Crossref sent an invalid response for a search: not JSON"),
        (as_json({"status": "ok", "message": {"items": []}}), "Crossref sent an invalid response"),
        (as_json({"status": "ok", "message": {"total-results": 3}}), "Crossref sent an invalid response"),
        (crossref_page([], count=7), "Crossref reported 7 works but returned none"),
        (crossref_page([item(1)], count=7, cursor=None), "Crossref reported 7 works but returned 1"),
        (as_json({"status": "failed", "message": [{"message": "Bad select"}]}, 400), "Crossref refused the request: Bad select"),
        (Reply(b"Rate exceeded", 429, {"Retry-After": "9999"}), r"Crossref refused to answer \(status 429\)"),
        (Reply(b"x", 503), "Crossref answered with status 503"),
    ],
    "arxiv": [
        (Reply(b"<html>Down</html>"), "expected a feed, got a page"),
        (Reply(feed("2508.04652v1")[:-200]), "not a complete feed"),
        (Reply(ERROR), "arXiv refused the request: incorrect id format"),
        (Reply(ERROR, 400), "arXiv refused the request: incorrect id format"),
        (entries(1, total=3), "counts results that it does not contain"),
        (Reply(b"Rate exceeded.", 429, {"Retry-After": "9999"}), "arXiv answered with status 429"),
        (Reply(b"x", 500), "arXiv answered with status 500"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("name", "reply", "message"), [(name, *row) for name, rows in FAULTS.items() for row in rows])
def test_no_fault_is_taken_for_no_hits(service, net, name, reply, message):
    if name == "arxiv" and message.startswith("counts"):  # a page that says one of three, then none
        service.routes["/arxiv"] = [reply, entries(total=3)]
    else:
        service.routes[PATHS[name]] = reply
    with pytest.raises(NetError, match=message):
        pages(name, "bean", net)


def test_what_a_page_gave_is_kept_when_the_next_one_fails(service, net):
    service.routes["/openalex/works"] = [alex_page([alex(1)], 2, "a"), Reply(b"x", 500)]
    searcher = SEARCHERS["openalex"]
    found = searcher.pages(searcher.request(parse("bean"), None), net, None)
    first = next(found)
    assert (len(first.drafts), first.next) == (1, "0:1:0:2:a")
    with pytest.raises(NetError):
        next(found)
    service.routes["/openalex/works"] = alex_page([alex(2)], 2, None)
    (second,) = pages("openalex", "bean", net, start=first.next)
    assert [draft.place for draft in second.drafts] == ["https://openalex.org/W2"]


def test_a_page_that_is_given_twice_is_a_fault(service, net):
    service.routes["/openalex/works"] = [alex_page([alex(1), alex(2)], 6, "same")]
    searcher = SEARCHERS["openalex"]
    found = searcher.pages(searcher.request(parse("bean"), None), net, None)
    assert len(next(found).drafts) == 2
    again = next(found)
    assert (again.drafts, again.next) == ((), "0:0:0:0:")  # what is missing may stand anywhere
    with pytest.raises(NetError, match="OpenAlex returned 2 works twice for one request"):
        next(found)
    service.routes["/openalex/works"] = [alex_page([alex(1)], 1), alex_page([alex(1)], 1)]
    assert [page.read for page in pages("openalex", "author:doe OR bean", net)] == [1, 1]  # of two requests


def test_a_total_that_shrinks_is_a_fault_and_the_query_is_read_again(service, net):
    service.routes["/openalex/works"] = [alex_page([alex(1), alex(2)], 5, "a"), alex_page([alex(3)], 3, "b")]
    searcher = SEARCHERS["openalex"]
    found = searcher.pages(searcher.request(parse("bean"), None), net, None)
    assert (len(next(found).drafts), next(found).next) == (2, "0:0:0:0:")
    with pytest.raises(NetError, match="OpenAlex reported 5 works, then 3"):
        next(found)
    service.routes["/openalex/works"] = [alex_page([alex(1), alex(2)], 2), alex_page([alex(3)], 1)]
    assert [page.read for page in pages("openalex", "author:doe OR bean", net)] == [2, 1]  # of two requests


@pytest.mark.parametrize("start", ["9:0:0:0:", "0:7:0:9:", "0:0:0:9:at9", "nowhere"])
def test_a_place_that_no_page_names_is_the_beginning(service, net, start):
    service.routes["/openalex/works"] = alex_page([alex(1)])
    assert [page.read for page in pages("openalex", "bean", net, start)] == [1]
    assert service.asked[0].endswith("cursor=*")


def test_a_limit_of_rate_is_waited_for(service, net):
    service.routes["/crossref/works"] = [Reply(b"slow down", 429, {"Retry-After": "0"}), crossref_page([item(1)])]
    assert len(titles(pages("crossref", "bean", net))) == 1


@pytest.mark.parametrize("status", [400, 404])
def test_a_cursor_that_is_not_known_any_more_is_read_from_its_beginning(service, net, status):
    service.routes["/crossref/works"] = [as_json({"message": "expired"}, status), crossref_page([item(1), item(2)])]
    (page,) = pages("crossref", "bean", net, start="0:100:0:130:old")
    assert (page.read, page.next) == (2, None)
    service.routes["/crossref/works"] = as_json({"message": "expired"}, status)
    with pytest.raises(NetError, match="Crossref"):
        pages("crossref", "bean", net, start="0:100:0:130:old")


def test_a_search_asks_again_on_the_same_day(service, net):
    service.routes["/openalex/works"] = [alex_page([alex(1)]), alex_page([alex(1), alex(2)])]
    assert [len(titles(pages("openalex", "bean", net))) for _ in range(2)] == [1, 2]


def test_the_key_is_sent_to_openalex_alone_and_written_nowhere(service, monkeypatch, tmp_path):
    monkeypatch.setenv(openalex.KEY_VARIABLE, " s3cret ")
    monkeypatch.setenv("AWESOME_CROSSREF_URL", service.url.replace("127.0.0.1", "localhost"))
    monkeypatch.setenv("AWESOME_TRUSTED", f"{service.url} {service.url.replace('127.0.0.1', 'localhost')}")
    net = connect(os.environ)
    service.routes["/openalex/works"] = alex_page([alex(1)])
    service.routes["/works"] = crossref_page([item(1)])
    pages("openalex", "bean", net)
    pages("crossref", "bean", net)
    assert service.keys == ["Bearer s3cret", ""]
    service.routes["/openalex/works"] = Reply(b"", 500)
    with pytest.raises(NetError) as error:
        pages("openalex", "bean", net)
    shown = f"{error.value} {error.value.__notes__} {net!r} {SEARCHERS['openalex'].request(parse('bean'), None)}"
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert "s3cret" not in shown
    assert b"s3cret" not in written
    assert b"On Bean" in written


def test_without_a_key_openalex_says_that_there_is_one(service, net):
    service.routes["/openalex/works"] = Reply(b"{}", 429, {"Retry-After": "9999"})
    with pytest.raises(NetError) as error:
        pages("openalex", "bean", net)
    assert openalex.KEY_VARIABLE in error.value.hint


def test_a_key_that_is_none_is_refused_without_showing_it(monkeypatch):
    monkeypatch.setenv(openalex.KEY_VARIABLE, "s3\ncret")
    with pytest.raises(UsageError, match=openalex.KEY_VARIABLE) as error:
        connect(os.environ)
    assert "cret" not in error.value.message


def test_each_searcher_says_what_its_terms_are():
    assert {name: searcher.keeps_abstracts for name, searcher in SEARCHERS.items()} == {
        "arxiv": True, "openalex": True, "crossref": False,
    }  # fmt: skip
    assert all("https://" in searcher.terms and searcher.name == name for name, searcher in SEARCHERS.items())
