"""A line a claim on how long it will stand, for the claims' own report and for the README."""

from awesome_cli.analysis.claims import ClaimResults
from awesome_cli.analysis.evaluation import Pool
from awesome_cli.analysis.sensitivity import ending
from awesome_cli.corpus import Corpus


def of(corpus: Corpus, found: ClaimResults) -> dict[str, str]:
    """For each claim that candidates would end, `as of DAY it holds; N candidates would end it`."""
    pool = Pool(corpus)
    endings = [ending(r.claim, pool) for r in found.results if r.verdict.holds and not r.claim.definitional]
    return {e.claim.id: str(e) for e in endings if e.first is not None or e.alone}
