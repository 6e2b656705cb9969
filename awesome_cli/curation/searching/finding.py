"""A work that a search found, as the draft of a candidate."""

from dataclasses import replace
from datetime import date

from awesome_cli.curation.searching.asking import Ask
from awesome_cli.model.drafts import Draft, filled
from awesome_cli.survey.corpus import Corpus


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
    """Whether the search of the pool missed a work: it was public by the cutoff. None for a survey without a cutoff.

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
