"""When a paper is coded anew, every sentence that depends on it changes, or fails: none stays and is wrong."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from contributing import SEEN, old
from figures import STOP
from running import Result
from sentences import wrong
from sites import survey

from awesome_cli.analysis.claims.evaluation import evaluate
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.statistics.counts import statistics
from awesome_cli.files.tree import PARTS
from awesome_cli.publish import readme
from awesome_cli.publish.site import pages
from awesome_cli.survey.corpus import Corpus

Run = Callable[..., Result]
Recode = Callable[[str], tuple[Path, str]]


def twin(repository: Path, target: Path) -> Path:
    """The survey of the repository in a folder of its own."""
    target.mkdir()
    for name in (*PARTS, "README.md", "docs/survey"):
        if (path := repository / name).exists():
            (target / name).parent.mkdir(exist_ok=True)
            (shutil.copytree if path.is_dir() else shutil.copy)(path, target / name)
    return target


@pytest.fixture
def before(repository: Path, tmp_path: Path) -> Path:
    return twin(repository, tmp_path / "before")


@pytest.fixture
def recode(before: Path, tmp_path: Path, run: Run) -> Recode:
    """Code a paper that gives stopping a credit of its own as designing it, in a twin; the twin and the paper's key."""

    def recoded(how: str) -> tuple[Path, str]:
        root, key = twin(before, tmp_path / "after"), old(before, STOP)
        run("tag", key, "sub_decision=stop:designed", *SEEN, how, "--who", "third reader", root=root)
        return root, key

    return recoded


def generated(root: Path) -> dict[str, str]:
    """What is made from the records: the README's islands, the statistics and the pages of the site, by name.

    The foot of every page says when a coding was changed last.
    """
    corpus = survey(root)
    filled = [readme.render(page, corpus, root) for page in readme.pages(root).values()]
    islands = {f"island {name}": page[start:end] for page in filled for name, start, end in readme.islands(page)}
    counts = {"statistics.json": str(statistics(corpus).to_report().data)}
    return islands | counts | {page.path: str(page.content).partition("<footer")[0] for page in pages(corpus, root)}


def answers(corpus: Corpus) -> dict[str, tuple[object, ...]]:
    """What the expectations of each claim that stands observe, and whether it holds."""
    found = {claim.id: evaluate(claim, Pool(corpus)) for claim in corpus.claims.claims if claim.stands(None)}
    return {name: (verdict.holds, *(outcome.value for outcome in verdict.outcomes)) for name, verdict in found.items()}


def changed(before: Mapping[str, object], after: Mapping[str, object]) -> set[str]:
    return {name for name in before if before[name] != after.get(name)}


@pytest.mark.slow
@pytest.mark.parametrize("how", ["--revised", "--not-revised"])
def test_what_is_generated_changes(before: Path, recode: Recode, run: Run, how: str):
    root, key = recode(how)
    found = changed(generated(before), generated(root))
    assert {"island gaps", "island summary", "island claims", "statistics.json"} <= found
    assert {"index.html", "claims.html", f"papers/{key}.html", "terms/sub_decision.stop.html"} <= found
    assert not found & {"exclusions.html", "island protocol", f"papers/{old(before, 'sub_decision=NA')}.html"}
    gaps = [run("gaps", "stop", root=each).out for each in (before, root)]
    assert gaps[0] != gaps[1]


def test_a_correction_of_the_past_fails_the_sentences_of_the_past(before: Path, recode: Recode, run: Run):
    """Not revised, the coding was wrong from the beginning: so were the claims, and the sentences about their day."""
    root, _ = recode("--not-revised")
    then, now = answers(survey(before)), answers(survey(root))
    moved = changed(then, now)
    asking = {c.id for c in survey(root).claims.claims if c.stands(None) and any(e.topic == STOP for e in c.expect)}
    assert asking
    assert asking <= moved
    printed = run("claims", "check", "--all", root=root, code=1).out
    assert [name for name in asking if now[name][0] or f"fails  {name}\n" not in printed] == []
    places = {
        finding.partition(":")[0] for finding in set(wrong(survey(root), root)) - set(wrong(survey(before), before))
    }
    assert "survey in taxonomy.yaml" in places


def test_a_revision_leaves_the_sentences_of_the_past_as_they_are(before: Path, recode: Recode):
    """Each names its day, and as of that day it holds."""
    root, _ = recode("--revised")
    assert wrong(survey(root), root) == wrong(survey(before), before)
