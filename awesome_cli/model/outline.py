"""The terms of an axis as a tree."""

from awesome_cli.model.taxonomy import Axis, Term


def outline(axis: Axis) -> tuple[tuple[Term, int], ...]:
    """The terms with how many are above each, children right after their parent; a cycle of parents is left out."""
    below: dict[str, list[Term]] = {}
    for term in axis.terms:
        below.setdefault(term.parent if term.parent and term.parent in axis.by_id else "", []).append(term)
    found, waiting = list[tuple[Term, int]](), [(term, 0) for term in reversed(below.get("", []))]
    while waiting:
        term, depth = waiting.pop()
        found.append((term, depth))
        waiting += [(child, depth + 1) for child in reversed(below.get(term.id, []))]
    return tuple(found)


def tree(axis: Axis) -> tuple[Term, ...]:
    """All terms, each parent before its children and they before what follows it; those in a cycle come last."""
    found = [term for term, _ in outline(axis)]
    return (*found, *(term for term in axis.terms if term not in found))
