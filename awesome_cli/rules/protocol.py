"""Rules on protocol.yaml: its names exist, and it knows the labels of the screening log."""

from collections.abc import Iterator

from awesome_cli.model.protocol import PATH, Protocol
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, Route, rule, unknown_in
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import LABEL

SHOWN = 5
"""How many records a finding names."""


@rule("M001", Level.ERROR)
def unknown_name(corpus: Corpus) -> Iterator[Found]:
    """The protocol names an axis or a term that the taxonomy does not define.

    `evidence` names the axis that codes the kind of publication, and the terms of it that may support a statement.
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

    A label of the screening log means one source and one query family. Rename or remove one of the two.
    """
    for route, names in _names(corpus.protocol) if corpus.protocol else ():
        for i, own in enumerate(names):
            for name in sorted(own & frozenset().union(*names[:i])):
                message = f"{name!r} stands twice in {route[0]}"
                yield Found(PATH, (*route, i), message, "rename or remove one of the two")


def _names(protocol: Protocol) -> Iterator[tuple[Route, list[frozenset[str]]]]:
    for name in Protocol.LABELS:
        yield (name,), [frozenset(entry.names) for entry in getattr(protocol, name)]
    for name in ("include", "exclude"):
        yield (name,), [frozenset([criterion.id]) for criterion in getattr(protocol, name)]


@rule("M003", Level.NOTE)
def unmapped_label(corpus: Corpus) -> Iterator[Found]:
    """The screening log uses a label of a source or query family that the protocol does not know.

    List it in `also` of the entry that it means. If it means none of them, or several, leave it: the record then
    counts for no entry.
    """
    protocol = corpus.protocol
    for name, field in Protocol.LABELS.items():
        known = protocol.named(name) if protocol else {}
        users: dict[str, list[str]] = {}
        for exclusion in corpus.exclusions if known else ():
            label = getattr(exclusion.screening, field)
            if label and label not in known:
                users.setdefault(label, []).append(exclusion.key)
        for label, keys in users.items():
            some = ", ".join(keys[:SHOWN]) + (f" and {len(keys) - SHOWN} more" if len(keys) > SHOWN else "")
            message = f"no entry of {name} has the label {label!r} of {some}"
            change = f"awesome set {keys[0]} screening.{field}={LABEL}"
            fix = f"add {label!r} to 'also' of the entry that it means, or: {change}; leave it if it means none of them"
            yield Found(PATH, (name,), message, fix, at_key=True)
