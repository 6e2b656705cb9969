"""The session of a Kimi program, from the logs of its agents."""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise

from awesome_cli.traces.importers.foreign import Json, mapping, text
from awesome_cli.traces.importers.kimi_lines import SPAWNING, KimiLog
from awesome_cli.traces.importers.recording import Recording
from awesome_cli.traces.importers.run_files import RunFiles
from awesome_cli.traces.importers.session import Assignment, HumanWait, RecordedCall, Session, Turn
from awesome_cli.traces.importers.session_writer import session_trace

WRITING = {"Bash", "Edit", "Shell", "StrReplaceFile", "Write", "WriteFile"}
WAITING = {"TaskOutput", "WaitFor"}
WEB = {"FetchURL", "SearchWeb", "WebSearch"}
FURTHER = "further turns that the program itself asked a sub-agent for"


def run_trace(
    rec: Recording, run: RunFiles, root: KimiLog, agents: dict[str, KimiLog], name: str, system: str
) -> Iterator[Json]:
    """The trace of a session, if it has events; `name` is the id of the session."""
    rec.tools |= {tool: {"output_trusted": False} for tool in WEB}
    rec.tools |= {tool: {"side_effect": True} for tool in WRITING}
    logs = {root.id: root} | agents
    session = Session(root.id, {**logs})
    for log in logs.values():
        for call in log.calls:
            call.works = [work for work in call.works if work.to not in {log.id, root.id}]
            session.works += call.works
    tasks = {work.task: work.to for work in session.works if work.background}
    for log in logs.values():
        _complete(log, tasks)
    _add_prompts(root)
    for agent in {work.to for work in session.works}:
        works = sorted(
            (work for work in session.works if work.to == agent), key=lambda work: work.call.begin if work.call else 0
        )
        turns = logs[agent].turns if agent in logs else []
        session.losses[FURTHER] += _assign_turns(works, turns)
    for work in session.works:
        _settle(work, logs[work.by])
    session.records_ends = root.turn is not None and root.turn.recorded
    prompt = root.turns[0].prompt if root.turns else ""
    return session_trace(rec, run, session, name=name or run.id or run.main.name, prompt=prompt, system=system)


def _complete(log: KimiLog, tasks: dict[str, str]) -> None:
    """Set what the lines of a log alone do not say: when a person was asked, and which calls wait for `tasks`."""
    models = sorted(log.models, key=lambda model: model.begin)
    begins = [model.begin for model in models]
    for wait in log.waits:
        # A person is asked when the model has answered, which no line of its own says.
        before = bisect_right(begins, wait.begin)
        answered = models[before - 1].end if before else wait.begin
        if wait.end is not None and answered <= wait.end:
            wait.begin = max(wait.begin, answered)
    for model in log.models:
        model.place = model.begin
    for call in log.calls:
        task = text(call.argument("task_id"))
        waits = bool(tasks) and call.name in WAITING and task in {*tasks, ""}
        call.waits = waits or call.name in SPAWNING
        call.targets = (tasks[task],) if waits and task else ()


def _add_prompts(root: KimiLog) -> None:
    """Add the prompts of a person after the first; the run waited for them if its last turn had ended."""
    for before, turn in pairwise(root.turns):
        if turn.by_user:
            begin = min(before.end, turn.begin) if before.end is not None else turn.begin
            root.waits.append(HumanWait(begin, turn.begin, turn.prompt))


def _assign_turns(works: list[Assignment], turns: list[Turn]) -> int:
    """Give each work of an agent, by time, the last of its turns; return the number of turns before these."""
    further, rest = 0, list(turns)
    for i, work in enumerate(works):
        following = works[i + 1] if i + 1 < len(works) else None
        own = [turn for turn in rest if following is None or turn.begin < _limit(work, following)]
        rest = rest[len(own) :]
        further += max(len(own) - 1, 0)
        work.content = _prompt(work, own)
        if own:
            work.turn = own[-1]
            work.at = min(work.at, own[0].begin)
    return further


def _limit(work: Assignment, following: Assignment) -> int:
    """The time from which turns belong to the following work of the same agent."""
    ended = work.call.end if work.call is not None and not work.background else None
    begin = following.call.begin if following.call is not None else following.at
    return begin if ended is None else min(ended, following.at)


def _prompt(work: Assignment, turns: list[Turn]) -> object:
    """The prompt of a work: that of its call, for an item of a swarm the template with the item in it."""
    call = work.call or RecordedCall("", "", {}, work.at)
    resumed = text(mapping(call.argument("resume_agent_ids")).get(work.to))
    template = text(call.argument("prompt_template"))
    if template and work.item and not resumed:
        return template.replace("{{item}}", work.item)
    return resumed or text(call.argument("prompt")) or (turns[0].prompt if turns else "")


def _settle(work: Assignment, by: KimiLog) -> None:
    """Set the end of a work that its giver's log reports, and when its result reached the giver."""
    call = work.call
    if call is not None:
        work.role = work.role or text(call.argument("subagent_type"))
    if work.background:
        work.arrivals = [(at, at) for at in sorted(by.delivered.get(work.task, []) if work.task else [])]
    elif call is not None and call.end is not None:
        work.arrivals = [(call.end, call.end)]
    if work.reported is None and work.turn is None:
        work.reported = by.ended.get(work.task)
