"""Which sub-agent a call of Claude Code started, and what became known of it."""

import re
from collections import defaultdict
from collections.abc import Container, Mapping

from awesome_cli.traces.importers.claude_lines import Transcript, TranscriptCall, tokens_of
from awesome_cli.traces.importers.foreign import Json, count, mapping, text

ENVELOPE = re.compile(r"</?teammate-message[^>]*>")


class Links:
    """The ids of sub-agents by the name that others call them, by the call in their meta file, and by their prompt."""

    def __init__(self, children: Mapping[str, Transcript]) -> None:
        self.children = children
        self.names: dict[str, str] = {}
        self.by_call = {name: key for key, own in children.items() if (name := text(own.meta.get("toolUseId")))}
        self.by_prompt: dict[str, list[str]] = defaultdict(list)
        for key, own in sorted(children.items(), key=lambda each: each[1].first.at if each[1].first else 0):
            self.names[text(own.meta.get("name")) or key] = key
            if own.first is not None and not own.meta.get("toolUseId"):
                self.by_prompt[normal(own.first.text)].append(key)

    def child(self, call: TranscriptCall, started: Container[str]) -> str:
        """The agent that a call started: by the id in its result, by its meta file, by its name or by its prompt."""
        known = call.agent_id or text(call.arguments.get("resume"))
        if known in self.children or known in started:
            return known
        if call.id in self.by_call:
            return self.by_call[call.id]
        named = self.names.get(text(call.arguments.get("name")), "")
        same = self.by_prompt.get(normal(text(call.arguments.get("prompt"))), [])
        return next((name for name in (named, *same) if name in self.children and name not in started), known)


def normal(words: str) -> str:
    """A prompt without what a team wraps it in, and with simple spaces."""
    return " ".join(ENVELOPE.sub(" ", words).split())


def news_of(by: Transcript, name: str, call: TranscriptCall | None) -> list[tuple[int, str]]:
    """When, and with which status, an agent heard of the end of a sub-agent: by its id, its name or its call."""
    names = {name}
    if call:
        names |= {call.id, text(call.arguments.get("name")), name.partition("@")[0]}
        names |= {text(call.answer.get("taskId"))} if call.workflow else set()
    return [news for each in names - {""} for news in by.delivered.get(each, [])]


def totals_of(answer: Json) -> Json:
    """The tokens of a sub-agent whose file is missing: those of its last call, so a lower bound."""
    found = tokens_of(mapping(answer.get("usage")))
    if not any(found.values()):
        found = {"tokens_in": count(answer.get("totalTokens"))}
    return found | {"tokens_partial": True} if any(found.values()) else {}
