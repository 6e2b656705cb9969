"""The tasks of a run: what one agent did between being started or told and its return."""

from dataclasses import dataclass, field
from typing import Self

from awesome_cli.traces.actors import find_non_agents
from awesome_cli.traces.model import Event, Trace
from awesome_cli.traces.order import by_time


@dataclass(eq=False)
class Task:
    """One task of an agent. `begun` is the event that gave it, `by` the task in which that event happened.

    A task that was passed on lies beside the one that it came from: `above` is the task that both return to.
    """

    agent: str
    begun: Event | None = None
    by: Self | None = None
    above: Self | None = None
    events: list[Event] = field(default_factory=list)
    returned: Event | None = None

    @property
    def ended(self) -> Event | None:
        """The return, or, for a task without any, the event that says that its agent was stopped."""
        stops = (e for e in self.events if e.type == "stop" and e.data.get("scope") == "agent")
        return self.returned or next(stops, None)


def tasks_of(trace: Trace) -> tuple[list[Task], list[Event]]:
    """The tasks in the order in which they began, and the events of people, environments and other non-agents.

    A tool's result belongs to the task of its call, whoever signs it. What an agent does after its return belongs to
    its last task.
    """
    outsiders = find_non_agents(trace)
    tasks: list[Task] = []
    outside: list[Event] = []
    current: dict[str, Task] = {}
    callers: dict[str, Task] = {}

    def begin(task: Task) -> Task:
        tasks.append(task)
        current[task.agent] = task
        return task

    for event in (trace.events[i] for i in by_time(trace.events)):
        task = callers.get(event.call_id or "") if event.type == "tool_result" else None
        if task is None and event.agent not in outsiders:
            task = current.get(event.agent) or begin(Task(event.agent))
        (outside if task is None else task.events).append(event)
        if task is not None and event.type == "tool_call" and event.call_id:
            callers.setdefault(event.call_id, task)
        elif task is not None and event.type == "return":
            task.returned = task.returned or event
        elif event.type in {"spawn", "delegate"} and event.to:
            now = current.get(event.to)
            if now is None or now.returned is not None:
                passes = event.data.get("mode") == "pass_control"
                above = task.above if task is not None and passes else task
                begin(Task(event.to, event, task, above))
    return tasks, outside
