"""A Mermaid sequence diagram of spawns, messages and returns. For short runs in documents."""

from awesome_cli.text.inert import visible
from awesome_cli.traces.model import Event
from awesome_cli.traces.views.timeline import Timeline

LIMIT = 200
ARROWS = {"spawn": "->>+", "delegate": "->>", "message": "-)", "return": "-->>-"}
WORK = {"llm_call": "model", "orchestrator_decision": "decides", "aggregate": "aggregates"}
# Mermaid ends a statement at `;` and reads `#` as the start of an entity; a few more would be markup.
ESCAPES = str.maketrans({c: f"#{ord(c)};" for c in '#;"<>{}:%\\`@()[]|&*~$'})


def render(view: Timeline, *, limit: int = LIMIT) -> str:
    """The diagram, cut after `limit` statements. Consecutive calls of one agent are one note."""
    ids = {name: f"a{n}" for n, name in enumerate(view.names)}
    lines = ["sequenceDiagram"]
    lines += [f"    participant {ids[name]} as {_text(name)}" for name in view.names]
    active: set[str] = set()
    statements = 0
    run: tuple[str, list[str]] = ("", [])
    for k, event in enumerate(view.order):
        if statements >= limit:
            lines.append(f"    note over {ids[view.names[0]]}: and {len(view.order) - k} more events")
            return "\n".join(lines) + "\n"
        work = _work(event)
        if work and run[0] == event.agent:
            run[1].append(work)
            continue
        statements += _flush(run, ids, lines)
        run = (event.agent, [work]) if work else ("", [])
        if not work and (line := _statement(event, ids, active)):
            lines.append(line)
            statements += 1
    _flush(run, ids, lines)
    return "\n".join(lines) + "\n"


def _work(event: Event) -> str:
    """What an agent did by itself, in a word; empty for events between agents and for results."""
    return event.tool or "tool" if event.type == "tool_call" else WORK.get(event.type, "")


def _flush(run: tuple[str, list[str]], ids: dict[str, str], lines: list[str]) -> int:
    """One note for consecutive work of one agent; equal words are counted."""
    agent, words = run
    if not words:
        return 0
    counts = {word: words.count(word) for word in dict.fromkeys(words)}
    text = ", ".join(word + (f" x{n}" if n > 1 else "") for word, n in counts.items())
    lines.append(f"    note over {ids[agent]}: {_text(text)}")
    return 1


def _statement(event: Event, ids: dict[str, str], active: set[str]) -> str:
    """The statement for an event between agents or an end; empty for other events."""
    if event.type in {"stop", "despawn", "safety_event", "human_intervention"}:
        reason = event.data.get("reason")
        return f"    note over {ids[event.agent]}: {_text(event.type + (f' {reason}' if reason else ''))}"
    arrow = ARROWS.get(event.type)
    if arrow is None or event.to is None:
        return f"    note over {ids[event.agent]}: {event.type}" if event.type in {"message", "return"} else ""
    if event.type == "spawn":
        # Activation bars must balance: an agent that is active is not activated again.
        arrow = arrow if event.to not in active else "->>"
        active.add(event.to)
    elif event.type == "return":
        arrow = arrow if event.agent in active else "-->>"
        active.discard(event.agent)
    word = event.type if event.data.get("mode") != "pass_control" else "hands over"
    return f"    {ids[event.agent]}{arrow}{ids[event.to]}: {word}"


def _text(text: str) -> str:
    return visible(" ".join(text.split())).translate(ESCAPES) or "unnamed"
