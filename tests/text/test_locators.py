"""What counts as a place in a source, and what a source says was read."""

import pytest

from awesome_cli.text.locators import has_locator, what_was_read


@pytest.mark.parametrize(
    "source",
    [
        "arxiv:2510.11967 §2.3.1 advantage equation",
        "arxiv:2510.11967 Eq. 10-11",
        "arxiv:2510.11967 eq 4 and 10",
        "arxiv:2510.11967 Equation (3)",
        "arxiv:2510.11967 sec 3.1-3.2",
        "arxiv:2510.11967 Section IV",
        "arxiv:2510.11967 (full text read) Table 1",
        "arxiv:2510.11967 Fig. 2",
        "arxiv:2510.11967 Alg. 1",
        "arxiv:2510.11967 App. C.2 base setting",
        "arxiv:2510.11967 Appendix B",
        "arxiv:2510.11967 p. 4",
        "arxiv:2510.11967 pp. 4-6",
        "arxiv:2510.11967 lines 10-20",
        "arxiv:2510.11967 abstract",
        "secondary summary; arxiv:2510.11967 §2",
        "arxiv:2509.03817 reward shaping (secondary summary)",
        "arxiv:2604.13488 training section (secondary note)",
        "github:mzf666/MATPO@3c41d62 verl/protocol.py broadcast",
        "github.com/DaRL-GenAI/LangMARL @3bf93a6 README.md",
        "github.com/THUNLP-MT/CollabUIAgents src/t3a.py @a83018a CRITIC",
        "github:o/r@3c41d62 (branch main) train.py",
        "github:spiral-rl/spiral@a02d0ed L318-325",
        "https://github.com/o/r/blob/b24e6e6bd00bb04d317e0447cb7acb1e4973c83a/path.py",
        "arxiv:2510.11967; second reader: arxiv:2510.11967 training section",
        "arxiv:2510.11967 read in an overview; second reader: github:o/r@3c41d62 a/b.py",
    ],
)
def test_a_place_in_a_source(source: str):
    assert has_locator(source)


@pytest.mark.parametrize(
    "source",
    [
        None,
        "",
        "arxiv:2510.11967",
        "2510.11967",
        "secondary summary of arxiv:2602.08335",
        "arxiv:2509.03817 (reward shaping), read in a digest",
        "arxiv:2509.03817 read in a digest",
        "arxiv:2509.03817 secondary summary",
        "https://www.kimi.com/blog/kimi-k2-6 announcement",
        "https://www.kimi.com/blog/kimi-k2-6",
        "https://github.com/OpenBMB/ChatDev",
        "https://github.com/openai/codex/blob/main/core/mod.rs",
        "github.com/DaRL-GenAI/LangMARL @3bf93a6 central critic",
        "github:o/r@3c41d62; another/file.py",
        "reading notes z/morpheus-vault@a7c283c SHARP note",
        "a table without a number",
        "arxiv:2510.11967; second reader: arxiv:2510.11967 (overviews)",
    ],
)
def test_a_whole_document_is_no_place(source: str | None):
    assert not has_locator(source)


@pytest.mark.parametrize(
    ("source", "read"),
    [
        (None, ()),
        ("arxiv:2510.11967", ()),
        ("https://www.example.org/a-post", ()),
        ("https://github.com/OpenBMB/ChatDev", ()),
        ("arxiv:2510.11967; github:o/r@3c41d62 a/b.py", ("code",)),
        ("https://github.com/o/r/blob/main/a/b.rs", ("code",)),
        ("github:o/r@3c41d62 a.py; README.md; b/c.py (finalize_task)", ("code",)),
        ("arxiv:2510.11967 (PDF in o/r@3c41d62 report.pdf) §3.1", ("paper",)),
        ("arxiv:2510.11967 §2.3; github:o/r@3c41d62 a.py", ("paper", "code")),
        ("arxiv:2510.11967 Eq. 4", ("paper",)),
        ("arxiv:2510.11967 training section", ("paper",)),
        ("arxiv:2510.11967 abstract", ("abstract",)),
        ("arxiv:2510.11967 abstract, §5", ("abstract", "paper")),
        ("arxiv:2510.11967 (full text read) §3", ("full text",)),
        ("github:o/r@3c41d62 a.py; arxiv:2505.19591 (reward formula, read in digests)", ("code", "secondary")),
        ("openreview:abc abstract; reviews quoting Eq. 9", ("abstract", "secondary")),
        ("arxiv:2510.11967 read in an overview", ("secondary",)),
        ("arxiv:2510.11967; second reader: arxiv:2510.11967 §3 (full text read)", ()),
        ("arxiv:2510.11967 abstract; second reader: github:o/r@3c41d62 a.py; arxiv:2510.11967 Eq. 4", ("abstract",)),
    ],
)
def test_what_was_read(source: str | None, read: tuple[str, ...]):
    assert what_was_read(source) == read
