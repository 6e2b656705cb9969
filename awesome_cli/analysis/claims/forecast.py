"""The claim forecast: one line for each claim that waiting candidates would end, for the report and the README."""

from awesome_cli.analysis.claims.results import ClaimResults
from awesome_cli.analysis.claims.sensitivity import ending


def forecasts(found: ClaimResults) -> dict[str, str]:
    """By claim id, `as of DAY it holds; N candidates would end it`; a claim that none would end has no line."""
    asked = [r.claim for r in found.results if r.verdict.holds and not r.claim.definitional]
    endings = [ending(claim, found.pool) for claim in asked]
    return {e.claim.id: str(e) for e in endings if e.first is not None or e.alone}
