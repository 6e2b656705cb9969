"""Which records are one work: the failures of other tools, one by one."""

import pytest
from builders import make_corpus, make_exclusion, make_paper
from work import calls

from awesome_cli.survey.duplicates import Index, grouped, manifestations
from awesome_cli.survey.duplicates.works import from_url, identity


def works(*records):
    return grouped(manifestations(record) for record in make_corpus(*records).records)


def pairs(*records):
    """All matches: those that make works, then those of two works."""
    found = works(*records)
    return (*(link for group in found.groups() for link in group.links), *found.pairs())


def kinds(*records):
    return [match.kind for match in pairs(*records)]


def test_a_preprint_and_its_proceedings_version_are_one_work_in_two_versions():
    title = "Learning to Delegate in Teams of Agents"
    preprint = make_paper(
        "a", title=title, authors=["Doe, Jane"], year=2025, venue="arXiv", identifiers={"arxiv": "2501.00001"}
    )
    published = make_paper("b", title=title, authors=["Doe, J.", "others"], year=2026, venue="ICLR 2026")
    (match,) = pairs(preprint, published)
    assert (match.kind, {match.a, match.b}) == ("version", {"a", "b"})
    assert any("2025" in reason or "preprint" in reason for reason in match.because)


@pytest.mark.parametrize(
    "url", ["https://arxiv.org/abs/2501.00001", "http://www.arxiv.org/pdf/2501.00001v1", "https://arxiv.org/abs/2501.00001v4",
            "https://arxiv.org/pdf/2501.00001.pdf", "https://doi.org/10.48550/arXiv.2501.00001"]
)  # fmt: skip
def test_every_address_of_an_arxiv_work_is_the_same_work(url):
    known = make_paper("a", title="One Thing", identifiers={"arxiv": "2501.00001"})
    new = make_paper("b", title="One Thing", links=[{"label": "Paper", "url": url}])
    assert [match.kind for match in Index.of(make_corpus(known)).find(new)] == ["same"]


def test_numbers_tell_titles_apart():
    authors = ["Cen, Jiazhong", "Fang, Jiemin"]
    three = make_paper("a", title="Segment Any 3D Gaussians", authors=authors, year=2024)
    four = make_paper("b", title="Segment Any 4D Gaussians", authors=authors, year=2024)
    (match,) = pairs(three, four)
    assert match.kind == "near"
    assert "numbers in the titles differ: 4d, 3d" in match.because
    parts = [
        make_paper(key, title=f"Database tuning, part {n}", authors=authors) for key, n in (("a", "I"), ("b", "II"))
    ]
    assert kinds(*parts) == ["near"]


def test_one_identifier_under_two_titles_is_a_wrong_link():
    one = make_paper("a", title="Reward shaping for swarms", authors=["Doe, Jane"], identifiers={"arxiv": "2501.00001"})
    other = make_paper("b", title="A history of tea", authors=["Cup, Tim"], identifiers={"arxiv": "2501.00001"})
    (match,) = pairs(one, other)
    assert match.kind == "wrong_link"
    assert "arxiv 2501.00001" in match.because[0]


def test_a_title_alone_never_matches():
    books = [
        make_paper(k, title="Deep Learning", authors=[who], year=y)
        for k, who, y in (("a", "LeCun, Yann", 2015), ("b", "Kelleher, John", 2019))
    ]
    assert pairs(*books) == ()
    nameless = make_paper("c", title="Deep Learning", authors=[], year=2015)
    assert pairs(books[0], nameless) == ()


def test_a_title_of_signs_alone_is_compared_by_its_signs():
    question = make_paper("a", title="???", authors=["Doe, Jane"])
    assert kinds(question, make_paper("b", title="???", authors=["Doe, Jane"])) == ["same"]
    assert kinds(question, make_paper("b", title="!!!", authors=["Doe, Jane"])) == []
    assert kinds(question, make_paper("b", title="What?", authors=["Doe, Jane"])) == []


def test_exclusions_and_versions_count():
    paper = make_paper("a", title="One Thing", versions=[{"identifiers": {"doi": "10.1000/X"}}])
    exclusion = make_exclusion("X1", title="One Thing", identifiers={"doi": "https://doi.org/10.1000/x"})
    assert kinds(paper, exclusion) == ["same"]


def test_an_exclusion_has_its_place_in_print_among_the_fields_of_a_paper():
    same = {"title": "On Bread and Crumbs", "authors": ["Bean, Ada"], "year": 2001}
    paper = make_paper("a", **same, citation={"pages": "1-9"})
    exclusion = make_exclusion("X1", **same, paper={"citation": {"pages": "10-19"}})
    (match,) = pairs(paper, exclusion)
    assert (match.kind, match.because[-1]) == ("near", "pages differ: 10-19, 1-9")


def test_what_somebody_told_apart_stays_apart():
    one = make_paper("a", title="Brewing coffee at home again")
    assert kinds(one, make_paper("b", title="Brewing coffee at home again")) == ["same"]
    assert kinds(one, make_paper("b", title="Brewing coffee at home again", distinct_from=["a"])) == []
    assert kinds(make_paper("b", title="Brewing coffee at home again", distinct_from=["a"]), one) == []
    assert kinds(one, make_paper("b", title="Brewing coffee at home again", version_of="a")) == []


def test_slips_accents_and_cut_lists_do_not_hide_a_work():
    one = make_paper("a", title="Temporal database implementations", authors=["Böhlen, Michael H."])
    assert kinds(one, make_paper("b", title="Temporal database implementation", authors=["B &#246; hlen, M."])) == [
        "same"
    ]
    assert kinds(
        one, make_paper("b", title="Temporal database implementations (demo)", authors=["Bohlen, M.", "others"])
    ) == ["same"]


def test_a_link_to_code_identifies_nothing():
    one = make_paper("a", title="One Thing", links=[{"label": "Code", "url": "https://arxiv.org/abs/2501.00001"}])
    assert pairs(one, make_paper("b", title="A history of tea", identifiers={"arxiv": "2501.00001"})) == ()


def test_a_column_title_that_recurs_stays_within_bounds():
    issues = [
        make_paper(f"a{i}", title="Editorial", authors=[f"{chr(97 + i % 20) * 9}{chr(97 + i // 20) * 9}, A"])
        for i in range(300)
    ]
    assert pairs(*issues) == ()


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://openreview.net/forum?id=abcDEF123", ("openreview", "abcdef123")),
        ("https://aclanthology.org/2025.acl-long.476.pdf", ("acl", "2025.acl-long.476")),
        ("https://doi.org/10.18653/v1/2025.acl-long.476", ("acl", "2025.acl-long.476")),
        ("https://dl.acm.org/doi/10.1145/1.2", ("doi", "10.1145/1.2")),
        ("https://arxiv.org/abs/hep-th/9901001v2", ("arxiv", "hep-th/9901001")),
        ("https://github.com/a/b", None),
        ("https://[broken", None),
    ],
)
def test_addresses_name_identities(url, expected):
    assert from_url(url) == expected


def test_identifiers_have_one_spelling():
    assert identity("isbn", "978-3-16-148410-0") == identity("isbn", "9783161484100")
    assert identity("doi", " ") is None


def test_crowded_buckets_are_searched_by_other_keys():
    title = "deep learning for the detection of small things in large images"
    names = [chr(97 + i % 26) * 3 + chr(97 + i // 26) * 3 for i in range(200)]
    works = [
        make_paper(f"a{i}", title=f"{title} {'bcdfghjklm'[i % 10] * 5}", authors=[f"{name}, A"])
        for i, name in enumerate(names)
    ]
    index = Index.of(make_corpus(*works))
    for i in (0, 77, 199):
        copy = make_paper("copy", title=works[i].title.replace("detection", "detecting"), authors=works[i].authors)
        assert index.find(copy)[0].b == f"a{i}"


@pytest.mark.slow
def test_thousands_of_authors_are_compared_at_once():
    def work(n: int) -> int:
        one = make_paper("a", title="A Cup of Coffee in Space", authors=[f"Aber{i:x}, B." for i in range(n)])
        two = make_paper("b", title="A Cup of Coffee in Space", authors=[f"Zorn{i:x}, C." for i in range(n)])
        assert kinds(one, two) == []
        return calls(lambda: kinds(one, two))

    assert work(4_000) < 20 * work(400)


def test_of_a_long_list_every_equal_name_counts():
    names = [f"Aber{i:x}, B." for i in range(2_000)]
    one = make_paper("a", title="A Cup of Coffee in Space", authors=names, year=2020)
    two = make_paper("b", title="A Cup of Coffee in Space", authors=names[::-1], year=2020)
    (match,) = pairs(one, two)
    assert "100% of the family names agree" in match.because
