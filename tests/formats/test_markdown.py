"""Lists in Markdown: papers with title and link, and nothing else; what is none is named; nothing vanishes."""

import csv
import re
from functools import cache
from pathlib import Path

import pytest
from builders import COFFEE, DATA

from awesome_cli.curation.founding.axes import Listed
from awesome_cli.files.tree import WorkingTree
from awesome_cli.formats import ReadingOptions, detect
from awesome_cli.formats.markdown import facts
from awesome_cli.formats.markdown.page import parts_of
from awesome_cli.formats.reading import InputFile, read
from awesome_cli.model.drafts import Batch, Draft
from awesome_cli.model.identifiers import says
from awesome_cli.survey.loading import read_taxonomy
from awesome_cli.text.markup import link

LISTS = DATA / "markdown"
TAXONOMY = read_taxonomy(WorkingTree(COFFEE))[0]
ADDRESS = re.compile(r"https?://(?:[^\s<>\"'`\]()|]|\([^\s()]*\))+")
PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)|<img[^>]*>")


def batch(text: str, name: str = "README.md", entries: str = "papers") -> Batch:
    return read([InputFile(name, text.encode())], ReadingOptions(TAXONOMY, entries=entries))


@cache
def listed(name: str) -> Batch:
    """A whole list, read once."""
    return batch((LISTS / f"{name}.md").read_text(encoding="utf-8"))


def one(text: str, heading: str = "## Papers\n") -> Draft:
    found = batch(f"# List\n\n{heading}\n{text}\n")
    assert [failure.message for failure in found.failures] == []
    assert len(found.drafts) == 1, [draft.title for draft in found.drafts]
    return found.drafts[0]


def leads_to(draft: Draft, url: str) -> bool:
    ids = draft.fields.get("identifiers", {})
    return says(ids, [url]) or any(link["url"] == url for link in draft.fields.get("links", ()))


def known_answer(name: str) -> list[tuple[int, str, str]]:
    """Line, title and link of each work of a list."""
    with (LISTS / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(int(line), title, url) for line, title, url in rows]


@pytest.mark.parametrize("name", ["styles", "awesome-llm", "credit-assignment", "single-cell"])
def test_papers_have_their_title_and_link_and_nothing_else_is_one(name: str):
    known = known_answer(name)
    found = listed(name)
    drafts = [(int(draft.place.partition(":")[2]), draft) for draft in found.drafts]
    right = [
        title
        for line, title, url in known
        if any(n == line and draft.title == title and (not url or leads_to(draft, url)) for n, draft in drafts)
    ]
    wrong = {draft.title for _, draft in drafts} - {title for _, title, _ in known}
    assert len(right) >= 0.98 * len(known), sorted({title for _, title, _ in known} - set(right))
    assert len(wrong) <= 0.01 * len(known), wrong


def test_a_list_of_tools_is_read_whole_if_that_is_asked_for():
    text = (LISTS / "gaussian-splatting.md").read_text(encoding="utf-8")
    found = batch(text, entries="all")
    assert {(int(draft.place.partition(":")[2]), draft.title) for draft in found.drafts} == {
        (line, title) for line, title, _ in known_answer("gaussian-splatting")
    }
    assert all(
        leads_to(draft, url) for draft, (*_, url) in zip(found.drafts, known_answer("gaussian-splatting"), strict=True)
    )
    assert [failure.place for failure in found.left_out] == [f"README.md:{n}" for n in (24, 187, 188, 189, 190)]
    row = next(draft for draft in found.drafts if draft.title == "gaussian_splatting")
    assert row.fields["extra"] == {"Language": "Python/CUDA", "License": "MIT"}
    assert row.fields["summary"] == "Readable implementation with a written derivation of the math"
    assert row.headings == (("Implementations", "Community Implementations"),)
    without = listed("gaussian-splatting")
    assert (without.drafts, without.others) == ((), {"all": 102})
    assert without.failures[0].message == "contains no papers; 102 entries link to other resources: add --entries all"


def test_entries_are_neither_navigation_nor_prose_and_groups_name_theirs():
    found = batch(
        "# L\n\n[Site](https://example.org)\n\n## Contents\n- [A](https://example.org/#a)\n\n## A\n"
        "See [the guide](https://example.org/guide) before you start.\n\n"
        "- Grinding\n  - [Burr](https://example.org/burr) - Grinds.\n  - [Blade](https://github.com/example/blade)\n"
        "- [Kettle](https://example.org/kettle): heats, see [its manual](https://example.org/manual).\n"
        "- Join our [chat](https://example.org/chat)\n\n"
        "## B\n- [Kettle](https://example.org/kettle)\n- [On Bread](https://arxiv.org/abs/1706.03762)\n\n"
        "[Scale](https://github.com/example/scale) - Weighs beans.\n",
        entries="all",
    )
    assert [(draft.title, draft.fields.get("summary"), draft.headings) for draft in found.drafts] == [
        ("Burr", "Grinds.", (("A", "Grinding"),)),
        ("Blade", None, (("A", "Grinding"),)),
        ("Kettle", "heats, see its manual.", (("A",), ("B",))),
        ("On Bread", None, (("B",),)),
        ("Scale", "Weighs beans.", (("B",),)),
    ]
    assert found.others == {}


def without_code(text: str) -> str:
    """The text without blocks of code and comments, on as many lines."""
    return re.sub(r"(?ms)^```.*?^```|<!--.*?-->", lambda found: "\n" * found[0].count("\n"), text)


@pytest.mark.parametrize("path", sorted(LISTS.glob("*.md")), ids=lambda path: path.stem)
def test_every_link_is_in_a_draft_or_left_out_or_failed_or_navigation(path: Path):
    text = path.read_text(encoding="utf-8")
    found = listed(path.stem)
    named = {int(f.place.partition(":")[2]) for f in (*found.left_out, *found.failures) if ":" in f.place}
    first = min((int(draft.place.partition(":")[2]) for draft in found.drafts), default=min(named, default=0))
    lost, navigation = [], 0
    for line, content in enumerate(without_code(text).split("\n"), 1):
        for url in ADDRESS.findall(PICTURE.sub("", content)):
            if line in named or any(leads_to(d, text) for text in (url, url.rstrip(".,")) for d in found.drafts):
                continue
            above = line < first and not re.match(r"\s*(?:[-*]|\d+\.)\s", content)
            navigation += above
            lost += [] if above else [(line, url)]
    assert lost == [], f"beside {navigation} links above the list"


def test_what_a_line_says_is_kept():
    draft = one(
        "1. **Hindsight Credit Assignment** (NeurIPS 2019) `MC` `Token`\n\n"
        "   *Anna Harutyunyan, Will Dabney, et al.*\n\n"
        "   [[Paper]](https://arxiv.org/abs/1912.02503) [[Code]](https://github.com/example/hca) -- Reweights past actions"
        " by what was observed."
    )
    assert draft.title == "Hindsight Credit Assignment"
    assert draft.fields["authors"] == ("Harutyunyan, Anna", "Dabney, Will", "others")
    assert (draft.fields["venue"], draft.fields["year"]) == ("NeurIPS", 2019)
    assert draft.fields["identifiers"] == {"arxiv": "1912.02503"}
    assert draft.fields["links"] == [{"label": "Code", "url": "https://github.com/example/hca"}]
    assert draft.fields["summary"] == "Reweights past actions by what was observed."
    assert draft.keywords == ("MC", "Token")
    assert draft.headings == (("Papers",),)
    assert draft.place == "README.md:5"


def test_a_title_that_was_kept_from_being_a_mention_or_a_reference_is_read_as_it_was():
    title = "Pass@k closes octo/x#1"
    assert one(f"- {link(title, 'https://doi.org/10.1086/282070')}").title == title


@pytest.mark.parametrize("lead", ["Paper: ", "Papers: ", "Title: ", "Work: ", "1. ", "[2019-06] ", "(3) "])
def test_what_stands_before_a_title_is_no_part_of_it(lead: str):
    draft = one(f"- {lead}Homage to Santa Rosalia (1959) [pdf](https://doi.org/10.1086/282070)")
    assert draft.title == "Homage to Santa Rosalia"


def test_an_author_or_venue_that_is_given_is_right_in_other_fields_and_what_is_unsure_is_kept():
    found = {draft.place.partition(":")[2]: draft for draft in batch((LISTS / "fields.md").read_text("utf-8")).drafts}
    wrong, given, known = [], 0, 0
    for line, *answer in csv.reader((LISTS / "fields.tsv").read_text("utf-8").splitlines(), delimiter="\t"):
        fields = found[line].fields
        told = ["; ".join(fields.get("authors", ())), fields.get("venue", ""), str(fields["year"])]
        wrong += [(line, *pair) for pair in zip(told, answer, strict=True) if pair[0] not in {"", pair[1]}]
        given, known = given + sum(map(bool, told)), known + sum(map(bool, answer))
        lost = [value for value, right in zip(told, answer, strict=True) if right and not value]
        assert not lost or fields["summary"], line
    assert len(found) == 41
    assert wrong == []
    assert given >= 0.85 * known


@pytest.mark.parametrize(
    "told",
    [
        "*Google*, 2017",
        "Jane Bean, *OpenAI*, 2020",
        "*Best Paper Award*, 2020",
        "*Open Access* 2019",
        "Open Access, 2019",
        "Vitamin D",
        "Open Access, Full Text, 2019",
        "*Escherichia coli*, 2001",
        "*Critical Inquiry*",
    ],
)
def test_what_may_be_a_prize_an_institution_or_a_name_is_neither_author_nor_venue(told: str):
    fields = one(f"- [Homage to Santa Rosalia](https://doi.org/10.1086/282070). {told}").fields
    assert not fields.keys() & {"authors", "venue"}
    assert told.replace("*", "").split(",")[0].removesuffix(" 2019") in fields["summary"]


def test_headings_are_paths_without_emoji_numbers_and_anchors():
    text = (
        "# 📚 The List\n\n## 🔥 2. Agents <a name='a'></a>\n\n### 2.1 [Planning](#planning) ([back](#top))\n\n"
        "<details><summary>More of it</summary>\n\n- [Tree of Thoughts](https://arxiv.org/abs/2305.10601)\n\n</details>\n\n"
        "**With tools**\n\n- [Toolformer](https://arxiv.org/abs/2302.04761)\n"
    )
    found = batch(text)
    assert found.title == "The List"
    assert [draft.headings for draft in found.drafts] == [
        (("Agents", "Planning", "More of it"),),
        (("Agents", "Planning", "With tools"),),
    ]


def test_a_paper_under_two_headings_is_one_with_the_better_title():
    found = batch(
        "# L\n\n## A\n- [OPT-1.3|6.7B](https://arxiv.org/abs/2205.01068)\n\n"
        "## B\n- [OPT: Open Pre-trained Transformer Language Models](https://arxiv.org/pdf/2205.01068v4.pdf) [[code]](https://github.com/example/opt)\n"
    )
    assert [draft.title for draft in found.drafts] == ["OPT: Open Pre-trained Transformer Language Models"]
    assert found.drafts[0].headings == (("A",), ("B",))
    assert found.drafts[0].fields["links"][0]["label"] == "Code"


def test_two_works_with_one_link_stay_two():
    found = batch(
        "# L\n\n## A\n- **P-Tuning v2: Prompt Tuning Across Scales and Tasks** [[pdf](https://arxiv.org/abs/2110.07602)]\n"
        "- **Black-Box Optimisation for Services of Language** [[pdf](https://arxiv.org/abs/2110.07602)]\n"
    )
    assert len(found.drafts) == 2


def test_a_paper_without_a_title_fails_with_its_line():
    found = batch(
        "# L\n\n## A\n- [[paper](https://arxiv.org/abs/1706.03741)]\n- [On Bread](https://arxiv.org/abs/1706.03762)\n"
    )
    assert [(f.place, "https://arxiv.org/abs/1706.03741" in f.message) for f in found.failures] == [
        ("README.md:4", True)
    ]


def test_a_column_that_is_an_axis_gives_tags_and_others_are_kept():
    draft = one(
        "| Paper | Device | Sites |\n|---|---|---|\n| [On Drip](https://arxiv.org/abs/1706.03762) | Drip | 12 kitchens |"
    )
    assert draft.tags == ()  # the axis is called `device`, its column `Device`
    assert draft.fields["extra"] == {"Device": "Drip", "Sites": "12 kitchens"}
    draft = one("| Paper | device |\n|---|---|\n| [On Drip](https://arxiv.org/abs/1706.03762) | Drip |")
    assert draft.tags == ("device=Drip",)


def test_a_page_is_known_by_its_links_and_bibtex_alone_is_refused():
    cited = "# L\n\n- [On Bread](https://arxiv.org/abs/1706.03762)\n\n## Citation\n```bibtex\n@misc{a, title={On Bread}}\n```\n"
    assert detect("README.md", cited) == detect("<stdin>", cited) == "markdown"
    assert len(batch(cited).drafts) == 1
    alone = batch("# L\n\nCite us:\n\n```bibtex\n@misc{a, title={On Bread}}\n```\n")
    assert "BibTeX within Markdown is not supported" in alone.failures[0].message


@pytest.mark.parametrize(
    "text",
    ["<b>" * 4_000, "- " * 4_000, "[" * 2_000, "<ul><li>" * 1_000, "- " + "Ann Bean, " * 600, "a<br>" * 1_000],
    ids=lambda text: text[:6],
)
def test_hostile_pages_are_read(text: str):
    assert batch(f"# L\n\n## A\n{text}\n- [On Bread](https://arxiv.org/abs/1706.03762)\n").drafts is not None


@pytest.mark.parametrize("text", ["[2024] " * 2000, "[@" * 20_000, ", 2020" * 5000], ids=lambda text: text[:6])
def test_a_line_of_one_repeated_piece_has_a_title(text: str):
    assert facts.titled(f"On Bread {text}")
    assert facts.without_lead(f"{text} On Bread")


def test_bullets_within_each_other_are_all_read():
    depth = 40
    found = batch(
        "# L\n\n## A\n"
        + "".join(f"{'  ' * n}- [On Bread {n}](https://arxiv.org/abs/1706.{n:05})\n" for n in range(depth))
    )
    assert len(found.drafts) == depth


@pytest.mark.parametrize(
    ("shown", "url"),
    [
        ("(https://a.org/b_(c))", "https://a.org/b_(c)"),
        ("https://a.org/b).", "https://a.org/b"),
        ("https://a.org/b" + ")" * 300_000, "https://a.org/b"),
        ("https://a.org/b?" + "!?" * 100_000, "https://a.org/b"),
    ],
    ids=lambda text: text[:20],
)
def test_an_address_ends_before_the_marks_of_the_text_around_it(shown: str, url: str) -> None:
    (part,) = parts_of(f"See {shown}\n")
    assert [piece.url for piece in part.pieces if piece.url] == [url]


def test_a_markdown_file_is_markdown_before_any_block_of_code():
    text = "# L\n\nCite us:\n\n```bibtex\n@misc{a, title={On Tea}}\n```\n\n## A\n- [On Bread](https://arxiv.org/abs/1706.03762)\n"
    assert detect("README.md", text) == detect("<stdin>", text) == "markdown"
    assert [draft.title for draft in batch(text).drafts] == ["On Bread"]
    assert detect("list.md", "[1] one") == detect("list.md", "{}") == "markdown"


LABELLED = """\
- [GUIDE: A Benchmark of Open-Ended Kitchens](https://arxiv.org/abs/2603.25864)
    - Saelyne Bean, Yi-Hao Roast, In So Kweon
    - 🏛️ Institutions: Univ. of Crema, Roast Inc.
    - 📅 Date: March 26, 2026
    - 📑 Publisher: CVPR 2026
    - 💻 Env: [Web], [Mobile]
    - 🔑 Key: [benchmark], [user intent]
    - 📖 TLDR: A benchmark, see [its page](https://example.org/guide): it asks cooks.
- [Second Cup](https://arxiv.org/abs/2603.25865)
    - 💻 Env: [Web]
"""


def test_labelled_lines_under_an_entry_are_columns():
    found = batch(f"# L\n\n## A\n{LABELLED}")
    first, second = found.drafts
    assert first.fields["authors"] == ("Bean, Saelyne", "Roast, Yi-Hao", "Kweon, In So")
    assert (first.fields["venue"], first.fields["year"]) == ("CVPR", 2026)
    assert first.fields["summary"] == "A benchmark, see its page: it asks cooks."
    assert first.fields["links"] == [{"label": "Page", "url": "https://example.org/guide"}]
    assert first.key is None
    assert first.fields["extra"] == {
        "Institutions": "Univ. of Crema, Roast Inc.",
        "Date": "March 26, 2026",
        "Env": "Web; Mobile",
        "Key": "benchmark; user intent",
    }
    assert second.fields["extra"] == {"Env": "Web"}
    env = Listed(found).words("Env")
    assert env.of_works == ((("Web",), ("Mobile",)), (("Web",),))


def test_labelled_paragraphs_below_a_heading_are_of_the_work_that_the_heading_names():
    text = "".join(
        f"## [{n}] Attacks on the Crema of Cup {n}\n\n**Authors**: *Ada Bean, In So Kweon*\n\n**Conference**: *cvpr 2022*\n\n"
        f"**URL**: [https://doi.org/10.1109/X.{n}](https://doi.org/10.1109/X.{n})\n\n**Abstract**:\n\nWe drink cup {n}.\n\n"
        for n in (1, 2)
    )
    found = batch(f"# L\n\n{text}")
    assert [draft.title for draft in found.drafts] == ["Attacks on the Crema of Cup 1", "Attacks on the Crema of Cup 2"]
    fields = found.drafts[1].fields
    assert (fields["authors"], fields["venue"], fields["year"]) == (("Bean, Ada", "Kweon, In So"), "CVPR", 2022)
    assert (fields["identifiers"], fields["summary"]) == ({"doi": "10.1109/X.2"}, "We drink cup 2.")


@pytest.mark.parametrize(
    ("told", "authors"),
    [
        ("*Chaoning Zhang, In So Kweon*", "Zhang, Chaoning; Kweon, In So"),
        ("*In So Kweon*, CVPR 2020", "Kweon, In So"),
        ("- *Siu Wing Or, Bo On, Ping An* (ICLR 2021)", "Or, Siu Wing; On, Bo; An, Ping"),
        ("Duc Tung To, J. van den Berg and O. M. By. NeurIPS 2019.", "To, Duc Tung; van den Berg, J.; By, O. M."),
        ("(ICML 2020, Oral) by M. Data, A. Model and L. Vision", "Data, M.; Model, A.; Vision, L."),
        ("by Ada Bean, camille roast, Mo Cup, ICLR 2016", "Bean, Ada; roast, camille; Cup, Mo"),
        ("(Bean & Roast, 2020)", "Bean; Roast"),
        ("*Ada Bean (MIT), Rob Roast (ETH), and others*", "Bean, Ada; Roast, Rob; others"),
        ("Ada Bean$^1$, Rob Roast*, ICML 2020", "Bean, Ada; Roast, Rob"),
        ("· Ada Bean, Rob Roast · 2020 · ICML", "Bean, Ada; Roast, Rob"),
        ("(ICML, May 2023) - Kaifeng Bi, Lingxi Xie", "Bi, Kaifeng; Xie, Lingxi"),
        ("by Vannevar Bush", "Bush, Vannevar"),
        ("<br>Vannevar Bush<br>ICML 2020", "Bush, Vannevar"),
        ("*王小明, 李华*", "王小明; 李华"),
        ("*\u5f20\u4e09\uff0c\u674e\u56db\u3001\u738b\u4e94*", "\u5f20\u4e09; \u674e\u56db; \u738b\u4e94"),
        ("- A. de Koter, G. 't Hooft, J. van den Berg, _ICML_ (2021).", "de Koter, A.; 't Hooft, G.; van den Berg, J."),
    ],
)
def test_names_with_short_words_initials_and_marks_are_authors(told: str, authors: str):
    draft = one(f"- [Cup {told[:3]} of the Kitchen Stove](https://arxiv.org/abs/2304.06411) {told}")
    assert "; ".join(draft.fields["authors"]) == authors
    assert draft.fields.get("venue", "ICML") in {"ICML", "CVPR", "ICLR", "NeurIPS"}


def test_a_reference_in_the_mla_style_inverts_its_first_author_only():
    draft = one(
        '- Bean, Ada, Rob Roast, and Mo Cup. "Steeping the Second Cup of Tea" ICML 2014. [pdf](https://arxiv.org/abs/2304.06411)'
    )
    assert draft.fields["authors"] == ("Bean, Ada", "Roast, Rob", "Cup, Mo")


TAILS = """\
📄|[Project]|(NeurIPS'22 Oral)|, CVPR'21|- ICML 2020|- arXiv, Jan 2020|[arXiv:2001.00001]|(Best Paper)|(2020.05)|【ICML】|✨ (new)
. In Proceedings of the 37th ICML|, 2020|:fire:|[ICML 2020]|(CVPR 2020 Best Paper Award)|(Under Review)|(accepted by TPAMI)
(to appear in ICML 2020)|[Oral]|(ICLR 2020 workshop on Tea)|(Journal of Tea 2020)|@ICML 2020|(ICML 2020, Bean et al.)|[Paper, Code]
"""


@pytest.mark.parametrize("tail", TAILS.replace("\n", "|").strip("|").split("|"))
@pytest.mark.parametrize(
    "form", ["[{}](https://arxiv.org/abs/2001.01009)", "**{}** [[pdf](https://arxiv.org/abs/2001.01009)]"]
)
def test_venue_icon_and_remarks_after_a_title_are_no_part_of_it(tail: str, form: str):
    shown = f"Steeping two cups of tea{'' if tail[0] in ',.' else ' '}{tail}"
    draft = one(f"- {form.format(shown)}")
    assert draft.title == "Steeping two cups of tea"
    assert "summary" not in draft.fields
    for venue, year in re.findall(r"(ICML|CVPR|ICLR|Journal of Tea) (20\d\d)", tail):
        assert (draft.fields["venue"], draft.fields["year"]) == (venue, int(year))


@pytest.mark.parametrize(
    ("line", "venue", "year"),
    [
        ("[2023 Genome Biology] **{}** [[paper]]({})", "Genome Biology", 2023),
        ("2017-ICML - {}. [[Paper]]({})", "ICML", 2017),
        ('**Say-Can**: "{}", *Conference on Cups (CoC), Nov 2023*. [[Paper]({})]', "Conference on Cups (CoC)", 2023),
        ('"{}", *arXiV, Mar 2023*, [[Paper]({})]', "arXiv", 2023),
        ("[{}]({}) *(Nature Machine Intelligence, March 2021)*", "Nature Machine Intelligence", 2021),
        ("{} [[arXiv 13 Apr 2019]]({})", "arXiv", 2019),
        ("[{}]({}) *Ana Cruz, Wei To*. **BMJ**, 2019.", "BMJ", 2019),
        ("[{}]({}), Shumin Zhai, Barton A. Smith, TOCHI 2015", "TOCHI", 2015),
        ("[{}]({}) USENIX Security 2018", "USENIX Security", 2018),
        ("Bean A, Roast R. {}. J Tea Res. 2020;3(2):1-9. [link]({})", "J Tea Res", 2020),
    ],
)
def test_a_venue_has_no_month_and_a_summary_no_venue(line: str, venue: str, year: int):
    draft = one(f"- {line.format('Steeping two cups of tea', 'https://arxiv.org/abs/2001.01009')}")
    assert (draft.title, draft.fields["venue"], draft.fields["year"]) == ("Steeping two cups of tea", venue, year)
    assert "summary" not in draft.fields


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('**Say-Can**: "Do as the Cook Says in the Kitchen", *arXiv, Apr 2021*. [[Paper]({})]', "Say-Can"),
        ("SayCan: [Do as the Cook Says in the Kitchen]({}) (CoRL 2022)", "SayCan"),
        ('**[LLaRP]** "Do as the Cook Says in the Kitchen", *arXiv, Oct 2023*. [[Paper]({})]', "LLaRP"),
        ('**Generative Cups**: "Do as the Cook Says in the Kitchen". [[Paper]({})]', "Generative-Cups"),
        ("**[ICML 2021]** Do as the Cook Says in the Kitchen. [paper]({})", None),
        ('**Survey**: "Do as the Cook Says in the Kitchen". [[Paper]({})]', None),
        ("Bean et al. [Do as the Cook Says in the Kitchen]({})", None),
    ],
)
def test_a_short_name_before_the_title_gives_the_key(line: str, key: str | None):
    draft = one(f"- {line.format('https://arxiv.org/abs/2204.01691')}")
    assert (draft.title, draft.key) == ("Do as the Cook Says in the Kitchen", key)


UNLINKED = """\
# L

## Indexes
* The Case for Learned Cups (SIGMOD 2018)
* Self-driving cups: a conceptual approach (Distributed and Parallel Databases 2020)
* Towards Cups on Azure (SIGMOD-Companion '23)
* Farming Your Cup's Food. (ICDE 2022, **best demo award**)
* Cost-Oblivious Cup Tuning \N{FULLWIDTH LEFT PARENTHESIS}2016\N{FULLWIDTH RIGHT PARENTHESIS}
* External vs. Internal: An Essay on Cups
* [FITing-Cup: A Data-aware Structure](https://arxiv.org/abs/1801.10207) (SIGMOD 2019)
* UDO: Universal Cups (arXiv 2021) [Source Code](https://github.com/example/udo)

## VLDB 2020
- Benchmarking Learned Cups
- Deep Milk Foaming. Ada Bean, Jane Doe.
- VLDB
- Others

## Contributing
- Send a title and a venue, such as ICML 2020
"""


def test_works_without_a_link_are_counted_and_are_candidates_if_that_is_asked_for():
    found = batch(UNLINKED)
    assert [draft.title for draft in found.drafts] == ["FITing-Cup: A Data-aware Structure", "UDO: Universal Cups"]
    assert found.others == {"unlinked": 8}
    assert {f.message.rpartition(": ")[2] for f in found.left_out} == {"has no link"}
    whole = batch(UNLINKED, entries="unlinked")
    facts = [(d.title, d.fields.get("venue"), d.fields.get("year")) for d in whole.drafts if d.kind == "candidate"]
    assert facts == [
        ("The Case for Learned Cups", "SIGMOD", 2018),
        ("Self-driving cups: a conceptual approach", "Distributed and Parallel Databases", 2020),
        ("Towards Cups on Azure", "SIGMOD-Companion", 2023),
        ("Farming Your Cup's Food", "ICDE", 2022),
        ("Cost-Oblivious Cup Tuning", None, 2016),
        ("External vs. Internal: An Essay on Cups", None, None),
        ("Benchmarking Learned Cups", "VLDB", 2020),
        ("Deep Milk Foaming", "VLDB", 2020),
    ]
    assert (whole.others, len(whole.drafts), whole.left_out) == ({}, 10, ())
    alone = batch("# L\n\n## VLDB 2020\n- Benchmarking Learned Cups\n").failures
    assert [f.message for f in alone] == ["contains no papers; 1 entry has no link: add --entries unlinked"]


def test_a_link_whose_text_is_a_citation_gives_authors_and_year():
    found = batch(
        "# L\n\n## A\n1. **The Ubiquitous Cup**. [Bean (1945)](https://arxiv.org/abs/1706.03741).\n"
        "    * Hash cups. [Bean, Roast (1974)](https://doi.org/10.1145/362851.362882).\n"
        "    * Making cups persistent. [Driscoll et al (1986)](https://doi.org/10.1145/12130.12142).\n"
    )
    assert [(d.title, "; ".join(d.fields["authors"]), d.fields["year"]) for d in found.drafts] == [
        ("The Ubiquitous Cup", "Bean", 1945),
        ("Hash cups", "Bean; Roast", 1974),
        ("Making cups persistent", "Driscoll; others", 1986),
    ]


def test_names_of_groups_and_venues_are_not_papers():
    found = batch(
        "# L\n\n## A\n- [Others](https://example.org/others)\n- [ICML 2020](https://proceedings.mlr.press/v119/)\n"
        "- [On Bread](https://arxiv.org/abs/1706.03762)\n"
    )
    assert ([draft.title for draft in found.drafts], found.failures) == (["On Bread"], ())
    assert [f.message.rpartition(": ")[2] for f in found.left_out] == [
        "links to a page, not to a paper",
        "a venue, not a paper",
    ]


def test_a_cell_before_any_row_opens_a_row():
    assert batch("# L\n\n## A\n<table><td>x</td><td rowspan=3>y</td></table>\n").drafts == ()


@pytest.mark.parametrize("depth", range(5))
def test_a_link_within_brackets_is_a_link(depth: int):
    (part,) = parts_of(f"- {'[' * depth}[On Tea](https://arxiv.org/abs/1706.03762){']' * depth} ICML 2020")
    assert [piece.text for piece in part.pieces if piece.url] == ["On Tea"]


def test_a_description_after_the_venue_is_the_summary_and_no_other_text_is_lost():
    found = batch(
        "# L\n\n## Navigation\n- [Cup one](https://arxiv.org/abs/2001.00001) *Ada Bean*. ICML 2020 - A study of 12 towns.\n"
        "- [Cup two](https://arxiv.org/abs/2001.00002) - Vannevar Bush (2020)\n"
        '- **Cup**: "Cup three of the Stove", *CoRL, 2021* (*Stanford*). [[Paper](https://arxiv.org/abs/2001.00003)]\n'
    )
    assert [draft.fields["summary"] for draft in found.drafts] == ["A study of 12 towns", "Vannevar Bush", "Stanford"]
    assert {draft.headings for draft in found.drafts} == {(("Navigation",),)}


@pytest.mark.parametrize(
    "title",
    [
        "On Tea and Law",
        "Public Choice and Public Goods",
        "Judge v Robot? Artificial Intelligence and Judicial Decisions",
        "Growth (1900-1950)",
        "Is the U-Net all you need? (Still)",
        "CVE-2017-5753 & Friends",
        '"On Tea": A Study',
        "On Tea and Law (Part II)",
    ],
)
def test_titles_like_names_dates_and_quotes_are_whole(title: str):
    table = f"| Title | Links |\n|---|---|\n| {title} | [Paper](https://doi.org/10.1086/282070) |"
    for text in (table, f"- [{title}](https://doi.org/10.1086/282070)"):
        fields = one(text).fields
        assert (fields["title"], fields.get("authors", ())) == (title, ())


def test_authors_below_the_tenth_item_may_be_indented_by_three_spaces():
    found = batch(
        "# L\n\n## A\n9. **Cup nine.** [paper](https://arxiv.org/abs/2001.00009)\n\n   *Telmo Pires, Eva Roast*\n\n"
        "10. **Cup ten.** [paper](https://arxiv.org/abs/2001.00010)\n\n   *Telmo Pires, Eva Roast*\n"
    )
    assert [draft.fields["authors"] for draft in found.drafts] == [("Pires, Telmo", "Roast, Eva")] * 2
