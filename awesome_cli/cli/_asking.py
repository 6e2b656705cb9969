"""Asks a program about papers: what runs it for the questions and answers of a second coder."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from awesome_cli.analysis.second_coder import coding
from awesome_cli.analysis.second_coder.asking import PaperToCode
from awesome_cli.errors import AwesomeError
from awesome_cli.reports.progress import watched
from awesome_cli.system.programs import Programs


def ask(papers: Sequence[PaperToCode], programs: Programs, jobs: int) -> Iterator[coding.Answered]:
    """Ask about each paper, `jobs` at a time, and give what comes in the order in which it comes.

    A program that fails, or answers what it may not, costs its paper alone. Leaving the loop ends what runs.
    """
    with ThreadPoolExecutor(jobs) as pool:
        try:
            waiting = [pool.submit(_ask, paper, programs) for paper in papers]
            for done in watched(as_completed(waiting), "asking the program", len(waiting)):
                yield done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            programs.stop()


def _ask(asked: PaperToCode, programs: Programs) -> coding.Answered:
    if asked.request is None:
        return coding.unanswered(asked, asked.remark)
    try:
        request = asked.request.model_dump_json(exclude_none=True, by_alias=True).encode()
        return coding.answered(asked, programs.run(request))
    except AwesomeError as error:
        return coding.unanswered(asked, error.message)
