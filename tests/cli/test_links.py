"""`awesome links`: alive, moved, dead, blocked, and whether the page is about the paper."""

import json
import os
from dataclasses import replace

import pytest
from serving import Reply

from awesome_cli.curation.links import LARGEST, RecordLink, identify_by_service
from awesome_cli.sources import connect

HTML = {"Content-Type": "text/html"}


def page(title: str) -> Reply:
    return Reply(f"<html><title>{title}</title></html>".encode(), headers=HTML)


@pytest.fixture
def site(service, root):
    for path in (root / "corpus").iterdir():
        path.unlink()
    for path in (root / "exclusions").iterdir():
        path.unlink()
    paths = ["good", "other", "moved", "temporary", "gone", "login", "forbidden", "busy", "down", "pdf"]
    links = "".join(f"- {{label: Paper, url: {service.url}/{path}}}\n" for path in paths)
    (root / "corpus" / "crema.yaml").write_text(
        f"title: 'Crema: On Foam and Its Bubbles'\nlinks:\n{links}- {{label: Code, url: {service.url}/code}}\n"
        "added: 2025-01-01\ntags: {device: press}\n"
    )
    good = page("[2301.00001] Crema: On Foam &amp; its bubbles | Site")
    service.routes |= {
        "/good": good,
        "/other": page("Steam Engines of the North"),
        "/moved": Reply(status=301, headers={"Location": "/new"}),
        "/temporary": Reply(status=302, headers={"Location": "/new"}),
        "/new": good,
        "/gone": Reply(status=410),
        "/login": Reply(status=401),
        "/forbidden": Reply(status=403),
        "/busy": Reply(status=429),
        "/down": Reply(status=500),
        "/pdf": Reply(b"%PDF", headers={"Content-Type": "application/pdf"}),
        "/code": page("A repository"),
    }
    return service


def test_every_state_is_told_apart(run, root, site):
    data = run("links", "--format", "json", root=root).json["data"]
    found = {link["url"].rpartition("/")[2]: link for link in data["links"]}
    states = {name: (link["state"], link["status"], link["identity"]) for name, link in found.items()}
    assert states == {
        "good": ("alive", 200, "yes"),
        "other": ("alive", 200, "no"),
        "moved": ("moved", 200, "yes"),
        "temporary": ("alive", 200, "yes"),
        "gone": ("dead", 410, "unknown"),
        "login": ("blocked", 401, "unknown"),
        "forbidden": ("blocked", 403, "unknown"),
        "busy": ("blocked", 429, "unknown"),
        "down": ("unknown", 500, "unknown"),
        "pdf": ("alive", 200, "unknown"),
        "code": ("alive", 200, "unknown"),
    }
    assert found["moved"]["target"] == f"{site.url}/new"
    assert found["other"]["found"] == "Steam Engines of the North"
    assert data["counts"] == {
        "alive": 5, "blocked (401)": 1, "blocked (403)": 1, "blocked (429)": 1, "dead": 1, "moved": 1, "unknown": 1,
    }  # fmt: skip


def test_an_interrupted_run_goes_on_where_it_stopped(run, root, site):
    run("links", root=root)
    asked = len(site.asked)
    run("links", root=root)
    again = site.asked[asked:]
    assert set(again) == {"/busy", "/down"}
    run("links", "--max-age", "0", root=root)


@pytest.mark.parametrize(("what", "code"), [("dead", 1), ("identity", 1), ("moved,blocked", 1), ("ded", 2)])
def test_fail_on(run, root, site, what, code):
    run("links", "--fail-on", what, root=root, code=code)


def test_nothing_to_fail_on(run, root, site):
    for name in list(site.routes):
        site.routes[name] = site.routes["/good"]
    run("links", "crema", "--fail-on", "dead,moved,blocked,unknown,identity", root=root)


def test_what_cannot_be_asked_is_unknown_not_dead(run, root, site):
    record = root / "corpus" / "crema.yaml"
    record.write_text(record.read_text().replace(f"{site.url}/gone", "http://localhost:1/private"))
    data = run("links", "--format", "json", root=root).json["data"]
    (private,) = (link for link in data["links"] if "localhost" in link["url"])
    assert private["state"] == "unknown"


def test_a_name_that_nobody_has_is_dead_when_others_answer(run, root, site):
    record = root / "corpus" / "crema.yaml"
    record.write_text(record.read_text().replace(f"{site.url}/gone", "http://no-such-host.invalid/x"))
    data = run("links", "--format", "json", root=root).json["data"]
    (lost,) = (link for link in data["links"] if "no-such-host" in link["url"])
    assert (lost["state"], lost["status"]) == ("dead", None)
    record.write_text("title: T\nadded: 2025-01-01\nlinks: [{label: Paper, url: http://no-such-host.invalid/x}]\n")
    assert "no link could be checked" in run("links", root=root, code=3).err


@pytest.mark.parametrize(("title", "identity"), [("Crema: On Foam", "yes"), ("Steam Engines", "no")])
def test_a_service_tells_what_a_publisher_hides(site, monkeypatch, title, identity):
    work = {"DOI": "10.1000/x", "title": [title]}
    monkeypatch.setenv("AWESOME_CROSSREF_URL", site.url)
    site.routes["/works/10.1000%2Fx"] = Reply(json.dumps({"message": work}).encode())
    link = RecordLink("crema", "Paper", "https://doi.org/10.1000/x", "Crema: on foam")
    assert identify_by_service(link, connect(os.environ)) == (title, identity)
    assert identify_by_service(replace(link, url=f"{site.url}/good"), connect(os.environ)) == (None, "unknown")


def test_a_page_that_is_too_large_is_alive(run, root, site):
    site.routes["/good"] = Reply(b"x" * (LARGEST + 1), headers=HTML)
    data = run("links", "--format", "json", root=root).json["data"]
    (large,) = (link for link in data["links"] if link["url"].endswith("/good"))
    assert (large["state"], large["remark"]) == ("alive", "too large to look into")


def test_with_the_network_off(run, root, site):
    assert "no link could be checked" in run("--offline", "links", root=root, code=3).err
