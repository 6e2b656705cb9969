"""Tokens in their parts, and money from events, from the trace, or from the prices of a user's file."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from test_metrics import document, event, measures

from awesome_cli.cli._corpus import prices_beside, read_prices
from awesome_cli.errors import SurveyError, UsageError
from awesome_cli.traces.reading import read_document
from awesome_cli.traces.rows import Wanted, analyze_trace
from awesome_cli.traces.usage import Prices, recount

ROW = {
    "model": "large",
    "currency": "USD",
    "since": "2026-01-01",
    "source": "https://example.org",
    "fresh": "3",
    "output": "15",
}
CALL = {"tokens_in": 1000, "tokens_out": 100, "tokens_cached": 600, "tokens_cache_write": 100, "model": "large"}


def table(*rows: dict[str, str]) -> Prices:
    return Prices.model_validate({"prices": [{**ROW, **row} for row in rows]})


def priced(prices: Prices | None, *calls: dict[str, Any], **more: Any) -> tuple[float | None, str | None]:
    events = [event(f"e{i}", i, "llm_call", "lead", **call) for i, call in enumerate(calls)]
    trace = read_document(document(*events, **more)).trace
    assert trace is not None
    analysis = analyze_trace(trace, Wanted(prices=prices))
    return analysis.row["cost_usd"], analysis.not_computable.get("cost_usd")


def test_tokens_are_counted_in_their_parts() -> None:
    found = measures(
        document(event("a", 0, "llm_call", "lead", tokens_reasoning=40, tokens_partial=True, **CALL))
    ).values
    names = ("fresh", "cached", "cache_write", "out", "reasoning", "partial")
    assert [found[f"tokens_{name}"] for name in names] == [300, 600, 100, 100, 40, 1]
    assert found["tokens"] == 1100


def test_the_costs_of_the_trace_count_where_no_event_has_them() -> None:
    costs = {"tokens": 500, "wall_clock_s": 1, "cost_usd": 0.2}
    found = measures(document(event("a", 0, "llm_call", "lead"), costs=costs)).values
    assert (found["tokens"], found["cost_usd"], found["tokens_fresh"]) == (500, 0.2, None)


def test_a_recount_has_what_events_record() -> None:
    trace = read_document(
        document(event("a", 0, "llm_call", "lead", tokens_in=3, cost_usd=0.5), event("b", 1, "message", "lead"))
    ).trace
    assert trace is not None
    assert recount(trace) == {"tool_calls": 0, "messages": 1, "tokens": 3, "cost_usd": 0.5}


def test_the_price_of_a_call_by_hand() -> None:
    """300 * 3 + 600 * 0.3 + 100 * 3.75 + 100 * 15 = 2,955 dollars for a million such calls."""
    prices = table({"cached": "0.3", "cache_write": "3.75"})
    assert priced(prices, CALL) == (pytest.approx(0.002955), None)
    assert priced(prices, CALL | {"cost_usd": 7}) == (7, None)


@pytest.mark.parametrize(
    ("rows", "call", "reason"),
    [
        ((), CALL, "no price for large"),
        (({"cache_write": "1"},), CALL, "no price for large"),
        (({},), {"tokens_in": 1}, "a call that names no model"),
        (({}, {"since": "2026-02-01"}), {"tokens_in": 1, "model": "large"}, "the day of the run is unknown"),
        (({"currency": "EUR"},), {"tokens_in": 1, "model": "large"}, "in EUR, not in USD"),
        (({},), {"model": "large"}, "no event records tokens"),
    ],
)
def test_no_price_is_guessed(rows: tuple[dict[str, str], ...], call: dict[str, Any], reason: str) -> None:
    cost, why = priced(table(*rows), call)
    assert cost is None
    assert why is not None
    assert reason in why


def test_two_currencies_have_no_sum() -> None:
    calls = [{"tokens_in": 1, "model": name} for name in ("large", "small")]
    assert priced(table({}, {"model": "small", "currency": "EUR"}), *calls)[0] is None
    assert "prices.yaml is missing" in str(priced(None, calls[0])[1])


def test_an_unknown_cost_says_what_is_known() -> None:
    calls = [{"tokens_in": 1_000_000, "model": name} for name in ("large", "small")]
    assert (
        priced(table({}), *calls, provenance={"started_at": "2026-03-05"})[1]
        == "prices.yaml has no price for small; the other calls cost 3 USD"
    )


def test_the_closest_row_that_holds_counts() -> None:
    prices = table(
        {"model": "*", "fresh": "1"}, {"model": "lar*", "fresh": "2"}, {}, {"since": "2026-03-01", "fresh": "4"}
    )
    rates = [
        row and row.fresh
        for row in (
            prices.price("other", None), prices.price("largo", None), prices.price("large", date(2026, 2, 1)),
            prices.price("large", date(2026, 3, 1)), prices.price("large", date(2025, 1, 1)), prices.price("large", None),
        )
    ]  # fmt: skip
    assert rates == [1, 2, 3, 4, None, None]
    started = {"provenance": {"started_at": "2026-03-05T10:00:00Z"}}
    dated = table({}, {"since": "2026-03-01", "fresh": "4"})
    assert priced(dated, {"tokens_in": 1_000_000, "model": "large"}, **started)[0] == 4


def test_prices_are_read_and_what_is_wrong_has_its_place(tmp_path: Path) -> None:
    path = tmp_path / "prices.yaml"
    assert prices_beside(tmp_path) is prices_beside(None) is None
    with pytest.raises(UsageError, match="no such file"):
        read_prices(path)
    lines = [f"{name}: {value}" for name, value in ROW.items()]
    path.write_text("prices:\n- " + "\n  ".join(lines) + "\n", encoding="utf-8")
    assert prices_beside(tmp_path) == table({})
    path.write_text(path.read_text(encoding="utf-8").replace("fresh: 3", "fresh: cheap"), encoding="utf-8")
    with pytest.raises(SurveyError, match=r"prices\.yaml:6:10: .*fresh"):
        read_prices(path)
