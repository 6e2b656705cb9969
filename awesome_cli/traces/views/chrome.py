"""Chrome trace events for Perfetto and chrome://tracing: a thread per agent, slices, instants and arrows."""

from awesome_cli.text.inert import to_json
from awesome_cli.traces.model import Event
from awesome_cli.traces.views.timeline import Timeline

PID = 1
# A trace without a clock is drawn one millisecond per step.
STEP_US = 1000.0
ARGUMENTS = ("status", "reason", "role", "model", "tokens_in", "tokens_out", "call_id", "inferred")


def render(view: Timeline) -> str:
    """The timeline as one JSON object, times in microseconds.

    A thread can draw nested slices only, so overlapping calls of one agent go to more threads of the same name.
    """
    seconds = view.trace.seconds
    scale = seconds * 1e6 if seconds is not None else STEP_US
    first = view.range[0]
    thread, threads = _threads(view)
    rows: list[dict[str, object]] = [
        {"ph": "M", "pid": PID, "name": "process_name", "args": {"name": view.trace.trace_id}}
    ]
    for tid, name in enumerate(threads):
        rows.append({"ph": "M", "pid": PID, "tid": tid, "name": "thread_name", "args": {"name": name}})
        rows.append({"ph": "M", "pid": PID, "tid": tid, "name": "thread_sort_index", "args": {"sort_index": tid}})
    for k, event in enumerate(view.order):
        row: dict[str, object] = {"pid": PID, "tid": thread[k], "name": _name(event), "cat": event.type}
        row |= {
            "ts": round((event.start - first) * scale, 3),
            "args": {"id": event.id} | {key: event.data[key] for key in ARGUMENTS if key in event.data},
        }
        if event.end > event.start:
            row |= {"ph": "X", "dur": round((event.end - event.start) * scale, 3)}
        else:
            row |= {"ph": "i", "s": "t"}
        rows.append(row)
    for n in range(0, len(view.arrows), 2):
        u, v = view.arrows[n], view.arrows[n + 1]
        flow: dict[str, object] = {"pid": PID, "name": view.order[u].type, "cat": "flow", "id": n // 2}
        rows.append(flow | {"ph": "s", "tid": thread[u], "ts": round((view.order[u].end - first) * scale, 3)})
        rows.append(
            flow | {"ph": "f", "bp": "e", "tid": thread[v], "ts": round((view.order[v].start - first) * scale, 3)}
        )
    document = {"displayTimeUnit": "ms", "otherData": {"trace_id": view.trace.trace_id}, "traceEvents": rows}
    return to_json(document, separators=(",", ":"), allow_nan=False) + "\n"


def _threads(view: Timeline) -> tuple[list[int], list[str]]:
    """The thread of every event, and the threads' names."""
    thread = [0] * len(view.order)
    names: list[str] = []
    for name, lane in zip(view.names, view.lanes(), strict=True):
        own = [len(names)]
        names.append(name)
        ends = [0.0]
        for k in sorted(lane, key=lambda k: (view.order[k].start, -view.order[k].end)):
            event = view.order[k]
            if event.end == event.start:
                thread[k] = own[0]
                continue
            row = next((r for r, end in enumerate(ends) if end <= event.start), None)
            if row is None:
                row = len(ends)
                ends.append(0.0)
                own.append(len(names))
                names.append(name)
            ends[row] = event.end
            thread[k] = own[row]
    return thread, names


def _name(event: Event) -> str:
    to = f" → {event.to}" if event.to is not None else ""
    return f"{event.type} {event.tool}{to}" if event.tool else event.type + to
