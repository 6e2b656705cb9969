"""A blind card has the facts of a candidate and the protocol's criteria; every other value of the record is hidden."""

import re
from collections.abc import Iterator
from datetime import date

from screened import candidate

from awesome_cli.analysis.screening.card import ScreeningCards, abstract_line, links
from awesome_cli.analysis.screening.queue import appeared, bare
from awesome_cli.model.records import Candidate, Retraction, to_document
from awesome_cli.output.screens import ScreenSize
from awesome_cli.reports.report import ScreenFrame
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.grouping import group_pairs

FACTS = {"title", "venue", "year", "identifiers", "links"}
FEW = 5


def screen(cards: ScreeningCards, shown: Candidate) -> str:
    """The screen of a card, on one line."""
    frame = ScreenFrame((), cards.lines(shown), ())
    return " ".join(" ".join(ScreenSize(100, 500, colored=False).view(frame).lines).split())


def texts(value: object) -> Iterator[str]:
    """The texts in a value at any depth, and the keys of mappings below its top."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from (name, *texts(inner))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts(inner)
    elif value is not None:
        yield str(value)


def test_no_opinion_of_a_shipped_record_is_on_its_blind_screen(shipped: Corpus):
    """What the facts of the record or the criteria say, too, may be there."""
    blind, seeing = ScreeningCards(shipped, blind=True), ScreeningCards(shipped)
    criteria = [each.text for each in (*shipped.protocol.include, *shipped.protocol.exclude)]
    hidden = 0
    for each in shipped.candidates:
        seen, open_screen = screen(blind, each), screen(seeing, each)
        known = " ".join([*texts({name: getattr(each, name) for name in ("title", "venue", "year")}), *links(each)])
        known = " ".join([known, each.key, shipped.abstract(each) or abstract_line(None).text, *criteria])
        document = to_document(each)
        opinions = [text for name, value in document.items() if name not in {*FACTS, "extra"} for text in texts(value)]
        for text in (" ".join(text.split()) for text in opinions):
            whole = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)", re.IGNORECASE)
            hidden += len(text) > 3 and bool(whole.search(open_screen))
            assert len(text) < 4 or not whole.search(seen) or whole.search(known), (each.key, text)
        assert each.key in seen
    assert hidden > 2 * len(shipped.candidates), "an open screen shows what a blind one hides"


def test_no_missing_fact_tells_the_proposal_on_a_blind_screen(shipped: Corpus):
    """A few candidates may lack a fact by chance; if more do, the survey proposes different decisions on them."""
    lacking = group_pairs(
        (name, each.proposal)
        for each in shipped.candidates
        for name, fact in {**dict(bare(each)), "date": appeared(bare(each))}.items()
        if name in {*FACTS, "date"} and not fact
    )
    assert {name for name, all_of in lacking.items() if len(all_of) > FEW and len({*all_of}) == 1} == set()


def test_an_open_screen_has_the_retraction(shipped: Corpus):
    notice = Retraction(status="withdrawn", source="arXiv", on=date(2026, 1, 1))
    withdrawn = shipped.candidates[0].model_copy(update={"retraction": notice})
    text = "The work is withdrawn according to arXiv."
    assert text in screen(ScreeningCards(shipped), withdrawn)
    assert text not in screen(ScreeningCards(shipped, blind=True), withdrawn)
    checked = withdrawn.model_copy(update={"retraction": notice.model_copy(update={"status": "none"})})
    assert "The work is" not in screen(ScreeningCards(shipped), checked)


def test_a_blind_screen_does_not_change_with_any_other_value(shipped: Corpus):
    blind = ScreeningCards(shipped, blind=True)
    for each in shipped.candidates:
        abstract = shipped.abstract(each)
        facts = {name: getattr(each, name) for name in FACTS}
        other = candidate(each.key, **{**facts, "extra": {"abstract": abstract} if abstract else {}, "note": "No."})
        assert blind.lines(other) == blind.lines(each)
