"""What a service is, and how one is asked: at an address that the user may set, with answers that are checked."""

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
"""The characters of the longest title or name, and the number of names, that a service is believed."""
Text = Annotated[str, Field(max_length=LONGEST)]
Texts = Annotated[
    list[Text], Field(max_length=LONGEST), BeforeValidator(lambda value: [value] if isinstance(value, str) else value)
]
"""A list of texts; a text alone counts as a list of one."""
Year = Annotated[int, Field(ge=0, le=9999)]


class Shape(BaseModel):
    """What is read of a service's answer, and of which type; null counts as absent, anything else is left aside.

    `within` are the names of the mappings in which the service wraps it.
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
    """A publisher, or where an author works."""

    name: Text = ""


class AuthorName(Shape):
    """A person or an organisation, as Crossref and DataCite have them."""

    family: Text = ""
    given: Text = ""
    name: Text = ""
    suffix: Text = ""
    familyName: Text = ""  # noqa: N815 - as DataCite writes it
    givenName: Text = ""  # noqa: N815
    nameType: Text = ""  # noqa: N815


class DeniedError(NetError):
    """A service refuses to answer."""


S = TypeVar("S", bound=Shape)
T = TypeVar("T")


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
        raise DeniedError(f"{name} refused to answer (status {answer.status})", hint="try again later")
    if answer.status != 200:
        raise NetError(f"{name} answered with status {answer.status}", hint="try again later")
    return answer


def asked(
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
    """Return what `read` makes of an answer; a `ValueError` becomes a `NonsenseError`, and the answer is not cached."""
    answer = net.get(url, {"Accept": accept}, max_age=max_age)
    try:
        return read(answer)
    except (ValueError, RecursionError) as error:
        net.cache.drop(url, accept)
        raise NonsenseError(f"{name} answered nonsense for {what}: {_why(error)}", hint=hint) from None


def ask(service: Service, path: str, net: Net, what: str, shape: type[S], *, max_age: timedelta = WEEK) -> S:
    """Return the JSON at a path below a service's base URL, about `what`; raises as `asked` and `checked` do."""
    return asked(
        service.name,
        service.base(net) + path,
        net,
        what,
        lambda answer: shape.model_validate_json(checked(service.name, answer, what).body),
        accept="application/json",
        max_age=max_age,
    )


def _why(error: Exception) -> str:
    """What is wrong with an answer, in a few words: the first value of another shape, or what its reader says."""
    if not isinstance(error, ValidationError):
        return str(error)[:200]
    first = error.errors(include_url=False)[0]
    return "not JSON" if first["type"] == "json_invalid" else misfit(first)[:200]
