"""Decisions as labels of the queue: the place of each, works that are decided on again, and undo."""

from dataclasses import replace
from datetime import date

import pytest
from builders import coffee
from screened import candidate

from awesome_cli.analysis.screening import stopping
from awesome_cli.analysis.screening.queue import Screened, ScreeningQueue
from awesome_cli.model.screenings import Decision, ScreeningOrder, Screenings, Verdict

WORKS = {f"c{n:03}": candidate(f"c{n:03}") for n in range(160)}
CORPUS = replace(coffee(), candidates=tuple(WORKS.values()))
FIRST = list(WORKS)[:110]
RULE = stopping.HypergeometricRule(0.9, 0.8)


def decided(key: str, verdict: Verdict = "exclude") -> Decision:
    return Decision(key=key, verdict=verdict, on=date(2026, 1, 1), stage="abstract", reason="tea")


READ = [*map(decided, FIRST), decided("c110", "include"), *(decided(f"c{n}") for n in range(111, 131))]
"""110 works are excluded, one is included, then 20 are excluded."""


def queue(*decisions: Decision, reopened: tuple[str, ...] = ()) -> ScreeningQueue:
    """The blind queue of a person who made these decisions; blind ones leave the candidates in place."""
    held = Screenings(key="ana", who="Ana", blind=True, decisions=decisions)
    works = tuple(WORKS[key] for key in reopened)
    return ScreeningQueue(Screened(CORPUS, held, ScreeningOrder(by="date"), reopened=works))


def test_decisions_made_again_are_no_run_of_works_read():
    before, again = queue(*READ), queue(*READ, *map(decided, FIRST))
    session = queue(*READ)
    for key in FIRST:
        session.decide(WORKS[key], decided(key))
    assert before.progress.run == 20
    assert before.progress == again.progress == session.progress
    assert not any(advice.stop for advice in stopping.advise(again.progress, RULE))
    now = [queue(*READ, decided("c000", "include")), queue(*READ)]
    now[1].decide(WORKS["c000"], decided("c000", "include"))
    assert now[0].progress == now[1].progress
    assert (now[0].progress.found, now[0].progress.run) == (2, 20)


def test_decisions_are_reopened_in_the_order_in_which_they_were_made_last():
    held = Screenings(key="ana", who="Ana", decisions=(*READ[:3], decided("c001", "include"), decided("c002", "skip")))
    assert list(held.final) == ["c000", "c001", "c002"]
    assert [(made.key, made.verdict) for made in held.latest][1:] == [("c002", "exclude"), ("c001", "include")]


@pytest.mark.parametrize("verdict", ["exclude", "duplicate"])
def test_after_an_undo_the_earlier_decision_stands_again(verdict: Verdict):
    session = queue(*READ)
    before, waiting = session.progress, list(session)
    session.decide(WORKS["c110"], decided("c110", verdict))
    assert session.progress.found == 0
    session.undo(WORKS["c110"], decided("c110", verdict))
    assert (session.progress.found, session.progress.total) == (1, before.total)
    session.decide(WORKS["c110"], decided("c110", "skip"))
    assert list(session) == waiting


def test_a_reopened_queue_counts_its_works_as_read_and_shows_them():
    session = queue(*READ, reopened=("c005", "c110"))
    assert session.progress == queue(*READ).progress
    assert [work.key for work in session] == ["c005", "c110"]
    session.decide(WORKS["c110"], decided("c110"))
    assert (session.progress.found, [work.key for work in session]) == (0, ["c005"])
    session.undo(WORKS["c110"], decided("c110"))
    assert (session.progress.found, [work.key for work in session]) == (1, ["c005", "c110"])
