"""What is said of saved searches: what would be asked, what a run found, and what all runs asked."""

from collections.abc import Iterator, Sequence

from awesome_cli.curation.searching.asking import Ask, NotAsked
from awesome_cli.curation.searching.running import Searching
from awesome_cli.model.searches import Asked, SearchRun
from awesome_cli.reports.report import Block, Bullets, Code, Report, Section, Table, Text, Toned
from awesome_cli.survey.searched import COLUMNS, OVERLAP, asked_row, entries
from awesome_cli.text.known import without_middle

MINOR = ("refused", "unfit", "since")
WANTED = ("candidate", "title", "search", "source")


def explained(asks: Sequence[Ask | NotAsked]) -> Report:
    """The exact requests that a run would begin with, and what the sources cannot be told; nothing is asked."""
    rows = [
        (a.search.id, a.searcher.name, a.query, _since(a), a.sent, _remarks(a), a.error)
        if isinstance(a, Ask)
        else (a.search.id, None, None, None, "", () if a.failed else (a.why,), a.why if a.failed else "")
        for a in asks
    ]
    table = Table.of(("search", "source", "query", "since", "sent", "remarks", "error"), rows)
    sections = [
        Section(f"{a.search.id} at {a.searcher.label}" if isinstance(a, Ask) else a.search.id, tuple(_request(a)))
        for a in asks
    ]
    terms = dict.fromkeys(f"{a.searcher.label}: {_kept(a)}" for a in asks if isinstance(a, Ask))
    sections += [Section("Abstracts", (Bullets(tuple(terms)),))] if terms else []
    return Report("awesome/search-explain/1", {"asks": table.records()}, tuple(sections), "Requests", table)


def _request(ask: Ask | NotAsked) -> Iterator[Block]:
    if ask.search.label:
        yield Text(ask.search.label, "strong")
    if isinstance(ask, NotAsked):
        yield Text(ask.why, "bad" if ask.failed else "warn")
        return
    yield Text(ask.query)
    if ask.error:
        yield Text(ask.error, "bad")
        return
    yield Text(_days(ask))
    yield Code(ask.sent)
    if ask.request and ask.request.remarks:
        yield Bullets(ask.request.remarks)


def _days(ask: Ask) -> str:
    if ask.resumes:
        return f"It goes on where the run {ask.resumes} stopped."
    since = _since(ask)
    if since is None:
        return "Works of all days are asked for: no run has read all of them yet."
    if ask.covered:
        why = f": an earlier run asked for those until {ask.covered}, and two runs overlap by {OVERLAP.days} days"
    else:
        why = ", the first day of the search" * (ask.request is not None and ask.request.since == ask.search.since)
    return f"Works that appeared from {since} on are asked for{why}."


def _since(ask: Ask) -> str | None:
    return ask.request.since.isoformat() if ask.request and ask.request.since else None


def _remarks(ask: Ask) -> tuple[str, ...]:
    """What the source cannot be told, and whether its abstracts are kept."""
    return (*(ask.request.remarks if ask.request else ()), f"Abstracts are {_kept(ask)}")


def _kept(ask: Ask) -> str:
    return f"{'kept' if ask.searcher.keeps_abstracts else 'not kept'}: {ask.searcher.terms}"


def outcome(work: Searching, *, written: bool) -> Report:
    """What each source answered, the new candidates, and what is in doubt."""
    taken = [(found, taken) for found in work.found for taken in found.taken]
    rows = [(t.record.key, t.record.title, f.ask.search.id, f.ask.searcher.name) for f, t in taken]
    known = [known for found in work.found for known in found.known]
    doubtful = [f"{k.title} is {k.match.b} ({'; '.join(k.match.because)})" for k in known if not k.match.certain]
    refused = [f"{f.place}: {f.message}" for found in work.found for f in found.refused]
    unknown = [f"{f.place}: {f.message}" for found in work.found for f in found.unknown]
    verb = "added" if written else "would add"
    candidates = "candidate" if len(rows) == 1 else "candidates"
    note = "" if written else "; nothing was written"
    blocks: list[Block] = [_asked_table(work.run), Text(f"{verb} {len(rows):,} {candidates}{note}", "strong")]
    shown = [(key, without_middle(title), *where) for key, title, *where in rows]
    blocks += [Table.of(WANTED, shown, minor=("source",))] if rows else []
    told = (("Taken for known, and not certain:", doubtful), ("No record could be made of:", refused))
    for title, lines in (*told, ("Nothing was looked for around:", unknown)):
        blocks += [Text(title), Bullets(tuple(Toned(without_middle(line), "warn") for line in lines))] if lines else []
    blocks += [Text(f"{a.search} at {a.source}: {a.error}", "bad") for a in work.failed]
    blocks += [Text(f"{one.search.id}: {one.why}", "bad" if one.failed else "warn") for one in work.left_out]
    data = {
        "run": work.run.key if written else None,
        "asked": [asked.model_dump(mode="json") for asked in work.run.asked],
        "new": [dict(zip(WANTED, row, strict=True)) for row in rows],
        "doubtful": [{"title": k.title, "key": k.match.b, "because": list(k.match.because)}
                     for k in known if not k.match.certain],
        "unknown": [{"place": f.place, "message": f.message} for found in work.found for f in found.unknown],
        "refused": [{"place": f.place, "message": f.message} for found in work.found for f in found.refused],
        "left_out": [{"search": one.search.id, "why": one.why, "failed": one.failed} for one in work.left_out],
        "written": written,
    }  # fmt: skip
    tables = (_asked_table(work.run, "asked"), Table.of(WANTED, rows, title="new"))
    return Report("awesome/search/1", data, (Section(None, tuple(blocks)),), "Search", tables)


def _asked_table(run: SearchRun, title: str | None = None) -> Table:
    return Table.of(COLUMNS, [asked_row(asked) for asked in run.asked], title=title, minor=MINOR)


def logged(runs: Sequence[SearchRun], names: Sequence[str] = ()) -> Report:
    """Everything that runs asked, by default for all searches, the newest last, with the addresses that were asked."""
    found = [(run, asked) for run, asked in entries(runs) if not names or asked.search in names]
    rows = [(run, *asked_row(asked)) for run, asked in found]
    blocks: list[Block] = [Table.of(("run", *COLUMNS), rows, minor=MINOR)] if rows else [Text("no search was run yet")]
    blocks += [Text(f"{run}, {a.search} at {a.source}: {a.error}", "bad") for run, a in found if a.error]
    sent = dict.fromkeys((a.search, a.source, a.query, a.sent) for _, a in found)
    if sent:
        blocks += [Text("What was sent:"), *(Code(f"{query}\n{sent}") for *_, query, sent in sent)]
    columns = ("run", *Asked.model_fields)
    data = [{"run": run, **asked.model_dump(mode="json")} for run, asked in found]
    table = Table.of(columns, [tuple(row.values()) for row in data])
    return Report("awesome/search-log/1", {"asked": data}, (Section(None, tuple(blocks)),), "Search log", table)
