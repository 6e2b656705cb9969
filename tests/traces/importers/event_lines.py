"""Say a trace in few words."""

from typing import Any


def event_lines(trace: dict[str, Any]) -> list[str]:
    """Each event as `type agent tool→to`, inferred ones with a question mark."""
    lines = []
    for event in trace["events"]:
        tail = f" {event['tool']}" if "tool" in event else ""
        tail += f" to {event['to']}" if "to" in event else ""
        tail += f" {event['reason']}" if "reason" in event else ""
        lines.append(f"{event['type']}{'?' if event.get('inferred') else ''} {event['agent']}{tail}")
    return lines


def events_of(trace: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """The events of one type."""
    return [event for event in trace["events"] if event["type"] == kind]
