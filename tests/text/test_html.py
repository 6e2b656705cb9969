"""The text of HTML pages, whole, broken and hostile."""

import pytest
from work import Counting, calls

from awesome_cli.text import html
from awesome_cli.text.html import sections


def text(page: str) -> str:
    return " ".join(" ".join(body for _, body in sections(page)).split())


def test_sections_begin_with_their_headings():
    page = "<title>No</title>Before<h2 class=a>3 <b>Reward</b></h2><p>One &amp; two.</p><H3>Stop</H3>Three"
    assert [(heading, " ".join(body.split())) for heading, body in sections(page)] == [
        ("", "No Before"),
        ("3 Reward", "3 Reward One & two."),
        ("Stop", "Stop Three"),
    ]


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("<head><title>x</title></head>a", "a"),
        ("a<script>if (a < b) document.write('</p>')</script>b", "ab"),
        ("a<style>p > b {}</style>b", "ab"),
        ("a<!-- <p>no</p> -->b", "ab"),
        ("<math alttext='x>y'><mi>x</mi><annotation>\\mathrm{no}</annotation></math>b", "x b"),
        ('<a title="x > y">a</a>', "a"),
        ("a < b, 1<2", "a < b, 1<2"),
        ("a<br>b</p>c", "a b c"),
        ("<annotation><annotation>no</annotation>no</annotation>a", "a"),
        ("a</annotation>b", "ab"),
        ("a<p", "a"),
        ("a<!--", "a"),
        ("a<script>", "a"),
        ("", ""),
    ],
)
def test_what_a_reader_sees(page: str, shown: str):
    assert text(page) == shown


@pytest.mark.parametrize(
    "piece",
    ["<", "<!--", "<a ", "</", "<![", "&", "<a href='", '<a href="', "<a =' ", "<script>", "<?", "<h1>", "</annotation>",
     "<annotation>", "<head></style>"],
)  # fmt: skip
def test_no_page_takes_more_than_its_length(piece: str, monkeypatch):
    patterns = Counting(html.MARKUP), Counting(html.TAG_END)
    monkeypatch.setattr(html, "MARKUP", patterns[0])
    monkeypatch.setattr(html, "TAG_END", patterns[1])
    page = piece * (40_000 // len(piece))
    assert calls(lambda: sections(page)) <= 30 * len(page)
    assert sum(pattern.read for pattern in patterns) <= 2 * len(page)
