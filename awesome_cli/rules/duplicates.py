"""Rules across records (D): no duplicate works, keys or identifiers."""

from collections import defaultdict
from collections.abc import Iterator

from awesome_cli.model.identifiers import Reference, behind_doi
from awesome_cli.model.misfits import addresses_of, identifiers_of
from awesome_cli.model.records import PAPER_LABELS, AnyRecord, AnyWork, Exclusion
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, Route, at, rule
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.keys import Names
from awesome_cli.text.folding import fold, spaced
from awesome_cli.text.grouping import group_pairs
from awesome_cli.text.known import DOTS
from awesome_cli.text.names import family

WORDS_ENOUGH = 4
"""Minimum number of words of a title that identifies a work without authors."""
WORDS_ENOUGH_OUT = 2
"""The same if one of the two was screened out, because many exclusions have no more than a title."""
MOST = 40
"""Maximum number of records with one title that are compared with each further one."""


def _are_apart(a: AnyRecord, b: AnyRecord) -> bool:
    """Return True if the records are marked as distinct, or linked as versions of one work."""
    linked = {getattr(a, "version_of", None), getattr(b, "version_of", None)}
    return b.key in a.distinct_from or a.key in b.distinct_from or bool(linked & {a.key, b.key})


@rule("D001", Level.ERROR)
def identifier_twice(corpus: Corpus) -> Iterator[Found]:
    """Two records have the same identifier.

    They are the same work; if their titles differ, one identifier is wrong, unless the works share it, such as the
    abstracts of a supplement: mark those with `awesome dedupe --distinct KEY KEY`. The rule compares papers, exclusions
    and candidates, with all their versions; a DOI of arXiv or of the ACL Anthology is the id in it. Chapters may share
    the ISBN of their book. `awesome dedupe` shows such pairs, and links or merges them.
    """
    seen: dict[tuple[str, str], AnyRecord] = {}
    for record in corpus.records:
        pairs = ((route, pair) for route, identifiers in identifiers_of(record) for pair in identifiers.pairs())
        for route, (field, value) in pairs:
            # A DOI of arXiv or of the ACL Anthology is the id in it.
            inner = behind_doi(Reference(field, value)) if field == "doi" else None
            scheme, text = (inner.scheme, inner.id) if inner else (field, value)
            first = seen.setdefault((scheme, text.casefold()), record)
            if first is record or _are_apart(first, record):
                continue
            if scheme != "isbn" or _kinds(first, record) - {"near"}:
                message = f"{first.path} has the same {scheme}, {text.casefold()}"
                place = (*route, field)
                fix = f"awesome dedupe --link {record.key} {first.key}"
                if _kinds(first, record) == {"wrong_link"}:
                    message += f", but another title: {first.title}"
                    fix = f"awesome set {record.key} {'.'.join(map(str, place))}={DOTS} # or change {first.key}"
                    fix += f"; if they share the {scheme}: awesome dedupe --distinct {record.key} {first.key}"
                if isinstance(record, Exclusion) or isinstance(first, Exclusion):
                    out = record if isinstance(record, Exclusion) else first
                    fix = f"awesome remove {out.key} # or correct the {scheme}, or: awesome readmit {out.key}"
                yield at(record, place, message, fix)


def _kinds(a: AnyRecord, b: AnyRecord) -> set[str]:
    """Return the kinds of match between the manifestations of two records, as in `dedupe`."""
    # Imported here, because valid surveys do not need the slow library.
    from awesome_cli.survey.duplicates import compare, manifestations

    pairs = (compare(x, y) for x in manifestations(a) for y in manifestations(b))
    return {match.kind for match in pairs if match is not None}


@rule("D002", Level.WARNING)
def title_twice(corpus: Corpus) -> Iterator[Found]:
    """Two records have the same title and share an author.

    Titles are compared without case, accents and punctuation. If a record has no authors, a title of four words or more
    is enough, two for an exclusion. Mark different works with `awesome dedupe --distinct KEY KEY`.
    """
    for title, records in group_pairs((spaced(record.title), record) for record in corpus.records).items():
        for i, record in enumerate(records):
            known = records[: min(i, MOST)]
            first = next((r for r in known if _same_people(title, r, record) and not _are_apart(r, record)), None)
            if first is None or {*first.identifiers.pairs()} & {*record.identifiers.pairs()}:
                continue  # reported by D001
            if _is_alike(first, record) or _kinds(first, record) != {"near"}:
                distinct = f"awesome dedupe --distinct {record.key} {first.key}"
                fix = f"{distinct} # or: awesome link {record.key} --version-of {first.key}"
                yield at(record, ("title",), f"{first.path} has the same title", fix)


def _is_alike(a: AnyRecord, b: AnyRecord) -> bool:
    """Return True for the same authors and almost the same year: a preprint and its article, for instance."""
    years = [year for year in (a.year, b.year) if year is not None]
    near = len(years) < 2 or abs(years[0] - years[1]) <= 1
    untold = any(isinstance(record, Exclusion) and not record.authors for record in (a, b))
    return near and (untold or _surnames(a) == _surnames(b) != set())


def _same_people(title: str, a: AnyRecord, b: AnyRecord) -> bool:
    names_a, names_b = _surnames(a), _surnames(b)
    if names_a and names_b:
        return bool(names_a & names_b)
    enough = WORDS_ENOUGH_OUT if Exclusion in {type(a), type(b)} else WORDS_ENOUGH
    return title.count(" ") + 1 >= enough


def _surnames(record: AnyRecord) -> set[str]:
    # The last word of a name without a comma, which may be written `First Last`.
    return {
        fold(name.split()[-1] if "," not in author else name) for author in record.authors if (name := family(author))
    }


@rule("D006", Level.WARNING)
def link_twice(corpus: Corpus) -> Iterator[Found]:
    """Two records have the same link to the work itself, so one was probably copied from the other.

    Links with labels such as `code`, and links of three records or more, may be shared. Mark different works with
    `awesome dedupe --distinct KEY KEY`.
    """
    groups: defaultdict[str, list[tuple[AnyRecord, Route]]] = defaultdict(list)
    for record in corpus.records:
        for route, address in addresses_of(record):
            label = record.links[int(route[1])].label if route[0] == "links" else "page"  # type: ignore[union-attr]
            if label.casefold() in PAPER_LABELS:
                groups[address.rstrip("/")].append((record, route))
    for (first, _), (record, route) in (pair for pair in groups.values() if len(pair) == 2):
        if first is not record and not _are_apart(first, record) and spaced(first.title) != spaced(record.title):
            fix = f"awesome set {record.key} {'.'.join(map(str, route))}={DOTS} # or change {first.key}"
            yield at(record, route, f"{first.path} has the same link", fix)


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
            fix = f"mv {record.path} {record.FOLDER}/NEW.yaml # 'awesome rename' would take the other record"
            yield at(record, (), message, fix)._replace(place=(1, 1))
    for record in corpus.records:
        for i, alias in enumerate(record.aliases):
            first = owners.setdefault(alias, record)
            if first is not record:
                message = f"{first.path} has the same key or former key, {alias!r}"
                yield at(record, ("aliases", i), message, f"remove the alias {alias!r}")


@rule("D005", Level.WARNING)
def name_of_no_file(corpus: Corpus) -> Iterator[Found]:
    """A record has a file name that Windows or macOS cannot store.

    Names such as `con` and `aux` are reserved on Windows. Windows and macOS treat names that differ only in case as
    one. A clone there would lack the record.
    """
    taken: dict[str, str] = {}
    for record in corpus.records:
        first = taken.setdefault(record.path.casefold(), record.path)
        message = f"{first} differs only in case" if first != record.path else ""
        if not message and record.key in Names():
            message = f"{record.key!r} is a reserved file name on Windows or too long"
        if message:
            yield at(record, (), message, f"awesome rename {record.key} NEW")._replace(place=(1, 1))
