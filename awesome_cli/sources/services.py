"""What a service is, and how one is asked: at an address that the user may set, with answers that are checked."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from awesome_cli.errors import NetError, NotKnownError
from awesome_cli.model.drafts import Draft
from awesome_cli.model.identifiers import Reference
from awesome_cli.system.network import WEEK, Answer, Net


@dataclass(frozen=True, slots=True)
class Service:
    """A service that knows works.

    `name` stands in messages, `scheme` is that of the references it answers. The environment variable `variable` may
    name another base URL than `default`; both are empty for web pages, which have none. `fetch` gives the work behind
    a reference, or raises `NotKnownError` for an unknown one and another `NetError` for no usable answer.
    """

    name: str
    scheme: str
    variable: str
    default: str
    fetch: Callable[[Reference, Net], Draft]

    def base(self, net: Net) -> str:
        """The base URL, without a slash at the end."""
        return net.services.get(self.variable, self.default).rstrip("/")


def checked(name: str, answer: Answer, what: str) -> Answer:
    """The answer if its status is 200; raises `NotKnownError` for 404, `NetError` for any other."""
    if answer.status == 404:
        raise NotKnownError(f"{name} does not know {what}", hint="check the id")
    if answer.status in {401, 403, 429}:
        raise NetError(f"{name} refused to answer (status {answer.status})", hint="try again later")
    if answer.status != 200:
        raise NetError(f"{name} answered with status {answer.status}", hint="try again later")
    return answer


def ask(service: Service, path: str, net: Net, what: str, *, max_age: timedelta = WEEK) -> dict[str, Any]:
    """The JSON object at a path below a service's base URL; `what` names in messages what was asked for."""
    answer = net.get(service.base(net) + path, {"Accept": "application/json"}, max_age=max_age)
    try:
        value = json.loads(checked(service.name, answer, what).body)
    except (ValueError, RecursionError):
        raise NetError(f"{service.name}'s answer is not JSON", hint="try again later") from None
    if not isinstance(value, dict):
        raise NetError(f"{service.name}'s answer has an unexpected shape")
    return value
