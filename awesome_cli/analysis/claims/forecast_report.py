"""What candidates would do to claims, in a sentence and in tables."""

from collections.abc import Callable, Iterator, Sequence

from awesome_cli.analysis.claims.admission import Ending, Forecast
from awesome_cli.analysis.claims.wording import listed_keys, observed, to_json
from awesome_cli.reports.report import Cell, Section, Table, Toned
from awesome_cli.text.numbers import counted

NOTE = "a candidate whose strengths on an axis of the claim are retired ones is not yet re-read"


def outlook(one: Forecast) -> str:
    """Whether the claim holds, and which candidates would end it or would have ended it on its own day."""
    today, then = one.proposed, one.missed
    parts = [f"as of {one.claim.as_of} it {'holds' if today.holds else 'fails'}"]
    parts.append(f"of {_candidates(today)} proposed for retention, {_falls(today, 'would', 'end it')}")
    if then.fewest:
        end = _falls(then, "would have", "changed its answer")
        parts.append(f"of {_candidates(then)} to retain or consider that the search missed, {end} on its own day")
    if unread := {*today.unread, *then.unread}:
        parts.append(f"not yet re-read: {len(unread)} of these candidates")
    return "; ".join(parts)


def _candidates(ending: Ending) -> str:
    return counted(len(ending.admitted), "candidate")


def _falls(ending: Ending, would: str, what: str) -> str:
    end = f"{would} {what}"
    if ending.alone:
        n = len(ending.alone)
        return f"{f'each of {n}' if n > 1 else '1'} alone {end}"
    if not ending.fewest:
        return f"none {end}" if ending.exact else f"no set was found that {end}"
    chosen = f"{_bound(ending)} chosen ones ({listed_keys(ending.fewest)})"
    if not ending.in_order:
        return f"{chosen} {end} together"
    return f"the first {len(ending.in_order)} to appear {end} together, and so {would} {chosen}"


def _bound(ending: Ending) -> str:
    return f"{'' if ending.exact else 'at most '}{len(ending.fewest)}"


def sections(found: Sequence[Forecast], level: str) -> Iterator[Section]:
    """One for all that are proposed, then what the search missed on the claims' own days, and what appeared since."""
    views: list[tuple[str, Callable[[Forecast], Ending]]] = [
        (f"If the {{n}} candidates proposed for retention{level} were admitted", lambda one: one.proposed),
        (f"Missed: if the search had found these {{n}} candidates{level}, on each claim's own day", lambda o: o.missed),
        (f"Since then: if only the {{n}} of them that appeared later{level} were admitted", lambda one: one.later),
    ]
    columns = ("claim", "with them", "in their order", "fewest", "by one alone", "observed then", "not yet re-read")
    for title, part in views:
        rows: list[tuple[Cell, ...]] = [(one.claim.id, *_row(part(one))) for one in found]
        if found and (n := len(part(found[0]).admitted)):
            yield Section(title.format(n=n), (Table.of(columns, rows, note=NOTE),))


def _row(ending: Ending) -> Iterator[Cell]:
    falls = Toned("falls", "bad") if not ending.after.holds else Toned("stays", "good")
    yield falls if ending.holds else Toned("fails already", "muted")
    yield f"{len(ending.in_order)}, with {ending.in_order[-1]}" if ending.in_order else ""
    if ending.fewest:
        yield f"{_bound(ending)}: {listed_keys(ending.fewest)}"
    else:
        yield "" if ending.exact else Toned("not searched", "muted")
    yield listed_keys(ending.alone)
    yield observed(ending.after, keys=False)
    yield len(ending.unread) or ""


def forecast_json(one: Forecast) -> dict[str, object]:
    """The published form."""
    parts = {"proposed": one.proposed, "missed": one.missed, "later": one.later}
    return {"claim": one.claim.id, **{name: _ending(part) for name, part in parts.items()}}


def _ending(ending: Ending) -> dict[str, object]:
    return {
        "holds": ending.holds,
        "falls": ending.holds and not ending.after.holds,
        "admitted": len(ending.admitted),
        "in_order": list(ending.in_order),
        "fewest": list(ending.fewest),
        "exact": ending.exact,
        "alone": list(ending.alone),
        "not_reread": list(ending.unread),
        "observed": to_json(ending.after.value),
    }
