"""`awesome refresh --abstracts`: abstracts of arXiv and OpenAlex in a cache, with the services on loopback."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from builders import DATA, PACKAGE
from searching import Work, arxiv, openalex
from serving import Reply
from terminals import sat

from awesome_cli.curation.abstracts import Abstracts
from awesome_cli.survey import kept

AERO = Work("Pressing matters", arxiv="2001.00010", abstract="Coffee is pressed\n through paper.")
SOUP = Work("Is it soup?", arxiv="hep-th/9901001", abstract="It is soup.")
DRIP = Work("Dripping slowly", doi="10.1000/coffee.2", abstract="Water drips slowly.")
SALT = Work("A pinch of salt", doi="10.1000/coffee.9", abstract="Salt is measured.")
KNOWN = {"aero2020": True, "drip2021": True, "salt2026": True, "siphon2019": False, "soup2022": True}


def at_arxiv(*works: Work) -> Callable[[str], Reply]:
    """Answer only the ids that are asked for, as arXiv does."""

    def reply(path: str) -> Reply:
        ids = parse_qs(urlsplit(path).query)["id_list"][0].split(",")
        return arxiv([work for work in works if work.arxiv in ids])(path)

    return reply


@pytest.fixture
def asked(root: Path, service) -> list[str]:
    """What the services of the coffee survey's works were asked."""
    service.routes |= {"/arxiv": at_arxiv(AERO, SOUP), "/openalex/works": openalex([DRIP, SALT], size=50)}
    return service.asked


def files(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*.yaml")}


def known(run, root: Path, *words: str, code: int = 0) -> dict[str, bool]:
    return run("refresh", "--abstracts", *words, "--format", "json", root=root, code=code).json["data"]["known"]


def test_the_cache_has_what_records_lack_and_is_asked_first(run, root, asked):
    before = files(root)
    assert known(run, root) == KNOWN
    assert files(root) == before
    (first, second) = asked
    assert "10.1000/coffee.2|10.1000/coffee.9" in parse_qs(urlsplit(second).query)["filter"][0]
    assert first.startswith("/arxiv")
    assert known(run, root) == KNOWN
    assert len(asked) == 2
    assert "5 works, 1 without an abstract" in run("--offline", "refresh", "--abstracts", root=root).out


def test_a_recorded_answer_of_arxiv_is_read(run, root, service):
    answer = (DATA / "inputs" / "arxiv" / "id_1605.08386_s0_m100_199195aa31ad.xml").read_bytes()
    service.routes["/arxiv"] = Reply(answer)
    record = "title: Heat-bath random walks\nidentifiers: {arxiv: '1605.08386'}\nproposal: retain\n"
    (root / "candidates" / "walks2016.yaml").write_text(record)
    assert known(run, root, "walks2016") == {"walks2016": True}
    (root / "search.yaml").write_text('searches:\n- {id: walks, query: abstract:"graphs on lattice points"}\n')
    works = run("search", "--check", "--format", "json", root=root).json["data"]["works"]
    assert [work["key"] for work in works if work["state"] == "found"] == ["walks2016"]


def test_keys_and_a_query_choose_papers_and_candidates(run, root, asked):
    assert known(run, root, "salt2026") == {"salt2026": True}
    assert known(run, root, "--where", "device=press") == {"aero2020": True}
    assert len(asked) == 2


def test_a_source_that_fails_leaves_what_the_other_gave(run, root, asked, service):
    service.routes["/openalex/works"] = Reply(b"{}", 401)
    done = run("refresh", "--abstracts", root=root, code=4)
    assert "AWESOME_OPENALEX_KEY is not set" in done.out
    service.routes["/openalex/works"] = openalex([DRIP, SALT], size=50)
    del asked[:]
    assert known(run, root) == KNOWN
    assert [path.partition("?")[0] for path in asked] == ["/openalex/works"]


def test_an_invalid_work_of_openalex_leaves_the_others(run, root, asked, service):
    answer = json.loads(openalex([DRIP, SALT], size=50)("/?filter=x&cursor=*").body)
    answer["results"][0]["abstract_inverted_index"] = {"Water": "first"}
    service.routes["/openalex/works"] = Reply(json.dumps({**answer, "results": [*answer["results"], 5]}).encode())
    assert known(run, root) == {**KNOWN, "drip2021": False}


def test_an_interrupted_run_asks_only_for_the_rest(run, root, service):
    works = [Work(f"Cup {i}", arxiv=f"2601.{i:05}", abstract=f"Cup {i}.") for i in range(1, 121)]
    for work in works:
        record = f"title: {work.title}\nproposal: consider\nidentifiers: {{arxiv: '{work.arxiv}'}}\n"
        (root / "candidates" / f"cup{work.arxiv[-3:]}.yaml").write_text(record)
    answer, replies = at_arxiv(*works), []

    def reply(path: str) -> Reply:
        replies.append(path)
        return Reply(b"", 500) if len(replies) > 1 else answer(path)

    service.routes["/arxiv"] = reply
    assert sum(known(run, root, "--where", "title~cup", code=4).values()) == 50
    service.routes["/arxiv"] = lambda path: replies.append(path) or answer(path)
    del replies[:]
    assert sum(known(run, root, "--where", "title~cup").values()) == 120
    assert len(replies) == 2
    assert not any("2601.00001" in path for path in replies)


def test_processes_that_fetch_at_once_keep_the_abstracts_of_each(root):
    add = "import sys; from pathlib import Path; from awesome_cli.curation.abstracts import Abstracts\n"
    add += "work = Abstracts(Path(sys.argv[1]), None, ())\n"
    add += "for n in range(40): work._store('doi', {f'10.1/{sys.argv[2]}.{n}': 'Drip. ' * 500})"
    started = [subprocess.Popen([sys.executable, "-c", add, str(root), str(n)], cwd=PACKAGE.parent) for n in range(4)]
    assert [process.wait(60) for process in started] == [0] * 4
    assert kept.abstracts(root).keys() == {f"doi:10.1/{n}.{m}" for n in range(4) for m in range(40)}


def test_a_batch_that_was_cut_short_leaves_the_others(run, root, asked):
    run("refresh", "--abstracts", "aero2020", root=root)
    cache = root / ".awesome" / "cache" / "abstracts.json"
    cache.write_bytes(cache.read_bytes() + b"\n" + b"0" * 64 + b'\n{"arxiv:hep-th/99')
    assert known(run, root) == KNOWN
    assert {"arxiv:2001.00010", "arxiv:hep-th/9901001"} < kept.abstracts(root).keys()


def test_a_cache_that_cannot_be_written_is_reported_with_what_is_known(run, root, asked):
    run("refresh", "--abstracts", "aero2020", root=root)
    cache = root / ".awesome" / "cache" / "abstracts.json"
    data = cache.read_bytes()
    cache.unlink()
    cache.mkdir()
    done = run("refresh", "--abstracts", "--format", "json", root=root, code=4)
    assert done.json["data"]["failed"] == [f"Is a directory: {cache}"]
    assert "some abstracts could not be fetched" in done.err
    cache.rmdir()
    cache.write_bytes(data)
    assert known(run, root) == KNOWN


def test_a_batch_is_added_and_the_others_are_not_written_again(root):
    work, cache, before = Abstracts(root, None, ()), root / ".awesome" / "cache" / "abstracts.json", b""
    for n in range(3):
        work._store("doi", {f"10.1/{n}": "Drip."})
        assert cache.read_bytes().startswith(before)
        before = cache.read_bytes()


def test_a_cache_that_came_with_the_survey_is_not_read(run, root, asked):
    run("refresh", "--abstracts", root=root)
    cache = root / ".awesome" / "cache" / "abstracts.json"
    _, signature, data, *rest = cache.read_bytes().split(b"\n")
    assert json.loads(data)["arxiv:2001.00010"] == "Coffee is pressed through paper."
    cache.write_bytes(b"\n".join((signature, data.replace(b"pressed", b"praised"), *rest)))
    assert kept.abstracts(root).keys() == {"doi:10.1000/coffee.2", "doi:10.1000/coffee.9"}
    assert known(run, root) == KNOWN
    assert "praised" not in kept.abstracts(root)["arxiv:2001.00010"]


def test_records_keep_the_abstracts_of_arxiv_if_the_survey_says_so(run, root, asked):
    before = files(root)
    run("refresh", "--abstracts", "--apply", root=root)
    assert files(root) == before
    taxonomy = root / "taxonomy.yaml"
    taxonomy.write_text(taxonomy.read_text().replace("  short: coffee\n", "  short: coffee\n  abstracts: kept\n"))
    assert "+extra: {abstract: Coffee is pressed through paper.}" in run("refresh", "--abstracts", root=root).out
    assert (root / "corpus" / "aero2020.yaml").read_bytes() == before[root / "corpus" / "aero2020.yaml"]
    run("refresh", "--abstracts", "--apply", root=root)
    assert {path.stem for path, data in files(root).items() if b"abstract:" in data} >= {"aero2020", "soup2022"}
    for key in ("corpus/drip2021", "candidates/salt2026"):
        assert (root / f"{key}.yaml").read_bytes() == before[root / f"{key}.yaml"]
    run("validate", root=root)


def test_search_status_and_the_card_read_the_cache(run, root, asked):
    (root / "search.yaml").write_text("searches:\n- {id: drops, query: water AND drips}\n")
    assert "awesome search --check" not in run("status", root=root).out
    with sat("screen", "--who", "Ada", root=root) as ada:
        assert "awesome refresh --abstracts" in ada.press("", until="A pinch of salt")
    run("refresh", "--abstracts", root=root)
    assert "widen a saved search that misses a retained work: drops" in run("status", root=root).out
    works = run("search", "--check", "--format", "json", root=root).json["data"]["works"]
    assert {work["key"]: work["state"] for work in works}["drip2021"] == "found"
    with sat("screen", "--who", "Ada", root=root) as ada:
        assert "Salt is measured." in ada.press("", until="A pinch of salt")
