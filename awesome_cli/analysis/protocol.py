"""The protocol of a survey beside its screening log: what was searched, and how much of it was screened out."""

from collections import Counter
from collections.abc import Iterator

from awesome_cli.model.protocol import Protocol, QueryFamily, Source
from awesome_cli.reports.report import Block, Bullets, Section, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.searched import by_source

TITLES = {"sources": "Source", "query_families": "Query family"}


def search(corpus: Corpus) -> Iterator[Table]:
    """A table of sources, and one of query families with their terms: how many records of each were screened out.

    A last row counts the records whose label in the log belongs to none of them, and names these labels. A table of
    what saved searches read, by source, follows where some were run.
    """
    protocol = corpus.protocol or Protocol(kind="")
    for name, field in Protocol.LABELS.items():
        known = protocol.named(name)
        labels = [label for e in corpus.exclusions if (label := getattr(e.screening, field))]
        counts = Counter(known[label].id if label in known else None for label in labels)
        entries: tuple[Source, ...] = getattr(protocol, name)
        terms = {entry.id: ", ".join(entry.terms) for entry in entries if isinstance(entry, QueryFamily)}
        rows = [(entry.label, terms.get(entry.id, ""), counts[entry.id]) for entry in entries]
        if rows and counts[None]:
            others = dict.fromkeys(label for label in labels if label not in known)
            rows.append((f"other labels: {', '.join(others)}", "", counts[None]))
        columns = [0, 1, 2] if terms else [0, 2]
        head = (TITLES[name], "Terms", "Records screened out")
        if rows:
            yield Table.of([head[i] for i in columns], [[row[i] for i in columns] for row in rows])
    if (found := by_source(corpus.runs, corpus.day)) is not None:
        yield found


def lists(corpus: Corpus) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What is retained, what is screened out, and what each kind of evidence may support, with a heading each."""
    protocol = corpus.protocol or Protocol(kind="")
    yield "A record is retained if one of these holds", tuple(criterion.text for criterion in protocol.include)
    yield "A record is screened out if one of these holds", tuple(criterion.text for criterion in protocol.exclude)
    if protocol.evidence is not None:
        axis = corpus.taxonomy.by_id.get(protocol.evidence.axis)
        labels = {term.id: term.label for term in axis.terms} if axis is not None else {}
        kinds = ((", ".join(labels.get(t, t) for t in s.terms), s.text) for s in protocol.evidence.supports)
        yield "What a kind of publication may support", tuple(f"{kind}: {text}" for kind, text in kinds)


def headline(protocol: Protocol) -> str:
    """Kind of review, its days, and what it says of itself."""
    days = {"searched": protocol.searched_until, "audited": protocol.audited_until}
    parts = [protocol.kind[:1].upper() + protocol.kind[1:], f"after {protocol.follows}" if protocol.follows else ""]
    parts += [f"{what} until {day}" for what, day in days.items() if day]
    return f"{', '.join(filter(None, parts))}. {protocol.note}".strip()


def protocol_sections(corpus: Corpus) -> tuple[Section, ...]:
    """The protocol for people; nothing where the survey has none."""
    said = [Text(headline(corpus.protocol))] if corpus.protocol else []
    blocks: tuple[Block, ...] = (*said, *search(corpus))
    if not blocks:
        return ()
    others = (Section(title, (Bullets(items),)) for title, items in lists(corpus) if items)
    return (Section("Protocol" if corpus.protocol else "Searches", blocks), *others)
