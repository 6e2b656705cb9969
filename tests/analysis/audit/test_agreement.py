"""Agreement of two coders: coefficients against published figures, intervals, and columns."""

import math

import pytest
from builders import coffee
from hypothesis import given, settings
from hypothesis import strategies as st

from awesome_cli.analysis.audit.agreement import (
    COEFFICIENTS,
    ac1,
    alpha,
    columns,
    exact,
    intervals,
    kappa,
    main_of,
    percent,
)
from awesome_cli.errors import UsageError
from awesome_cli.model.audits import Audit

STATISTICS = (percent, *COEFFICIENTS.values())


def table(*counts: tuple[str, str, int]) -> list[tuple[str, str]]:
    """Pairs out of a contingency table."""
    return [(a, b) for a, b, n in counts for _ in range(n)]


def test_kappa_of_the_physiotherapists():
    """Sim and Wright, Physical Therapy 85:257-268, 2005, table 1: kappa .67 of a maximum agreement of 33 in 39."""
    pairs = table(("r", "r", 22), ("r", "n", 2), ("n", "r", 4), ("n", "n", 11))
    assert percent(pairs) == pytest.approx(33 / 39)
    assert kappa(pairs) == pytest.approx(0.67, abs=0.005)


def test_ac1_where_kappa_breaks_down():
    """Gwet, British Journal of Mathematical and Statistical Psychology 61:29-48, 2008: 118, 5, 2 and 0 of 125."""
    pairs = table(("+", "+", 118), ("+", "-", 5), ("-", "+", 2))
    assert kappa(pairs) == pytest.approx(-0.0234, abs=5e-5)
    assert ac1(pairs) == pytest.approx(0.9408, abs=5e-5)


def test_alpha_of_two_observers_and_binary_data():
    """Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011, section A: 0.095."""
    meg, owen = "0100000010", "1110010000"
    assert alpha(list(zip(meg, owen, strict=True))) == pytest.approx(0.095, abs=5e-4)


def test_alpha_of_two_observers_and_nominal_data():
    """The same, section B: 0.692."""
    ben, gerry = "aabbdcccedda", "babbbccceddd"
    assert alpha(list(zip(ben, gerry, strict=True))) == pytest.approx(0.692, abs=5e-4)


def test_alpha_of_four_observers_with_missing_data():
    """The same, section C: 0.743."""
    rows = [
        "1 2 3 3 2 1 4 1 2 * * *",
        "1 2 3 3 2 2 4 1 2 5 * 3",
        "* 3 3 3 2 3 4 2 2 5 1 *",
        "1 2 3 3 2 4 4 1 2 5 1 *",
    ]
    units = [
        tuple(value for value in unit if value != "*") for unit in zip(*(row.split() for row in rows), strict=True)
    ]
    assert alpha(units) == pytest.approx(0.743, abs=5e-4)


def test_what_does_not_vary_is_said_and_not_divided_by():
    pairs = [("a", "a")] * 5
    assert percent(pairs) == 1.0
    assert [COEFFICIENTS[name](pairs) for name in ("kappa", "alpha", "ac1")] == [None, None, None]
    assert intervals(pairs, 0)["kappa"] is None
    assert all(statistic([]) is None for statistic in STATISTICS)
    assert exact(0, 0) is None


PAIRS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=30)


@settings(deadline=None)
@given(PAIRS)
def test_agreement_is_at_most_one_and_blind_to_the_coders_order(pairs: list[tuple[str, str]]):
    swapped = [(b, a) for a, b in pairs]
    for statistic in STATISTICS:
        value = statistic(pairs)
        assert value is None or value <= 1
        other = statistic(swapped)
        assert (value is None) == (other is None)
        assert value is None or other is None or math.isclose(value, other, abs_tol=1e-12)
    if all(a == b for a, b in pairs) and len({a for a, _ in pairs}) > 1:
        assert all(statistic(pairs) == pytest.approx(1) for statistic in STATISTICS)


def test_intervals_are_the_same_for_one_seed_and_hold_the_estimate():
    pairs = table(("r", "r", 22), ("r", "n", 2), ("n", "r", 4), ("n", "n", 11))
    first = intervals(pairs, 7)
    assert first == intervals(pairs, 7)
    assert first != intervals(pairs, 8)
    for name, statistic in COEFFICIENTS.items():
        low, high = first[name] or (0.0, 0.0)
        assert low < (statistic(pairs) or 0) < high


@pytest.mark.parametrize(
    ("agree", "n", "low", "high"),
    [
        # Without a failure the bounds have a closed form: (tail ** (1 / n), 1).
        (32, 32, 0.025 ** (1 / 32), 1.0),
        (0, 32, 0.0, 1 - 0.025 ** (1 / 32)),
        # Newcombe, Statistics in Medicine 17:857-872, 1998, table I, method 5: 81 of 263, 15 of 148 and 1 of 29.
        (81, 263, 0.2527, 0.3676),
        (15, 148, 0.0578, 0.1617),
        (1, 29, 0.0009, 0.1776),
    ],
)
def test_exact_intervals_of_worked_examples(agree: int, n: int, low: float, high: float):
    assert exact(agree, n) == pytest.approx((low, high), abs=5.1e-5)


def test_exact_intervals_of_thousands_of_cells():
    low, high = exact(2500, 5000) or (0.0, 0.0)
    assert (low, high) == pytest.approx((0.4860, 0.5140), abs=5e-4)


@given(st.integers(1, 40), st.integers(0, 40))
def test_the_tails_beyond_an_exact_interval_are_those_of_the_binomial(n: int, agree: int):
    agree = min(agree, n)
    low, high = exact(agree, n) or (0.0, 0.0)
    tail = sum(math.comb(n, i) * low**i * (1 - low) ** (n - i) for i in range(agree, n + 1))
    assert agree == 0 or math.isclose(tail, 0.025, rel_tol=1e-6)
    assert low <= agree / n <= high


def make_audit(*codings: tuple[dict[str, str], dict[str, str]], column: tuple[str, ...]) -> Audit:
    rows = [{"key": f"p{i}", "first": a, "second": b} for i, (a, b) in enumerate(codings)]
    return Audit.model_validate({"key": "a", "on": "2026-01-01", "columns": column, "codings": rows})


def test_missing_values_leave_their_pair_out():
    audit = make_audit(({"beans": "arabica"}, {}), ({"beans": "NA"}, {"beans": "NA"}), column=("beans",))
    found = columns(audit, coffee().taxonomy)["beans"]
    assert (found.n, found.agree, found.missing) == (1, 1, ("p0",))


def test_an_axis_of_many_terms_gives_a_column_a_term():
    audit = make_audit(
        ({"taste": "bitter:measured; sour:tasted"}, {"taste": "bitter:tasted"}),
        ({"taste": "NA"}, {"taste": "NA"}),
        column=("taste",),
    )
    found = columns(audit, coffee().taxonomy)
    single = [f"taste={term}" for term in ("bitter", "sour", "sweet", "salty", "umami")]
    assert tuple(found) == (*single, "taste=*", "taste=*:tasted", "taste=*:measured")
    assert tuple(found) == audit.names(coffee().taxonomy)
    assert found["taste=bitter"].disagreements == (("p0", "measured", "tasted"),)
    assert found["taste=sour"].disagreements == (("p0", "tasted", "NA"),)
    assert found["taste=salty"].agree == 2
    everything = found["taste=*"]
    assert (everything.n, everything.agree, everything.one_sided, everything.pooled) == (10, 8, (1, 0), True)
    # Tasted or more: bitter for both, sour for the first alone. Measured: bitter for the first alone.
    assert found["taste=*:tasted"].disagreements == (("p0", "yes", "NA"),)
    assert (found["taste=*:measured"].n, found["taste=*:measured"].agree) == (10, 9)


def test_an_absent_coding_and_the_weakest_strength_differ():
    audit = make_audit(({"taste.strength": "NA"}, {"taste.strength": "mentioned"}), column=("taste.strength",))
    found = columns(audit, coffee().taxonomy)["taste.strength"]
    assert (found.n, found.agree) == (1, 0)


def test_main_terms_are_compared_and_parts_are_not():
    cells = ({"beans": "arabica"}, {"beans": "robusta:part; arabica"}), ({"beans": "robusta:part"}, {"beans": "NA"})
    found = columns(make_audit(*cells, column=("beans",)), coffee().taxonomy)["beans"]
    assert found.values == (("arabica", "arabica"), ("NA", "NA"))
    assert (main_of("press:part; drip:tasted"), main_of(""), main_of(None)) == ("drip", None, None)


def test_a_group_holds_papers_or_single_cells():
    audit = make_audit(
        ({"taste": "bitter:measured"}, {"taste": "bitter:measured"}),
        ({"taste": "sour:tasted"}, {"taste": "NA"}),
        column=("taste",),
    )
    cells = {"some": {"label": "some", "cells": {"p0": "*", "p1": ["taste=sour"]}}}
    audit = Audit.model_validate(audit.model_dump() | {"key": "a", "groups": cells})
    found = columns(audit, coffee().taxonomy, "some")
    assert (found["taste=*"].n, found["taste=*"].agree) == (6, 5)
    assert (found["taste=sour"].n, found["taste=bitter"].n) == (2, 1)
    with pytest.raises(UsageError, match="has no group 'sme'; did you mean 'some'"):
        columns(audit, coffee().taxonomy, "sme")


CODED = ({"beans": "arabica"}, {"beans": "arabica"}), ({"beans": "arabica"}, {"beans": "robusta"})


def test_papers_coded_blind_are_a_group_where_some_were_not():
    audit = make_audit(*CODED, CODED[0], column=("beans",))
    document = audit.model_dump() | {"key": "a"}
    assert (audit.seen, audit.subsets) == ((), {})
    assert Audit.model_validate(document | {"blind": False}).subsets == {}
    document["codings"][1]["blind"] = False
    mixed = Audit.model_validate(document | {"blind": True})
    assert mixed.seen == ("p1",)
    assert {name: list(group.cells) for name, group in mixed.subsets.items()} == {
        "blind": ["p0", "p2"],
        "not_blind": ["p1"],
    }


@given(
    st.lists(st.tuples(st.sampled_from([True, False, None]), st.booleans()), min_size=1, max_size=6),
    st.booleans(),
    st.booleans(),
)
def test_every_paper_is_in_one_part_and_the_parts_add_up(
    papers: list[tuple[bool | None, bool]], drawn: bool, chosen: bool
):
    document = make_audit(*(CODED[blind is True] for blind, _ in papers), column=("beans",)).model_dump() | {"key": "a"}
    for coding, (blind, _) in zip(document["codings"], papers, strict=True):
        coding["blind"] = blind
    cells = {f"p{i}": "*" for i, (_, random) in enumerate(papers) if random}
    document |= {"groups": {"drawn": {"label": "drawn", "cells": cells}}, "chosen": "By hand." if chosen else None}
    audit = Audit.model_validate(document | {"sample": {"size": 1, "seed": 7} if drawn else None})
    assert sorted(key for keys in audit.parts.values() for key in keys) == [f"p{i}" for i in range(len(papers))]
    names = [audit.group_of(part) for part in audit.parts]
    assert len({*names}) == len(names)
    assert (None in names) is (len(names) == 1)
    parts = [columns(audit, coffee().taxonomy, name)["beans"] for name in names]
    whole = columns(audit, coffee().taxonomy)["beans"]
    assert (sum(c.agree for c in parts), sum(c.n for c in parts)) == (whole.agree, whole.n)
    for (_, choice), keys in audit.parts.items():
        assert choice != "drawn at random" or not chosen or set(keys) <= cells.keys()
