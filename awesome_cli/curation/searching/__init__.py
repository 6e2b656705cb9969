"""Requests of saved searches to services, and candidates from the works found."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from awesome_cli.errors import RefusedError, SurveyError, UsageError
from awesome_cli.model.drafts import Draft, filled
from awesome_cli.model.searches import PATH, Asked, SavedSearch
from awesome_cli.query.searching import parse
from awesome_cli.sources import SEARCHERS
from awesome_cli.sources.searchers import Around, Request, Searcher, Wanted
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.searched import standing
from awesome_cli.system.network import Net
from awesome_cli.system.network.wire import shown
from awesome_cli.text.known import require_known

HOW = f"write {PATH}; 'awesome help search-the-literature' says how"


@dataclass(frozen=True, slots=True)
class Ask:
    """A search at a source: its `query`, and the request in the source's syntax.

    `sent` has the URLs of the first requests, without keys and passwords. `covered` is the last day covered by earlier
    runs, None if not used. `rest` is the unfinished request of an earlier run (`resumes`), None for a new one. `error`
    is the reason why the source cannot be searched; then `request` is None.
    """

    search: SavedSearch
    searcher: Searcher
    query: str
    request: Request | None = None
    sent: str = ""
    covered: date | None = None
    rest: Asked | None = None
    resumes: str | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class NotAsked:
    """A search that is not run, and why: it `failed` if it is invalid, else its query matches no paper."""

    search: SavedSearch
    why: str
    failed: bool


def asks(
    corpus: Corpus, net: Net, names: Sequence[str] = (), sources: Sequence[str] = (), since: date | None = None
) -> tuple[Ask | NotAsked, ...]:
    """Prepare the requests of saved searches [default: all] to sources [default: those of each search].

    They cover works from `since` on [default: the end of the last complete run with an overlap, else the search's own
    first day]. Raises `SurveyError` if `search.yaml` cannot be read, `RefusedError` if it has no search, `UsageError`
    for an unknown name.
    """
    for source in sources:
        require_known(source, SEARCHERS, "source")
    result = tuple(ask for search in chosen(corpus, names) for ask in _asks(corpus, net, search, sources, since))
    if not result:
        raise UsageError(f"none of these searches uses {' or '.join(sources)}", hint="see 'awesome search --explain'")
    return result


def chosen(corpus: Corpus, names: Sequence[str]) -> tuple[SavedSearch, ...]:
    """Return the saved searches with these ids [default: all]; raises as `asks` does."""
    broken = next((finding for finding in corpus.findings if finding.path == PATH), None)
    if broken is not None:
        raise SurveyError(f"{PATH} cannot be used: {broken.message}", hint="see 'awesome validate'")
    if not corpus.searches:
        raise RefusedError("the survey has no saved search", hint=HOW)
    by_id = {search.id: search for search in corpus.searches}
    return tuple(by_id[name] for name in named(names, by_id) or by_id)


def named(names: Sequence[str], known: Iterable[str]) -> tuple[str, ...]:
    """Return names without duplicates; raises `UsageError` for an unknown one."""
    known = tuple(known)
    return tuple(require_known(name, known, "search") for name in dict.fromkeys(names))


def _asks(
    corpus: Corpus, net: Net, search: SavedSearch, sources: Sequence[str], since: date | None
) -> Iterator[Ask | NotAsked]:
    """Yield the requests of one search; citation searches skip sources that do not support them, unless listed."""
    names = [name for name in search.sources or SEARCHERS if name in (sources or SEARCHERS)]
    try:
        query, wanted = wanted_by(corpus, search)
    except UsageError as error:
        yield from [NotAsked(search, error.message, failed=True)] * bool(names)
        return
    if isinstance(wanted, Around) and not wanted.works:
        why = "skipped, since its query matches no paper of the survey"
        yield from [NotAsked(search, why, failed=False)] * bool(names)
        return
    requests = [_ask(corpus, net, Ask(search, SEARCHERS[name], query), wanted, since) for name in names]
    able = [ask for ask in requests if ask.request]
    yield from able if able and isinstance(wanted, Around) and not search.sources else requests


def _ask(corpus: Corpus, net: Net, ask: Ask, wanted: Wanted, since: date | None) -> Ask:
    """Return the search with its request, which continues at the last cursor unless `since` is another day."""
    first = ask.search.since
    try:
        whole = ask.searcher.request(wanted, first)
        at = standing(corpus.runs, ask.search.id, ask.searcher.name, ask.query, whole.since)
        rest = at.rest if since is None or (at.rest and at.rest.since == since) else None
        day = rest.since if rest else since or max(filter(None, (at.since, first)), default=None)
        request = whole if day is None else ask.searcher.request(wanted, day)
    except UsageError as error:
        return replace(ask, error=error.message)
    sent = request.sent.replace(ask.searcher.public, shown(ask.searcher.base(net)))
    request = replace(request, remarks=(*request.remarks, *ask.searcher.remarks(net)))
    ask = replace(ask, request=request, sent=sent, covered=None if since else at.covered)
    return replace(ask, rest=rest, resumes=at.run) if rest and rest.sent == sent else ask


def wanted_by(corpus: Corpus, search: SavedSearch) -> tuple[str, Wanted]:
    """Return a search as text for the log, and parsed; raises `UsageError` if it cannot be read."""
    since = f" date>={search.since}" if search.since else ""
    if search.query is not None:
        return search.query + since, parse(search.query)
    relation: Literal["citing", "cited_by"] = "citing" if search.citing is not None else "cited_by"
    around = getattr(search, relation)
    if around is None:
        raise UsageError("the search has no query", hint="see 'awesome validate'")
    papers = corpus.select(around)
    query = f"{relation} {', '.join(paper.key for paper in papers)}{since}"
    return query, Around(relation, tuple(paper.identifiers for paper in papers))


def candidate(draft: Draft, ask: Ask, corpus: Corpus, by: str | None, day: date) -> Draft:
    """Return the draft as a candidate with its discovery; `by` is the person who ran the search on `day`.

    The query family is stored by its label in the protocol, as in the screening log. Abstracts are stored only if the
    service's terms allow it.
    """
    fields = dict(draft.fields)
    families = corpus.protocol.query_families if corpus.protocol else ()
    discovery = {
        "on": day,
        "how": found_how(fields.get("first_public"), corpus.taxonomy.survey.cutoff),
        "by": by,
        "source": ask.searcher.label,
        "search": ask.search.id,
        "query_family": next((entry.label for entry in families if entry.id == ask.search.family), ask.search.family),
    }
    if not ask.searcher.keeps_abstracts:
        fields["extra"] = {name: value for name, value in (fields.get("extra") or {}).items() if name != "abstract"}
    return replace(draft, kind="candidate", fields=filled({**fields, "proposal": "consider", "found": discovery}))


def found_how(first_public: str | None, cutoff: date | None) -> str | None:
    """Return `missed` for a work that was public by the cutoff, `later`, or `unknown`; None without a cutoff.

    `first_public` is a day, month or year; for the month or year of the cutoff the result is `unknown`.
    """
    if cutoff is None:
        return None
    last = cutoff.isoformat()[: len(first_public or "")]
    if not first_public or (first_public == last and len(last) < len("YYYY-MM-DD")):
        return "unknown"
    return "missed" if first_public <= last else "later"
