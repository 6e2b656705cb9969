"""Rules across records: one work stands in the survey once, and every name leads somewhere."""

from collections import defaultdict
from collections.abc import Iterator

from awesome_cli.model.records import AnyRecord, AnyWork, Exclusion
from awesome_cli.reports.findings import Fault, Level
from awesome_cli.rules.registry import Rule, rule
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.duplicates.scoring import compare
from awesome_cli.survey.duplicates.works import manifestations
from awesome_cli.text.folding import fold, spaced
from awesome_cli.text.names import family

Route = tuple[str | int, ...]
WORDS_ENOUGH = 4
"""A title of this many words identifies a work even where a record names no author."""


def _are_apart(a: AnyRecord, b: AnyRecord) -> bool:
    """Whether somebody said that the two are not duplicates, or linked one as a version of the other."""
    linked = {getattr(a, "version_of", None), getattr(b, "version_of", None)}
    return b.key in a.distinct_from or a.key in b.distinct_from or bool(linked & {a.key, b.key})


def identifier_twice(corpus: Corpus) -> Iterator[Fault]:
    """Two records have one identifier.

    They are the same work, or, where the titles differ, one of the two identifiers is wrong. Papers, exclusions and
    candidates count alike, and so do their other versions. `awesome dedupe` shows such pairs and can link or merge
    them.
    """
    seen: dict[tuple[str, str], AnyRecord] = {}
    for record in corpus.records:
        pairs: list[tuple[Route, tuple[str, str]]] = [
            (("identifiers", scheme), (scheme, value.casefold())) for scheme, value in record.identifiers.pairs()
        ]
        if not isinstance(record, Exclusion):
            for i, version in enumerate(record.versions):
                found = version.identifiers.pairs()
                pairs += [(("versions", i, "identifiers", scheme), (scheme, v.casefold())) for scheme, v in found]
        for route, pair in pairs:
            first = seen.setdefault(pair, record)
            if first is not record and not _are_apart(first, record):
                message = f"{pair[0]} {pair[1]} is also that of {first.path}"
                fix = f"awesome dedupe --link {record.key} {first.key}"
                if _is_wrong_link(first, record):
                    fix = f"awesome set {record.key} {'.'.join(map(str, route))}=…, or that of {first.key}"
                yield Fault("D001", record.path, route, message, fix, record.key)


def _is_wrong_link(a: AnyRecord, b: AnyRecord) -> bool:
    """Whether two records with one identifier have titles that no work could both have."""
    pairs = (compare(one, other) for one in manifestations(a) for other in manifestations(b))
    return {match.kind for match in pairs if match is not None} == {"wrong_link"}


def title_twice(corpus: Corpus) -> Iterator[Fault]:
    """Two records have one title and share an author.

    Titles are compared without case, accents and punctuation. Where one of the records names no author, a title of
    four words or more is enough. If they really are two works, say so with `distinct_from`.
    """
    groups: defaultdict[str, list[AnyRecord]] = defaultdict(list)
    for record in corpus.records:
        groups[spaced(record.title)].append(record)
    for title, records in groups.items():
        for i, record in enumerate(records):
            first = next((r for r in records[:i] if _same_people(title, r, record) and not _are_apart(r, record)), None)
            if first is not None and not _share_identifier(first, record):
                message = f"the title is also that of {first.path}"
                fix = f"awesome dedupe --distinct {record.key} {first.key}, or --link"
                yield Fault("D002", record.path, ("title",), message, fix, record.key)


def _same_people(title: str, a: AnyRecord, b: AnyRecord) -> bool:
    names_a, names_b = _surnames(a), _surnames(b)
    if names_a and names_b:
        return bool(names_a & names_b)
    return title.count(" ") + 1 >= WORDS_ENOUGH


def _surnames(record: AnyRecord) -> set[str]:
    return {fold(name) for author in record.authors if (name := family(author))}


def _share_identifier(a: AnyRecord, b: AnyRecord) -> bool:
    return bool(set(a.identifiers.pairs()) & set(b.identifiers.pairs()))


def citation_key_twice(corpus: Corpus) -> Iterator[Fault]:
    """Two papers have one citation key: a bibliography would lose one of them."""
    seen: dict[str, AnyWork] = {}
    for paper in corpus.papers:
        name = paper.citation.key if paper.citation and paper.citation.key else paper.key
        first = seen.setdefault(name, paper)
        if first is not paper:
            message = f"citation key {name!r} is also that of {first.path}"
            fix = f"awesome set {paper.key} citation.key={paper.key}"
            yield Fault("D003", paper.path, ("citation", "key"), message, fix, paper.key)


def name_twice(corpus: Corpus) -> Iterator[Fault]:
    """A key or a former key (`aliases`) belongs to two records."""
    owners: dict[str, AnyRecord] = {}
    for record in corpus.records:
        first = owners.setdefault(record.key, record)
        if first is not record:
            message = f"the key {record.key!r} is also that of {first.path}"
            fix = f"awesome rename {record.key} NEW"
            yield Fault("D004", record.path, (), message, fix, record.key, place=(1, 1))
    for record in corpus.records:
        for i, alias in enumerate(record.aliases):
            first = owners.setdefault(alias, record)
            if first is not record:
                message = f"the former key {alias!r} is also that of {first.path}"
                yield Fault("D004", record.path, ("aliases", i), message, f"remove the alias {alias!r}", record.key)


def orphan(corpus: Corpus) -> Iterator[Fault]:
    """A reference leads nowhere: `version_of` or `distinct_from` names a record that does not exist."""
    known = {*corpus.by_key, *corpus.unread}
    for record in corpus.records:
        names: list[tuple[Route, str]] = [(("distinct_from", i), name) for i, name in enumerate(record.distinct_from)]
        if not isinstance(record, Exclusion) and record.version_of is not None:
            names.append((("version_of", 0), record.version_of))
        for route, name in names:
            if name not in known:
                field = route[0]
                message = f"{field} names {name!r}, and there is no such record"
                yield Fault("F001", record.path, route, message, f"remove {name!r} from {field}", record.key)


def unknown_field(corpus: Corpus) -> Iterator[Fault]:
    """The history or a correction speaks of a field that records do not have."""
    for work in corpus.works:
        entries: list[tuple[Route, str]] = [
            (("corrections", i, "field"), c.field) for i, c in enumerate(work.corrections)
        ]
        entries += [(("history", i, "field"), r.field) for i, r in enumerate(work.history)]
        for route, field in entries:
            if field.partition(".")[0] not in type(work).model_fields:
                message = f"records have no field {field!r}"
                yield Fault("F002", work.path, route, message, "see 'awesome schema paper'", work.key)


def dates(corpus: Corpus) -> Iterator[Fault]:
    """Dates contradict each other: a paper is withdrawn or corrected before it was added, or added before its year."""
    for paper in corpus.papers:
        if paper.withdrawn is not None and paper.withdrawn < paper.added:
            message = f"withdrawn on {paper.withdrawn}, before it was added on {paper.added}"
            yield Fault("K001", paper.path, ("withdrawn",), message, f"awesome set {paper.key} withdrawn=…", paper.key)
        if paper.year is not None and paper.added.year < paper.year - 1:
            message = f"added on {paper.added}, years before its year {paper.year}"
            yield Fault("K001", paper.path, ("added",), message, f"awesome set {paper.key} year=…", paper.key)
        for i, correction in enumerate(paper.corrections):
            if correction.corrected_on < paper.added:
                message = f"corrected on {correction.corrected_on}, before it was added on {paper.added}"
                yield Fault("K001", paper.path, ("corrections", i, "corrected_on"), message, "mend the date", paper.key)


def unreachable(corpus: Corpus) -> Iterator[Fault]:
    """A paper has neither a link nor an identifier: a reader cannot find it."""
    for paper in corpus.papers:
        if not paper.links and not paper.identifiers.pairs():
            message = "neither a link nor an identifier leads to this paper"
            fix = f"awesome set {paper.key} identifiers.arxiv=… or links=…"
            yield Fault("P001", paper.path, ("title",), message, fix, paper.key)


def nobody(corpus: Corpus) -> Iterator[Fault]:
    """A paper has no authors: a bibliography cannot cite it. A company or `Anonymous` is an author too."""
    for paper in corpus.papers:
        if not paper.authors:
            fix = f"awesome set {paper.key} authors='Last, First; others'"
            yield Fault("P002", paper.path, ("title",), "no authors", fix, paper.key)


def no_reason(corpus: Corpus) -> Iterator[Fault]:
    """An exclusion says nothing beyond its reason code: a sentence in `note` lets others check it."""
    for exclusion in corpus.exclusions:
        if not exclusion.note:
            fix = f"awesome set {exclusion.key} note='…'"
            yield Fault("X001", exclusion.path, ("screening",), "no note on why it was excluded", fix, exclusion.key)


RULES: tuple[Rule, ...] = (
    rule("D001", Level.ERROR, identifier_twice),
    rule("D002", Level.WARNING, title_twice),
    rule("D003", Level.ERROR, citation_key_twice),
    rule("D004", Level.ERROR, name_twice),
    rule("F001", Level.ERROR, orphan),
    rule("F002", Level.ERROR, unknown_field),
    rule("K001", Level.WARNING, dates),
    rule("P001", Level.WARNING, unreachable),
    rule("P002", Level.WARNING, nobody),
    rule("X001", Level.NOTE, no_reason),
)
