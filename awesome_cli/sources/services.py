"""Asking a service for JSON: addresses that the user may override, and answers that are checked."""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from awesome_cli.errors import NetError
from awesome_cli.system.network import WEEK, Answer, Net, from_environment

BASES = {
    "AWESOME_ARXIV_URL": "https://export.arxiv.org/api/query",
    "AWESOME_CROSSREF_URL": "https://api.crossref.org",
    "AWESOME_DATACITE_URL": "https://api.datacite.org",
    "AWESOME_OPENREVIEW_URL": "https://api2.openreview.net",
    "AWESOME_ACL_URL": "https://aclanthology.org",
}
"""Environment variables that name another address for a service, and the addresses without them."""


def base(variable: str, net: Net) -> str:
    """The address of a service, without a slash at the end."""
    return net.services.get(variable, BASES[variable]).rstrip("/")


def connect(environment: Mapping[str, str], *, offline: bool = False) -> Net:
    """The network, with the services as environment variables configure them."""
    return from_environment(environment, BASES, offline=offline)


def checked(name: str, answer: Answer, what: str) -> Answer:
    """The answer if it is one; raises `NetError` that tells unknown, refused and broken apart."""
    if answer.status == 404:
        raise NetError(f"{name} does not know {what}", hint="check the id")
    if answer.status in {401, 403, 429}:
        raise NetError(f"{name} refused to answer (status {answer.status})", hint="try again later")
    if answer.status != 200:
        raise NetError(f"{name} answered with status {answer.status}", hint="try again later")
    return answer


def ask(name: str, url: str, net: Net, what: str, *, max_age: timedelta = WEEK) -> Any:
    """The JSON value at an address of a service; `what` is what was asked for, in words."""
    answer = checked(name, net.get(url, {"Accept": "application/json"}, max_age=max_age), what)
    try:
        value = json.loads(answer.body)
    except (ValueError, RecursionError):
        raise NetError(f"{name}'s answer is not JSON", hint="try again later") from None
    if not isinstance(value, dict):
        raise NetError(f"{name}'s answer has another shape than expected")
    return value
