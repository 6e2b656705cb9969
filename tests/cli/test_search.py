"""`awesome search`: candidates of what services find, each once, and a log from which the next run goes on."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
from datetime import date
from pathlib import Path

import pytest
from builders import COFFEE_PROTOCOL
from searching import Work, arxiv, crossref, many, openalex
from serving import Reply, Service
from terminals import sat, typed

from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.searches import Asked
from awesome_cli.rules.checking import check
from awesome_cli.survey.loading import load_corpus
from awesome_cli.survey.searched import entries

SEARCH = """\
searches:
- {id: pressing, family: brewing, query: press* AND coffee, sources: [openalex]}
"""
PRESS = Work("Pressing anew", doi="10.1000/anew")
FOAM = Work("Foam under pressure", ("Bo Li",), day="2026-05-20", doi="10.1000/foam")
ICE = Work("Ice presses", ("Su Kim",), day="2026-06-01", arxiv="2606.00001")


@pytest.fixture
def searched(root: Path, service: Service, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The coffee survey with a search, which OpenAlex answers with three works on two pages."""
    monkeypatch.setenv("AWESOME_OPENALEX_URL", f"{service.url}/openalex")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")  # 2026-09-21
    service.routes["/openalex/works"] = openalex([PRESS, FOAM, ICE])
    (root / "search.yaml").write_text(SEARCH)
    (root / "protocol.yaml").write_text(COFFEE_PROTOCOL)
    return root


def corpus(root: Path):
    return load_corpus(WorkingTree(root), candidates=True, evidence=True)


def found(root: Path) -> dict[str, str]:
    """The titles of the candidates that a search found, with the source."""
    return {c.title: c.found.source for c in corpus(root).candidates if c.found and c.found.search}


def asked(root: Path) -> list[Asked]:
    """What the log says, in the order of the runs."""
    return [one for _, one in entries(corpus(root).runs)]


def candidates(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.glob("candidates/*")}


def works(*titles: str) -> dict[str, str]:
    return dict.fromkeys(titles, "OpenAlex")


def test_what_is_found_becomes_candidates_and_a_second_run_adds_nothing(run, searched, service):
    done = run("search", "--who", "Ada", root=searched)
    assert "added 3 candidates" in done.out
    assert found(searched) == works("Pressing anew", "Foam under pressure", "Ice presses")
    foam = corpus(searched).get("li2026-foam")
    assert (foam.proposal, foam.first_public, foam.identifiers.doi) == ("consider", "2026-05-20", "10.1000/foam")
    assert (foam.found.on, foam.found.by, foam.found.search) == (date(2026, 9, 21), "Ada", "pressing")
    assert foam.extra["abstract"] == "How coffee is pressed."
    (entry,) = asked(searched)
    assert (entry.state, entry.hits, entry.read, entry.new, entry.known) == ("done", 3, 3, 3, 0)
    before = candidates(searched)
    assert "added 0 candidates" in run("search", root=searched).out
    assert candidates(searched) == before
    assert (asked(searched)[1].new, asked(searched)[1].since) == (0, date(2026, 8, 22))
    assert "from_publication_date:2026-08-22" in service.asked[-1]
    assert check(WorkingTree(searched)) == ()


def test_papers_exclusions_candidates_and_their_versions_are_known(run, searched, service):
    service.routes["/openalex/works"] = openalex(
        [
            Work("Pressing matters: a study", ("Ada Bean", "Rob Roast"), arxiv="2001.00010"),  # the paper
            Work("Dripping slowly", ("Olga Pour",), day="2020-11-01", arxiv="2011.00020"),  # a preprint of the paper
            Work("Tea for two", ("Ann Leaf",), doi="10.1000/tea"),  # the exclusion, by its identifier
            Work("Another pinch of salt", ("Sam Salz",), doi="10.1000/coffee.9"),  # the candidate, renamed since
            ICE,
            Work("Ice presses", ("Su Kim",), day="2026-06-20", doi="10.1000/ice"),  # published meanwhile
        ],
        size=9,
    )
    text = (searched / "exclusions" / "X1.yaml").read_text()
    (searched / "exclusions" / "X1.yaml").write_text(text.replace("other: TEA-1", "doi: 10.1000/tea"))
    run("search", root=searched)
    assert found(searched) == works("Ice presses")
    (entry,) = asked(searched)
    assert (entry.read, entry.new, entry.known) == (6, 1, 5)


def test_what_a_source_cannot_be_told_is_looked_for_here_and_its_abstracts_are_left(run, searched, service):
    foam = Work("On foam", ("Bo Li",), doi="10.1000/foam", abstract="It foams.")
    service.routes["/crossref/works"] = crossref([PRESS, foam, Work("", doi="10.1000/none")])
    (searched / "search.yaml").write_text(SEARCH.replace("openalex", "crossref"))
    assert "Could not become records:" in run("search", root=searched).out
    (entry,) = asked(searched)
    assert (entry.read, entry.new, entry.unfit, entry.refused) == (3, 1, 1, 1)
    assert [c.extra for c in corpus(searched).candidates if c.title == "Pressing anew"] == [{}]


def test_a_search_of_titles_alone_is_said_and_crossref_asks_for_a_contact_once(run, searched, service, monkeypatch):
    service.routes["/crossref/works"] = crossref([PRESS])
    (searched / "search.yaml").write_text(
        SEARCH.replace("openalex", "crossref") + "- {id: ice, query: ice, sources: [crossref]}\n"
    )
    texts = "Crossref does not search abstracts", "AWESOME_CONTACT"
    shown = run("search", "--explain", root=searched).out
    assert [shown.count(text) for text in texts] == [2, 2]  # once for each request
    shown = run("search", root=searched).out
    assert [shown.count(text) for text in texts] == [1, 1]
    monkeypatch.setenv("AWESOME_CONTACT", "ada@example.org")
    shown = run("search", "--dry-run", root=searched).out
    assert [shown.count(text) for text in texts] == [1, 0]


@pytest.mark.parametrize(
    ("key", "state"), [("", "is not set"), ("secret", "contains a key that OpenAlex does not accept")]
)
def test_a_missing_or_refused_key_names_its_setting(run, searched, service, monkeypatch, key, state):
    monkeypatch.setenv("AWESOME_OPENALEX_KEY", key)
    service.routes["/openalex/works"] = Reply(b"{}", 401)
    assert f"(status 401); AWESOME_OPENALEX_KEY {state}" in run("search", root=searched, code=4).out
    assert "secret" not in asked(searched)[-1].error


def test_control_sequences_of_a_service_leave_nothing(run, searched, service):
    service.routes["/openalex/works"] = openalex([Work("\x1b[2J\x1b]0;own\x07Safe \x1b[1;31mpress", doi="10.1000/a")])
    run("search", root=searched)
    (key,) = (c.key for c in corpus(searched).candidates if c.title == "Safe press")
    assert key == "bean2026-safe"


UNSEEN = "\u202e\u2066\x1b[2J\ufeff\U000e0041\ud800"


def test_invisible_characters_of_a_service_do_not_enter_the_log(run, searched, service):
    error = Reply(json.dumps({"message": f"Bad {UNSEEN}select"}).encode(), 400)
    page = json.loads(openalex([PRESS, FOAM, ICE])("/?filter=x&cursor=*").body)
    page["meta"]["next_cursor"] = "at\u202e\U000e00412"
    service.routes["/openalex/works"] = [Reply(json.dumps(page).encode()), error]
    run("search", root=searched, code=4)
    (entry,) = asked(searched)
    assert (entry.error, entry.next) == ("OpenAlex refused the request: Bad select", "0:2:0:3:at2")
    assert check(WorkingTree(searched)) == ()


FAULTS = {
    "too many requests": Reply(b"{}", 429, {"Retry-After": "3600"}),
    "truncated": Reply(b'{"meta": {"count": 3', claim=4000),
    "malformed": Reply(b'{"meta": {"count": 3, "next'),
    "an error page": Reply(b"<html>Sorry</html>", 502),
    "no works": Reply(b'{"meta": {"count": 3, "next_cursor": null}, "results": []}'),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_source_that_fails_is_named_and_the_next_run_goes_on_there(run, searched, service, fault):
    faults = {2: FAULTS[fault]}
    service.routes["/openalex/works"] = openalex([PRESS, FOAM, ICE], faults=faults)
    service.routes["/arxiv"] = arxiv([ICE])
    (searched / "search.yaml").write_text(SEARCH.replace("[openalex]", "[openalex, arxiv]"))
    done = run("search", root=searched, code=4)
    assert "pressing at openalex: " in done.out
    assert "1 request of 2 failed" in done.err
    assert found(searched) == works("Pressing anew", "Foam under pressure") | {"Ice presses": "arXiv"}
    failed, other = asked(searched)
    assert (failed.state, failed.read, other.state) == ("failed", 2, "done")
    faults.clear()
    n = len(service.asked)
    done = run("search", "--source", "openalex", root=searched)
    assert [path.rpartition("=")[2] for path in service.asked[n:]] == ["at2"]
    last = asked(searched)[-1]
    assert (last.state, last.read, last.known, last.resumes) == ("done", 1, 1, "2026-09-21-141320")
    assert asked(searched)[0] == failed


def test_a_source_that_is_not_there_is_asked_once(run, searched, service, monkeypatch):
    monkeypatch.setenv("AWESOME_OPENALEX_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("AWESOME_TRUSTED", "http://127.0.0.1:1")
    more = "- {id: foam, query: foam, sources: [openalex]}\n"
    (searched / "search.yaml").write_text(SEARCH + more)
    done = run("search", root=searched, code=4)
    assert "2 requests of 2 failed" in done.err
    first, second = asked(searched)
    assert (first.state, first.hits, second.state, second.hits) == ("failed", None, "failed", None)
    assert "skipped, since OpenAlex failed before" in second.error
    assert found(searched) == {}


def test_a_run_without_a_network_is_not_logged(run, searched, service, monkeypatch):
    monkeypatch.setenv("AWESOME_OPENALEX_URL", "http://no-such-host.invalid")
    more = "- {id: foam, query: foam, sources: [openalex]}\n"
    (searched / "search.yaml").write_text(SEARCH + more)
    done = run("search", "-f", "json", root=searched, code=4)
    assert "2 requests of 2 failed; no service was reached, so nothing was logged" in " ".join(done.err.split())
    assert done.json["data"]["run"] is None
    assert not (searched / "searches").exists()
    (searched / "search.yaml").write_text(SEARCH.replace("[openalex]", "[openalex, arxiv]"))
    service.routes["/arxiv"] = arxiv([ICE])
    run("search", root=searched, code=4)
    assert [(request.source, request.state) for request in asked(searched)] == [
        ("openalex", "failed"),
        ("arxiv", "done"),
    ]


def test_words_that_changed_are_asked_from_the_start(run, searched, service):
    run("search", root=searched)
    (searched / "search.yaml").write_text(SEARCH.replace("coffee", "(coffee OR tea)"))
    run("search", root=searched)
    assert "from_publication_date" not in service.asked[-1]


@pytest.mark.parametrize("name", ["2099-01-01-000000", "march"])
def test_a_run_of_a_day_to_come_is_an_error_and_ends_no_search(run, searched, service, name):
    run("search", root=searched)
    (log,) = searched.glob("searches/*")
    log.rename(log.with_stem(name))
    assert [finding.code for finding in check(WorkingTree(searched))] == ["Q007"]
    run("search", root=searched)
    assert "from_publication_date" not in service.asked[-1]
    assert "2026-09-21-141320" in run("search", "--log", root=searched).out


def test_another_day_makes_no_gap(run, searched, service):
    run("search", "--since", "2026-05-01", root=searched)
    assert found(searched) == works("Foam under pressure", "Ice presses")
    run("search", root=searched)
    assert found(searched) == works("Pressing anew", "Foam under pressure", "Ice presses")


def test_what_is_explained_is_what_is_sent(run, searched, service):
    explained = run("search", "--explain", "--format", "json", root=searched).json["data"]["asks"]
    assert service.asked == []
    run("search", root=searched)
    assert service.url + service.asked[0] == explained[0]["sent"]
    assert asked(searched)[0].sent == explained[0]["sent"]


def test_a_search_can_be_tried(run, searched):
    done = run("search", "--dry-run", root=searched)
    assert "would add 3 candidates; nothing was written" in done.out
    assert "+title: Ice presses" in run("search", "--diff", root=searched).out
    assert found(searched) == {}
    assert not (searched / "searches").exists()


def test_the_log_says_what_was_asked(run, searched):
    assert "no search was run yet" in run("search", "--log", root=searched).out
    run("search", root=searched)
    done = run("search", "--log", root=searched)
    assert "/openalex/works?filter=" in done.out
    assert "https://" not in done.out
    assert "press* AND coffee" in done.out
    row = run("search", "pressing", "--log", "--format", "json", root=searched).json["data"]["asked"][0]
    assert (row["run"], row["new"], row["at"]) == ("2026-09-21-141320", 3, "2026-09-21T14:13:20Z")
    table = run("flow", root=searched).out
    assert re.search(r"openalex +1 +2026-09-21 +3 +3 +0 +0 +0", table)


def test_works_that_cite_a_paper(run, searched, service):
    (searched / "search.yaml").write_text("searches: [{id: around, citing: 'key=aero2020,drip2021'}]\n")
    ids = {
        "meta": {"count": 1},
        "results": [{"id": "https://openalex.org/W7", "doi": "https://doi.org/10.1000/coffee.1"}],
    }
    whole = openalex([PRESS, FOAM])
    service.routes["/openalex/works"] = lambda path: (
        whole(path) if "cites:W7" in path else Reply(json.dumps(ids).encode())
    )
    done = run("search", root=searched)
    assert "doi:10.1000/coffee.2: OpenAlex has no record of it" in done.out
    assert found(searched) == works("Pressing anew", "Foam under pressure")
    assert asked(searched)[0].query == "citing aero2020, drip2021"
    assert check(WorkingTree(searched)) == ()


@pytest.mark.parametrize(
    ("words", "text", "message"),
    [
        ([], "", "the survey has no saved search"),
        (["presing"], SEARCH, "unknown search 'presing'"),
        (["--source", "arxive"], SEARCH, "unknown source 'arxive'"),
        (["--source", "arxiv"], SEARCH, "none of these searches uses arxiv"),
        (["--offline"], SEARCH, "needs the network"),
    ],
)
def test_what_cannot_be_asked_is_refused(run, searched, words, text, message):
    (searched / "search.yaml").write_text(text or "searches: []\n")
    assert message in run("search", *words, root=searched, code=None).err
    assert not (searched / "searches").exists()


def test_no_saved_search_has_an_exit_code_of_its_own_that_the_weekly_workflow_asks_for(run, searched):
    (searched / "search.yaml").write_text("searches: []\n")
    run("search", "--explain", root=searched, code=1)
    (searched / "search.yaml").write_text("searches: [{id: a}]\n")
    run("search", "--explain", root=searched)


def test_a_search_that_asks_nothing_is_named_and_the_others_are_run(run, searched, service):
    none = "- {id: around, citing: year>2030}\n"
    (searched / "search.yaml").write_text(SEARCH + none)
    assert "around: skipped, since its query matches no paper" in run("search", root=searched).out
    assert [one.search for one in asked(searched)] == ["pressing"]
    (searched / "search.yaml").write_text(f"{SEARCH}{none}- {{id: b, query: NOT a}}\n- {{id: c}}\n")
    assert "the search has no query" in run("search", "--explain", root=searched).out
    done = run("search", root=searched, code=4)
    assert "b: search: a search needs at least one word" in done.out
    assert "some searches are not valid" in done.err
    assert [one.search for one in asked(searched)] == ["pressing"] * 2
    (searched / "search.yaml").write_text(f"searches:\n{none}")
    assert "added 0 candidates" in run("search", root=searched).out


def test_a_search_with_more_works_than_the_limit_stops_there_and_the_next_run_goes_on(run, searched, service):
    service.routes["/openalex/works"] = openalex(many(7), size=2)
    done = run("search", "--limit", "3", root=searched)
    assert "stopped after 4 works (--limit)" in done.out
    (cut,) = asked(searched)
    assert (cut.state, cut.hits, cut.read, cut.next, len(found(searched))) == ("partly", 7, 4, "0:4:0:7:at4", 4)
    assert check(WorkingTree(searched)) == ()
    assert "continues where the run 2026-09-21-141320 stopped" in run("search", "--explain", root=searched).out
    run("search", "--limit", "3", root=searched)
    assert (asked(searched)[-1].state, asked(searched)[-1].read, len(found(searched))) == ("done", 3, 7)
    assert "published from 2026-08-22 on" in run("search", "--explain", root=searched).out


def test_a_total_that_shrinks_between_two_runs_is_not_done(run, searched, service):
    service.routes["/openalex/works"] = openalex(many(7), size=2)
    run("search", "--limit", "3", root=searched)
    service.routes["/openalex/works"] = openalex(many(5), size=2)
    run("search", "--limit", "3", root=searched, code=4)
    assert (asked(searched)[-1].state, asked(searched)[-1].error) == ("failed", "OpenAlex reported 7 works, then 5")
    run("search", root=searched)
    assert (asked(searched)[-1].state, asked(searched)[-1].read) == ("done", 5)


def test_works_of_later_queries_count_towards_the_limit_and_unread_ones_do_not(run, searched, service):
    service.routes["/crossref/works"] = lambda path: crossref(many(2, first=10 * ("two" in path)))(path)
    (searched / "search.yaml").write_text(
        SEARCH.replace("press* AND coffee", "one OR two").replace("openalex", "crossref")
    )
    run("search", "--limit", "2", root=searched)
    run("search", "--limit", "4", "--since", "2026-01-01", root=searched)
    assert [(entry.state, entry.read) for entry in asked(searched)] == [("partly", 2), ("done", 4)]


@pytest.mark.parametrize(("answer", "read"), [("y", 7), ("n", 4)])
def test_at_a_terminal_a_search_with_more_works_asks_once_before_it_writes(searched, service, answer, read):
    service.routes["/openalex/works"] = openalex(many(7), size=2)
    with sat("search", "--limit", "3", root=searched, term="dumb") as sitting:
        while "[y/N]" not in sitting.all:
            assert sitting._read(), sitting.all
        assert "OpenAlex has at least 7 works for pressing. Read more than 3?" in " ".join(sitting.all.split())
        assert found(searched) == {}
        os.write(sitting.terminal, f"{answer}\n".encode())
        sitting.end()
    assert (sitting.all.count("[y/N]"), asked(searched)[0].read, len(found(searched))) == (1, read, read)


SCRIPT = "from awesome_cli.cli.main import main; main()"


def started(*words: str, root: Path) -> "subprocess.Popen[str]":
    """A run of its own process, with the clock of this machine."""
    environment = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
    command = [sys.executable, "-c", SCRIPT, "-C", str(root), *words]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_kill_loses_one_page_at_most(run, searched, service, monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    found_works = many(9)
    waits = threading.Event()
    whole = openalex(found_works, size=3)

    def reply(path: str) -> Reply:
        if path.endswith("at6"):
            waits.set()
            return Reply(stall=60)
        return whole(path)

    service.routes["/openalex/works"] = reply
    process = started("search", root=searched)
    assert waits.wait(30)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    (killed,) = asked(searched)
    assert (killed.state, killed.read, killed.new, len(found(searched))) == ("partly", 6, 6, 6)
    assert check(WorkingTree(searched)) == ()
    service.routes["/openalex/works"] = whole
    run("search", root=searched)
    assert found(searched) == works(*(work.title for work in found_works))
    assert (asked(searched)[-1].read, asked(searched)[-1].state) == (3, "done")


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_says_that_what_had_arrived_is_kept(searched, service):
    waits = threading.Event()
    whole = openalex([PRESS, FOAM, ICE])

    def reply(path: str) -> Reply:
        if path.endswith("at2"):
            waits.set()
            return Reply(stall=60)
        return whole(path)

    service.routes["/openalex/works"] = reply
    process = started("search", root=searched)
    assert waits.wait(30)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert (process.returncode, "complete pages are saved" in err) == (130, True)
    assert len(found(searched)) == 2


def test_two_runs_at_one_time_make_each_candidate_once(searched, service, monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    both, whole = threading.Barrier(2), openalex(many(40), size=4)

    def reply(path: str) -> Reply:
        if path.endswith("cursor=*"):
            both.wait(60)  # so that neither has ended when the other begins
        return whole(path)

    service.routes["/openalex/works"] = reply
    processes = [started("search", root=searched) for _ in range(2)]
    assert [process.communicate() and process.returncode for process in processes] == [0, 0]
    assert found(searched) == works(*(work.title for work in many(40)))
    runs = corpus(searched).runs
    assert [sum(one.read for one in run.asked) for run in runs] == [40, 40]
    assert sum(one.new for run in runs for one in run.asked) == 40
    assert check(WorkingTree(searched)) == ()


@pytest.mark.slow
def test_thousands_of_works_are_read_with_progress(searched, service):
    service.routes["/openalex/works"] = openalex(many(2_000), size=100)
    seen = typed("search", root=searched, term="xterm")
    assert re.search(r"reading pressing from OpenAlex: +\d+ of 2000", seen)
    assert "added 2,000 candidates" in seen
