"""What a run of saved searches asks which service, and the candidates that it makes of the works it finds."""

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
NO_PAPER = "skipped, since its query finds no paper of the survey yet"


@dataclass(frozen=True, slots=True)
class Ask:
    """A search at a source: its words `query`, and the request in the source's own.

    `sent` are the addresses that are asked first, without a key or a password. `covered` is the day
    until which earlier runs asked, None where that decides nothing. `rest` is what an earlier run,
    `resumes`, left to read, None for what begins anew. `error` says why the source cannot be asked; then there is no
    request.
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
    """A search for which no source is asked, and why: it `failed` if it cannot be read, else it finds no paper yet."""

    search: SavedSearch
    why: str
    failed: bool


def asks(
    corpus: Corpus, net: Net, names: Sequence[str] = (), sources: Sequence[str] = (), since: date | None = None
) -> tuple[Ask | NotAsked, ...]:
    """What is asked for some saved searches, by default all, at some sources; nothing is asked yet.

    Works are asked for from `since` on; without it from where the last good run of the search at the source ended, with
    an overlap, or from its own first day. Raises `SurveyError` where `search.yaml` cannot be read, `RefusedError` where
    it has no search, `UsageError` for an unknown name.
    """
    for source in sources:
        require_known(source, SEARCHERS, "source")
    found = tuple(ask for search in chosen(corpus, names) for ask in _asks(corpus, net, search, sources, since))
    if not found:
        raise UsageError(f"none of these searches asks {' or '.join(sources)}", hint="see 'awesome search --explain'")
    return found


def chosen(corpus: Corpus, names: Sequence[str]) -> tuple[SavedSearch, ...]:
    """The saved searches with these ids, all without any; raises as `asks` does."""
    broken = next((finding for finding in corpus.findings if finding.path == PATH), None)
    if broken is not None:
        raise SurveyError(f"{PATH} cannot be used: {broken.message}", hint="see 'awesome validate'")
    if not corpus.searches:
        raise RefusedError("the survey has no saved search", hint=HOW)
    by_id = {search.id: search for search in corpus.searches}
    return tuple(by_id[name] for name in named(names, by_id) or by_id)


def named(names: Sequence[str], known: Iterable[str]) -> tuple[str, ...]:
    """The names, each once; raises `UsageError` for one that is not among the known ones."""
    known = tuple(known)
    return tuple(require_known(name, known, "search") for name in dict.fromkeys(names))


def _asks(
    corpus: Corpus, net: Net, search: SavedSearch, sources: Sequence[str], since: date | None
) -> Iterator[Ask | NotAsked]:
    """What is asked for one search; a source that is not named, and cannot be asked for works around others, is not."""
    asked = [name for name in search.sources or SEARCHERS if name in (sources or SEARCHERS)]
    try:
        query, wanted = wanted_by(corpus, search)
    except UsageError as error:
        yield from [NotAsked(search, error.message, failed=True)] * bool(asked)
        return
    if isinstance(wanted, Around) and not wanted.works:
        yield from [NotAsked(search, NO_PAPER, failed=False)] * bool(asked)
        return
    found = [_ask(corpus, net, Ask(search, SEARCHERS[name], query), wanted, since) for name in asked]
    able = [ask for ask in found if ask.request]
    yield from able if able and isinstance(wanted, Around) and not search.sources else found


def _ask(corpus: Corpus, net: Net, ask: Ask, wanted: Wanted, since: date | None) -> Ask:
    """The ask with its request; it goes on where the last one stopped, unless another day was given."""
    own = ask.search.since
    try:
        whole = ask.searcher.request(wanted, own)
        at = standing(corpus.runs, ask.search.id, ask.searcher.name, ask.query, whole.since)
        rest = at.rest if since is None or (at.rest and at.rest.since == since) else None
        day = rest.since if rest else since or max(filter(None, (at.since, own)), default=None)
        request = whole if day is None else ask.searcher.request(wanted, day)
    except UsageError as error:
        return replace(ask, error=error.message)
    sent = request.sent.replace(ask.searcher.public, shown(ask.searcher.base(net)))
    ask = replace(ask, request=request, sent=sent, covered=None if since else at.covered)
    return replace(ask, rest=rest, resumes=at.run) if rest and rest.sent == sent else ask


def wanted_by(corpus: Corpus, search: SavedSearch) -> tuple[str, Wanted]:
    """The words of a search as the log keeps them, and what they mean.

    Raises `UsageError` for a search that cannot be read.
    """
    since = f" date>={search.since}" if search.since else ""
    if search.query is not None:
        return search.query + since, parse(search.query)
    relation: Literal["citing", "cited_by"] = "citing" if search.citing is not None else "cited_by"
    around = getattr(search, relation)
    if around is None:
        raise UsageError("it has nothing to look for", hint="see 'awesome validate'")
    papers = corpus.select(around)
    query = f"{relation} {', '.join(paper.key for paper in papers)}{since}"
    return query, Around(relation, tuple(paper.identifiers for paper in papers))


def candidate(draft: Draft, ask: Ask, corpus: Corpus, by: str | None, day: date) -> Draft:
    """The draft with what is known of how it was found; `by` ran the search on a day.

    The query family is called by its label in the protocol, as the screening log calls it. An abstract is kept only
    where the service's terms allow it.
    """
    fields = dict(draft.fields)
    found = {
        "on": day,
        "how": found_how(fields.get("first_public"), corpus.taxonomy.survey.cutoff),
        "by": by,
        "source": ask.searcher.label,
        "search": ask.search.id,
        "query_family": _family(corpus, ask.search.family),
    }
    if not ask.searcher.keeps_abstracts:
        fields["extra"] = {name: value for name, value in (fields.get("extra") or {}).items() if name != "abstract"}
    return replace(draft, kind="candidate", fields=filled({**fields, "proposal": "consider", "found": found}))


def found_how(first_public: str | None, cutoff: date | None) -> str | None:
    """`missed` if the search of the pool missed a work, which was public by the cutoff; None without a cutoff.

    `first_public` is a day, a month or a year; a month or year that holds the cutoff says nothing.
    """
    if cutoff is None:
        return None
    last = cutoff.isoformat()[: len(first_public or "")]
    if not first_public or (first_public == last and len(last) < len("YYYY-MM-DD")):
        return "unknown"
    return "missed" if first_public <= last else "later"


def _family(corpus: Corpus, family: str | None) -> str | None:
    families = corpus.protocol.query_families if corpus.protocol else ()
    return next((entry.label for entry in families if entry.id == family), family)
