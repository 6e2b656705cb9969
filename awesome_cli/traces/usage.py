"""Tokens and costs of a trace: parts, totals, and prices of models from `prices.yaml`.

The user writes `prices.yaml`. The tool does not ship or guess prices.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from typing import Annotated, NamedTuple

from pydantic import BaseModel, Field

from awesome_cli.traces.model import FAILED, Event, Trace

NO_PRICES = "neither the events nor the trace record cost_usd, and prices.yaml is missing"
BY_MODEL = frozenset({"llm_call", "tool_call", "spawn", "delegate", "message", "return", "aggregate"})
COUNTED = {"tool_calls": "tool_call", "messages": "message"}
"""The costs that are numbers of events, and the type of these events."""
Rate = Annotated[float, Field(ge=0)]
"""A price per million tokens."""


class ModelPrice(BaseModel, frozen=True, extra="forbid", allow_inf_nan=False):
    """A model's price per million tokens from a day on: `model` is a name, or a pattern with `*` and `?`."""

    model: Annotated[str, Field(min_length=1)]
    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")]
    since: date
    source: Annotated[str, Field(min_length=1)]
    fresh: Rate
    output: Rate
    cached: Rate | None = None
    cache_write: Rate | None = None


class Prices(BaseModel, frozen=True, extra="forbid"):
    """The content of `prices.yaml`."""

    prices: tuple[ModelPrice, ...] = ()

    def price(self, model: str, day: date | None) -> ModelPrice | None:
        """Return a model's price on a day; an exact name precedes a pattern, and long patterns precede short ones.

        None if no row matches, or if the day is unknown and several dated rows match.
        """
        fitting = [row for row in self.prices if fnmatchcase(model, row.model)]
        closest = max(fitting, key=lambda row: (row.model == model, len(row.model)), default=None)
        rows = [row for row in fitting if closest and row.model == closest.model]
        if day is None:
            return rows[0] if len(rows) == 1 else None
        return max((row for row in rows if row.since <= day), key=lambda row: row.since, default=None)


class Usage(NamedTuple):
    """Tokens of an event. The prompt is `fresh`, `cached` and `cache_write`."""

    fresh: int
    cached: int
    cache_write: int
    out: int


def usage_of(event: Event) -> Usage:
    """Return the tokens of an event, 0 if not recorded; prompt tokens not recorded as cached are fresh."""
    data = event.data
    cached, written = data.get("tokens_cached") or 0, data.get("tokens_cache_write") or 0
    fresh = max((data.get("tokens_in") or 0) - cached - written, 0)
    return Usage(fresh, cached, written, data.get("tokens_out") or 0)


def costs_of(trace: Trace) -> list[float | None]:
    """The recorded cost of every event; empty if no event records any."""
    return [event.data.get("cost_usd") for event in trace.events] if "cost_usd" in trace.fields else []


def recount(trace: Trace) -> Mapping[str, float]:
    """Return the sums of costs over the events, by the names in `costs`; costs without events are left out."""
    types = Counter(event.type for event in trace.events)
    tokens = [n for event in trace.events if (n := event.tokens) is not None]
    money = [n for n in costs_of(trace) if n is not None]
    counts: dict[str, float] = {name: types[kind] for name, kind in COUNTED.items()}
    return counts | ({"tokens": sum(tokens)} if tokens else {}) | ({"cost_usd": sum(money)} if money else {})


def without_tokens(trace: Trace, agents: Iterable[str]) -> list[str]:
    """Return agents that took decisions of a model, but have no event with tokens.

    Empty if no event of the run records tokens. Failed events are ignored, because they may have used no tokens.
    """
    known = {event.agent for event in trace.events if event.tokens is not None}
    silent = set(agents) - known if known else ()
    events = [event for event in trace.events if event.agent in silent] if silent else []
    acted = {event.agent for event in events if event.type in BY_MODEL and event.status not in FAILED}
    return [name for name in agents if name in acted]


@dataclass(frozen=True, slots=True)
class Money:
    """The cost of a run in `currency`, by event and in total; `events` is None if only the total is known."""

    total: float
    currency: str
    events: list[float] | None
    origin: str


class UnpricedError(Exception):
    """Why the cost of a run is unknown."""


def money(trace: Trace, prices: Prices | None) -> Money:
    """Return the cost recorded by events, else by the trace, else computed from prices; raises `UnpricedError`."""
    recorded = costs_of(trace)
    if any(cost is not None for cost in recorded):
        return Money(sum(cost or 0 for cost in recorded), "USD", [cost or 0.0 for cost in recorded], "events")
    if "cost_usd" in trace.costs:
        return Money(trace.costs["cost_usd"], "USD", None, "the trace")
    if prices is None:
        raise UnpricedError(NO_PRICES)
    return priced(trace, prices)


def priced(trace: Trace, prices: Prices) -> Money:
    """Compute the cost of a run from prices; raises `UnpricedError` if an event has no price."""
    try:
        day = date.fromisoformat(str(trace.provenance.get("started_at"))[:10])
    except ValueError:
        day = None
    costs, lacking, sums = [0.0] * len(trace.events), dict[str, None](), dict[str, float]()
    if not any(event.tokens for event in trace.events):
        raise UnpricedError("no event records tokens, so the cost cannot be computed")
    for event in trace.events:
        if event.tokens:
            model = event.data.get("model") or trace.agents.get(event.agent, {}).get("model")
            name = model if isinstance(model, str) else None
            cost = None if name is None else price_of(usage_of(event), name, prices, day)
            if cost is None:
                lacking[name or "a call that names no model"] = None
            else:
                costs[event.index], currency = cost
                sums[currency] = sums.get(currency, 0.0) + cost[0]
    known = " and ".join(f"{total:,.4g} {currency}" for currency, total in sums.items())
    if lacking:
        dated = "" if day else "; the day of the run is unknown (provenance.started_at)"
        rest = known and f"; the other calls cost {known}"
        raise UnpricedError(f"prices.yaml has no price for {', '.join(lacking)}{dated}{rest}")
    if len(sums) > 1:
        raise UnpricedError(f"the prices are in several currencies: {known}")
    return Money(sum(costs), next(iter(sums)), costs, "prices.yaml")


def price_of(usage: Usage, model: str, prices: Prices, day: date | None) -> tuple[float, str] | None:
    """Return the price of tokens and its currency; None if some tokens have no price."""
    row = prices.price(model, day)
    if row is None or (usage.cached and row.cached is None) or (usage.cache_write and row.cache_write is None):
        return None
    prompt = usage.fresh * row.fresh + usage.cached * (row.cached or 0) + usage.cache_write * (row.cache_write or 0)
    return (prompt + usage.out * row.output) / 1_000_000, row.currency
