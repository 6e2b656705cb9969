"""Groups of agents that a drawing shows as one lane until asked: thousands of lanes tell nobody anything."""

from collections import defaultdict
from typing import NamedTuple

from awesome_cli.text.numbers import counted
from awesome_cli.traces.views.timeline import Timeline

MANY = 40
"""A run with more agents than this is shown in groups."""
FEW = 3
"""Fewer agents than this are no group."""


class Family(NamedTuple):
    """Agents of one role, or, where they have none, of one parent; `members` are positions in the spawn tree."""

    label: str
    members: tuple[int, ...]


def families(view: Timeline) -> tuple[Family, ...]:
    """The groups, each by its first member; agents that stand alone are in none."""
    if len(view.names) <= MANY:
        return ()
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for a, (role, parent) in enumerate(zip(view.roles, view.parents, strict=True)):
        if role:
            found["role", role].append(a)
        elif parent >= 0:
            found["parent", view.names[parent]].append(a)
        elif view.names[a] not in view.machine.agents:
            found["kind", "tool"].append(a)
    return tuple(Family(_label(*key, len(all_)), tuple(all_)) for key, all_ in found.items() if len(all_) >= FEW)


def _label(key: str, name: str, n: int) -> str:
    words = {"role": f"{n:,} \u00d7 {name}", "parent": f"{n:,} agents of {name}", "kind": counted(n, name)}
    return words[key]
