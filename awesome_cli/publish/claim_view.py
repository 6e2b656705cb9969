"""What the README says about the survey's claims: whether each holds, and what would end it."""

from collections.abc import Iterator

from awesome_cli.analysis.claims import forecast
from awesome_cli.analysis.claims.results import ClaimResult, ClaimStatus, check
from awesome_cli.analysis.claims.wording import all_observed
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.markup import Markdown, code, escape, table

WORDS = {ClaimStatus.HOLDS: "holds", ClaimStatus.CONTESTED: "holds as coded, contested", ClaimStatus.FAILS: "fails"}


def claims(corpus: Corpus) -> dict[str, object]:
    """A row a claim, and a line for each that candidates would end."""
    found = check(corpus)
    rows = [list(_row(result)) for result in found.results]
    ends = forecast.forecasts(found)
    lines = [Markdown(f"{code(name)}: {escape(text)}.") for name, text in ends.items()]
    return {
        "table": table(("Claim", "Statement", "Observed", "As of the records"), rows, (False,) * 4),
        "contested": any(result.status is ClaimStatus.CONTESTED for result in found.results),
        "outlook": lines,
    }


def _row(result: ClaimResult) -> Iterator[str]:
    yield code(result.claim.id)
    yield result.claim.statement
    yield all_observed(result.verdict.outcomes)
    yield WORDS[result.status]
