"""What the command line prints is what an independent program computes from the YAML files, cell by cell."""

import ast
import csv
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import recomputed
import recomputed_pool
from claiming import COFFEE_CLAIMS
from recomputed_pool import Pool, Record, files, pool_of
from running import invoke

from awesome_cli.files.tree import WorkingTree
from awesome_cli.publish import readme
from awesome_cli.survey.loading import load_corpus

Flat = dict[tuple[object, ...], Any]
Compare = Callable[[Path, str], tuple[int, list[object]]]
MAPS = ("axes", "pairs")
AUDIT = """\
"on": 2026-02-01
columns: [device, taste]
groups:
  some: {label: some, cells: {aero2020: "*", drip2021: [taste=sour]}}
codings:
- key: aero2020
  blind: true
  first: {device: "press; drip:part", taste: "bitter:measured; sour:tasted"}
  second: {device: press, taste: "bitter:tasted"}
- key: drip2021
  blind: false
  first: {device: drip, taste: "sour:mentioned"}
  second: {device: cold, taste: NA}
"""


def flat(value: Any, *path: object) -> Flat:
    """By path, the values inside of mappings; lists are sorted."""
    if isinstance(value, Mapping):
        return {k: v for name, inner in value.items() for k, v in flat(inner, *path, name).items()}
    return {path: sorted(value) if isinstance(value, list) and all(isinstance(v, str) for v in value) else value}


def like(mine: Record, printed: Record) -> Record:
    """The entries of what was printed that were recomputed, at each level."""
    return {
        k: like(mine[k], v) if isinstance(v, dict) and isinstance(mine[k], dict) else v
        for k, v in printed.items()
        if k in mine
    }


def answers(root: Path, folder: Path) -> Iterator[tuple[str, Record, Record]]:
    """Yield the name of each answer, as it is printed and as it is recomputed."""
    survey = files(root)
    taxonomy = survey["taxonomy"]
    grades = [grade if isinstance(grade, str) else grade["id"] for grade in taxonomy["grades"]]
    readings = [None, *((side, grade) for side in ("strict", "generous") for grade in grades)]
    for day, reading in (*(("", reading) for reading in readings), (taxonomy["survey"]["cutoff"], None)):
        pool = pool_of(survey, day, reading)
        words = [
            *(["--as-of", day] if day else []),
            *(["--reading", reading[0], "--grade", reading[1]] if reading else []),
        ]
        printed = ask(root, "gaps", *words)
        yield f"gaps {' '.join(words)}", {name: printed[name] for name in MAPS}, recomputed.gaps(pool)
        mine = recomputed.stats(pool)
        yield f"stats {' '.join(words)}", like(mine, ask(root, "stats", *words)), mine
    pool = pool_of(survey)
    for audit in survey["audits"]:
        mine = recomputed.audit_report(pool, audit)
        yield f"audit {audit['key']}", like(mine, ask(root, "audit", "report", audit["key"])), mine
    claims = {claim["id"]: claim["observed"] for claim in ask(root, "claims", "check", "--all")["claims"]}
    mine = recomputed.claim_values(pool)
    yield (
        "claims",
        *(
            {name: dict(enumerate(v)) for name, v in values.items()}
            for values in (without_survivors(claims, mine), mine)
        ),
    )
    yield from pictures(root, pool, folder)
    corpus = load_corpus(WorkingTree(root), candidates=True, evidence=True)
    text = "".join(readme.render(page, corpus, root, name) for name, page in readme.pages(root).items())
    yield "README", *recomputed.readme_numbers(pool, text)


def ask(root: Path, *words: str) -> Record:
    return invoke(*words, "--format", "json", root=root, code=None).json["data"]


def without_survivors(printed: Record, mine: Record) -> Record:
    return {
        name: [None if v is None else p for p, v in zip(values, mine[name], strict=True)]
        for name, values in printed.items()
    }


def pictures(root: Path, pool: Pool, folder: Path) -> Iterator[tuple[str, Record, Record]]:
    """Yield the data of the gap map's pictures and of the papers per year."""
    for pair in pool.taxonomy["maps"]:
        by = ",".join(filter(None, (pair["rows"], pair.get("columns"))))
        mine = (
            recomputed.pair_picture(pool, pair)
            if "columns" in pair
            else recomputed.strengths_picture(pool, pair["rows"])
        )
        yield (
            f"picture {by}",
            {(r["row"], r["column"]): (int(r["n"]), r["state"]) for r in drawn(root, folder, "gaps", by)},
            mine,
        )
    by = pool.taxonomy["readme"]["group_by"]
    bars = {(row["category"], row["series"]): int(row["n"]) for row in drawn(root, folder, "years", by)}
    yield "picture years", {bar: n for bar, n in bars.items() if n}, recomputed.years_picture(pool, by)


def drawn(root: Path, folder: Path, kind: str, by: str) -> list[dict[str, str]]:
    invoke("plot", kind, "--by", by, "--format", "csv", "--out", folder, root=root)
    with (folder / f"{kind}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def differences(root: Path, folder: Path) -> tuple[int, list[object]]:
    """The number of cells, and those that differ: `(answer, place, printed, recomputed)`."""
    n, unlike = 0, list[object]()
    for name, printed, mine in answers(root, folder):
        a, b = flat(printed), flat(mine)
        n += len(a.keys() | b.keys())
        unlike += [
            (name, place, a.get(place), b.get(place))
            for place in {**a, **b}
            if a.get(place) != b.get(place) or (place in a) != (place in b)
        ]
    return n, unlike


@pytest.fixture
def coffee(root: Path) -> Path:
    """The coffee survey with claims, an audit and a filled-in README."""
    (root / "claims.yaml").write_text(COFFEE_CLAIMS)
    (root / "audits").mkdir()
    (root / "audits" / "second.yaml").write_text(AUDIT)
    invoke("render", root=root)
    return root


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        yield from (alias.name for alias in getattr(node, "names", ())) if isinstance(node, ast.Import) else ()
        yield from [node.module or ""] if isinstance(node, ast.ImportFrom) else ()


@pytest.mark.slow
def test_the_shipped_survey(repository: Path, tmp_path: Path):
    n, unlike = differences(repository, tmp_path)
    print(f"{n} cells compared, {len(unlike)} differ")
    assert not unlike, unlike[:20]
    assert n > 5_000


def test_another_survey(coffee: Path, tmp_path: Path):
    n, unlike = differences(coffee, tmp_path)
    assert not unlike, unlike[:20]
    assert n > 1_000


VARIED = {
    "taxonomy.yaml": (
        ("\naxes:\n", "\nsparse: {share: 0.3, among: 'device=drip OR NOT key=soup2022'}\naxes:\n"),
        ("  gap_strength: measured\n", "  gap_strength: measured\n  history:\n  - {on: 2026-04-01, was: {gap_strength: tasted}}\n"),
        ("  question: Which taste is studied, and how?\n  kind: many\n  silence: none\n", "  question: Which taste?\n  kind: many\n  silence: listed\n"),
        ("  question: Which species?\n  kind: one\n  silence: none\n", "  question: Which?\n  kind: one\n"),
    ),
    "corpus/aero2020.yaml": (
        ("  device: press\n", "  device:\n  - press\n  - {term: drip, part: true}\n"),
        ("because: The panel was two people.", "as: {strength: measured}, because: The panel was two people."),
        ("  beans: arabica\n", "  beans:\n  - term: arabica\n    contested: {on: 2026-04-02, grade: weak, as: [robusta, arabica], because: Two species.}\n"),
    ),
    "corpus/drip2021.yaml": (
        ("  - {term: bitter, strength: measured,", "  - {term: bitter, contested: {grade: strong, as: none, because: No.}, strength: measured,"),
        ("summary: Drips.", "history:\n- {on: 2026-04-01, field: tags.taste, was: [{term: salty, strength: measured}]}\nsummary: Drips."),
    ),
    "corpus/siphon2019.yaml": (("  device: siphon\n", "  device:\n  - {term: siphon, part: true}\n  - press\n"),),
    "exclusions/X2.yaml": (("screening:\n", "near_miss: [{axis: taste, term: umami}, {axis: beans, term: cold}]\nscreening:\n"),),
}  # fmt: skip
"""Edits of the coffee survey: changes of a rule and of codings, all kinds of silence, parts, contests, near-misses."""


@pytest.fixture
def varied(coffee: Path) -> Path:
    for name, edits in VARIED.items():
        text = (coffee / name).read_text(encoding="utf-8")
        for old, new in edits:
            assert text.count(old) == 1, (name, old)
            text = text.replace(old, new)
        (coffee / name).write_text(text, encoding="utf-8")
    invoke("render", root=coffee)
    return coffee


def test_a_survey_with_everything_that_numbers_depend_on(varied: Path, tmp_path: Path):
    _, unlike = differences(varied, tmp_path)
    assert not unlike, unlike[:20]
    states = {
        cell["state"]
        for day in ("", "2026-03-01")
        for cell in recomputed.gaps(pool_of(files(varied), day))["axes"]["taste"].values()
    }
    assert states == {"gap", "sparse", "covered"}


def test_records_that_moved(coffee: Path, tmp_path: Path):
    invoke("exclude", "siphon2019", "--stage", "abstract", "--reason", "tea", root=coffee)
    invoke("readmit", "X1", root=coffee)
    invoke("render", root=coffee)
    _, unlike = differences(coffee, tmp_path)
    assert not unlike, unlike[:20]


def test_a_wrong_number_is_a_difference(coffee: Path, tmp_path: Path):
    survey = files(coffee)
    for paper in survey["corpus"]:
        paper["tags"].pop("taste", None)
    printed = ask(coffee, "gaps")
    assert flat({name: printed[name] for name in MAPS}) != flat(recomputed.gaps(pool_of(survey)))


@pytest.mark.parametrize("module", [recomputed, recomputed_pool])
def test_the_recomputation_is_independent(module: ModuleType):
    assert "awesome_cli" not in {name.partition(".")[0] for name in imports(Path(str(module.__file__)))}
