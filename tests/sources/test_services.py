"""The services, asked over HTTP on loopback: what they answer, and every way in which they do not."""

import json
import os
from pathlib import Path

import pytest
from builders import DATA
from serving import Reply

from awesome_cli import sources
from awesome_cli.errors import NetError, UsageError
from awesome_cli.model.identifiers import TYPED, parse_reference
from awesome_cli.sources import SEARCHERS, SERVICES, connect, fetch

ENTRY = """<entry><id>http://arxiv.org/abs/{id}</id><title>{title}</title><updated>2025-09-01T00:00:00Z</updated>
<summary>Text.</summary><published>2025-08-06T00:00:00Z</published>{more}
<author><name>Jan van der Berg</name></author><author><name>Ada Bean</name></author></entry>"""
FEED = """<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom"
 xmlns="http://www.w3.org/2005/Atom"><id>x</id><title>q</title><updated>2026-01-01T00:00:00Z</updated>
<opensearch:itemsPerPage>50</opensearch:itemsPerPage><opensearch:totalResults>{total}</opensearch:totalResults>
<opensearch:startIndex>0</opensearch:startIndex>{entries}</feed>"""


def feed(*ids: str, title: str = "A  Schr\\&quot;odinger\n  Study", more: str = "", total: int | None = None) -> bytes:
    entries = "".join(ENTRY.format(id=i, title=title.replace("&quot;", '"'), more=more) for i in ids)
    return FEED.format(entries=entries, total=len(ids) if total is None else total).encode()


@pytest.fixture
def net(service):
    return connect(os.environ)


def ask(net, reference: str):
    return fetch(parse_reference(reference), net)


def as_json(value: object, status: int = 200) -> Reply:
    return Reply(json.dumps(value).encode(), status, {"Content-Type": "application/json"})


def test_arxiv(service, net):
    more = "<arxiv:doi>10.1000/pub</arxiv:doi><arxiv:comment>12 pages, accepted</arxiv:comment>"
    service.routes["/arxiv"] = Reply(feed("2508.04652v3", more=more))
    draft = ask(net, "2508.04652")
    assert draft.fields["title"] == "A Schrödinger Study"
    assert draft.fields["authors"] == ("van der Berg, Jan", "Bean, Ada")
    assert draft.fields["year"] == 2025
    assert draft.fields["identifiers"] == {"doi": "10.1000/pub", "arxiv": "2508.04652", "arxiv_version": 3}
    assert draft.fields["extra"] == {"comment": "12 pages, accepted"}
    assert draft.warnings == ("arXiv's comment: 12 pages, accepted",)
    assert "id_list=2508.04652&" in service.asked[0]


ERROR = FEED.format(
    total=1,
    entries="<entry><id>https://arxiv.org/api/errors#incorrect_id_format_for_abc</id><title>Error</title>"
    "<summary>incorrect id format for abc</summary></entry>",
).encode()


@pytest.mark.parametrize(
    ("reply", "error", "message"),
    [
        (Reply(feed(total=0)), NetError, "arXiv has no paper 2508.04652"),
        (Reply(ERROR), UsageError, "incorrect id format for abc"),
        (Reply(ERROR, status=400), UsageError, "incorrect id format for abc"),
        (Reply(feed("2508.04652v1")[:-200]), NetError, "not a complete feed"),
        (Reply(b""), NetError, "not a complete feed"),
        (Reply(b"<html><body>Down for maintenance</body></html>"), NetError, "expected a feed, got a page"),
        (Reply(feed(total=1)), NetError, "counts results that it does not contain"),
        (Reply(feed("2508.04652v1").replace(b"published>", b"pub>")), NetError, "no title or date"),
        (Reply(feed("2401.00001v1")), NetError, "arXiv has no paper 2508.04652"),
        (Reply(b"oops", status=500), NetError, "status 500"),
        (Reply(b"Rate exceeded.", status=429, headers={"Retry-After": "9999"}), NetError, "status 429"),
    ],
    ids=[
        "unknown",
        "malformed-id",
        "malformed-id-400",
        "truncated",
        "empty",
        "page",
        "lost",
        "skipped",
        "other",
        "5xx",
        "429",
    ],
)
def test_arxiv_answers_are_told_apart(service, net, reply, error, message):
    service.routes["/arxiv"] = reply
    with pytest.raises(error, match=message):
        ask(net, "2508.04652")


def test_entities_in_a_feed_are_not_expanded(service, net):
    bomb = b'<?xml version="1.0"?><!DOCTYPE f [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    body = feed("2508.04652v1", title="&b;").replace(b"<?xml version='1.0' encoding='UTF-8'?>", bomb)
    service.routes["/arxiv"] = Reply(body)
    with pytest.raises(NetError):
        ask(net, "2508.04652")


WORK = {
    "DOI": "10.1000/x,y",
    "type": "journal-article",
    "title": ["A <i>Study</i> of  Bread &amp; Butter"],
    "subtitle": ["With Crumbs"],
    "author": [{"family": "Bean", "given": "Ada", "affiliation": [{"name": "Mill"}]}, {"name": "The Bakers"}],
    "published-print": {"date-parts": [[2021, 3]]},
    "container-title": ["Journal of Bread"],
    "volume": "3",
    "issue": "1",
    "page": "1-9",
    "relation": {"has-preprint": [{"id-type": "doi", "id": "10.48550/arXiv.2101.00001"}]},
}


def test_crossref(service, net):
    service.routes["/crossref/works/10.1000%2Fx%2Cy"] = as_json({"message": WORK})
    fields = ask(net, "10.1000/x,y").fields
    assert fields["title"] == "A Study of Bread & Butter: With Crumbs"
    assert fields["authors"] == ("Bean, Ada", "The Bakers")
    assert (fields["year"], fields["venue"], fields["affiliation"]) == (2021, "Journal of Bread", "Mill")
    assert fields["citation"] == {
        "type": "article", "container": "Journal of Bread", "volume": "3", "number": "1", "pages": "1-9",
    }  # fmt: skip
    assert fields["versions"] == [{"identifiers": {"arxiv": "2101.00001"}}]


DATASET = {
    "doi": "10.5072/d",
    "titles": [{"title": "Crumbs"}],
    "creators": [{"familyName": "Bean", "givenName": "Ada"}, {"name": "Mill Institute", "nameType": "Organizational"}],
    "publicationYear": 2020,
    "publisher": {"name": "Shelf"},
    "types": {"bibtex": "misc"},
}


def test_a_doi_that_crossref_does_not_know_is_asked_of_datacite(service, net):
    service.routes["/datacite/dois/10.5072%2Fd"] = as_json({"data": {"attributes": DATASET}})
    fields = ask(net, "10.5072/d").fields
    assert fields["authors"] == ("Bean, Ada", "Mill Institute")
    assert (fields["title"], fields["year"], fields["venue"]) == ("Crumbs", 2020, "Shelf")


def test_a_doi_that_nobody_knows(service, net):
    names = [known.name for known in SERVICES if known.scheme == "doi"]
    with pytest.raises(NetError, match=rf"no service has a record of doi:10.1000/none \(queried: {', '.join(names)}\)"):
        ask(net, "10.1000/none")
    assert len(service.asked) == len(names) >= 2


def test_a_registry_that_fails_is_not_one_that_does_not_know(service, net):
    service.routes["/crossref/works/10.5072%2Fd"] = Reply(status=503)
    service.routes["/datacite/dois/10.5072%2Fd"] = as_json({"data": {"attributes": DATASET}})
    with pytest.raises(NetError, match="Crossref answered with status 503"):
        ask(net, "10.5072/d")


@pytest.mark.parametrize(
    "value", [{"message": {**WORK, "DOI": "10.1/other"}}, {"message": []}, {}, [], {"message": {**WORK, "title": []}}]
)
def test_crossref_answers_of_another_shape(service, net, value):
    service.routes["/crossref/works/10.1000%2Fx%2Cy"] = as_json(value)
    with pytest.raises(NetError, match="Crossref"):
        ask(net, "10.1000/x,y")


@pytest.mark.parametrize(
    ("reference", "path"),
    [
        ("10.1000/x", "/crossref/works/10.1000%2Fx"),
        ("openreview:ur295YVtmt", "/openreview/notes"),
    ],
)
@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (Reply(b"{broken"), "not JSON"),
        (Reply(b"<html>", status=200), "not JSON"),
        (Reply(status=500), "status 500"),
        (Reply(status=403), "refused to answer"),
        (Reply(status=302, headers={"Location": "file:///etc/passwd"}), "rejected the redirect"),
        (Reply(b"x" * 100, claim=500), r"is incomplete|no connection"),
    ],
    ids=["malformed", "page", "5xx", "403", "redirect", "cut"],
)
def test_json_services_that_fail(service, net, reference, path, reply, message):
    service.routes[path] = reply
    with pytest.raises(NetError, match=message):
        ask(net, reference)


@pytest.mark.parametrize("wrap", [lambda value: {"value": value}, lambda value: value], ids=["newer", "older"])
def test_openreview(service, net, wrap):
    content = {"title": wrap("On $O(n)$ Bread"), "authors": wrap(["Ada Bean"]), "venue": wrap("ICLR 2026")}
    service.routes["/openreview/notes"] = as_json({"notes": [{"content": content, "pdate": 1760000000000}]})
    fields = ask(net, "https://openreview.net/forum?id=ur295YVtmt").fields
    assert (fields["title"], fields["authors"], fields["year"]) == ("On $O(n)$ Bread", ("Bean, Ada",), 2025)
    assert (fields["venue"], fields["identifiers"]) == ("ICLR 2026", {"openreview": "ur295YVtmt"})


def test_openreview_without_the_note(service, net):
    service.routes["/openreview/notes"] = as_json({"notes": []})
    with pytest.raises(NetError, match="has no public submission"):
        ask(net, "openreview:ur295YVtmt")


def test_an_anonymous_submission(service, net):
    service.routes["/openreview/notes"] = as_json({"notes": [{"content": {"title": {"value": "T"}}}]})
    draft = ask(net, "openreview:ur295YVtmt")
    assert draft.fields["authors"] == ("Anonymous",)
    assert draft.warnings == ("the submission is anonymous",)


def test_acl(service, net):
    service.routes["/acl/2025.acl-long.476.bib"] = Reply(
        b'@inproceedings{bean-2025-bread,\n title = "On {B}read",\n author = "Bean, Ada and\n  M{\\"u}ller, Bo",\n'
        b' booktitle = "Proceedings of X",\n year = "2025",\n doi = "10.18653/v1/2025.acl-long.476",\n'
        b' abstract = "Theirs.",\n}\n'
    )
    fields = ask(net, "acl:2025.acl-long.476").fields
    assert (fields["title"], fields["authors"]) == ("On Bread", ("Bean, Ada", "Müller, Bo"))
    assert fields["identifiers"] == {"doi": "10.18653/v1/2025.acl-long.476", "acl": "2025.acl-long.476"}
    assert "extra" not in fields


def test_acl_that_answers_with_a_page(service, net):
    service.routes["/acl/2025.acl-long.476.bib"] = Reply(b"<html>moved</html>")
    with pytest.raises(NetError, match="expected a single BibTeX entry"):
        ask(net, "acl:2025.acl-long.476")


PAGE = b"""<html><head><title>Bread | Site</title><meta name="citation_title" content="On Bread &amp; <b>Butter</b>">
<meta name=citation_author content="Bean, Ada"><meta name=citation_author content="Bo M\xc3\xbcller">
<meta name="citation_publication_date" content="2024/05/01"><meta name="citation_doi" content="10.1000/x">
<script>document.title = "no"</script></head><body><h1>Bread</h1></body></html>"""


def test_a_page_with_bibliographic_meta_elements(service, net):
    service.routes["/page"] = Reply(PAGE, headers={"Content-Type": "text/html; charset=utf-8"})
    fields = ask(net, f"{service.url}/page").fields
    assert fields["title"] == "On Bread & <b>Butter</b>"
    assert (fields["authors"], fields["year"]) == (("Bean, Ada", "Müller, Bo"), 2024)
    assert fields["identifiers"] == {"doi": "10.1000/x"}


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (Reply(b"%PDF", headers={"Content-Type": "application/pdf"}), "expected a web page, got application/pdf"),
        (Reply(b"<html></html>", headers={"Content-Type": "text/html"}), "has no title"),
        (Reply(status=404), "has no record of"),
    ],
)
def test_addresses_that_are_no_page(service, net, reply, message):
    service.routes["/page"] = reply
    with pytest.raises(NetError, match=message):
        ask(net, f"{service.url}/page")


@pytest.mark.parametrize(
    ("reference", "path", "file", "title"),
    [
        ("1605.08386", "/arxiv", "arxiv/id_1605.08386_s0_m100_199195aa31ad.xml", "Heat-bath random walks"),
        ("2104.12255v1", "/arxiv", "arxiv/id_2104.12255v1_s0_m100_6ae69987ffe1.xml", "0"),
        ("astro-ph/0601001", "/arxiv", "arxiv/id_astro-ph_0601001_s0_m100_3150dca9dc76.xml", "Frequency of Hot"),
        ("10.2196/22081", "/crossref/works/10.2196%2F22081", "crossref/colrev_10.2196_22081.json", "Investigating"),
        ("10.7554/elife.01567", "/crossref/works/10.7554%2Felife.01567", "crossref/commonmeta_crossref.json", "Auto"),
        ("10.5438/4k3m-nyvg", "/datacite/dois/10.5438%2F4k3m-nyvg", "datacite/commonmeta_datacite.json", "Eating"),
    ],
)
def test_recorded_answers(service, net, reference, path, file, title):
    service.routes[path] = Reply((DATA / "inputs" / file).read_bytes())
    assert ask(net, reference).title.startswith(title)


@pytest.mark.parametrize(
    ("file", "error", "message"),
    [
        ("id_0000.0000_s0_m100_8b51d9633a68.xml", NetError, "has no paper"),
        ("id_abc_s0_m100_b79c8dcf6bc3.xml", UsageError, "incorrect id format"),
    ],
)
def test_recorded_refusals(service, net, file, error, message):
    service.routes["/arxiv"] = Reply((DATA / "inputs" / "arxiv" / file).read_bytes())
    with pytest.raises(error, match=message):
        ask(net, "9912.99999")


def test_without_the_network_every_service_says_so(service):
    for reference in ("2508.04652", "10.1000/x", "acl:P19-1001", "openreview:ur295YVtmt", "https://example.org/"):
        with pytest.raises(NetError, match="switched off"):
            ask(connect(os.environ, offline=True), reference)


def test_every_service_is_in_the_table():
    modules = {path.stem for path in Path(sources.__file__).parent.glob("*.py")} - {"__init__", "searchers", "services"}
    asked = [*(service.fetch for service in SERVICES), *(searcher.pages for searcher in SEARCHERS.values())]
    assert {function.__module__.rpartition(".")[2] for function in asked} == modules
    assert {service.scheme for service in SERVICES} == {*TYPED, "url"}
