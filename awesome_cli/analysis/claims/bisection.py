"""Find the git revision since which a claim fails, without a checkout."""

from dataclasses import replace
from pathlib import Path

from awesome_cli.analysis.claims.evaluation import evaluate, first_failure
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimResult, ClaimResults, ClaimStatus, Since
from awesome_cli.errors import AwesomeError, GitError
from awesome_cli.files import git
from awesome_cli.files.git import GitTree
from awesome_cli.model.claims import Claim
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import PARTS, RecordCache, load_corpus


def bisected(root: Path, found: ClaimResults) -> ClaimResults:
    """The results. A claim that fails as coded gets the revision since which it does, unless a day is known."""
    known: RecordCache = {}
    if found.reading is not None:
        return found
    fails = [r.status is ClaimStatus.FAILS and r.since is None for r in found.results]
    results = [_bisected(root, r, known) if asked else r for r, asked in zip(found.results, fails, strict=True)]
    return replace(found, results=tuple(results))


def _bisected(root: Path, result: ClaimResult, known: RecordCache) -> ClaimResult:
    try:
        history = git.history(root, "HEAD")
    except GitError:
        return result
    if not history or _holds(root, history[-1], result.claim, known):
        return replace(result, since=Since("the changes that are not committed", ()))
    first = first_failure(history, lambda rev: _holds(root, rev, result.claim, known))
    return replace(result, since=Since(f"revision {git.describe(root, history[first])}", ()))


def _holds(root: Path, rev: str, claim: Claim, known: RecordCache) -> bool:
    """Whether the claim in its present words held in a revision; yes if that revision cannot answer it."""
    try:
        then = load_corpus(GitTree(root, rev, PARTS), evidence=True, known=known)
        return evaluate(claim, Pool(_with_claim(then, claim))).holds
    except AwesomeError:
        return True


def _with_claim(then: Corpus, claim: Claim) -> Corpus:
    others = tuple(other for other in then.claims.claims if other.id != claim.id)
    return replace(then, claims_file=then.claims.model_copy(update={"claims": (*others, claim)}))
