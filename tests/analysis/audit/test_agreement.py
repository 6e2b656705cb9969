"""The columns of an audit: main terms, terms of an axis with many, cells together, groups of cells."""

import pytest
from builders import coffee

from awesome_cli.analysis.audit.agreement import columns, main_of
from awesome_cli.errors import UsageError
from awesome_cli.model.audits import Audit


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


def test_papers_coded_blind_are_a_group_where_some_were_not():
    audit = make_audit(*(({"beans": "arabica"}, {"beans": "arabica"}),) * 3, column=("beans",))
    document = audit.model_dump() | {"key": "a"}
    assert (audit.seen, audit.subsets) == ((), {})
    assert Audit.model_validate(document | {"blind": False}).subsets == {}
    document["codings"][1]["blind"] = False
    mixed = Audit.model_validate(document | {"blind": True})
    assert mixed.seen == ("p1",)
    assert list(mixed.subsets["blind"].cells) == ["p0", "p2"]
