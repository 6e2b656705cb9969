"""The importer, the rules and the search for duplicates ask one table, and give one answer."""

import re

import pytest
from builders import make_corpus, make_paper
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.errors import UsageError
from awesome_cli.model.identifiers import (
    OTHER_URL,
    SCHEMES,
    TYPED,
    address_of,
    identifiers,
    is_url,
    on_page,
    parse_reference,
    read,
    says,
)
from awesome_cli.model.records import Identifiers
from awesome_cli.rules import identifiers as rules
from awesome_cli.survey.duplicates.works import from_url, identity

RULES = {
    "arxiv": rules.arxiv,
    "doi": rules.doi,
    "openreview": rules.openreview,
    "acl": rules.acl,
    "isbn": rules.isbn,
}
CASES = [
    *(("arxiv", text, True) for text in (
        "0704.0001", "0712.9999", "1412.7878", "1501.00001", "2508.04652", "2512.00010", "9912.12345",
        "hep-th/9901001", "math.GT/0309136", "math/0309136", "cs/0112017", "q-bio/0703001", "quant-ph/9108001",
    )),
    *(("arxiv", text, False) for text in (
        "1501.0001", "2508.0465", "1412.00001", "0703.0001", "2513.00001", "2500.00001", "0704.0000", "2508.00000",
        "2508.046521", "hep-th/9913001", "hep-th/0704001", "hep-th/990100", "hep-th.T/9901001", "th/9901001/1",
        "\u0662\u0665\u0660\u0668.04652", "2508.04652v0",
    )),
    *(("doi", text, True) for text in (
        "10.1000.10/abc", "10.1142/S0219525901000188", "10.1000/a,b;c(1)", "10.1002/(SICI)1097-4571<1::AID-X>3.0.CO;2-Y",
        "10.18653/v1/2025.acl-long.476", "10.48550/arXiv.2508.04652", "10.1234567890/x", "10.1000/a/b/c",
        "10.1000/\u00fc", "10.1000/doi:x",
    )),
    *(("doi", text, False) for text in (
        "10.100/abc", "10.1000", "10.1000/", "10.1000./abc", "10..1000/abc", "10.1000.ab/c", "11.1000/abc",
        "10.1000/a b", "10.1000/a\u00a0b", "10.1000/a\u200bb", "10.1000/a\x00",
    )),
    *(("acl", text, True) for text in (
        "P18-1001", "W19-5001", "2025.acl-long.476", "2020.acl-1.12", "2020.repl4nlp-1.0", "2022.findings-naacl.7",
    )),
    *(("acl", text, False) for text in (
        "P18-12345", "P18-100", "PP8-1001", "2025.naacl.12", "2025.acl-long", "25.acl-long.476", "2025.acl-long-x.1",
        "2025.acl_x-long.1", "2025.acl-long.x", "P18", "nothing",
    )),
    *(("openreview", text, True) for text in ("ur295YVtmt", "rJxHsjRqFQ", "a-b_c-d_e-")),
    *(("openreview", text, False) for text in ("abc", "a b c d e f", "ICLR.cc/2025", "x" * 21)),
    *(("isbn", text, True) for text in ("978-0-306-40615-7", "9780306406157", "0-8044-2957-X", "080442957X")),
    *(("isbn", text, False) for text in ("9780306406158", "123", "080442957Y", "1230306406159", "X804429570")),
]  # fmt: skip


def importer_takes(scheme: str, text: str) -> bool:
    if scheme not in TYPED:
        return read(scheme, text) is not None
    try:
        return parse_reference(f"{scheme}:{text}").scheme in SCHEMES
    except UsageError:
        return False


def rule_takes(scheme: str, text: str) -> bool:
    paper = make_paper(identifiers={scheme: text})
    return not list(RULES[scheme](make_corpus(paper)))


@pytest.mark.parametrize(("scheme", "text", "good"), CASES)
def test_importer_rule_and_duplicates_agree_on_an_id(scheme, text, good):
    assert importer_takes(scheme, text) is good
    assert rule_takes(scheme, text) is good
    if address := address_of(scheme, text):
        named = from_url(address)
        assert named == (identity(scheme, text) if good else None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2508.04652v3", ("arxiv", "2508.04652")),
        ("arXiv: 2508.04652", ("arxiv", "2508.04652")),
        ("arXiv:math.GT/0309136v1", ("arxiv", "math/0309136")),
        ("HEP-TH/9901001", ("arxiv", "hep-th/9901001")),
        ("https://arxiv.org/abs/2508.04652v2", ("arxiv", "2508.04652")),
        ("http://www.arxiv.org/pdf/2508.04652v2.pdf", ("arxiv", "2508.04652")),
        ("https://arxiv.org/html/2508.04652/", ("arxiv", "2508.04652")),
        ("https://export.arxiv.org/abs/math/0309136?context=math", ("arxiv", "math/0309136")),
        ("https://ar5iv.labs.arxiv.org/html/2508.04652", ("arxiv", "2508.04652")),
        ("https://www.alphaxiv.org/abs/2508.04652", ("arxiv", "2508.04652")),
        ("10.48550/arXiv.2508.04652", ("arxiv", "2508.04652")),
        ("https://doi.org/10.48550/ARXIV.2508.04652v2", ("arxiv", "2508.04652")),
        ("10.1142/S0219525901000188", ("doi", "10.1142/s0219525901000188")),
        ("https://doi.org/10.1142/S0219525901000188", ("doi", "10.1142/s0219525901000188")),
        ("http://dx.doi.org/10.1142%2FS0219525901000188", ("doi", "10.1142/s0219525901000188")),
        ("doi:https://doi.org/10.1000.10/ABC", ("doi", "10.1000.10/abc")),
        ("10.18653/v1/P18-1001", ("acl", "p18-1001")),
        ("https://doi.org/10.18653/v1/2025.acl-long.476", ("acl", "2025.acl-long.476")),
        ("acl:p18-1001", ("acl", "p18-1001")),
        ("https://aclanthology.org/P18-1001v2.pdf", ("acl", "p18-1001")),
        ("https://www.aclweb.org/anthology/P18-1001.bib", ("acl", "p18-1001")),
        ("http://aclweb.org/anthology-new/P/P18/P18-1001.pdf", ("acl", "p18-1001")),
        ("https://aclanthology.org/2025.acl-long.476/", ("acl", "2025.acl-long.476")),
        ("https://openreview.net/forum?id=ur295YVtmt&noteId=x", ("openreview", "ur295yvtmt")),
        ("https://openreview.net/pdf?id=ur295YVtmt", ("openreview", "ur295yvtmt")),
    ],
)
def test_every_way_of_writing_an_id_is_one_identity(text, expected):
    reference = parse_reference(text)
    assert identity(reference.scheme, reference.id) == expected
    if text.startswith("http"):
        assert from_url(text) == expected


@pytest.mark.parametrize(
    "address",
    [
        "https://arxiv.org/list/cs.MA/recent",
        "https://notarxiv.org/abs/2508.04652",
        "https://openreview.net/group?id=ICLR.cc/2025/Conference",
        "https://aclanthology.org/volumes/2025.acl-long/",
        "https://github.com/a/2508.04652",
        "https://[broken",
    ],
)
def test_other_pages_name_no_work(address):
    assert on_page(address) is None
    assert from_url(address) is None


def test_a_malformed_id_in_the_address_of_a_service_is_an_error():
    with pytest.raises(UsageError, match=r"'2508\.1' is not an arXiv id"):
        parse_reference("https://arxiv.org/abs/2508.1")
    with pytest.raises(UsageError) as caught:
        parse_reference("2508.1")
    assert all(row.example in (caught.value.hint or "") for row in TYPED.values())


SHAPES = st.one_of(
    *(st.from_regex(re.compile(row.pattern + row.tail, re.ASCII), fullmatch=True) for row in SCHEMES.values()),
    st.text(max_size=30),
)
AROUND = [
    "{}", " {} ", "{}.pdf", "https://arxiv.org/abs/{}", "http://dx.doi.org/{}", "https://openreview.net/forum?id={}",
    "https://aclanthology.org/{}/", "10.48550/arXiv.{}", "https://doi.org/10.18653/v1/{}",
]  # fmt: skip


@given(scheme=st.sampled_from(sorted(SCHEMES)), text=SHAPES, around=st.sampled_from(AROUND))
def test_what_the_importer_takes_the_rules_take_and_normal_ids_stay_as_they_are(scheme, text, around):
    text = around.format(text)
    compared = identity(scheme, text)
    assert compared is None or identity(*compared) == compared
    found = identifiers([text], **{scheme: text})
    version = found.pop("arxiv_version", None)
    assert version is None or "arxiv" in found
    for name, value in found.items():
        assert rule_takes(name, value)
        again = read(name, value)
        assert again is not None
        assert (again.id, again.version) == (value, None)


def test_each_scheme_is_a_field_of_records_and_has_an_example():
    assert set(Identifiers.SCHEMES) == set(Identifiers.model_fields) - {"arxiv_version"}
    assert set(RULES) == set(SCHEMES)
    assert all(row.is_id(row.example) for row in SCHEMES.values())


@pytest.mark.parametrize(
    ("text", "good"),
    [("https://a.org/x?y=1#z", True), ("http://localhost:8000/", True), ("javascript:alert(1)", False),
     ("ftp://a.org", False), ("https://", False), ("https://a b.org", False), ("https://a.org/<x>", False),
     ("//a.org", False), ("https://[x", False)],
)  # fmt: skip
def test_web_addresses(text: str, good: bool):
    assert is_url(text) is good


@pytest.mark.parametrize(
    ("address", "doi"),
    [
        ("http://doi.acm.org/10.1145/1.2", "10.1145/1.2"),
        ("https://dl.acm.org/doi/abs/10.1145/1.2?casa_token=x", "10.1145/1.2"),
        ("https://link.springer.com/article/10.1007/s10994-006-9612-9", "10.1007/s10994-006-9612-9"),
        ("https://link.springer.com/content/pdf/10.1007/978-3-030-01234-2_1.pdf", "10.1007/978-3-030-01234-2_1"),
        ("https://onlinelibrary.wiley.com/doi/10.1002/asi.1/abstract;jsessionid=A.f01", "10.1002/asi.1"),
        ("https://onlinelibrary.wiley.com/doi/10.1002/(SICI)1%3C1::A%3E3.0.CO;2-N", "10.1002/(SICI)1<1::A>3.0.CO;2-N"),
        ("https://doi-org.proxy.uni.edu/10.1145/1.2", "10.1145/1.2"),
        ("https://www.doi.org.proxy.uni.edu/10.1145/1.2", "10.1145/1.2"),
        ("https://proxy.uni.edu/login?url=https://doi.org/10.1145/1.2", "10.1145/1.2"),
        ("https://www.biorxiv.org/content/10.1101/2020.01.01.123456v1.full.pdf", "10.1101/2020.01.01.123456"),
        ("https://www.researchsquare.com/article/10.21203/rs.3.rs-123/v1", "10.21203/rs.3.rs-123/v1"),
        ("https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0012345", "10.1371/journal.pone.0012345"),
        ("https://academic.oup.com/nar/article-abstract/doi/10.1093/nar/gkaa1/5812345", "10.1093/nar/gkaa1"),
    ],
)
def test_the_address_of_a_publisher_names_the_doi(address, doi):
    assert str(parse_reference(address)) == f"doi:{doi}"
    assert identifiers([address]) == identifiers(doi=address.partition("://")[2]) == {"doi": doi}
    assert from_url(address) == ("doi", doi.casefold())
    assert on_page(address) is None
    assert not says({"doi": doi}, [address])


@pytest.mark.parametrize(
    "address",
    [
        "https://github.com/a/b/blob/main/10.1145/1.2.pdf",
        "https://figshare.com/articles/dataset/X/10.6084/m9.figshare.1",
        "https://pubs.acs.org/doi/suppl/10.1021/acs.1/suppl_file/si_001.pdf",
        "https://journals.plos.org/plosone/article/file?id=10.1371/journal.pone.0012345.s001&type=supplementary",
        "https://example.org/v10.1234/x",
        "https://example.org/10.1234",
    ],
)
def test_the_address_of_another_file_is_no_doi(address):
    assert identifiers([address]) == {}


@pytest.mark.parametrize(
    ("text", "is_other"),
    [("javascript:alert(1)", True), (" JAVASCRIPT:x", True), ("data:,x", True), ("ftp://a.org", True), ("x-y://z", True),
     ("mailto:a@b.org", True), ("https://a.org", False), ("HTTP://a.org", False), ("arxiv:1501.00001 §2", False),
     ("github:a/b@c", False), ("Data: Table 2", False), ("pmid:123", False), ("§2: javascript:x", False)],
)  # fmt: skip
def test_a_source_is_no_url_of_another_scheme(text: str, is_other: bool):
    assert bool(OTHER_URL.match(text)) is is_other
