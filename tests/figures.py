"""The query or count behind each figure that the survey gives in words and that is no expectation of a claim."""

import tomllib
from collections.abc import Callable, Mapping
from datetime import date

from builders import PUBLISHED, REPOSITORY

from awesome_cli.analysis.audit.agreement import CodedColumn, columns, kappa
from awesome_cli.model.audits import Audit
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.readings import read_as, reading_of

Figure = Callable[[Corpus], float | str]
RECODED = date(2026, 11, 21)
"""The day on which all five decisions were read again."""
SPOT_CHECK, DECISIONS, REWARDS = "spot-check-2026-05-03", "sub-decisions-2026-11-21", "rewards-2026-11-21"


def count(query: str, on: date, side: str | None = None) -> Figure:
    """How many papers match in the pool of a day, as coded or in the strict or generous reading."""

    def figure(corpus: Corpus) -> float:
        then = corpus.as_of(on)
        return len(read_as(then, reading_of(then.taxonomy, side)).select(query))

    return figure


def audited(name: str, ask: Callable[[Audit], float]) -> Figure:
    """What an audit answers."""
    return lambda corpus: ask(next(audit for audit in corpus.audits if audit.key == name))


def decisions(corpus: Corpus) -> float:
    return len(corpus.taxonomy.by_id["sub_decision"].terms)


def required_python(_: Corpus) -> str:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["requires-python"]).removeprefix(">=")


def _still_stopping(corpus: Corpus) -> set[str]:
    """Papers that had a stop coding when the survey was published and have one since it was read again."""
    then, now = (corpus.as_of(day).select("sub_decision=stop") for day in (PUBLISHED, RECODED))
    return {paper.key for paper in then} & {paper.key for paper in now}


def alike(ask: Callable[[CodedColumn], float], group: str | None = None, column: str = "sub_decision=*") -> Figure:
    """What the second reading of all decisions answers, or that of one decision or of a group of its cells."""

    def figure(corpus: Corpus) -> float:
        audit = next(audit for audit in corpus.audits if audit.key == DECISIONS)
        return round(ask(columns(audit, corpus.taxonomy, group)[column]), 2)

    return figure


ACTS = {"spawn": "spawning", "delegate": "delegating", "communicate": "communicating", "aggregate": "aggregating"}
STOP = "sub_decision=stop:explicit:main"
FIGURES: Mapping[str, Figure | None] = {
    # stopping, as published and read again
    r"(no paper) of it was coded as training that decision": count("sub_decision=stop:trained", PUBLISHED),
    r"\b([Ee]leven) papers": count("sub_decision=stop:=designed", PUBLISHED),
    r"(\w+) papers give stopping a credit of its own": count(STOP, RECODED),
    r"strict reading leaves (\w+)": count(STOP, RECODED, "strict"),
    r"(Two) papers do, and both codings are contested": count(STOP, RECODED),
    r"strict reading is left with (\w+)": count(STOP, RECODED, "strict"),
    r"generous reading finds (\w+)": count(STOP, RECODED, "generous"),
    r"the (\w+) codings that the first removed": lambda corpus: (
        count("sub_decision=stop", PUBLISHED)(corpus) - len(_still_stopping(corpus))
    ),
    r"generous one finds (\w+)": count(STOP, RECODED, "generous"),
    r"(\w+) more papers train a policy that also decides when to stop": count("sub_decision=stop:=joint", RECODED),
    r"(?:[Aa]ll|the) (\w+) decisions": decisions,
    r"the other (\w+)(?: decisions| it was enough| that said)": lambda corpus: decisions(corpus) - 1,
    # the other decisions: credit of its own, and jointly trained
    **{
        rf"(\w+) and \w+ (?:papers )?for {word}": count(f"sub_decision={term}:explicit", RECODED)
        for term, word in ACTS.items()
    },
    **{
        rf"\w+ and (\w+) (?:papers )?for {word}": count(f"sub_decision={term}:=joint", RECODED)
        for term, word in ACTS.items()
    },
    # credit and rewards
    r"at most one paper in (\w+)": lambda corpus: 1 / (corpus.taxonomy.by_id["credit_unit"].sparse.share or 1),
    r"(one in eight)": lambda corpus: corpus.taxonomy.by_id["credit_unit"].sparse.share or 0,
    r"parent of its (\w+) kinds": lambda corpus: sum(
        term.parent == "debate_verifier" for term in corpus.taxonomy.by_id["reward_family"].terms
    ),
    # records screened out, and second codings
    r"(\w+) axes(?: of|:)": audited(SPOT_CHECK, lambda audit: sum("." not in column for column in audit.columns)),
    r"decisions of (\w+) papers": audited(DECISIONS, lambda audit: len(audit.codings)),
    r"they agree on (\d+) of \d+ cells": alike(lambda column: column.agree, "recoded"),
    r"they agree on \d+ of (\d+) cells": alike(lambda column: column.n, "recoded"),
    r"(\d+) of the \d+ on stopping": alike(lambda column: column.agree, "recoded", "sub_decision=stop"),
    r"\d+ of the (\d+) on stopping": alike(lambda column: column.n, "recoded", "sub_decision=stop"),
    r"kappa (\d\.\d+)": alike(lambda column: kappa(column.values) or 0, "recoded"),
    r"On all (\d+) cells the agreement": alike(lambda column: column.n),
    r"cells the agreement is (\d\.\d+)": alike(lambda column: column.agree / column.n),
    r"(\w+) papers with a sub-decision that was read again": audited(
        DECISIONS, lambda audit: len(audit.groups["recoded"].cells)
    ),
    r"the other (\w+) are drawn": audited(DECISIONS, lambda audit: len(audit.groups["drawn"].cells)),
    r"Of (\w+) papers the reader had met": audited(REWARDS, lambda audit: len(audit.seen)),
    # the program
    r"Python (\S+) or later": required_python,
    # words that count nothing in the records
    r"(Two) second readers": None,
    r"one of (two) second readers": None,
    r"(Two) or more of the other families": None,
}
"""A pattern whose group is the number, as the sentence has it, and what it must be."""
