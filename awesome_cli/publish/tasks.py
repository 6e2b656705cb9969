"""The open tasks of a survey, in order of urgency."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from awesome_cli.analysis import watching
from awesome_cli.analysis.audit.report import summaries
from awesome_cli.analysis.claims.admission import alone
from awesome_cli.analysis.claims.danger import judged, together
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimResult, ClaimStatus, check_in
from awesome_cli.analysis.recall import too_narrow
from awesome_cli.analysis.screening.coding import settled
from awesome_cli.curation.editing.admitting import admitted, uncoded
from awesome_cli.curation.vocabulary import recode_queue
from awesome_cli.errors import AwesomeError, SurveyError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.publish.freshness import README, STATISTICS, rendered, untouched
from awesome_cli.publish.plots.picture_files import stale_pictures
from awesome_cli.publish.plots.themes import can_draw
from awesome_cli.publish.starter.files import upgrade
from awesome_cli.publish.status import ENDED, OpenTask, SurveyStatus
from awesome_cli.reports.findings import Finding, Level, count
from awesome_cli.survey.corpus import Corpus
from awesome_cli.system.clock import today
from awesome_cli.system.extras import install
from awesome_cli.text.numbers import shortened

MAYBE = "render a file that may be stale ('awesome render --check' lists them)"
REFRESH = "awesome refresh"
DOUBTFUL = "a retracted, withdrawn or doubtful work"
ENDANGERED = "awesome watch --offline"
SHOWN = 3
"""Maximum number of axes with papers to code, and of records or claims that a task names."""


def _claims(pool: Pool) -> tuple[ClaimResult, ...]:
    """Return the results of all claims; () if taxonomy or claims have errors, since validation reports those."""
    with suppress(AwesomeError):
        if not pool.corpus.findings:
            return check_in(pool).results
    return ()


def _endangered(pool: Pool) -> Iterator[OpenTask]:
    """Yield the review of claims that candidates would overturn; nothing if taxonomy or claims have errors."""
    coded = [c for c in pool.corpus.candidates if c.tags or c.measures]
    with suppress(AwesomeError):
        if coded and not pool.corpus.findings:
            verdicts = judged(pool)
            claims = {
                "a single candidate would overturn": [v.claim.id for v in verdicts if alone(v.claim, pool, coded)],
                "several candidates would overturn together": [claim.id for claim, _ in together(pool, verdicts)],
            }
            for what, ids in claims.items():
                yield OpenTask(f"review a claim that {what}: {shortened(ids, SHOWN)}", len(ids), ENDANGERED)


def _end(result: ClaimResult) -> dict[str, Any]:
    """Return a revised or withdrawn claim's status, day, successors, causing records, and a text."""
    by = [successor.claim.id for successor in result.successors]
    day = result.ended.on.isoformat() if result.ended else None
    row = (result.claim.id, result.status.value, day, by, list(result.records), f"{result.claim.id}: {result.life}")
    return dict(zip(ENDED, row, strict=True))


def survey_status(root: Path, corpus: Corpus, findings: Sequence[Finding]) -> SurveyStatus:
    """Return the status of a survey, even with unreadable records, with the findings of validation.

    `corpus` must include candidates, claims and audits.
    """
    levels, interrupted = count(findings), sum(finding.code == "C002" for finding in findings)
    incomplete = sum(finding.fix.startswith(REFRESH) for finding in findings if finding.fix)
    opposed = sum(finding.code == "V019" for finding in findings)
    notices = [f"{w.key} ({w.retraction.state})" for w in corpus.works if w.retraction and w.retraction.is_open]
    more = "another" if incomplete or opposed or notices else "a"
    pool = Pool(corpus)
    claims = _claims(pool)
    states = [result.status for result in claims]
    failing, undecided = states.count(ClaimStatus.FAILS), states.count(ClaimStatus.UNDECIDED)
    tasks = [
        OpenTask("recover from an interrupted change", interrupted, "awesome recover"),
        OpenTask("fix a validation error", levels[Level.ERROR] - interrupted, "awesome validate"),
        OpenTask(f"exclude or keep {DOUBTFUL}: {shortened(notices, SHOWN)}", len(notices), ENDANGERED),
        OpenTask("correct or withdraw a claim that the records do not support", failing, "awesome claims check"),
        OpenTask("decide a claim that missing codings could overturn", undecided, "awesome claims check"),
        *_endangered(pool),
        *_stale(root, corpus),
        *_around(root, corpus),
        *_coding(corpus),
        *_living(corpus),
        OpenTask(
            "revise or contest a coding whose evidence speaks against it",
            opposed,
            "awesome evidence --direction against",
        ),
        OpenTask("complete a record from its identifier", incomplete, f"{REFRESH} --apply"),
        OpenTask(
            f"resolve {more} validation warning",
            levels[Level.WARNING] - incomplete - opposed - len(notices),
            "awesome validate --strict",
        ),
    ]
    counts = {"papers": len(corpus.papers), "exclusions": len(corpus.exclusions), "candidates": len(corpus.candidates)}
    open_tasks, audits = tuple(task for task in tasks if task.n), tuple(map(asdict, summaries(corpus)))
    ended = tuple(_end(result) for result in claims if not result.stands)
    return SurveyStatus(counts, open_tasks, corpus.taxonomy.survey.title, audits, ended, levels)


def _coding(corpus: Corpus) -> Iterator[OpenTask]:
    """Yield the queue of pending codings, then the axes with most other papers that are not coded yet."""
    queue = recode_queue(corpus)
    for first in queue[:1]:
        yield OpenTask(f"add a pending coding; see 'awesome show {first.key}'", len(queue), "awesome code")
    pending = {(paper.key, axis) for paper in corpus.papers for axis in paper.not_coded} | settled(corpus)
    papers = {axis: sum((key, axis) not in pending for key in keys) for axis, keys in corpus.uncoded.items()}
    for axis, n in sorted(papers.items(), key=lambda item: -item[1])[:SHOWN]:
        yield OpenTask(f"code a paper on {axis}", n, f"awesome code --axis {axis}")


def _living(corpus: Corpus) -> Iterator[OpenTask]:
    """Yield recurring tasks: search, screen, admit included candidates, review claims that a candidate overturns."""
    included, split, day = watching.included(corpus), watching.conflicts(corpus), today()
    failed, due = watching.unanswered(corpus, day), len(watching.due(corpus, day))
    again = " ".join(["awesome search", *dict.fromkeys(request.search for request in failed)])
    yield OpenTask("repeat a saved search that a source did not complete", len(failed), again)
    yield OpenTask("run a saved search that is due this week", due, "awesome search")
    narrow, check = too_narrow(corpus), "awesome search --check"
    yield OpenTask(f"widen a saved search that misses a retained work: {shortened(narrow, 3)}", len(narrow), check)
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
