"""Nothing of the shipped survey shows in another: not in help, manual, messages, templates, schemas, README or site."""

import ast
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from builders import COFFEE, PACKAGE
from docs_pages import commands
from running import invoke

from awesome_cli.analysis import explanation, glossary
from awesome_cli.files.tree import WorkingTree
from awesome_cli.output import Format, to_text
from awesome_cli.publish import readme, shipped, site
from awesome_cli.publish.manual import manual
from awesome_cli.publish.schemas import SCHEMAS, schema_text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus
from awesome_cli.traces.metrics import METRICS

# Words of the shipped survey that are words of the tool, or plain English, each with another meaning.
COMMON = {
    "abstract", "agent", "agents", "anonymous", "anthropic", "artifact", "arxiv", "benchmark", "case", "category", "coding",
    "core", "cost", "duplicate", "evaluated", "explicit", "framework", "full text", "general", "hybrid", "math",
    "message", "moderate", "no", "openai", "others", "outcome", "partial", "peer reviewed", "preprint", "process",
    "research", "role", "shared", "steps", "stop", "supporting", "survey", "surveys", "team",
    "technical report", "time", "token", "tool", "trained", "turn", "verified", "web", "yes",
}  # fmt: skip
# Words that the format of traces and the programs that write traces have for themselves.
OF_TRACES = {
    "aggregate", "centralized", "communicate", "credit unit", "debate", "delegate", "frameworks", "harness", "hierarchical",
    "orchestration", "orchestrator", "planner_executor_critic", "reward family", "spawn", "swarm", "tool call",
    "tool calls", "tool_calls", "tool_use",
}  # fmt: skip
DATE = re.compile(r"\b20\d\d-\d\d-\d\d\b")
EXAMPLE = "2025-01-31"
"""The one day that help and messages give as an example."""
Text = tuple[str, str]
"""Where a text stands, and the text."""


def vocabulary(corpus: Corpus) -> set[str]:
    """Ids, codes and labels of whatever the taxonomy names, in lower case."""
    taxonomy = corpus.taxonomy
    named = [*taxonomy.stages, *taxonomy.reasons, *taxonomy.grades, *taxonomy.confidences, *taxonomy.measures]
    named += [entry for axis in taxonomy.axes for entry in (axis, *axis.terms, *axis.strengths)]
    found = {text.lower() for entry in named for text in (entry.id, entry.label, getattr(entry, "code", None)) if text}
    return found | {entry.id for axis in taxonomy.axes for entry in axis.retired}


def literature(corpus: Corpus) -> set[str]:
    """Keys, titles, authors and identifiers of the records and of the survey itself, in lower case."""
    survey = corpus.taxonomy.survey
    found = {survey.title, survey.short, survey.url or "", *survey.citation.values(), *survey.authors}
    for record in corpus.records:
        found |= {record.key, *record.aliases, record.title, *record.authors}
        found |= {text for _, text in record.identifiers.pairs()}
    found |= {" ".join(reversed(name.split(", "))) for name in found if name.count(", ") == 1}
    return {text.lower() for text in found if text}


def told() -> Iterator[Text]:
    """The help of every command and group, and every page of the manual, as a coffee survey shows them."""
    words = {tuple(name.split()) for name in commands()}
    for line in sorted({name[:i] for name in words for i in range(len(name) + 1)}):
        yield f"awesome {' '.join(line)} --help", invoke(*line, "--help").out
    corpus, rules = load_corpus(WorkingTree(COFFEE)), manual()
    for name in sorted({*glossary.names(), *rules.pages}):
        report = explanation.explain(name, rules, corpus.taxonomy, lambda: corpus)
        yield f"awesome explain {name}", to_text(report, Format.MD)


def written(root: Path) -> Iterator[Text]:
    """README, site and schemas of a coffee survey, and the templates that they are made from."""
    corpus = load_corpus(WorkingTree(root), candidates=True, evidence=True)
    yield "README.md", readme.render(readme.pages(root)["README.md"], corpus, root)
    for page in site.pages(corpus, root):
        if not page.path.endswith((".zip", ".png")):
            yield page.path, page.data.decode()
    for kind in SCHEMAS:
        yield f"awesome schema {kind}", schema_text(kind, corpus.taxonomy)
    for path in sorted(shipped().rglob("*")):
        if path.is_file():
            yield f"templates/{path.relative_to(shipped())}", path.read_text(encoding="utf-8")


def said() -> Iterator[Text]:
    """Every text in the code, which messages, hints and help are made of."""
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        texts = [
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
        yield f"awesome_cli/{path.relative_to(PACKAGE)}", "\n".join(texts)


TOLD, SAID, WRITTEN = (cache(lambda make=make: tuple(make())) for make in (told, said, lambda: written(COFFEE)))


@pytest.fixture(scope="module")
def words(published: Corpus) -> Callable[[Iterable[Text]], dict[str, set[str]]]:
    """Which words of the shipped survey stand in which texts, as whole words in any case."""
    own = " ".join(path.read_text().lower() for path in COFFEE.rglob("*") if path.is_file())
    foreign = {
        word for word in vocabulary(published) | literature(published) if not re.search(rf"\b{re.escape(word)}\b", own)
    }
    # The source of a formula is cited beside it, wherever it stands.
    cited = {name for path in (PACKAGE / "traces").rglob("*.py") for name in ARXIV.findall(path.read_text())}
    longest = sorted(foreign - COMMON - cited, key=len, reverse=True)
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest))})(?![\w-])")

    def found(texts: Iterable[Text]) -> dict[str, set[str]]:
        return {
            place: hits
            for place, text in texts
            if (hits := set(pattern.findall(text.lower())) - (OF_TRACES if on_traces(place, text) else set()))
        }

    return found


ARXIV = re.compile(r"arXiv (\d{4}\.\d{5})")


LISTS = {
    "awesome  --help",
    *(
        f"awesome explain {name}"
        for name in (
            "code",
            "rule",
            "rules",
            "glossary",
            "metric",
            "metrics",
            "by_sub_decision",
            "sub_decision",
            "word",
            *METRICS,
        )
    ),
}
"""Texts that list all commands or all rules, those of traces among them, and the pages of metrics."""


def on_traces(place: str, text: str) -> bool:
    """Whether a text is about traces: what it is called or its first line says so, or it is one of `LISTS`."""
    first = text.lstrip("# \n").partition("\n")[0]
    return bool(re.search(r"trace|explain T[A-Z]?\d", f"{place} {first}")) or place in LISTS


def test_help_and_manual_name_no_word_of_the_shipped_survey(words):
    assert words(TOLD()) == {}


def test_messages_name_no_word_of_the_shipped_survey(words):
    assert words(SAID()) == {}


@pytest.mark.slow
def test_the_pages_of_another_survey_name_no_word_of_the_shipped_survey(words):
    assert words(WRITTEN()) == {}


def test_days_in_help_manual_and_messages_are_one_example():
    own = set(DATE.findall("".join(path.read_text() for path in COFFEE.rglob("*.yaml"))))
    given = {(place, day) for texts in (TOLD(), SAID()) for place, text in texts for day in DATE.findall(text)}
    assert {(place, day) for place, day in given if day != EXAMPLE and day not in own} == set()


def test_every_exception_is_needed():
    texts = "\n".join(text for found in (TOLD(), SAID(), WRITTEN()) for _, text in found).lower()
    assert {word for word in COMMON | OF_TRACES if not re.search(rf"(?<![\w-]){word}(?![\w-])", texts)} == set()


@pytest.fixture
def bare(root: Path) -> Path:
    """A coffee survey with papers alone."""
    for folder in ("exclusions", "candidates"):
        shutil.rmtree(root / folder)
    islands = "".join(
        f"<!-- awesome:begin {name} -->\n<!-- awesome:end {name} -->\n" for name in ("claims", "exclusions")
    )
    (root / "README.md").write_text(
        f"# Coffee\n\n<!-- awesome:begin headline -->\n<!-- awesome:end headline -->\n{islands}"
    )
    return root


def pages_of(root: Path) -> dict[str, str]:
    corpus = load_corpus(WorkingTree(root), candidates=True, evidence=True)
    return {page.path: page.data.decode(errors="replace") for page in site.pages(corpus, root)}


def test_a_survey_of_papers_alone_shows_nothing_else(bare: Path):
    pages = pages_of(bare)
    assert not {"claims.html", "exclusions.html", "flow.html", "traces.html"} & {*pages}
    for path, text in pages.items():
        if path.endswith(".html"):
            menu = re.findall(r'<li><a href="[./]*(\w+)\.html"', text.partition("</nav>")[0])
            assert menu == ["map", "papers", "terms", "changes", "data"]
            gone = re.search(r'href="[^"]*(claims|exclusions|flow|traces)\.html', text)
            assert gone is None, path
    page = invoke("render", root=bare).out and (bare / "README.md").read_text()
    assert not re.search("(?i)screened|exclu|claim|trace|candidate|audit(?!ed)|second", re.sub("<!--.*?-->", "", page))
    assert "trace" not in invoke("status", root=bare).out


def test_an_island_writes_its_heading_where_the_page_has_none(bare: Path):
    shutil.copytree(COFFEE / "exclusions", bare / "exclusions")
    for _ in range(2):
        invoke("render", root=bare)
        page = (bare / "README.md").read_text()
        assert page.count("## Screened out") == 1
        assert "<!-- awesome:begin exclusions -->\n## Screened out\n\n2 records were" in page
    (bare / "README.md").write_text(
        page.replace("<!-- awesome:begin headline", "## Left out\n\nSee:\n\n<!-- awesome:begin headline")
    )
    invoke("render", root=bare)
    assert "## Screened out" not in (bare / "README.md").read_text()
