"""Rules across records: a survey has each work once, and each key and identifier belongs to one record."""

from collections import defaultdict
from collections.abc import Iterator

from awesome_cli.model.misfits import identifiers_of
from awesome_cli.model.records import AnyRecord, AnyWork
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, at, rule
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.keys import Names
from awesome_cli.text.folding import fold, spaced
from awesome_cli.text.known import DOTS
from awesome_cli.text.names import family

WORDS_ENOUGH = 4
"""A title of this many words identifies a work even where a record names no author."""
MOST = 40
"""So many records of one title are compared with each further one."""


def _are_apart(a: AnyRecord, b: AnyRecord) -> bool:
    """True if somebody said that the two are not duplicates, or linked one as a version of the other."""
    linked = {getattr(a, "version_of", None), getattr(b, "version_of", None)}
    return b.key in a.distinct_from or a.key in b.distinct_from or bool(linked & {a.key, b.key})


@rule("D001", Level.ERROR)
def identifier_twice(corpus: Corpus) -> Iterator[Found]:
    """Two records have the same identifier.

    They are the same work; or, where the titles differ, one of the two identifiers is wrong. Papers, exclusions and
    candidates are compared with each other, and so are their other versions. Two works may share the ISBN of the book
    in which both stand. `awesome dedupe` shows such pairs and can link or merge them.
    """
    seen: dict[tuple[str, str], AnyRecord] = {}
    for record in corpus.records:
        pairs = ((route, pair) for route, identifiers in identifiers_of(record) for pair in identifiers.pairs())
        for route, (scheme, text) in pairs:
            first = seen.setdefault((scheme, text.casefold()), record)
            if first is record or _are_apart(first, record):
                continue
            if scheme != "isbn" or _kinds(first, record) - {"near"}:
                message = f"{first.path} has the same {scheme}, {text.casefold()}"
                place = (*route, scheme)
                fix = f"awesome dedupe --link {record.key} {first.key}"
                if _kinds(first, record) == {"wrong_link"}:
                    fix = f"awesome set {record.key} {'.'.join(map(str, place))}={DOTS} # or that of {first.key}"
                yield at(record, place, message, fix)


def _kinds(a: AnyRecord, b: AnyRecord) -> set[str]:
    """How the manifestations of two records match, as `dedupe` says it."""
    # Imported here: comparing titles needs a library, and sound surveys have no such pair.
    from awesome_cli.survey.duplicates import compare, manifestations

    pairs = (compare(one, other) for one in manifestations(a) for other in manifestations(b))
    return {match.kind for match in pairs if match is not None}


@rule("D002", Level.WARNING)
def title_twice(corpus: Corpus) -> Iterator[Found]:
    """Two records have the same title and share an author, and nothing says that they are two works.

    Titles are compared without case, accents and punctuation. If one of the records names no author, a title of
    four words or more is enough. If they are two works, say so: `awesome dedupe --distinct KEY KEY`.
    """
    groups: defaultdict[str, list[AnyRecord]] = defaultdict(list)
    for record in corpus.records:
        groups[spaced(record.title)].append(record)
    for title, records in groups.items():
        for i, record in enumerate(records):
            known = records[: min(i, MOST)]
            first = next((r for r in known if _same_people(title, r, record) and not _are_apart(r, record)), None)
            if first is None or {*first.identifiers.pairs()} & {*record.identifiers.pairs()}:
                continue  # D001 says that of one identifier
            if _kinds(first, record) != {"near"}:
                distinct = f"awesome dedupe --distinct {record.key} {first.key}"
                fix = f"{distinct} # or: awesome link {record.key} --version-of {first.key}"
                yield at(record, ("title",), f"{first.path} has the same title", fix)


def _same_people(title: str, a: AnyRecord, b: AnyRecord) -> bool:
    names_a, names_b = _surnames(a), _surnames(b)
    if names_a and names_b:
        return bool(names_a & names_b)
    return title.count(" ") + 1 >= WORDS_ENOUGH


def _surnames(record: AnyRecord) -> set[str]:
    return {fold(name) for author in record.authors if (name := family(author))}


@rule("D003", Level.ERROR)
def citation_key_twice(corpus: Corpus) -> Iterator[Found]:
    """Two papers have the same citation key: a bibliography would lose one of them."""
    seen: dict[str, AnyWork] = {}
    for paper in corpus.papers:
        name = paper.citation.key if paper.citation and paper.citation.key else paper.key
        first = seen.setdefault(name, paper)
        if first is not paper:
            message = f"{first.path} has the same citation key, {name!r}"
            yield at(paper, ("citation", "key"), message, f"awesome set {paper.key} citation.key={paper.key}")


@rule("D004", Level.ERROR)
def key_twice(corpus: Corpus) -> Iterator[Found]:
    """Two records have the same key or former key (`aliases`)."""
    owners: dict[str, AnyRecord] = {}
    for record in corpus.records:
        first = owners.setdefault(record.key, record)
        if first is not record:
            message = f"{first.path} has the same key, {record.key!r}"
            yield at(record, (), message, f"awesome rename {record.key} NEW")._replace(place=(1, 1))
    for record in corpus.records:
        for i, alias in enumerate(record.aliases):
            first = owners.setdefault(alias, record)
            if first is not record:
                message = f"{first.path} has the same key or former key, {alias!r}"
                yield at(record, ("aliases", i), message, f"remove the alias {alias!r}")


@rule("D005", Level.WARNING)
def name_of_no_file(corpus: Corpus) -> Iterator[Found]:
    """A record has a name that another system cannot hold.

    Windows has devices such as `con` and `aux`, which no file may be called whatever follows the first dot; on Windows
    and macOS two names that differ in case alone are one file. A clone there would lack the record, or one of two.
    """
    taken: dict[str, str] = {}
    for record in corpus.records:
        first = taken.setdefault(record.path.casefold(), record.path)
        message = f"{first} differs in case alone" if first != record.path else ""
        if not message and record.key in Names():
            message = f"other systems have no file called {record.key!r}"
        if message:
            yield at(record, (), message, f"awesome rename {record.key} NEW")._replace(place=(1, 1))
