"""Values in the lines of Codex: outputs of tools, states of agents, usage."""

import re
from typing import Any

from awesome_cli.traces.importers.foreign import Json, count, decoded, mapping, objects, reach, text, usage

EXIT = re.compile(r"^Process exited with code (-?\d+)$|^Exit code: (-?\d+)$", re.MULTILINE)
REFUSED = ("unsupported call", "collab spawn failed", "failed to parse function arguments")
QUIET = {"send_message", "followup_task"}
AGENTS = QUIET | {
    "spawn_agent", "send_input", "resume_agent", "wait_agent", "wait", "close_agent", "interrupt_agent", "list_agents",
}  # fmt: skip
"""Tools whose result is JSON, or nothing for the `QUIET` ones, unless they failed."""


def answer_of(content: object) -> str:
    """The text of a message or of a tool's output: text, a list of parts, or an object around either."""
    if isinstance(content, dict):
        return answer_of(content.get("content") or content.get("text"))
    if isinstance(content, list):
        return "\n".join(text(part.get("text") or part.get("encrypted_content")) for part in objects(content))
    return text(content)


def said(body: Json) -> tuple[str, str]:
    """What a message from another agent is (`task`, `answer` or `message`), and its words."""
    return words_of(answer_of(body.get("content")))


def words_of(whole: str) -> tuple[str, str]:
    """The same for the text of a message, which has a head of its own."""
    head, _, words = whole.partition("Payload:\n")
    kinds = {"NEW_TASK": "task", "FINAL_ANSWER": "answer"}
    kind = head.removeprefix("Message Type:").split("\n", 1)[0].strip()
    return kinds.get(kind, "message"), words.strip()


def state_of(status: object) -> tuple[str, str]:
    """The words in the state of an agent and how its turn ended.

    The state is `{"completed": words}`, with null after a failure, or `{"errored": words}`, or a name, which is no end.
    """
    state = mapping(status)
    how = "" if not state else "error" if "errored" in state or None in state.values() else "ok"
    return next((text(words) for words in state.values()), ""), how


def turn_result(tool: str, output: str) -> str:
    """The status of a tool call, where its output says so."""
    if output.startswith(REFUSED):
        return "error"
    if output.startswith("aborted") or output.endswith("aborted by user"):
        return "cancelled"
    found = EXIT.search(output[:500])
    code = found and (found[1] or found[2])
    about = decoded(output) if output.startswith("{") else None
    if code is None and isinstance(reach(about, "metadata", "exit_code"), int):
        code = text(reach(about, "metadata", "exit_code"))
    if tool in AGENTS:
        failed = about is None and (output != "" or tool not in QUIET)
        return "error" if failed else "timeout" if reach(about, "timed_out") is True else "ok"
    return "" if not code else "error" if code != "0" else "ok"


def used(value: object) -> dict[str, Any]:
    """The token fields of an event from a usage of Codex, whose input holds what was cached; {} if there is none."""
    given = mapping(value)
    if "input_tokens" not in given:
        return {}
    cached, written = count(given.get("cached_input_tokens")), count(given.get("cache_write_input_tokens"))
    return usage(
        fresh=count(given["input_tokens"]) - cached - written,
        cached=cached,
        cache_write=written,
        out=given.get("output_tokens"),
        reasoning=given.get("reasoning_output_tokens"),
    )
