"""A page for each revised claim: how the finding changed."""

from collections.abc import Iterator, Sequence

from awesome_cli.analysis.audit.report import blindness, choice
from awesome_cli.analysis.claims import succession as words
from awesome_cli.analysis.claims.results import ClaimStatus
from awesome_cli.analysis.claims.succession import Succession
from awesome_cli.analysis.claims.wording import all_told
from awesome_cli.publish.site.evidence import LOOKS
from awesome_cli.publish.site.page import Frame, SitePage


def succession_pages(frame: Frame, found: Sequence[Succession]) -> Iterator[SitePage]:
    """The page `claims/ID.html` of each revised claim."""
    for one in found:
        result = one.result
        yield frame.page(
            f"claims/{result.claim.id}.html",
            "succession",
            title="How a finding changed",
            description=f"How this finding changed: {result.claim.statement}",
            claim=result.claim,
            look=LOOKS,
            judged=ClaimStatus.HOLDS if result.verdict.holds else ClaimStatus.FAILS,
            told=all_told(result.verdict, frame.checked.pool),
            ended=result.ended,
            successors=result.successors,
            account=one.account,
            changes=one.terms,
            papers={paper.key: paper for paper in frame.corpus.papers},
            read=words.READ,
            **{helper.__name__: helper for helper in HELPERS},
        )


HELPERS = (
    words.coded,
    words.counts,
    words.second_words,
    words.remarks,
    words.by_value,
    words.percent_words,
    words.kappa_words,
    blindness,
    choice,
)
"""Functions that the template calls by their names."""
