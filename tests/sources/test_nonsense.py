"""Answers of a wrong shape: each service, its recorded answers changed in every way, and what becomes of them."""

import copy
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from builders import COFFEE, DATA
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from serving import Reply, Service
from test_services import DATASET, PAGE, WORK, feed

from awesome_cli.curation.intake import Settings, begin
from awesome_cli.curation.refresh import Refresh
from awesome_cli.errors import AwesomeError, NonsenseError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.identifiers import parse_reference
from awesome_cli.model.records import Paper
from awesome_cli.sources import connect, fetch
from awesome_cli.survey.loading import load_corpus
from awesome_cli.system.network import Cache, Net

DAY = date(2026, 1, 1)
DIGITS = "@digits@"
SURVEY = load_corpus(WorkingTree(COFFEE))
NOTE = {"content": {"title": {"value": "On Bread"}, "authors": {"value": ["Ada Bean"]}}, "pdate": 1760000000000}
BIB = b'@inproceedings{bean-2025-bread,\n title = "On {B}read",\n author = "Bean, Ada",\n year = "2025",\n}\n'


def recorded(path: str) -> Any:
    return json.loads((DATA / "inputs" / path).read_bytes())


ELIFE = recorded("crossref/commonmeta_crossref.json")
JSON_ANSWERS = {
    "10.1000/x,y": ("/crossref/works/10.1000%2Fx%2Cy", {"message": WORK}),
    "10.2196/22081": ("/crossref/works/10.2196%2F22081", recorded("crossref/colrev_10.2196_22081.json")),
    "10.7554/elife.01567": ("/crossref/works/10.7554%2Felife.01567", ELIFE),
    "10.5072/d": ("/datacite/dois/10.5072%2Fd", {"data": {"attributes": DATASET}}),
    "10.5438/4k3m-nyvg": ("/datacite/dois/10.5438%2F4k3m-nyvg", recorded("datacite/commonmeta_datacite.json")),
    "openreview:ur295YVtmt": ("/openreview/notes", {"notes": [NOTE]}),
}
OTHER_ANSWERS = {
    "2508.04652": ("/arxiv", feed("2508.04652v3"), "application/atom+xml"),
    "acl:2025.acl-long.476": ("/acl/2025.acl-long.476.bib", BIB, "text/plain"),
    "page": ("/page", PAGE, "text/html"),
}
NUMBERS = [5, -1, 1e300, 10**18, DIGITS, True, None]
TEXTS = ["", " ", "\ud800", "\x00\x1b[2J", "²", "x" * 20_000]
LISTS = [[], [[]], [5], [None], ["x"], ["Bean, Ada", "\ud800"], [{"name": 5}]]
ODD = st.sampled_from([*NUMBERS, *TEXTS, *LISTS, {}, {"value": 5}, {"date-parts": 5}, {"title": {}}])


@pytest.fixture
def net(service: Service, tmp_path: Path) -> Net:
    (tmp_path / "no-folder").touch()
    return replace(connect(os.environ), cache=Cache(tmp_path / "no-folder"))


def put(service: Service, path: str, value: Any) -> None:
    body = json.dumps(value).replace(f'"{DIGITS}"', "9" * 5000).encode()
    service.routes[path] = Reply(body, headers={"Content-Type": "application/json"})


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, child in inner:
        yield from places(child, (*path, name))


def changed(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    if not path:
        return odd
    value = copy.deepcopy(value)
    inner = value
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = odd
    return value


def taken_in(reference: str, net: Net) -> None:
    """All that becomes of an answer: a record with its file; the only exceptions are those with a message."""
    intake = begin(SURVEY, WorkingTree(COFFEE), Settings(DAY))
    try:
        intake.add(fetch(parse_reference(reference), net))
        intake.changes()
    except AwesomeError as error:
        assert len(error.message) < 600


def compared(service: Service, net: Net) -> None:
    record = Paper.model_validate(
        {"key": "crema", "title": "Crema", "identifiers": {"doi": WORK["DOI"], "arxiv": "2508.04652"}, "added": DAY}
    )
    refresh = Refresh(net, DAY)
    refresh.look_up([record])
    refresh.to_report((), written=False)


MANY = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("reference", JSON_ANSWERS)
@MANY
@given(data=st.data())
def test_a_changed_answer_is_a_record_or_an_error(service: Service, net: Net, reference: str, data: st.DataObject):
    path, answer = JSON_ANSWERS[reference]
    for _ in range(data.draw(st.integers(1, 3))):
        answer = changed(answer, data.draw(st.sampled_from(list(places(answer)))), data.draw(ODD))
    put(service, path, answer)
    taken_in(reference, net)


@pytest.mark.parametrize("reference", OTHER_ANSWERS)
@MANY
@given(cut=st.integers(0, 2000), drop=st.integers(0, 40), added=st.binary(max_size=40) | st.sampled_from([
    b"&#99999999999;" * 500, b"&#" + b"9" * 5000 + b";", b"\xff\xfe", b"<title>", b"<", b"\x00", b"{" * 500, b'"' * 500,
]))  # fmt: skip
@example(cut=0, drop=10_000, added=b"")
def test_a_damaged_text_is_a_record_or_an_error(service, net, reference, cut, drop, added):
    path, body, kind = OTHER_ANSWERS[reference]
    cut %= len(body) + 1
    service.routes[path] = Reply(body[:cut] + added + body[cut + drop :], headers={"Content-Type": kind})
    taken_in(f"{service.url}/page" if reference == "page" else reference, net)


@MANY
@given(data=st.data())
def test_comparing_goes_on_whatever_is_answered(service: Service, net: Net, data: st.DataObject):
    work = {**WORK, "updated-by": [{"type": "retraction"}]}
    work = changed(work, data.draw(st.sampled_from(list(places(work)))), data.draw(ODD))
    put(service, "/crossref/works/10.1000%2Fx%2Cy", {"message": work})
    body = feed("2508.04652v3")
    cut, added = data.draw(st.integers(0, len(body))), data.draw(st.binary(max_size=8))
    service.routes["/arxiv"] = Reply(body[:cut] + added + body[cut + len(added) :])
    compared(service, net)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("title", 5, "title: must be a list, not 5"),
        ("title", [5], "title.0: must be a string, not 5"),
        ("title", ["\ud800"], "not JSON"),
        ("title", ["x" * 20_000], "title.0: must have 10000 or fewer characters"),
        ("issued", {"date-parts": 5}, "issued.date-parts: must be a list, not 5"),
        ("issued", {"date-parts": [[DIGITS]]}, "not JSON"),
        ("issued", {"date-parts": [[10**9]]}, "issued.date-parts.0.0: must be 9999 or less"),
        ("author", [5], "author.0: must be a mapping of fields"),
        ("relation", 5, "relation: must be a mapping"),
        ("updated-by", {"type": "retraction"}, "updated-by: must be a list"),
    ],
)
def test_nonsense_is_named_and_not_kept(service, field, value, said):
    path = "/crossref/works/10.1000%2Fx%2Cy"
    put(service, path, {"message": {**WORK, field: value}})
    net = connect(os.environ)
    with pytest.raises(NonsenseError, match=r"Crossref sent an invalid response for doi:10\.1000/x,y: ") as caught:
        fetch(parse_reference("10.1000/x,y"), net)
    assert said in caught.value.message
    put(service, path, {"message": WORK})
    assert fetch(parse_reference("10.1000/x,y"), net).title.startswith("A Study")


@pytest.mark.parametrize(
    "reply", [b"<html>down</html>", b"[" * 100_000, b"", b"\xff\xfe", b"null", b"[]", b"5", b'"x"']
)
@pytest.mark.parametrize(
    ("reference", "path"), [("10.1000/x", "/crossref/works/10.1000%2Fx"), ("2508.04652", "/arxiv")]
)
def test_what_is_no_answer_of_the_service_at_all(service, reply, reference, path):
    service.routes[path] = Reply(reply)
    with pytest.raises(NonsenseError, match="sent an invalid response for"):
        fetch(parse_reference(reference), connect(os.environ))
    with pytest.raises(AwesomeError, match="switched off"):
        fetch(parse_reference(reference), connect(os.environ, offline=True))
