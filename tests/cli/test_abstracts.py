"""`awesome refresh --abstracts`: abstracts of arXiv and OpenAlex in a cache, with the services on loopback."""

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from builders import DATA
from searching import Work, arxiv, openalex
from serving import Reply
from terminals import sat

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


def test_a_cache_that_came_with_the_survey_is_not_read(run, root, asked):
    run("refresh", "--abstracts", root=root)
    cache = root / ".awesome" / "cache" / "abstracts.json"
    signature, data = cache.read_bytes().split(b"\n", 1)
    assert json.loads(data)["arxiv:2001.00010"] == "Coffee is pressed through paper."
    cache.write_bytes(signature + b"\n" + data.replace(b"pressed", b"praised"))
    del asked[:]
    assert known(run, root) == KNOWN
    assert len(asked) == 1  # OpenAlex: the feed of arXiv is in the cache of answers


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
