"""The status of a survey: problems, stale files and open tasks, with the command for each task."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from awesome_cli.analysis import watching
from awesome_cli.analysis.audit.report import AuditSummary, summaries, to_table
from awesome_cli.analysis.screening.coding import settled
from awesome_cli.curation.editing.admitting import admitted, uncoded
from awesome_cli.curation.vocabulary import recode_queue
from awesome_cli.errors import AwesomeError, SurveyError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.publish.freshness import README, STATISTICS, rendered, untouched
from awesome_cli.publish.plots.kinds import unknown_kinds
from awesome_cli.publish.plots.picture_files import stale_pictures
from awesome_cli.publish.plots.themes import can_draw
from awesome_cli.publish.starter.files import upgrade
from awesome_cli.reports.findings import Level, count
from awesome_cli.reports.report import Bullets, Cell, Report, Section, Table, Text
from awesome_cli.rules.latest import latest
from awesome_cli.survey import kept
from awesome_cli.survey.corpus import Corpus
from awesome_cli.system.clock import today
from awesome_cli.system.extras import install
from awesome_cli.text.numbers import counted

if TYPE_CHECKING:
    from awesome_cli.analysis.claims.results import ClaimResult

MAYBE = "render a file that may be stale ('awesome render --check' lists them)"
REFRESH = "awesome refresh"
ENDANGERED = "awesome watch --offline"
AXES = 3
"""Maximum number of axes with papers to code."""
ENDED = ("id", "status", "on", "by", "records", "text")


@dataclass(frozen=True, slots=True)
class OpenTask:
    """A task, the number of items to do, and the command for the task."""

    what: str
    n: int
    command: str


@dataclass(frozen=True)
class SurveyStatus:
    """Counts, tasks in order of urgency, and claims that were revised or withdrawn."""

    counts: dict[str, int]
    tasks: tuple[OpenTask, ...]
    title: str
    audits: tuple[AuditSummary, ...] = ()
    ended: tuple[Mapping[str, Any], ...] = ()
    findings: Mapping[Level, int] = field(default_factory=dict)

    @property
    def next(self) -> str:
        """The command to run next: that of the first task, or a command that adds records."""
        return self.tasks[0].command if self.tasks else "awesome add REFERENCE, or awesome import FILE"

    def to_report(self) -> Report:
        """Return the report; its last line is the next command."""
        findings = [(f"{level.value}s", self.findings.get(level, 0)) for level in Level]
        blocks: list[Text | Table | Bullets] = [
            Text(", ".join(counted(n, name[:-1]) for name, n in self.counts.items()))
        ]
        if sum(self.findings.values()):
            blocks.append(Text(f"Problems ('awesome validate'): {', '.join(f'{n} {name}' for name, n in findings)}"))
        if self.audits:
            blocks.append(replace(to_table(self.audits), minor=("choice of papers", "axes")))
        if self.ended:
            blocks.append(Bullets(tuple(claim["text"] for claim in self.ended)))
        tasks = [(task.what, task.n, task.command) for task in self.tasks]
        if tasks:
            rows = [(n, what, command) for what, n, command in tasks]
            blocks += [Table.of(("n", "to do", "command"), rows), Text(f"Next: {self.next}", "strong")]
        else:
            blocks.append(Text(f"Nothing to do. Next: {self.next}", "good"))
        data = {
            "title": self.title,
            "counts": self.counts,
            "findings": dict(findings),
            "ended_claims": [claim["text"] for claim in self.ended],
            "ended": [{name: claim[name] for name in ENDED[:-1]} for claim in self.ended],
            "next": self.next,
            "tasks": [asdict(task) for task in self.tasks],
            "audits": [asdict(audit) for audit in self.audits],
        }
        tables = (
            Table.of(("what", "n"), list(self.counts.items()), title="counts"),
            Table.of(("what", "n", "command"), tasks, title="tasks"),
            replace(to_table(self.audits), title="audits"),
            Table.of(ENDED, [tuple(map(_cell, claim.values())) for claim in self.ended], title="ended claims"),
            Table.of(("what", "n"), findings, title="findings"),
            Table.of(("command",), [(self.next,)], title="next"),
        )
        return Report("awesome/status/1", data, (Section(None, tuple(blocks)),), self.title, tables)


def _cell(value: Any) -> Cell:
    return tuple(value) if isinstance(value, list) else value


def _claims(root: Path, corpus: Corpus) -> dict[str, Any]:
    """Return the numbers of claims by what is to do, and the claims that were revised or withdrawn.

    None are counted if taxonomy or claims have errors, since validation reports those. Kept until a file changes, since
    judging claims takes longer than the rest.
    """
    made_of = kept.survey_inputs(root)
    answer: dict[str, Any] | None = kept.read(root, "status", made_of)
    if answer is not None:
        return answer
    answer = {"failing": 0, "undecided": 0, "endangered": 0, "ended": []}
    with suppress(AwesomeError):
        if not corpus.findings:
            answer = _judged(corpus)
    kept.keep(root, "status", made_of, answer)
    return answer


def _judged(corpus: Corpus) -> dict[str, Any]:
    # Imported here, since an unchanged survey judges no claim.
    from awesome_cli.analysis.claims.admission import alone
    from awesome_cli.analysis.claims.danger import judged
    from awesome_cli.analysis.claims.pool import Pool
    from awesome_cli.analysis.claims.results import ClaimStatus, check

    results, pool = check(corpus).results, Pool(corpus)
    states = [result.status for result in results]
    coded = [candidate for candidate in corpus.candidates if candidate.tags or candidate.measures]
    endangered = sum(bool(alone(verdict.claim, pool, coded)) for verdict in judged(pool)) if coded else 0
    ended = [_end(result) for result in results if not result.stands]
    numbers = {"failing": ClaimStatus.FAILS, "undecided": ClaimStatus.UNDECIDED}
    return {**{name: states.count(state) for name, state in numbers.items()}, "endangered": endangered, "ended": ended}


def _end(result: "ClaimResult") -> dict[str, Any]:
    """Return a revised or withdrawn claim's status, day, successors, causing records, and a text."""
    by = [successor.claim.id for successor in result.successors]
    day = result.ended.on.isoformat() if result.ended else None
    row = (result.claim.id, result.status.value, day, by, list(result.records), f"{result.claim.id}: {result.life}")
    return dict(zip(ENDED, row, strict=True))


def survey_status(root: Path, corpus: Corpus) -> SurveyStatus:
    """Return the status of a survey, even with unreadable records; `corpus` must include candidates, claims, audits."""
    findings, _ = latest(root, unknown_kinds)
    levels, interrupted = count(findings), sum(finding.code == "C002" for finding in findings)
    incomplete = sum(finding.fix.startswith(REFRESH) for finding in findings if finding.fix)
    opposed = sum(finding.code == "V019" for finding in findings)
    more = "another" if incomplete or opposed else "a"
    claims = _claims(root, corpus)
    tasks = [
        OpenTask("recover from an interrupted change", interrupted, "awesome recover"),
        OpenTask("fix a validation error", levels[Level.ERROR] - interrupted, "awesome validate"),
        OpenTask(
            "correct or withdraw a claim that the records do not support", claims["failing"], "awesome claims check"
        ),
        OpenTask("decide a claim that missing codings could overturn", claims["undecided"], "awesome claims check"),
        *_stale(root, corpus),
        *_around(root, corpus),
        *_coding(corpus),
        *_living(corpus),
        OpenTask("review a claim that a single candidate would overturn", claims["endangered"], ENDANGERED),
        OpenTask(
            "revise or contest a coding whose evidence speaks against it",
            opposed,
            "awesome evidence --direction against",
        ),
        OpenTask("complete a record from its identifier", incomplete, f"{REFRESH} --apply"),
        OpenTask(
            f"resolve {more} validation warning",
            levels[Level.WARNING] - incomplete - opposed,
            "awesome validate --strict",
        ),
    ]
    counts = {"papers": len(corpus.papers), "exclusions": len(corpus.exclusions), "candidates": len(corpus.candidates)}
    open_tasks = tuple(task for task in tasks if task.n)
    return SurveyStatus(counts, open_tasks, corpus.taxonomy.survey.title, summaries(corpus), claims["ended"], levels)


def _coding(corpus: Corpus) -> Iterator[OpenTask]:
    """Yield the queue of pending codings, then the axes with most other papers that are not coded yet."""
    queue = recode_queue(corpus)
    for first in queue[:1]:
        yield OpenTask(f"add a pending coding; see 'awesome show {first.key}'", len(queue), "awesome code")
    pending = {(paper.key, axis) for paper in corpus.papers for axis in paper.not_coded} | settled(corpus)
    papers = {axis: sum((key, axis) not in pending for key in keys) for axis, keys in corpus.uncoded.items()}
    for axis, n in sorted(papers.items(), key=lambda item: -item[1])[:AXES]:
        yield OpenTask(f"code a paper on {axis}", n, f"awesome code --axis {axis}")


def _living(corpus: Corpus) -> Iterator[OpenTask]:
    """Yield recurring tasks: search, screen, admit included candidates, review claims that a candidate overturns."""
    included, split, day = watching.included(corpus), watching.conflicts(corpus), today()
    failed, due = watching.unanswered(corpus, day), len(watching.due(corpus, day))
    again = " ".join(["awesome search", *dict.fromkeys(request.search for request in failed)])
    yield OpenTask("repeat a saved search that a source did not complete", len(failed), again)
    yield OpenTask("run a saved search that is due this week", due, "awesome search")
    yield OpenTask("resolve a screening conflict", len(split), "awesome screen --conflicts")
    yield OpenTask("screen a candidate", len(watching.to_screen(corpus)), "awesome screen")
    for first in included[:1]:
        way = "code" if uncoded(admitted(first, on=day), corpus) else f"admit {first.key}"
        yield OpenTask("code and admit a candidate that screening included", len(included), f"awesome {way}")


def _stale(root: Path, corpus: Corpus) -> Iterator[OpenTask]:
    """Yield tasks for stale generated files. Only pictures are compared, since rendering other files is slow."""
    if untouched(root) or not (root / README).is_file():
        return
    with suppress(SurveyError):
        n = sum(stale_pictures(corpus, root).values())
        if can_draw():
            yield OpenTask("redraw a stale picture", n, "awesome plot --readme")
        elif n:
            yield OpenTask("install matplotlib to redraw a stale picture", n, install("plot"))
    if not rendered(root):
        yield OpenTask(MAYBE, len((README, STATISTICS)), "awesome render")


def _around(root: Path, corpus: Corpus) -> Iterator[OpenTask]:
    """Yield the task to update files written by 'awesome init'; deleted files are not counted."""
    with suppress(AwesomeError):
        n = sum(change.verb == "change" for change in upgrade(WorkingTree(root), corpus.taxonomy).changes)
        yield OpenTask("update a generated file such as CONTRIBUTING.md", n, "awesome init --upgrade")
