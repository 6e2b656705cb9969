"""A survey read from its YAML files alone: as of a day, in a reading, by a query. It uses nothing of awesome_cli.

Together with `recomputed.py` it implements docs/records.md and docs/reference.md a second time.
"""

import copy
import math
import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

Record = dict[str, Any]
NOTHING = ("", "null", "~")


def read(path: Path) -> Any:
    """Read a YAML file; every scalar is a string."""
    return yaml.load(path.read_text(encoding="utf-8"), yaml.CBaseLoader)


def many(value: Any) -> list[Any]:
    return [] if value is None else value if isinstance(value, list) else [value]


def files(root: Path) -> Record:
    """The files of a survey: taxonomy, claims, and the records by folder."""
    folders = {
        name: [{"key": path.stem, **read(path)} for path in sorted((root / name).glob("*.yaml"))]
        for name in ("corpus", "exclusions", "audits")
    }
    claims = root / "claims.yaml"
    return {"taxonomy": read(root / "taxonomy.yaml"), "claims": read(claims) if claims.is_file() else {}, **folders}


@dataclass(frozen=True)
class Pool:
    """The records as of a day and in a reading, and the files from which they come."""

    files: Record
    axes: dict[str, Record]
    papers: tuple[Record, ...]
    exclusions: tuple[Record, ...]

    @property
    def taxonomy(self) -> Record:
        """The parts of the taxonomy other than the axes, which have no history."""
        return self.files["taxonomy"]

    def terms(self, axis: str) -> dict[str, Record]:
        return {term["id"]: term for term in self.axes[axis]["terms"]}

    @cached_property
    def families(self) -> dict[str, dict[str, set[str]]]:
        """By axis and term, the term and its descendants."""
        result: dict[str, dict[str, set[str]]] = {}
        for axis in self.axes:
            above = {name: term.get("parent") for name, term in self.terms(axis).items()}
            family = result[axis] = {name: {name} for name in above}
            for name, parent in above.items():
                while parent and name not in family[parent]:
                    family[parent].add(name)
                    parent = above[parent]  # noqa: PLW2901 - walks up
        return result

    def leaves(self, axis: str) -> list[str]:
        return [name for name in self.terms(axis) if len(self.families[axis][name]) == 1]

    def strengths(self, axis: str) -> list[str]:
        return [strength["id"] for strength in self.axes[axis].get("strengths", [])]

    def rank(self, axis: str, strength: str | None) -> int:
        """The place of a strength, 0 the weakest; -1 without one. A retired strength has that of its successor."""
        successors = {entry["id"]: entry["use"] for entry in self.axes[axis].get("retired", [])}
        known = self.strengths(axis)
        name = strength if strength in known else successors.get(strength or "")
        return known.index(name) if name in known else -1

    def covers(self, axis: str, coding: Record) -> bool:
        least = self.axes[axis].get("gap_strength")
        return least is None or self.rank(axis, coding.get("strength")) >= self.rank(axis, least)

    def mains(self, paper: Record, axis: str) -> list[Record]:
        return [coding for coding in paper["codings"].get(axis, []) if not coding["part"]]

    @cached_property
    def uncoded(self) -> dict[str, set[str]]:
        """By axis, the papers that are not coded yet."""
        return {axis: {paper["key"] for paper in self.papers if self.is_uncoded(paper, axis)} for axis in self.axes}

    def is_uncoded(self, paper: Record, axis: str) -> bool:
        if paper["codings"].get(axis):
            return False
        waits = axis in many(paper.get("not_coded"))
        return waits or (
            not self.axes[axis].get("silence") and matches(self, self.axes[axis].get("required_for", "*"), paper)
        )

    def coded(self, axis: str) -> set[str]:
        silent = self.axes[axis].get("silence") == "none"
        needs = self.axes[axis].get("required_for", "*")
        applies = {p["key"] for p in self.papers if silent and matches(self, needs, p)}
        return (applies | {p["key"] for p in self.papers if p["codings"].get(axis)}) - self.uncoded[axis]

    def limit(self) -> int:
        """The largest number of papers in a sparse cell."""
        rule = self.taxonomy.get("sparse", {"at_most": "2"})
        if "at_most" in rule:
            return int(rule["at_most"])
        return math.floor(Fraction(rule["share"]) * len(select(self, rule.get("among", "*"))))


def pool_of(survey: Record, day: str = "", reading: tuple[str, str] | None = None) -> Pool:
    """Return the pool as of a day (empty: today), in a reading `(side, grade)`."""
    axes = {axis["id"]: then for axis in survey["taxonomy"]["axes"] if (then := _axis_on(axis, day))}
    moved = [_moved_back(record, day) for record in (*survey["corpus"], *survey["exclusions"])]
    papers = [_restored(r, day) for r in moved if "screening" not in r and (not day or r["added"] <= day)]
    papers = [paper for paper in papers if not day or not paper.get("withdrawn") or paper["withdrawn"] > day]
    exclusions = [r for r in moved if "screening" in r and (not day or r["screening"]["on"] <= day)]
    pool = Pool(survey, axes, tuple(papers), tuple(exclusions))
    return pool if reading is None else _reread(pool, *reading)


def _axis_on(axis: Record, day: str) -> Record | None:
    then = dict(axis)
    for change in sorted(axis.get("history", []), key=lambda change: change["on"])[::-1]:
        if day and change["on"] > day:
            if "was" not in change:
                return None
            then |= change["was"]
    then["retired"] = [entry for entry in axis.get("retired", []) if not day or entry["on"] <= day]
    return {name: value for name, value in then.items() if value not in NOTHING}


def _moved_back(record: Record, day: str) -> Record:
    """Undo a readmission or an exclusion after a day."""
    if "screening" not in record:
        move = record.get("readmitted")
        return (
            _moved_back({"key": move["id"], **move["exclusion"]}, day) if day and move and move["on"] > day else record
        )
    if day and record["screening"]["on"] > day and "added" in record.get("paper", {}):
        return _moved_back({"key": record["key"], **record["paper"]}, day)
    return record


def _restored(paper: Record, day: str) -> Record:
    """Undo later corrections and revisions, and read the codings."""
    changes = [(c["corrected_on"], c["field"], c.get("published")) for c in paper.get("corrections", [])]
    changes += [(r["on"], r["field"], r.get("was")) for r in paper.get("history", [])]
    later = [change for change in changes if day and change[0] > day]
    paper = copy.deepcopy(paper) if later else dict(paper)
    for _, field, value in sorted(later, key=lambda change: change[0])[::-1]:
        *parents, last = field.split(".")
        place = paper
        for name in parents:
            place = place.setdefault(name, {})
        place[last] = None if isinstance(value, str) and value in NOTHING else value
    paper["codings"] = {
        axis: [_coding(v, day) for v in many(codings)] for axis, codings in paper.get("tags", {}).items()
    }
    return paper


def _coding(value: Any, day: str = "") -> Record:
    coding = {"term": value} if isinstance(value, str) else dict(value)
    if day and coding.get("contested", {}).get("on", "") > day:
        del coding["contested"]
    return {**coding, "part": coding.get("part") == "true"}


def _reread(pool: Pool, side: str, grade: str) -> Pool:
    """Accept the contests of a side that have the grade or a higher one."""
    grades = [g if isinstance(g, str) else g["id"] for g in pool.taxonomy["grades"]]

    def read_again(axis: str, coding: Record) -> list[Record]:
        contest = coding.get("contested")
        if not contest or "as" not in contest or grades.index(contest["grade"]) < grades.index(grade):
            return [coding]
        proposed = [_proposed(coding, value) for value in many(contest["as"]) if value != "none"]
        if _side(pool, axis, coding, proposed) != side:
            return [coding]
        one = pool.axes[axis].get("kind", "one") == "one"
        return [
            {**new, "contested": contest, "part": coding["part"] or (one and i > 0)} for i, new in enumerate(proposed)
        ]

    def merged(axis: str, codings: list[Record]) -> list[Record]:
        best: dict[str, Record] = {}
        for coding in codings:
            weight = [
                (not c["part"], pool.rank(axis, c.get("strength"))) for c in (coding, best.get(coding["term"], coding))
            ]
            if coding["term"] not in best or weight[0] > weight[1]:
                best[coding["term"]] = coding
        return list(best.values())

    def paper_in(paper: Record) -> Record:
        codings = {
            axis: merged(axis, [new for coding in old for new in read_again(axis, coding)])
            for axis, old in paper["codings"].items()
            if axis in pool.axes
        }
        return {**paper, "codings": codings}

    return replace(pool, papers=tuple(map(paper_in, pool.papers)))


def _proposed(coding: Record, value: Any) -> Record:
    term, _, strength = (
        value.partition(":") if isinstance(value, str) else (value.get("term"), "", value.get("strength"))
    )
    return {"term": term or coding["term"], "strength": strength or coding.get("strength")}


def _side(pool: Pool, axis: str, coding: Record, proposed: list[Record]) -> str | None:
    """Strict if the contest weakens, removes or replaces the coding, generous if it strengthens it or adds terms."""
    first = pool.axes[axis].get("kind", "one") == "one" and not coding["part"]
    same = [new for new in (proposed[:1] if first else proposed) if new["term"] == coding["term"]]
    if not same:
        return "strict"
    change = pool.rank(axis, same[0]["strength"]) - pool.rank(axis, coding.get("strength"))
    if change:
        return "generous" if change > 0 else "strict"
    return "generous" if len(proposed) > 1 else None


def select(pool: Pool, query: str) -> list[Record]:
    """The papers that match a query of terms, keys and verdicts."""
    return [paper for paper in pool.papers if matches(pool, query, paper)]


def matches(pool: Pool, query: str, paper: Record) -> bool:
    """Evaluate OR before AND before NOT, from the outside in; parentheses are not supported."""
    return any(
        all(
            _condition(pool, word.removeprefix("NOT "), paper) is not word.startswith("NOT ")
            for word in re.findall(r"(?:NOT )?(?!AND\b)\S+", part)
        )
        for part in query.split(" OR ")
    )


def _condition(pool: Pool, word: str, paper: Record) -> bool:
    name, _, values = word.partition("=")
    if word == "*":
        return True
    if name == "key":
        return paper["key"] in values.split(",")
    if name == "judged":
        judged = [entry for axis in pool.axes for term in pool.terms(axis).values() for entry in term.get("judged", [])]
        return any(entry["key"] == paper["key"] and entry["verdict"] in values.split(",") for entry in judged)
    return any(_has(pool, paper, name, value) for value in values.split(","))


def _has(pool: Pool, paper: Record, axis: str, value: str) -> bool:
    if value == "NA":
        return not pool.mains(paper, axis)
    term, *rest = value.split(":")
    family = pool.families[axis][term] if term != "*" else set(pool.terms(axis))
    role = rest.pop() if rest[-1:] in (["main"], ["part"]) else None
    strength = rest[0] if rest else ""

    def fits(coding: Record) -> bool:
        known, least = coding.get("strength"), strength.removeprefix("=")
        strong = known == least if strength != least else pool.rank(axis, known) >= pool.rank(axis, least)
        return (
            coding["term"] in family and (not strength or strong) and role in (None, ("main", "part")[coding["part"]])
        )

    return any(map(fits, paper["codings"].get(axis, [])))
