"""`awesome links` and `awesome refresh`: what addresses and registries answer, with services on loopback."""

import json
import os
import socket
from dataclasses import replace
from datetime import date
from urllib.parse import quote, unquote

import pytest
from crema import FEED, RECORD, WORK
from serving import Reply

from awesome_cli.curation.links import RecordLink, identify_by_service
from awesome_cli.files.tree import WorkingTree
from awesome_cli.sources import connect
from awesome_cli.sources.pages import LONGEST
from awesome_cli.survey.loading import load_corpus
from awesome_cli.text.known import EXCERPT

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
    data = run("check-links", "--format", "json", root=root).json["data"]
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
    run("check-links", root=root)
    asked = len(site.asked)
    run("check-links", root=root)
    again = site.asked[asked:]
    assert set(again) == {"/busy", "/down"}
    run("check-links", "--max-age", "0", root=root)


@pytest.mark.parametrize(("what", "code"), [("dead", 1), ("identity", 1), ("moved,blocked", 1), ("ded", 2)])
def test_fail_on(run, root, site, what, code):
    run("check-links", "--fail-on", what, root=root, code=code)


def test_nothing_to_fail_on(run, root, site):
    for name in list(site.routes):
        site.routes[name] = site.routes["/good"]
    run("check-links", "crema", "--fail-on", "dead,moved,blocked,unknown,identity", root=root)


def test_what_cannot_be_asked_is_unknown_not_dead(run, root, site):
    record = root / "corpus" / "crema.yaml"
    record.write_text(record.read_text().replace(f"{site.url}/gone", "http://localhost:1/private"))
    data = run("check-links", "--format", "json", root=root).json["data"]
    (private,) = (link for link in data["links"] if "localhost" in link["url"])
    assert private["state"] == "unknown"


def test_a_name_that_nobody_has_is_dead_when_others_answer(run, root, site):
    record = root / "corpus" / "crema.yaml"
    record.write_text(record.read_text().replace(f"{site.url}/gone", "http://no-such-host.invalid/x"))
    data = run("check-links", "--format", "json", root=root).json["data"]
    (lost,) = (link for link in data["links"] if "no-such-host" in link["url"])
    assert (lost["state"], lost["status"]) == ("dead", None)
    record.write_text("title: T\nadded: 2025-01-01\nlinks: [{label: Paper, url: http://no-such-host.invalid/x}]\n")
    assert "no link could be checked" in run("check-links", root=root, code=3).err


@pytest.mark.parametrize(("title", "identity"), [("Crema: On Foam", "yes"), ("Steam Engines", "no")])
def test_a_service_tells_what_a_publisher_hides(site, monkeypatch, title, identity):
    work = {"DOI": "10.1000/x", "title": [title]}
    monkeypatch.setenv("AWESOME_CROSSREF_URL", site.url)
    site.routes["/works/10.1000%2Fx"] = Reply(json.dumps({"message": work}).encode())
    link = RecordLink("crema", "Paper", "https://doi.org/10.1000/x", "Crema: on foam")
    assert identify_by_service(link, connect(os.environ)) == (title, identity)
    assert identify_by_service(replace(link, url=f"{site.url}/good"), connect(os.environ)) == (None, "unknown")


def test_a_page_that_is_too_large_is_alive(run, root, site):
    site.routes["/good"] = Reply(b"x" * (LONGEST + 1), headers=HTML)
    data = run("check-links", "--format", "json", root=root).json["data"]
    (large,) = (link for link in data["links"] if link["url"].endswith("/good"))
    assert (large["state"], large["remark"]) == ("alive", "too large to check its title")


@pytest.mark.slow
def test_a_host_that_does_not_answer_is_one_fault(run, root, site):
    for address in ("http://no-such-host.invalid", f"{site.url.replace('127.0.0.1', 'localhost')}"):
        many = "".join(f"- {{label: Paper, url: '{address}/{n}'}}\n" for n in range(9))
        (root / "corpus" / "more.yaml").write_text(
            f"title: T\nlinks:\n{many}added: 2025-01-01\ntags: {{device: press}}\n"
        )
        shown = run("check-links", root=root).out
        host = address.split("/")[2].split(":")[0]
        assert f"no answer from {host}: 9 links could not be checked (" in shown
        assert shown.count(host) == 1
        data = run("check-links", "--format", "json", root=root).json["data"]
        assert list(data["silent_hosts"]) == [host]
        assert {link["key"] for link in data["links"] if link["state"] == "dead"} == {"crema"}


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def more_links(root, *addresses: str) -> None:
    links = "".join(f"- {{label: Code, url: '{address}'}}\n" for address in addresses)
    (root / "corpus" / "more.yaml").write_text(f"title: T\nlinks:\n{links}added: 2025-01-01\ntags: {{device: press}}\n")


def test_hosts_that_nobody_can_resolve_are_one_fault_of_the_resolver(run, root, site):
    more_links(root, *(f"http://no-such-host{n}.invalid/x" for n in range(5)))
    data = run("check-links", "--format", "json", root=root).json["data"]
    assert {link["state"] for link in data["links"] if link["key"] == "more"} == {"unknown"}
    name = "no-such-host0.invalid, no-such-host1.invalid, no-such-host2.invalid and 2 more"
    fault = {name: "5 links could not be checked (the host name cannot be resolved)"}
    assert data["silent_hosts"] == fault
    shown = run("check-links", root=root).out
    assert " ".join(shown.split()).count(f"no answer from {name}: {fault[name]}") == 1
    assert "no-such-host4" not in shown


def test_the_target_of_a_redirect_is_blamed_and_not_the_host_that_leads_to_it(run, root, site, monkeypatch):
    away = site.url.replace("127.0.0.1", "localhost")
    monkeypatch.setenv("AWESOME_TRUSTED", f"{site.url} {away}")
    paths = [f"/via{n}" for n in range(3)]
    site.routes |= {path: Reply(status=302, headers={"Location": f"{away}/down"}) for path in paths}
    more_links(root, f"{site.url}/good", *(f"{site.url}{path}" for path in paths))
    for trusted, reason in ((f"{site.url} {away}", "status 500"), (site.url, f"{away}/down: rejected: ")):
        monkeypatch.setenv("AWESOME_TRUSTED", trusted)
        data = run("check-links", "more", "--format", "json", root=root).json["data"]
        ((host, fault),) = data["silent_hosts"].items()
        assert (host, fault.startswith(f"3 links could not be checked ({reason}")) == ("localhost", True)


def test_publishers_behind_one_host_that_do_not_answer_are_not_its_fault(run, root, site, monkeypatch):
    ports = [closed_port() for _ in range(3)]
    aways = [f"http://127.0.0.{n}:{port}" for n, port in enumerate(ports, 2)]
    monkeypatch.setenv("AWESOME_TRUSTED", " ".join((site.url, *aways)))
    site.routes |= {f"/via{n}": Reply(status=302, headers={"Location": f"{away}/"}) for n, away in enumerate(aways)}
    more_links(root, *(f"{site.url}/via{n}" for n in range(3)))
    data = run("check-links", "--format", "json", root=root).json["data"]
    assert data["silent_hosts"] == {}
    assert {link["target"] for link in data["links"] if link["key"] == "more"} == {f"{away}/" for away in aways}


def test_with_the_network_off(run, root, site):
    assert "no link could be checked" in run("--offline", "check-links", root=root, code=3).err


def raw(*pieces: bytes) -> Reply:
    return Reply(raw=lambda: pieces)


CHARSETS = ("idna", "punycode", "unicode_escape", "undefined", "utf-7", "rot13", "zlib", "no-such", "\xb2")
HOSTILE = {
    "broken-redirect": raw(b"HTTP/1.1 302 Found\r\nLocation: http://[::1\r\n\r\n"),
    "wrong-bytes": raw(b"HTTP/1.1 302 Found\r\nLocation: /\xff\xfe\r\n\r\n"),
    "chunk": raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nhello"),
    "digits": Reply(b"<title>&#" + b"9" * 5000 + b";</title>", headers=HTML),
    "nested": Reply(b"<title>" + b"<b " * 300_000, headers=HTML),
    "patience": Reply(status=429, headers={"Retry-After": "\xb2"}),
    "date": Reply(status=503, headers={"Retry-After": "Mon, 99 Jan 1 99:99:99 +99999999999999999"}),
    **{
        name: Reply(
            b"<title>Crema: On Foam and Its Bubbles</title>", headers={"Content-Type": f"text/html; charset={name}"}
        )
        for name in CHARSETS
    },
}


def test_one_bad_address_ends_no_run(run, root, site):
    record = root / "corpus" / "crema.yaml"
    bad = "".join(f"- {{label: Paper, url: '{site.url}/{quote(name)}'}}\n" for name in HOSTILE)
    site.routes |= {f"/{quote(name)}": reply for name, reply in HOSTILE.items()}
    record.write_text(record.read_text().replace("links:\n", f"links:\n{bad}"))
    done = run("check-links", "--format", "json", root=root)
    found = {unquote(link["url"].rpartition("/")[2]): link for link in done.json["data"]["links"]}
    assert set(HOSTILE) < set(found)
    assert (found["good"]["state"], found["good"]["identity"]) == ("alive", "yes")
    assert {found[name]["state"] for name in ("broken-redirect", "chunk", "date")} == {"unknown"}
    assert {found[name]["identity"] for name in CHARSETS} == {"yes"}


def test_a_host_that_keeps_waiting_is_asked_no_further(run, root, site, monkeypatch):
    monkeypatch.setenv("AWESOME_HTTP_TIMEOUT", "0.2")
    slow = Reply(b"x" * 1000, drip=0.02)
    site.routes |= {f"/slow{n}": slow for n in range(10)}
    record = root / "corpus" / "crema.yaml"
    many = "".join(f"- {{label: Code, url: '{site.url}/slow{n}'}}\n" for n in range(10))
    record.write_text(record.read_text().replace("added:", f"{many}added:"))
    links = run("check-links", "--format", "json", root=root).json["data"]["links"]
    remarks = [link["remark"] for link in links]
    assert remarks.count("skipped: its host did not respond to earlier requests") == 7
    assert [link["state"] for link in links if link["url"].endswith("/good")] == ["alive"]


def test_the_host_that_keeps_waiting_is_charged_and_not_the_one_that_led_to_it(run, root, site, monkeypatch):
    away = site.url.replace("127.0.0.1", "localhost")
    monkeypatch.setenv("AWESOME_HTTP_TIMEOUT", "0.2")
    monkeypatch.setenv("AWESOME_TRUSTED", f"{site.url} {away}")
    site.routes["/slow"] = Reply(b"x" * 1000, drip=0.02)
    site.routes |= {f"/via{n}": Reply(status=302, headers={"Location": f"{away}/slow"}) for n in range(5)}
    site.routes |= {f"/ok{n}": page("A repository") for n in range(3)}
    many = "".join(f"- {{label: Code, url: '{site.url}{name}'}}\n" for name in site.routes if name[1:3] in {"vi", "ok"})
    (root / "corpus" / "crema.yaml").write_text(f"title: T\nlinks:\n{many}added: 2025-01-01\ntags: {{device: press}}\n")
    links = run("check-links", "--format", "json", root=root).json["data"]["links"]
    found = {link["url"].removeprefix(site.url): (link["state"], link["remark"]) for link in links}
    assert {found[f"/ok{n}"] for n in range(3)} == {("alive", None)}
    assert found["/via4"] == ("unknown", f"{away}/slow: skipped: its host did not respond to earlier requests")


def test_a_long_title_on_a_page_is_shown_by_its_beginning(run, root, site):
    site.routes["/other"] = page("Steam " * 1500)
    lines = run("check-links", "--format", "csv", root=root).out.splitlines()
    (line,) = (line for line in lines if "page title" in line)
    assert EXCERPT < len(line) < 2 * EXCERPT


@pytest.fixture
def registries(service, root, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    service.routes["/arxiv"] = Reply(FEED.format(more="").encode())
    service.routes["/crossref/works/10.1000%2Fx"] = Reply(json.dumps({"message": WORK}).encode())
    (root / "corpus" / "crema.yaml").write_text(RECORD)
    return service


def crema(root):
    return load_corpus(WorkingTree(root)).get("crema")


def test_differences_are_shown_and_nothing_is_written(run, root, registries):
    done = run("refresh", "crema", root=root)
    assert "+venue: Journal of Foam" in done.out
    assert done.out.count("set AWESOME_CONTACT to your e-mail address") == 1
    assert "retraction status: known for 1, unknown for 0" in done.out
    assert (root / "corpus" / "crema.yaml").read_text() == RECORD
    data = run("refresh", "crema", "--format", "json", root=root).json["data"]
    assert {change["field"]: change["after"] for change in data["changes"]} == {
        "authors": ["Bean, Ada", "Li, Bo"],
        "identifiers.arxiv_version": 4,
        "identifiers.doi": "10.1000/x",
        "venue": "Journal of Foam",
        "year": 2024,
    }


def test_characters_that_nobody_sees_are_not_taken_over(run, root, registries):
    message = {**WORK, "container-title": ["Journal\x1b of \u202eFoam"]}
    registries.routes["/crossref/works/10.1000%2Fx"] = Reply(json.dumps({"message": message}).encode())
    assert "+venue: Journal of Foam" in run("refresh", "crema", root=root).out


@pytest.mark.parametrize("option", ["--dry-run", "--diff"])
def test_an_update_can_be_tried_on_the_papers_of_a_query(run, root, registries, option):
    done = run("refresh", "--where", "key=crema", "--apply", option, root=root)
    assert "+venue: Journal of Foam" in done.out
    assert (root / "corpus" / "crema.yaml").read_text() == RECORD


def test_applied_values_remember_their_source_and_what_they_replaced(run, root, registries):
    run("refresh", "crema", "--apply", root=root)
    paper = crema(root)
    assert (paper.venue, paper.year, paper.authors) == ("Journal of Foam", 2024, ("Bean, Ada", "Li, Bo"))
    assert (paper.provenance["venue"].source, paper.provenance["venue"].on) == ("doi:10.1000/x", date(2026, 9, 21))
    assert (paper.retraction.status, paper.retraction.source) == ("none", "doi:10.1000/x")
    assert (root / "corpus" / "crema.yaml").read_text().startswith("# seen at a fair\n")
    then = load_corpus(WorkingTree(root)).as_of(date(2026, 1, 1)).get("crema")
    assert (then.venue, then.year, then.authors, then.identifiers.doi) == ("arXiv", 2023, ("Bean, Ada", "others"), None)
    assert "0 of 1 records would be updated" in run("refresh", "crema", root=root).out


@pytest.mark.parametrize(
    ("notices", "status"),
    [
        ([{"type": "correction"}, {"type": "retraction"}], "retracted"),
        ([{"type": "expression_of_concern"}], "concern"),
        ([{"type": "addendum"}], "none"),
        ([{"type": "removal"}], "withdrawn"),
    ],
)
def test_retractions(run, root, registries, notices, status):
    message = {"message": {**WORK, "updated-by": notices}}
    registries.routes["/crossref/works/10.1000%2Fx"] = Reply(json.dumps(message).encode())
    run("refresh", "crema", "--apply", root=root)
    assert crema(root).retraction.status == status


WITHDRAWN = FEED.replace("<title>Crema: On Foam", "<title>This paper has been withdrawn: Crema")
NOTED = "<arxiv:comment>{}</arxiv:comment>"


@pytest.mark.parametrize(
    ("feed", "withdrawn"),
    [
        (FEED.format(more=NOTED.format("12 pages. This paper has been withdrawn by the authors")), True),
        (FEED.format(more="<summary>This submission was withdrawn by arXiv administrators.</summary>"), True),
        (WITHDRAWN.format(more=""), True),
        (FEED.format(more=NOTED.format("12 pages, withdrawn from a conference")), False),
        (FEED.format(more="<summary>We ask why a paper was withdrawn.</summary>"), False),
    ],
    ids=["comment", "abstract", "title", "conference", "subject"],
)
def test_a_withdrawn_preprint_is_withdrawn_and_gets_no_new_title(run, root, registries, feed, withdrawn):
    registries.routes["/arxiv"] = Reply(feed.encode())
    registries.routes["/crossref/works/10.1000%2Fx"] = Reply(status=404)
    data = run("refresh", "crema", "--format", "json", root=root).json["data"]
    fields = {change["field"] for change in data["changes"]}
    assert (data["retraction"]["crema"] == "withdrawn") is withdrawn
    assert bool(fields & {"title", "authors", "identifiers.arxiv_version"}) is not withdrawn


def test_a_title_that_a_publisher_marked_is_a_retraction(run, root, registries):
    marked = {**WORK, "title": ["RETRACTED ARTICLE: Crema"]}
    registries.routes["/crossref/works/10.1000%2Fx"] = Reply(json.dumps({"message": marked}).encode())
    run("refresh", "crema", "--apply", root=root)
    paper = crema(root)
    assert (paper.title, paper.retraction.status) == ("Crema, on foam", "retracted")


LATER = "1790300000"
"""A day on which cached answers are too old."""


def test_a_retraction_is_named_until_somebody_deals_with_it(run, root, registries, monkeypatch):
    retracted = {**WORK, "updated-by": [{"type": "retraction"}]}
    registries.routes["/crossref/works/10.1000%2Fx"] = Reply(json.dumps({"message": retracted}).encode())
    run("refresh", "crema", "--apply", root=root)
    assert "P004 the work is retracted according to doi:10.1000/x" in run("validate", root=root).out
    run("set", "crema", "retraction.handled=It is cited as history.", root=root)
    assert "P004" not in run("validate", root=root).out
    registries.routes["/arxiv"] = Reply(status=500)
    registries.routes["/crossref/works/10.1000%2Fx"] = Reply(json.dumps({"message": WORK}).encode())
    monkeypatch.setenv("SOURCE_DATE_EPOCH", LATER)
    run("refresh", "crema", "drip2021", "--apply", root=root, code=4)
    assert crema(root).retraction.handled == "It is cited as history."


def test_a_rejected_value_is_proposed_no_more_until_it_changes(run, root, registries, monkeypatch):
    other = {**WORK, "title": ["Krema"]}
    registries.routes["/crossref/works/10.1000%2Fx"] = Reply(json.dumps({"message": other}).encode())
    assert "+title: Krema" in run("refresh", "crema", root=root).out
    text = (root / "corpus" / "crema.yaml").read_text()
    run("refresh", "crema", "--reject", "title", "--dry-run", root=root)
    assert (root / "corpus" / "crema.yaml").read_text() == text
    run("refresh", "crema", "--reject", "title", "--reject", "authors", root=root)
    paper = crema(root)
    assert (paper.title, paper.venue) == ("Crema, on foam", "arXiv")
    rejected = {entry.field: entry.value for entry in paper.rejected}
    assert rejected == {"title": "Krema", "authors": ["Bean, Ada", "Li, Bo"]}
    assert "+title" not in run("refresh", "crema", "--apply", root=root).out
    assert run("validate", "corpus/crema.yaml", root=root).out.count("error") == 0
    again = run("refresh", "crema", "--reject", "title", root=root, code=2)
    assert "no registry proposes another value of title" in again.err
    changed = {**WORK, "title": ["The Krema"]}
    registries.routes["/crossref/works/10.1000%2Fx"] = Reply(json.dumps({"message": changed}).encode())
    monkeypatch.setenv("SOURCE_DATE_EPOCH", LATER)
    assert "+title: The Krema" in run("refresh", "crema", root=root).out


def test_a_rejected_value_leaves_a_retraction_of_the_same_day(run, root, registries):
    retracted = {**WORK, "title": ["Krema"], "updated-by": [{"type": "expression_of_concern"}]}
    registries.routes["/crossref/works/10.1000%2Fx"] = Reply(json.dumps({"message": retracted}).encode())
    done = run("refresh", "crema", "--reject", "title", root=root)
    assert "retraction status: known for 1, unknown for 0" in done.out
    paper = crema(root)
    assert (paper.retraction.status, paper.venue) == ("concern", "arXiv")
    assert [entry.field for entry in paper.rejected] == ["title"]


def test_a_value_is_not_rejected_in_every_record(run, root, registries):
    done = run("refresh", "--reject", "venue", root=root, code=2)
    assert "--reject needs KEY or --where" in done.err
    assert "awesome refresh KEY --reject venue" in done.err
    assert not registries.asked
    run("refresh", "--where", "key=crema", "--reject", "venue", root=root)
    assert [entry.field for entry in crema(root).rejected] == ["venue"]


def test_rejecting_offline_says_that_the_value_is_looked_up(run, root, registries):
    done = run("--offline", "refresh", "crema", "--reject", "title", root=root, code=3)
    assert "hint: --reject looks the value up again: leave out --offline" in " ".join(done.err.split())


def test_values_are_taken_or_rejected_in_one_run(run, root, registries):
    run("refresh", "crema", "--apply", "--reject", "authors", root=root)
    paper = crema(root)
    assert (paper.authors, paper.venue) == (("Bean, Ada", "others"), "Journal of Foam")
    assert [entry.field for entry in paper.rejected] == ["authors"]


@pytest.mark.parametrize("reply", [Reply(status=500), Reply(b"{broken"), Reply(status=404)], ids=["5xx", "bad", "404"])
def test_unknown_is_not_no(run, root, registries, reply):
    registries.routes["/crossref/works/10.1000%2Fx"] = reply
    done = run("refresh", "crema", "--format", "json", root=root, code=0 if reply.status == 404 else 3)
    if done.out:
        assert done.json["data"]["retraction"] == {"crema": "unknown"}


def test_one_source_that_fails_leaves_the_others(run, root, registries):
    (root / "corpus" / "second.yaml").write_text(
        RECORD.replace('arxiv: "2301.00001", arxiv_version: 1', "doi: 10.1000/x")
    )
    registries.routes["/arxiv"] = Reply(status=500)
    done = run("refresh", "crema", "second", "--format", "json", root=root, code=4)
    assert [failure["key"] for failure in done.json["data"]["failed"]] == ["crema"]
    assert {change["key"] for change in done.json["data"]["changes"]} == {"second"}


def test_no_registry_is_asked_with_the_network_off(run, root, registries):
    assert "switched off" in run("--offline", "refresh", "crema", root=root, code=3).err


def test_a_stub_is_filled_in(run, root, registries):
    run("--offline", "add", "2301.00001", "--key", "stub", "--tag", "device=press", "--on-duplicate", "skip", root=root)
    (root / "corpus" / "crema.yaml").unlink()
    run("--offline", "add", "2301.00001", "--key", "stub", "--tag", "device=press", root=root)
    run("refresh", "stub", "--apply", root=root)
    paper = load_corpus(WorkingTree(root)).get("stub")
    assert (paper.title, paper.note, paper.venue) == ("Crema: On Foam", None, "Journal of Foam")
    assert (paper.authors, paper.year) == (("Bean, Ada", "Li, Bo"), 2024)


LIST = """# A list

## Foam
- [Crema: On Foam](https://arxiv.org/abs/2301.00001)
- [Steam](https://openreview.net/forum?id=AbCdEf12_3)
- [Froth and Bubbles](https://aclanthology.org/2023.acl-long.99/)
"""
ENTRY = """@inproceedings{doe-2023, title={Froth and Bubbles}, author={Doe, Jane}, year={2023},
booktitle={Proceedings of ACL}}"""


def test_what_a_list_in_markdown_does_not_say_is_completed(run, root, registries):
    notes = [{"id": "AbCdEf12_3", "pdate": 1_700_000_000_000, "content": {
        "title": {"value": "Steam: A Study"}, "authors": {"value": ["Bo Li"]}, "venue": {"value": "ICLR 2024"}}}]  # fmt: skip
    registries.routes["/openreview/notes?id=AbCdEf12_3"] = Reply(json.dumps({"notes": notes}).encode())
    registries.routes["/acl/2023.acl-long.99.bib"] = Reply(ENTRY.encode())
    (root / "corpus" / "crema.yaml").unlink()
    (root / "list.md").write_text(LIST)
    added = run("import", root / "list.md", "--format", "json", root=root).json["data"]["added"]
    keys = [entry["key"] for entry in added]
    run("refresh", *keys, "--apply", root=root)
    loaded = load_corpus(WorkingTree(root))
    facts = [(p.title, p.authors, p.year, p.venue) for p in map(loaded.get, keys)]
    assert facts == [
        ("Crema: On Foam", ("Bean, Ada", "Li, Bo"), 2024, "Journal of Foam"),
        ("Steam: A Study", ("Li, Bo",), 2023, "ICLR 2024"),
        ("Froth and Bubbles", ("Doe, Jane",), 2023, "Proceedings of ACL"),
    ]
    assert [tag.term for tag in loaded.get(keys[0]).tags_on("topic")] == ["foam"]
