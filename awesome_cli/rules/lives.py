"""Rules on the lives of claims: what was revised or withdrawn, and which claims stand in its place."""

from collections.abc import Iterator, Mapping

from awesome_cli.model.claims import PATH, Claim
from awesome_cli.reports.findings import Level
from awesome_cli.rules.claims import expectations, is_missing
from awesome_cli.rules.registry import Found, rule, unknown_in
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import unknown


@rule("L006", Level.ERROR)
def broken_succession(corpus: Corpus) -> Iterator[Found]:
    """A claim and its successor do not name each other, or claims succeed each other in a circle.

    A revised claim names its successors in `revised.by`, and each of them names the claim in `succeeds`.
    """
    claims = corpus.claims.by_id
    for i, claim in enumerate(corpus.claims.claims):
        by = claim.revised.by if claim.revised else ()
        sides = ((("revised", "by"), by, "succeeds"), (("succeeds",), claim.succeeds, "revised.by"))
        for steps, names, back in sides:
            for j, name in enumerate(names):
                route = ("claims", i, *steps, j)
                yield from unknown_in(PATH, route, name, claims, "claim")
                if name in claims and claim.id not in _named(claims[name], back):
                    message = f"{claim.id!r} names {name!r} in {'.'.join(steps)}, but not the other way round"
                    yield Found(PATH, route, message, f"add {claim.id!r} to {back} of {name!r}")
        later = _later(claim, claims)
        if claim.id in later:
            circle = [name for name in claims if name in later and claim.id in _later(claims[name], claims)]
            message = f"claims succeed each other in a circle: {', '.join(circle)}"
            fix = "remove one name from 'revised.by', and its counterpart from 'succeeds'"
            yield Found(PATH, ("claims", i, "revised"), message, fix)


def _named(claim: Claim, field: str) -> tuple[str, ...]:
    return claim.succeeds if field == "succeeds" else claim.revised.by if claim.revised else ()


def _later(claim: Claim, claims: Mapping[str, Claim]) -> set[str]:
    """The successors of a claim, their successors, and so on."""
    found: set[str] = set()
    waiting = list(_named(claim, "revised.by"))
    while waiting:
        name = waiting.pop()
        if name in claims and name not in found:
            found.add(name)
            waiting += _named(claims[name], "revised.by")
    return found


@rule("L007", Level.ERROR)
def impossible_life(corpus: Corpus) -> Iterator[Found]:
    """A claim ended twice, ended before it was made, or because of records that do not exist.

    A claim is revised (others stand in its place) or withdrawn (none does), not before its `as_of`.
    """
    for i, claim in enumerate(corpus.claims.claims):
        if claim.revised and claim.withdrawn:
            message = f"{claim.id!r} is revised and withdrawn"
            yield Found(PATH, ("claims", i, "withdrawn"), message, "keep one of the two")
        for name, end in (("revised", claim.revised), ("withdrawn", claim.withdrawn)):
            if end is not None and end.on < claim.as_of:
                message = f"{claim.id!r} was {name} on {end.on}, and made as of {claim.as_of}"
                yield Found(PATH, ("claims", i, name, "on"), message, "write a day that is not before as_of")
        for j, key in enumerate(claim.revised.records if claim.revised else ()):
            if is_missing(key, corpus):
                message = unknown(key, corpus.by_key, "record")
                fix = "list the keys with 'awesome list'"
                yield Found(PATH, ("claims", i, "revised", "records", j), message, fix)


@rule("L008", Level.ERROR)
def survives_ended(corpus: Corpus) -> Iterator[Found]:
    """`survive` names a claim that was revised or withdrawn.

    A claim about other claims speaks of those that stand. For an earlier day, a successor that had not been made is
    replaced by the claim that it succeeds.
    """
    claims = corpus.claims.by_id
    for route, expectation in expectations(corpus):
        for i, name in enumerate(expectation.survive):
            claim = claims.get(name)
            if claim is not None and not claim.stands(None):
                by = claim.revised.by if claim.revised else ()
                fix = f"write {', '.join(by)} instead of {name}" if by else f"remove {name}"
                yield Found(PATH, (*route, "survive", i), f"the claim {name!r} does not stand any more", fix)
