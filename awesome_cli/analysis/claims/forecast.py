"""A line a claim on how long it will stand, for the claims' own report and for the README."""

from awesome_cli.analysis.claims.results import ClaimResults
from awesome_cli.analysis.claims.sensitivity import ending


def of(found: ClaimResults) -> dict[str, str]:
    """For each claim that candidates would end, `as of DAY it holds; N candidates would end it`."""
    asked = [r.claim for r in found.results if r.verdict.holds and not r.claim.definitional]
    endings = [ending(claim, found.pool) for claim in asked]
    return {e.claim.id: str(e) for e in endings if e.first is not None or e.alone}
