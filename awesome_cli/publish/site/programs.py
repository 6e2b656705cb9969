"""Files of the site for programs and language models: a JSON file per paper and claim, and llms.txt."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from awesome_cli.analysis.claims.report import show_report
from awesome_cli.analysis.claims.succession import Succession, extended_report
from awesome_cli.analysis.claims.wording import titled
from awesome_cli.analysis.listing import SCHEMA, data_of
from awesome_cli.model.records import Paper
from awesome_cli.output.machine import write_json
from awesome_cli.publish.site.page import Frame, SitePage
from awesome_cli.reports.report import Report
from awesome_cli.text.inert import visible_line
from awesome_cli.text.markup import escape

FEW = 300
"""Maximum number of papers in llms.txt."""


def paper_file(frame: Frame, paper: Paper, cited: str) -> SitePage:
    """Return the JSON of `awesome show KEY`; `cited` is the citation key in exports."""
    report = Report(SCHEMA, data_of(frame.corpus, paper, cited))
    return SitePage(f"papers/{paper.key}.json", write_json(report, indent=None))


def claim_files(frame: Frame, revised: Sequence[Succession]) -> Iterator[SitePage]:
    """Yield the JSON of `awesome claims show ID` for each claim."""
    history = {succession.result.claim.id: succession for succession in revised}
    for result in frame.checked.results:
        name = result.claim.id
        report = show_report(replace(frame.checked, results=(result,), waiting=()), frame.forecasts.get(name))
        whole = extended_report(report, history[name]) if name in history else report
        yield SitePage(f"claims/{name}.json", write_json(whole, indent=None))


def language_models(frame: Frame, facts: Iterable[str], files: Iterable[tuple[str, str]]) -> SitePage:
    """Return llms.txt (https://llmstxt.org): the survey in brief, and links to claims, `(file, purpose)`, papers."""
    corpus, papers = frame.corpus, frame.corpus.papers
    claims = [(result.claim, result.status.words) for result in frame.checked.results]
    keys = "papers/KEY.json is a paper with its codings and evidence"
    keys += ", claims/ID.json a claim with its figures." if claims else "."
    sections = {
        "Claims": [(titled(corpus, c.statement), f"claims/{c.id}.json", status) for c, status in claims],
        "Data": [(path, path, about) for path, about in files],
        "Papers": [(p.title, f"papers/{p.key}.json", str(p.year or "")) for p in papers if len(papers) <= FEW],
    }
    title, *more = map(visible_line, (*facts, keys))
    lines = [f"# {title}", "", f"> {visible_line(frame.description)}", "", *(f"- {fact}" for fact in more)]
    for heading, links in sections.items():
        lines += ["", f"## {heading}", ""] if links else []
        for text, path, about in links:
            lines.append(f"- [{escape(text)}]({frame.address(path) or path})" + (f": {escape(about)}" if about else ""))
    return SitePage("llms.txt", "\n".join(lines) + "\n")
