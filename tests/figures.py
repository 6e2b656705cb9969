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
WEIGHED = date(2026, 11, 23)
"""The day on which disputed codings were weighed once more."""
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


def _spot_checked(corpus: Corpus) -> list[str]:
    """The strength of credit that the survey's second reader gave to each orchestrator paper of the spot check."""
    audit = next(audit for audit in corpus.audits if audit.key == SPOT_CHECK)
    papers = {paper.key for paper in corpus.as_of(PUBLISHED).select(ORCHESTRATOR)}
    return [coding.second["credit_unit.strength"] for coding in audit.codings if coding.key in papers]


ACTS = {"spawn": "spawning", "delegate": "delegating", "communicate": "communicating", "aggregate": "aggregating"}
STOP, TRAINED = "sub_decision=stop:explicit:main", "sub_decision=stop:joint:main"
ORCHESTRATOR = "credit_unit=orchestrator:main"
FIGURES: Mapping[str, Figure | None] = {
    # stopping, as published and read again
    r"\b([Ee]leven) papers": count("sub_decision=stop:=designed", PUBLISHED),
    r"strict reading leaves (\w+)": count(STOP, RECODED, "strict"),
    r"(Two) papers do, and both codings are contested": count(STOP, RECODED),
    r"strict reading is left with (\w+)": count(STOP, RECODED, "strict"),
    r"generous reading found (\w+)": count(STOP, RECODED, "generous"),
    r"the (\w+) codings that the first removed": lambda corpus: (
        count("sub_decision=stop", PUBLISHED)(corpus) - len(_still_stopping(corpus))
    ),
    r"generous one finds (\w+)": count(STOP, RECODED, "generous"),
    r"at least (\d+) papers train a policy that also": count(TRAINED, WEIGHED),
    r"disputed: (\d+) are coded so": count(STOP, WEIGHED),
    r"So (\w+) papers are coded as rewarding": count(STOP, WEIGHED),
    r"generous one finds (\d+) papers": count(STOP, WEIGHED, "generous"),
    r"when to stop: (\w+) are coded so": count(TRAINED, WEIGHED),
    **dict.fromkeys(
        (r"leaves (\d+) and a", r"and (\w+) to \w+ as objections"),
        count(TRAINED, WEIGHED, "strict"),
    ),
    **dict.fromkeys((r"one finds (\d+)\.", r"\w+ to (\w+) as objections"), count(TRAINED, WEIGHED, "generous")),
    r"released bonus, at most (0\.05)": None,
    r"(?:[Aa]ll|the) (\w+) decisions": decisions,
    r"the other (\w+)(?: decisions| it was enough| that said)": lambda corpus: decisions(corpus) - 1,
    # the other decisions, trained jointly or more
    **{rf"(\d+) for {word}": count(f"sub_decision={term}:joint:main", WEIGHED) for term, word in ACTS.items()},
    # credit and rewards
    r"at most (one paper in \w+)": lambda corpus: corpus.taxonomy.sparse.share or 0,
    r"(Two) of the \w+ codings were contested": lambda corpus: (
        count(ORCHESTRATOR, PUBLISHED)(corpus) - count(ORCHESTRATOR, WEIGHED)(corpus)
    ),
    r"(\w+) papers remain": count(ORCHESTRATOR, WEIGHED),
    r"(\w+) of them with an explicit mechanism": count("credit_unit=orchestrator:explicit:main", WEIGHED),
    r"spot check of (\w+) of the": lambda corpus: len(_spot_checked(corpus)),
    r"says yes for (\w+):": lambda corpus: _spot_checked(corpus).count("explicit"),
    r"leaves (\w+) papers with message credit": count("credit_unit=message", WEIGHED, "strict"),
    r"parent of its (\w+) kinds": lambda corpus: sum(
        term.parent == "debate_verifier" for term in corpus.taxonomy.by_id["reward_family"].terms
    ),
    # records screened out, and second codings
    r"(\w+) axes, not blind": audited(SPOT_CHECK, lambda audit: sum("." not in column for column in audit.columns)),
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
