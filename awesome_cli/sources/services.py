"""Base of the service clients: configurable URLs, validated JSON, and errors by HTTP status."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from awesome_cli.errors import NetError, NonsenseError, NotKnownError
from awesome_cli.model.drafts import Draft
from awesome_cli.model.identifiers import Reference
from awesome_cli.model.misfits import misfit
from awesome_cli.system.network import WEEK, Answer, Net

LONGEST = 10_000
"""Maximum length of a title or name in characters, and maximum number of names, accepted from a service."""
Text = Annotated[str, Field(max_length=LONGEST)]
Texts = Annotated[
    list[Text], Field(max_length=LONGEST), BeforeValidator(lambda value: [value] if isinstance(value, str) else value)
]
"""A list of texts; a single text is read as a list of one."""
Year = Annotated[int, Field(ge=0, le=9999)]


class Shape(BaseModel):
    """Schema of a service's response; null counts as absent, unknown fields are ignored.

    `within` is the path of keys to the record in the response.
    """

    model_config = ConfigDict(strict=True, frozen=True)
    within: ClassVar[tuple[str, ...]] = ()

    @model_validator(mode="before")
    @classmethod
    def _unwrapped(cls, value: Any) -> Any:
        for name in cls.within:
            value = value.get(name, value) if isinstance(value, dict) else value
        return {k: v for k, v in value.items() if v is not None} if isinstance(value, dict) else value


class Institution(Shape):
    """A publisher, or an author's affiliation."""

    name: Text = ""


class AuthorName(Shape):
    """A person or an organisation in the format of Crossref and DataCite."""

    family: Text = ""
    given: Text = ""
    name: Text = ""
    suffix: Text = ""
    familyName: Text = ""  # noqa: N815 - as DataCite writes it
    givenName: Text = ""  # noqa: N815
    nameType: Text = ""  # noqa: N815


class DeniedError(NetError):
    """The service refused the request, because a key is required or there were too many requests."""


class KeyRefusedError(DeniedError):
    """The service requires a key, or does not accept the key of the request."""


S = TypeVar("S", bound=Shape)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Service:
    """A service that resolves references of one scheme to works.

    `name` is shown in messages. The environment variable `variable` overrides the base URL `default`; both are empty
    for web pages. `fetch` returns the work of a reference. It raises `NotKnownError` if the work is unknown, and
    another `NetError` if the response is unusable.
    """

    name: str
    scheme: str
    variable: str
    default: str
    fetch: Callable[[Reference, Net], Draft]

    def base(self, net: Net) -> str:
        """Return the base URL without a trailing slash."""
        return net.services.get(self.variable, self.default).rstrip("/")


def checked(name: str, answer: Answer, what: str) -> Answer:
    """Return the response if its status is 200; raises `NotKnownError` for 404, `NetError` for any other status."""
    if answer.status == 404:
        raise NotKnownError(f"{name} has no record of {what}", hint="check the id")
    if answer.status in {401, 403, 429}:
        kind = KeyRefusedError if answer.status == 401 else DeniedError
        raise kind(f"{name} refused to answer (status {answer.status})", hint="try again later")
    if answer.status != 200:
        raise NetError(f"{name} answered with status {answer.status}", hint="try again later")
    return answer


def get_parsed(
    name: str,
    url: str,
    net: Net,
    what: str,
    read: Callable[[Answer], T],
    *,
    accept: str,
    max_age: timedelta = WEEK,
    hint: str = "try again later, or describe the work with --set",
) -> T:
    """Get a URL and parse the response with `read`; its `ValueError` is raised as `NonsenseError`, uncached."""
    answer = net.get(url, {"Accept": accept}, max_age=max_age)
    try:
        return read(answer)
    except (ValueError, RecursionError) as error:
        net.cache.drop(url, accept)
        raise NonsenseError(f"{name} sent an invalid response for {what}: {_why(error)}", hint=hint) from None


def get_json(service: Service, path: str, net: Net, what: str, shape: type[S], *, max_age: timedelta = WEEK) -> S:
    """Get the JSON at `path` below a service's base URL; messages name `what`. Raises as `get_parsed` and `checked`."""
    return get_parsed(
        service.name,
        service.base(net) + path,
        net,
        what,
        lambda answer: shape.model_validate_json(checked(service.name, answer, what).body),
        accept="application/json",
        max_age=max_age,
    )


def _why(error: Exception) -> str:
    """Return the first schema error of a response, or the message of the parser."""
    if not isinstance(error, ValidationError):
        return str(error)[:200]
    first = error.errors(include_url=False)[0]
    return "not JSON" if first["type"] == "json_invalid" else misfit(first)[:200]
