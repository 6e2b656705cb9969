"""Sources of codings as links."""

import re

import pytest
from markupsafe import escape

from awesome_cli.publish.site.sources import cited

SHA = "cc09646816a651effe36f00aee437ed6ad9d1e0a"


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("arxiv:2505.19591v2 §3.1, Eq. 2", [("https://arxiv.org/abs/2505.19591", "arxiv:2505.19591v2")]),
        ("doi:10.1016/S0004-3702(99)00047-7.", [
            ("https://doi.org/10.1016/S0004-3702(99)00047-7", "doi:10.1016/S0004-3702(99)00047-7")]),
        ("github:a/b", [("https://github.com/a/b", "a/b")]),
        ("github:a/b@3c41d62 and @158f5df", [("https://github.com/a/b/tree/3c41d62", "a/b@3c41d62")]),
        ("github:a/b.", [("https://github.com/a/b", "a/b")]),
        ("github:a/b@3c41d62 e.g. README.md", [("https://github.com/a/b/tree/3c41d62", "a/b@3c41d62")]),
        ("github:a/b@3c41d62 and/or the README", [("https://github.com/a/b/tree/3c41d62", "a/b@3c41d62")]),
        ("github:a/b@3c41d62 c.step, 2024", [("https://github.com/a/b/tree/3c41d62", "a/b@3c41d62")]),
        ("github:a/b@feature/x c/d.py", [("https://github.com/a/b/blob/feature/x/c/d.py", "a/b@feature/x c/d.py")]),
        ("github:a/b@3c41d62 c/d.py, L3, 7.5 e", [
            ("https://github.com/a/b/blob/3c41d62/c/d.py#L3", "a/b@3c41d62 c/d.py, L3")]),
        ("github:a/b@3c41d62 c/d.py, e/f.md (why); Makefile:12-15", [
            ("https://github.com/a/b/blob/3c41d62/c/d.py", "a/b@3c41d62 c/d.py"),
            ("https://github.com/a/b/blob/3c41d62/e/f.md", "e/f.md"),
            ("https://github.com/a/b/blob/3c41d62/Makefile#L12-L15", "Makefile:12-15")]),
        ("github:a/b@3c41d62 c.py#L3-L5, L7 and d.py lines 3, 8-9", [
            ("https://github.com/a/b/blob/3c41d62/c.py#L3-L5", "a/b@3c41d62 c.py#L3-L5, L7"),
            ("https://github.com/a/b/blob/3c41d62/d.py#L3", "d.py lines 3, 8-9")]),
        (f"read; github:a/b@{SHA} c/d.py lines 3-5, e", [
            (f"https://github.com/a/b/blob/{SHA}/c/d.py#L3-L5", "a/b@cc09646 c/d.py lines 3-5")]),
        ("gitlab:g/a/b@3c41d62 (branch x) c/d.py L3", [
            ("https://gitlab.com/g/a/b/-/blob/3c41d62/c/d.py#L3", "g/a/b@3c41d62 (branch x) c/d.py L3")]),
        (f"https://github.com/a/b/blob/{SHA}/c/d.py#L3-L5", [
            (f"https://github.com/a/b/blob/{SHA}/c/d.py#L3-L5", "a/b@cc09646 c/d.py L3-L5")]),
        ("(https://x.org/a_(b)), https://y.org/", [
            ("https://x.org/a_(b)", "x.org/a_(b)"), ("https://y.org/", "y.org")]),
    ],
)  # fmt: skip
def test_addresses_are_linked(text: str, links: list[tuple[str, str]]):
    assert re.findall('<a href="([^"]*)" rel="noopener">(.*?)</a>', cited(text)) == links


def test_other_text_stays_and_is_escaped():
    text = "a <b>book</b>, javascript:alert(1), doi:10.1/x<y, isbn:1"
    assert cited(text) == escape(text)
    assert cited("<b> since 2026-01-21") == "&lt;b&gt; since <time>2026-01-21</time>"
