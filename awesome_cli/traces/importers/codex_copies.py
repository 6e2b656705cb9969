"""Lines of Codex rollouts that repeat another thread, or another file of their thread."""

import re
from collections.abc import Iterable, Sequence

from awesome_cli.traces.importers.foreign import Json, content_hash, mapping, moment, reach, text

# An id that begins with its time, so that ids sort by time.
TIMED = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7")


def turn_ids(records: Iterable[Json]) -> set[str]:
    """The turns that some lines begin."""
    starts = (r for r in records if reach(r, "payload", "type") == "task_started")
    return {text(reach(r, "payload", "turn_id")) for r in starts}


def own_start(records: Sequence[Json], thread: str, known: set[str]) -> int:
    """How many of the first lines repeat another thread, or another file of this thread.

    `known` are the turns of the thread that can be repeated. The id of an own turn also sorts after that of the thread,
    because both begin with their time. A file that repeats nothing starts at 0.
    """
    first = mapping(records[0].get("payload")) if records else {}
    metas = {text(reach(r, "payload", "id")) for r in records[1:2] if r.get("type") == "session_meta"}
    found = turn_ids(records)
    if not (first.get("forked_from_id") or metas - {thread, ""} or found & known):
        return _older(records, thread, first)
    for i, record in enumerate(records):
        if reach(record, "payload", "type") == "task_started":
            turn = text(reach(record, "payload", "turn_id"))
            if turn not in known and (turn >= thread or not TIMED.match(thread) or not TIMED.match(turn)):
                return i
    return len(records) if found else _older(records, thread, first)


def _older(records: Sequence[Json], thread: str, meta: Json) -> int:
    """How many of the first lines are older than a sub-agent, so that they repeat its parent with its times."""
    if not reach(meta, "source", "subagent", "thread_spawn"):
        return 0
    begun = int(thread[:13].replace("-", ""), 16) * 1000 if TIMED.match(thread) else None
    born = min(filter(None, (begun, moment(meta.get("timestamp")))), default=0)
    rest = enumerate(records[1:], 1)
    n = next((i for i, record in rest if (moment(record.get("timestamp")) or born) >= born), len(records))
    return n if n > 1 else 0


def line_key(record: Json, turn: str) -> tuple[str | None, ...]:
    """What two lines have in common that are the same; those of one turn are the same whatever their times."""
    return turn or text(record.get("timestamp")), text(record.get("type")), content_hash(record.get("payload"))
