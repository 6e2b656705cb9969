"""What is fuzzed: functions of some bytes. Any bytes may be refused, with an `AwesomeError`; nothing else may be raised.

Each target reads the bytes as the tool would, and then uses what was read as its commands would.
"""

import json
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache, partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from awesome_cli.analysis import second_coder
from awesome_cli.analysis.audit.report import AuditResult
from awesome_cli.analysis.audit.sheets import coded_columns
from awesome_cli.analysis.claims.report import to_report as claims_report
from awesome_cli.analysis.claims.results import check as check_claims
from awesome_cli.analysis.flow import flow, protocol_sections
from awesome_cli.analysis.gaps.cells import gap_map
from awesome_cli.analysis.watching import conflicts
from awesome_cli.cli._corpus import read_prices
from awesome_cli.curation.contributions import contributed, described
from awesome_cli.curation.contributions.reading import Sender, read_form
from awesome_cli.curation.editing.files import formatted
from awesome_cli.curation.intake import Settings, begin, take_in
from awesome_cli.curation.searching import wanted_by
from awesome_cli.errors import AwesomeError
from awesome_cli.files import yaml_editing, yaml_reading
from awesome_cli.formats import EXPORTED, IMPORTED, ReadingOptions, export_format
from awesome_cli.formats.reading import InputFile, read
from awesome_cli.model.audits import Audit, Coding
from awesome_cli.model.identifiers import parse_reference
from awesome_cli.output import Format, to_text
from awesome_cli.publish import readme
from awesome_cli.publish.forms import forms
from awesome_cli.publish.islands import papers
from awesome_cli.publish.manuscript.document import read as read_manuscript
from awesome_cli.publish.templates import fill, markdown_environment
from awesome_cli.query.parser import parse as parse_query
from awesome_cli.query.searching import marks
from awesome_cli.query.searching import parse as parse_search
from awesome_cli.rules.checking import check
from awesome_cli.rules.preconditions import require_usable
from awesome_cli.sources import SEARCHERS, SERVICES, pages
from awesome_cli.sources.searchers import Searcher
from awesome_cli.sources.services import Service
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus
from awesome_cli.system.network import Answer, Net
from awesome_cli.text import html, latex, names
from awesome_cli.text.passages import Searchable, what_was_read
from awesome_cli.traces.checking import check_reading
from awesome_cli.traces.exports import EXPORTS as TRACE_EXPORTS
from awesome_cli.traces.importers import FORMATS as TRACE_FORMATS
from awesome_cli.traces.importers.finding import recognise
from awesome_cli.traces.importers.log_file import LogFile, RunFiles
from awesome_cli.traces.reading import read_document, read_trace
from awesome_cli.traces.rows import Wanted, analyze_reading, analyze_trace
from awesome_cli.traces.views import lanes, page, timeline
from tests.builders import COFFEE, EXAMPLES
from tests.fuzz.seeds import SEEDS

SECONDS = 5.0
"""How long an input may take."""
Target = Callable[[bytes], None]
DAY = date(2026, 5, 4)
PAPERS = ("aero2020", "drip2021")


@dataclass(frozen=True)
class Files:
    """A survey in memory: the bytes of each file by its path."""

    files: Mapping[str, bytes]

    def list(self, folder: str) -> tuple[str, ...]:
        return tuple(sorted(path for path in self.files if path.rpartition("/")[0] == folder))

    def strays(self, folder: str) -> tuple[str, ...]:  # noqa: ARG002 - as of any tree
        return ()

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)


@dataclass
class Answering(Net):
    """A network in which every address has one answer."""

    answer: Answer = field(default_factory=lambda: Answer("", 200, {}, b"", DAY))

    def get(self, *_: object, **__: object) -> Answer:
        return self.answer


@cache
def survey() -> Mapping[str, bytes]:
    """Some files of the coffee survey, and the claims, the protocol and the audit among the seeds."""
    paths = [path for path in COFFEE.rglob("*.yaml") if path.parent.name != "corpus" or path.stem in PAPERS]
    found = {str(path.relative_to(COFFEE)): path.read_bytes() for path in sorted(paths)}
    for name in ("claims", "protocol"):
        found[f"{name}.yaml"] = (SEEDS / name / "coffee.yaml").read_bytes()
    return {**found, "audits/second.yaml": (SEEDS / "audits" / "second.yaml").read_bytes()}


@cache
def corpus() -> Corpus:
    return load_corpus(Files(survey()), candidates=True, evidence=True)


def loaded(path: str, data: bytes) -> tuple[Files, Corpus]:
    """The coffee survey with another file at a path; its findings are made, too."""
    tree = Files({**survey(), path: data})
    check(tree)
    return tree, require_usable(load_corpus(tree, candidates=True, evidence=True)).with_known_tags()[0]


def records(data: bytes, *, folder: str) -> None:
    tree, found = loaded(f"{folder}/a2020.yaml", data)
    for change in formatted(tree, [], [axis.id for axis in found.taxonomy.axes]).changes:
        again = formatted(Files({**tree.files, change.path: change.after or b""}), [], list(found.taxonomy.by_id))
        assert all(other.path != change.path for other in again.changes), "to format twice gives another text"
    for name in EXPORTED:
        export_format(name).write(found)


def taxonomy(data: bytes) -> None:
    claims(data, path="taxonomy.yaml")


def claims(data: bytes, *, path: str = "claims.yaml") -> None:
    _, found = loaded(path, data)
    gap_map(found)
    to_text(claims_report(check_claims(found)), Format.TEXT)


def protocol(data: bytes) -> None:
    _, found = loaded("protocol.yaml", data)
    protocol_sections(found)


def beside(data: bytes, *, path: str) -> None:
    _, found = loaded(path, data)
    for search in found.searches:
        with suppress(AwesomeError):
            wanted_by(found, search)
    to_text(flow(found).to_report(), Format.TEXT)
    conflicts(found)


def queries(data: bytes) -> None:
    query = parse_query(data.decode(errors="surrogateescape"), corpus().taxonomy)
    query.select((*corpus().papers, *corpus().exclusions, *corpus().candidates))


def imports(data: bytes, *, form: str | None) -> None:
    batch = read([InputFile("a.txt", data)], ReadingOptions(corpus().taxonomy, form=form))
    taken = take_in(begin(corpus(), Files(survey()), Settings(DAY), batch), batch.drafts)
    for change in taken.changes():
        assert yaml_reading.read(change.after or b"")[1] == (), "a record was made that cannot be read"
    if not taken.taken:
        raise AwesomeError("no entry became a record")


def services(data: bytes, *, service: Service) -> None:
    answer = Answer("https://example.org/a", 200, {"content-type": "text/html"}, data, DAY)
    draft = service.fetch(parse_reference(REFERENCES[target_of(service)]), Answering(answer=answer))
    take_in(begin(corpus(), Files(survey()), Settings(DAY)), [draft]).changes()


def searches(data: bytes) -> None:
    """A search as its bytes, its translations, and where its words stand in it."""
    search = parse_search(data.decode(errors="surrogateescape"))
    assert parse_search(str(search)).tree == search.tree
    marks([search], search.text)
    for searcher in SEARCHERS.values():
        with suppress(AwesomeError):
            searcher.request(search, DAY)


def searched(data: bytes, *, searcher: Searcher) -> None:
    answer = Answer("https://example.org/a", 200, {}, data, DAY)
    request = searcher.request(parse_search("testing OR recommend NOT title:soup*"), None)
    for found in islice(searcher.pages(request, Answering(answer=answer), None), 2):
        candidates = [replace(draft, kind="candidate") for draft in found.drafts]
        take_in(begin(corpus(), Files(survey()), Settings(DAY)), candidates).changes()


def webpages(data: bytes) -> None:
    pages.read(Answer("https://example.org/a", 200, {"content-type": "text/html"}, data, DAY))
    html.sections(data.decode(errors="replace"))


def traces(data: bytes) -> None:
    reading = read_trace(data)
    check_reading(reading)
    analyze_reading(reading, Wanted(details=True))
    if reading.trace is None:
        return
    view = timeline.timeline(reading.trace)
    page.render(view, sheet="")
    to_text(lanes.report(view), Format.TEXT)
    for export in TRACE_EXPORTS.values():
        export(reading.trace)


def runs(data: bytes, *, form: str | None) -> None:
    log = LogFile(Path("run.json"), data)
    traces = list(TRACE_FORMATS[form or recognise(log)].convert(RunFiles(log), with_content=True))
    for trace in traces:
        json.dumps(trace, ensure_ascii=False, allow_nan=False).encode()
        reading = read_document(trace)
        assert reading.trace is not None, reading.findings[:3]
    if not traces:
        raise AwesomeError("no event of a run")


def prices(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "prices.yaml"
        path.write_bytes(data)
        table = read_prices(path)
    table.price("example-large", None)
    trace = read_trace((EXAMPLES / "rich-v2.json").read_bytes()).trace
    assert trace is not None
    analyze_trace(trace, Wanted(prices=table, details=True))


def templates(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "templates" / "a.md.j2"
        path.parent.mkdir()
        path.write_bytes(data)
        fill(markdown_environment(Path(folder)), path.name, {**papers(corpus()), "corpus": corpus()})


def sent_forms(data: bytes) -> None:
    """The text of a form; a paper that it names is described without the network."""
    found, tree = corpus(), Files(survey())
    asked, sender = forms(found.taxonomy).values(), Sender(DAY, "ada", "issue 7")
    sent = read_form(data.decode(errors="replace"), asked)
    offline = Net(offline=True)
    paper = described(tree, found, sent, offline, sender) if sent.form.kind == "paper" else None
    for change in contributed(tree, found, sent, paper, sender, lambda _: ())[0].changes:
        assert yaml_reading.read(change.after or b"")[1] == (), "a record was made that cannot be read"


def documents(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "main.tex"
        path.write_bytes(data)
        document = read_manuscript(path, path.parent)
    for source, offset, sentence in document.sentences():
        assert source.place(offset).line > 0
        assert len(sentence) <= len(source.text) - offset


def islands(data: bytes) -> None:
    readme.islands(data.decode(errors="replace"))


def texts(data: bytes) -> None:
    text = data.decode(errors="replace")
    plain = latex.to_unicode(text)
    latex.to_latex(plain, protect=True)
    names.inverted(plain)
    names.marked(plain)
    what_was_read(text)
    html.unmarked(text)
    Searchable((("", text),)).find(text[: len(text) // 2])


def edits(data: bytes) -> None:
    """The first two bytes say which value is changed and to what; the others are the file."""
    where, what, data = data[:1], data[1:2], data[2:]
    value, findings = yaml_reading.read(data)
    places = list(places_of(value)) if not findings else []
    if not places or not where or not what:
        return
    holder, name = places[where[0] % len(places)]
    wanted = VALUES[what[0] % len(VALUES)]
    if wanted is None:
        del holder[name]
    else:
        holder[name] = wanted
    changed = yaml_editing.rewrite(data, value)
    assert yaml_reading.read(changed)[0] == value


def coder_answers(data: bytes) -> None:
    paper = corpus().papers[0]
    found = second_coder.prepared(paper, corpus(), (), None)
    assert found.request is not None
    answer = second_coder.read_answer(data, found.request)
    cells = second_coder.answer_cells(answer, coded_columns(corpus().taxonomy), found.request)
    audit = Audit(key="a", on=DAY, columns=tuple(cells), codings=(Coding(key=paper.key, first=cells, second=cells),))
    to_text(AuditResult.of(corpus(), audit).to_report(), Format.TEXT)


VALUES: list[object] = [
    None,
    "x",
    "a: b # c",
    "two\nlines\n",
    ["a", "b"],
    {"a": "b"},
    "",
    " ",
    "- a",
    "é漢",
    "2508.04650",
]


def places_of(value: object) -> Iterator[tuple[dict[str, object] | list[object], object]]:
    """Each value inside of a document, as what holds it and where."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in inside:
        yield value, name  # type: ignore[misc]
        yield from places_of(inner)


def target_of(service: Service) -> str:
    return f"answer-{service.fetch.__module__.rpartition('.')[2]}"


REFERENCES = {
    "answer-crossref": "10.2196/22081",
    "answer-datacite": "10.5438/4k3m-nyvg",
    "answer-arxiv": "2104.12255",
    "answer-openreview": "openreview:ur295YVtmt",
    "answer-acl": "acl:2025.acl-long.476",
    "answer-pages": "https://example.org/a",
}
"""The work that each service is asked for; it is in the service's seeds."""
TARGETS: Mapping[str, Target] = {
    **{folder: partial(records, folder=folder) for folder in ("corpus", "exclusions", "candidates", "audits")},
    "taxonomy": taxonomy,
    "claims": claims,
    "protocol": protocol,
    "prices": prices,
    "search": partial(beside, path="search.yaml"),
    "searches": partial(beside, path="searches/run.yaml"),
    "screenings": partial(beside, path="screenings/ana.yaml"),
    "paper": partial(beside, path="paper.yaml"),
    "document": documents,
    "queries": queries,
    "forms": sent_forms,
    **{f"import-{form}": partial(imports, form=form) for form in IMPORTED},
    "import-any": partial(imports, form=None),
    **{target_of(service): partial(services, service=service) for service in SERVICES},
    "search-language": searches,
    **{f"search-{name}": partial(searched, searcher=searcher) for name, searcher in SEARCHERS.items()},
    "webpages": webpages,
    "traces": traces,
    **{f"run-{form}": partial(runs, form=form) for form in TRACE_FORMATS},
    "run-any": partial(runs, form=None),
    "templates": templates,
    "islands": islands,
    "texts": texts,
    "edits": edits,
    "coder-answer": coder_answers,
}


class TooSlowError(BaseException):
    """An input that takes too long; no part of the tool catches it."""


def tried(name: str, data: bytes) -> None:
    """Run a target; that it refuses the bytes is well. Raises what else it raises, and `TooSlowError`.

    A target that does not come back to Python within twice the time, such as from a regular expression, ends the process.
    """

    def stop(*_: object) -> None:
        raise TooSlowError(f"more than {SECONDS} seconds of the processor")

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS, SECONDS)
    signal.setitimer(signal.ITIMER_PROF, 2 * SECONDS)
    try:
        TARGETS[name](data)
    except AwesomeError:
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)
