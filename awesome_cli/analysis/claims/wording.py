"""Expectations and observed values in words."""

from collections.abc import Sequence

from awesome_cli.analysis.claims.evaluation import Outcome, Value
from awesome_cli.model.claims import Expectation
from awesome_cli.text.numbers import either

RELATIONS = {"equals": "exactly", "at_least": "at least", "at_most": "at most"}
SHOWN = 8


def listed_keys(keys: Sequence[str]) -> str:
    """The first keys, and how many more there are."""
    shown = ", ".join(keys[:SHOWN])
    return shown + (f" and {len(keys) - SHOWN} more" if len(keys) > SHOWN else "")


def expected(expectation: Expectation) -> str:
    """`share of topic=teaching at most 12.5 %`."""
    e = expectation
    about = {
        "count": f"{e.of} with {e.asked}" if e.asked != "*" else e.of,
        "share": f"share of {e.of} with {e.asked}" + (f" among {e.among}" if e.among != "*" else ""),
        "state": f"state of {e.asked}",
        "ids": f"the {e.of} with {e.asked}",
        "largest": f"largest {e.asked} in {e.group}",
        "median": f"median {e.asked} in {e.group}",
        "agreement": f"agreement on {e.asked}",
        "survive": f"claims that flip under {str(e.under).replace('_', ' ')}",
    }[e.kind]
    if e.kind in {"largest", "median"}:
        about += f" among {e.among}" if e.among != "*" else ""
        about += f" at confidence {e.confidence} or better" if e.confidence else ""
    about += f" over {e.over}" if e.over else ""
    about += f" minus {e.minus}" if e.minus else ""
    if e.allowed:
        return f"{about}: {either(e.allowed)}"
    bounds = e.bounds or (("at_most", 0.0),)
    return f"{about}: " + " and ".join(f"{RELATIONS[name]} {valued(e, bound)}" for name, bound in bounds)


def observed(outcome: Outcome, *, keys: bool = True) -> str:
    """The observed value, with the papers behind it."""
    text = valued(outcome.expectation, outcome.value)
    if outcome.expectation.kind in {"share", "state"} and outcome.value is not None:
        n, of = len(outcome.selection), outcome.expectation.of
        text += f", {n} {of.removesuffix('s') if n == 1 else of}"
    listed = keys and not isinstance(outcome.value, tuple) and len(outcome.selection)
    return text + (f" ({listed_keys(outcome.selection.keys)})" if listed else "")


def all_observed(outcomes: Sequence[Outcome]) -> str:
    """The observed value of each expectation, in their order."""
    return "; ".join(observed(outcome, keys=False) for outcome in outcomes)


def valued(expectation: Expectation, value: Value) -> str:
    """A value as people read it."""
    if value is None:
        return "nothing to measure"
    if isinstance(value, tuple):
        return listed_keys(value) or "none"
    if isinstance(value, str):
        return value
    return f"{100 * value:.3g} %" if expectation.kind == "share" else f"{value:.4g}"


def to_json(value: Value) -> object:
    """A value for machines: whole numbers without a decimal point."""
    if isinstance(value, tuple):
        return list(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value
