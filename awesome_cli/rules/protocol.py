"""Rules on protocol.yaml (M) and screenings/ (R): names exist, and decisions are complete."""

from collections.abc import Iterator

from awesome_cli.model.protocol import PATH, Protocol
from awesome_cli.model.screenings import OUT, Decision, Screenings
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, Route, rule, unknown_in, unparsed
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.grouping import group_pairs, repeated
from awesome_cli.text.known import LABEL
from awesome_cli.text.numbers import shortened

SHOWN = 5
"""Maximum number of records that a finding names."""


@rule("M001", Level.ERROR)
def unknown_name(corpus: Corpus) -> Iterator[Found]:
    """The protocol uses an unknown axis or term.

    `evidence` gives the axis of publication types, and the terms whose papers may support a statement.
    """
    evidence = corpus.protocol.evidence if corpus.protocol else None
    if evidence is None:
        return
    axes = corpus.taxonomy.by_id
    yield from unknown_in(PATH, ("evidence", "axis"), evidence.axis, axes, "axis")
    for i, support in enumerate(evidence.supports if evidence.axis in axes else ()):
        for j, term in enumerate(support.terms):
            known = axes[evidence.axis].by_id
            yield from unknown_in(PATH, ("evidence", "supports", i, "terms", j), term, known, "term")


@rule("M002", Level.ERROR)
def label_twice(corpus: Corpus) -> Iterator[Found]:
    """Two entries of the protocol have the same id or label.

    A label of the screening log must identify one source or query family. Rename or remove one of the two.
    """
    for route, names in _names(corpus.protocol) if corpus.protocol else ():
        listed = [(i, name) for i, labels in enumerate(names) for name in sorted(labels)]
        for place, name in repeated(name for _, name in listed):
            message = f"{name!r} occurs twice in {route[0]}"
            yield Found(PATH, (*route, listed[place][0]), message, "rename or remove one of the two")


def _names(protocol: Protocol) -> Iterator[tuple[Route, list[frozenset[str]]]]:
    for name in Protocol.LABELS:
        yield (name,), [frozenset(entry.names) for entry in getattr(protocol, name)]
    for name in ("include", "exclude"):
        yield (name,), [frozenset([criterion.id]) for criterion in getattr(protocol, name)]


@rule("M003", Level.NOTE)
def unmapped_label(corpus: Corpus) -> Iterator[Found]:
    """The screening log uses a label of a source or query family that is not in the protocol.

    Add the label to `also` of its entry. If no entry fits, or several do, leave it: the record then counts for none.
    """
    protocol = corpus.protocol
    for name, field in Protocol.LABELS.items():
        known = protocol.by_label(name) if protocol else {}
        users = ((getattr(exclusion.screening, field), exclusion.key) for exclusion in corpus.exclusions)
        for label, keys in group_pairs(users if known else ()).items():
            if not label or label in known:
                continue
            message = f"the label {label!r} (in {shortened(keys, SHOWN)}) is not in {name}"
            change = f"awesome set {keys[0]} screening.{field}={LABEL}"
            fix = f"add {label!r} to 'also' of its entry, or: {change}; leave it if it means none of them"
            yield Found(PATH, (name,), message, fix, at_key=True)


def _decisions(corpus: Corpus) -> Iterator[tuple[Screenings, Route, Decision]]:
    for held in corpus.screenings:
        yield from ((held, ("decisions", i), decision) for i, decision in enumerate(held.decisions))


@rule("R001", Level.ERROR)
def unknown_screened(corpus: Corpus) -> Iterator[Found]:
    """A screening decision refers to an unknown record.

    `key` and `of` are present or former keys of records. If you remove a record, remove its decisions, too.
    """
    known = {*corpus.by_key, *corpus.unread}
    for held, route, decision in _decisions(corpus):
        for name in ("key", "of"):
            yield from unknown_in(held.path, (*route, name), getattr(decision, name), known, "record", held.key)


@rule("R002", Level.ERROR)
def unknown_screening_word(corpus: Corpus) -> Iterator[Found]:
    """A screening decision has a stage, a reason or a near-miss that taxonomy.yaml does not list."""
    lists = {name: [entry.id for entry in getattr(corpus.taxonomy, f"{name}s")] for name in ("stage", "reason")}
    for held, route, decision in _decisions(corpus):
        for name, known in lists.items():
            yield from unknown_in(held.path, (*route, name), getattr(decision, name), known, name, held.key)
        for i, tag in enumerate(decision.near_miss):
            yield from unparsed(held.path, (*route, "near_miss", i), tag, corpus.taxonomy, held.key)


@rule("R003", Level.ERROR)
def incomplete_decision(corpus: Corpus) -> Iterator[Found]:
    """A screening decision is incomplete.

    An exclusion needs a stage and a reason; a near-miss needs tags, too. A duplicate needs another record in `of`.
    """
    for held, route, decision in _decisions(corpus):
        if decision.verdict == "duplicate" and decision.of == decision.key:
            message = f"{decision.key} is marked as a duplicate of itself"
            yield Found(held.path, (*route, "of"), message, "write the key of the other record", held.key)
        needed = ["stage", "reason"] * (decision.verdict in OUT)
        needed += ["near_miss"] * (decision.verdict == "near_miss") + ["of"] * (decision.verdict == "duplicate")
        for name in (name for name in needed if not getattr(decision, name)):
            message = f"the decision {decision.verdict!r} on {decision.key} has no {name!r}"
            yield Found(held.path, route, message, f"add '{name}: …'", held.key)
