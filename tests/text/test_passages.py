"""Quotes looked up in texts, and what counts as a place in a source."""

import pytest
from work import calls

from awesome_cli.text.passages import Searchable, has_locator, what_was_read

TEXT = (
    ("Abstract", "We train a team of agents, and a fixed round limit ends the debate."),
    (
        "3 Reward",
        "The verdict of the judge is rewarded on its own: every token of a turn that fails receives minus one.",
    ),
)


def find(quote: str, text: str):
    return Searchable((("", text),)).find(quote)


def test_a_quote_is_found_with_its_place():
    found = Searchable(TEXT).find("every token of a turn that fails receives minus one")
    assert (found.state, found.heading) == ("found", "3 Reward")
    assert 0.5 < (found.share or 0) < 0.9
    assert Searchable(TEXT).find("We train").share == 0


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("the cooperation of agents", "the co-\noperation of agents"),
        ("the co-operation of agents", "the co-\n  operation of agents"),
        ("end-to-end training", "end\u2011to\u2010end training"),
        ("multi-agent systems", "multi agent systems"),
        ("the first final reward", "the \ufb01rst \ufb01nal reward"),
        ("an efficient policy", "an e\ufb03cient policy"),
        ('the agent\'s "own" reward', "the agent\u2019s \u201cown\u201d reward"),
        ("the ``own'' reward", "the \u201cown\u201d reward"),
        ("rewards \u2013 or not", "rewards \u2014 or not"),
        ("rewards--or not", "rewards\u2014or not"),
        ("receives \u22121 or 1", "receives -1 or 1"),
        ("a soft hyphen", "a so\u00adft hy\u200bphen"),
        ("many   blanks\nand lines", "many blanks and\u00a0lines"),
        ("R ( s ) = 1", "R(s)=1"),
        ("trained policy", "an RL-trained policy."),
    ],
)
def test_what_typesetting_changes_is_forgiven(quote: str, text: str):
    assert find(quote, text).state == "found"


@pytest.mark.parametrize(
    ("quote", "text", "difference"),
    [
        (
            "the policy is trained to stop the debate",
            "First, the policy is designed to stop the debate.",
            "the policy is [-trained-]{+designed+} to stop the debate",
        ),
        (
            "the policy learns when to stop the debate",
            "the policy never learns when to stop the debate",
            "the policy {+never+} learns when to stop the debate",
        ),
        (
            "every failed turn receives minus one",
            "every turn receives minus one",
            "every [-failed-] turn receives minus one",
        ),
        ("The Policy stops by itself", "the policy stops by itself", "[-The Policy-]{+the policy+} stops by itself"),
        ("the whole reward is -1", "the whole reward is 1", "the whole reward is [---] 1"),
        (
            "the multi-agent policy stops late",
            "the multiagent policy stops early",
            "the multi agent policy stops [-late-]{+early+}",
        ),
    ],
)
def test_a_near_passage_comes_with_the_difference(quote: str, text: str, difference: str):
    found = find(quote, f"Something else stands before it. {text} And something behind it.")
    assert (found.state, found.difference) == ("near", difference)


@pytest.mark.parametrize("quote", ["", " - ", "nothing of this was ever written here", "rain"])
def test_a_missing_quote(quote: str):
    found = find(quote, "we train a policy of agents and reward the verdict")
    assert (found.state, found.share, found.difference) == ("missing", None, None)
    assert find(quote, "").state == "missing"


def test_a_text_ten_times_as_long_takes_about_ten_times_the_work():
    def search(count: int) -> int:
        words = [f"w{n * 7919 % 5003}" for n in range(count)]
        quote = words[count // 2 : count // 2 + 60]
        text = " ".join(words)

        def look() -> None:
            searchable = Searchable((("", text),))
            assert searchable.find(" ".join(quote)).state == "found"
            assert searchable.find(" ".join([*quote[:20], "changed", *quote[21:]])).state == "near"
            assert searchable.find("w1 " * 500).state == "missing"
            assert Searchable((("", "a " * count),)).find("a b " * 200).state == "missing"

        return calls(look)

    assert search(60_000) <= 12 * search(6_000)


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
