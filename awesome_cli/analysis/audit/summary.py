"""What each audit is: when, by whom, blind or not, how its papers were chosen, and which axes it covers."""

from dataclasses import asdict, dataclass

from awesome_cli.errors import UsageError
from awesome_cli.model.audits import Audit
from awesome_cli.reports.report import Report, Section, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import unknown

HEADS = ("audit", "day", "second coder", "papers", "blind", "choice of papers", "axes")
NONE = "The survey has no audit. 'awesome audit sample' draws papers and makes a sheet for a second coder."


def find(corpus: Corpus, name: str | None) -> Audit:
    """The audit of that name; without a name, the latest. Raises `UsageError` if there is none."""
    audits = {audit.key: audit for audit in corpus.audits}
    if name is None and audits:
        return max(audits.values(), key=lambda audit: (audit.on, audit.key))
    if name not in audits:
        message = unknown(name, audits, "audit") if name else "the survey has no audit"
        raise UsageError(
            message, hint="draw a sheet with 'awesome audit sample', bring it back with 'awesome audit import'"
        )
    return audits[name]


def blindness(audit: Audit) -> str:
    """`blind`, `not blind`, how many papers were not, or that nobody recorded it."""
    seen, n = len(audit.seen), len(audit.codings)
    if seen:
        return "not blind" if seen == n else f"blind, but for {seen} of {n} papers"
    return "blindness not recorded" if audit.blind is None and any(c.blind is None for c in audit.codings) else "blind"


def choice(audit: Audit) -> str:
    """How many papers were drawn at random and how many chosen, or that nobody recorded it."""
    n = len(audit.codings)
    drawn = min(audit.sample.size, n) if audit.sample else 0
    if drawn and audit.chosen and drawn < n:
        return f"{n - drawn} chosen, {drawn} drawn at random"
    return f"{drawn} drawn at random" if drawn else f"{n} chosen" if audit.chosen else "choice not recorded"


@dataclass(frozen=True, slots=True)
class AuditSummary:
    """An audit in short, with the second coder; `axes` are those covered, without the columns of their strengths."""

    name: str
    on: str
    coder: str
    papers: int
    blind: str
    choice: str
    axes: tuple[str, ...]


def summaries(corpus: Corpus) -> tuple[AuditSummary, ...]:
    """Every audit in short, oldest first."""
    audits = sorted(corpus.audits, key=lambda audit: (audit.on, audit.key))
    return tuple(
        AuditSummary(a.key, a.on.isoformat(), a.coder, len(a.codings), blindness(a), choice(a), _axes(a))
        for a in audits
    )


def _axes(audit: Audit) -> tuple[str, ...]:
    return tuple(dict.fromkeys(column.partition(".")[0] for column in audit.columns))


def to_table(found: tuple[AuditSummary, ...]) -> Table:
    """The audits as a table."""
    return Table.of(HEADS, [(a.name, a.on, a.coder, a.papers, a.blind, a.choice, a.axes) for a in found])


def listing(corpus: Corpus) -> Report:
    """The audits side by side."""
    found = summaries(corpus)
    shown = (to_table(found), Text("Next: awesome audit report NAME")) if found else (Text(NONE),)
    data = {"audits": [asdict(one) for one in found]}
    return Report("awesome/audits/1", data, (Section(None, shown),), "Second codings", to_table(found))
