import pytest
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.errors import UsageError
from awesome_cli.model.identifiers import Reference, identifiers, parse_reference


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2508.04652", Reference("arxiv", "2508.04652")),
        ("2508.04650v3", Reference("arxiv", "2508.04650", 3)),
        ("arxiv:2508.04652v12", Reference("arxiv", "2508.04652", 12)),
        ("hep-th/9901001", Reference("arxiv", "hep-th/9901001")),
        ("arXiv:math.GT/0309136v1", Reference("arxiv", "math/0309136", 1)),
        ("https://arxiv.org/abs/2508.04652v2", Reference("arxiv", "2508.04652", 2)),
        ("http://www.arxiv.org/pdf/2508.04652.pdf", Reference("arxiv", "2508.04652")),
        ("https://arxiv.org/html/2508.04652v1", Reference("arxiv", "2508.04652", 1)),
        ("https://arxiv.org/abs/hep-th/9901001", Reference("arxiv", "hep-th/9901001")),
        ("10.1142/S0219525901000188", Reference("doi", "10.1142/S0219525901000188")),
        ("doi:10.1000/a,b;c(1)", Reference("doi", "10.1000/a,b;c(1)")),
        ("https://doi.org/10.1142/S0219525901000188", Reference("doi", "10.1142/S0219525901000188")),
        ("https://dx.doi.org/10.1000%2Fx", Reference("doi", "10.1000/x")),
        ("10.48550/arXiv.2508.04652", Reference("arxiv", "2508.04652")),
        ("acl:2025.acl-long.476", Reference("acl", "2025.acl-long.476")),
        ("https://aclanthology.org/2025.acl-long.476/", Reference("acl", "2025.acl-long.476")),
        ("https://aclanthology.org/P19-1001.pdf", Reference("acl", "P19-1001")),
        ("openreview:ur295YVtmt", Reference("openreview", "ur295YVtmt")),
        ("https://openreview.net/forum?id=ur295YVtmt&noteId=x", Reference("openreview", "ur295YVtmt")),
        ("https://openreview.net/pdf?id=ur295YVtmt", Reference("openreview", "ur295YVtmt")),
        ("https://example.org/a?b#c", Reference("url", "https://example.org/a?b#c")),
    ],
)
def test_what_names_a_work(text, expected):
    assert parse_reference(text) == expected


@pytest.mark.parametrize(
    "text", ["", "-", "abc", "refs.bib", "arxiv:abc", "arxiv:2508.1", "doi:11.1/x", "acl:x", "openreview:?", "https://"]
)
def test_what_names_none_says_what_would(text):
    with pytest.raises(UsageError) as caught:
        parse_reference(text)
    assert caught.value.exit_code == 2


@given(st.text(max_size=40))
def test_any_text_is_a_reference_or_a_usage_error(text):
    try:
        reference = parse_reference(text)
    except UsageError:
        return
    assert reference.id


def test_identifiers_come_from_addresses_too():
    urls = ["https://arxiv.org/pdf/2502.02091v2.pdf", "https://github.com/a/b", "https://doi.org/10.1/x"]
    assert identifiers(urls, doi="10.1000/y") == {"doi": "10.1000/y", "arxiv": "2502.02091", "arxiv_version": 2}
    assert identifiers(["not an address", "https://arxiv.org/abs/broken"], arxiv="also broken") == {}
