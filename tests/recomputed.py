"""Recompute a survey's numbers from its YAML files alone: this module uses nothing of awesome_cli.

Each function returns numbers in the shape in which the command line prints them as JSON or CSV.
"""

import re
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from recomputed_pool import Pool, Record, many, matches, pool_of, select


def _state(n: int, more: int, limit: int) -> str:
    """The state of a cell with `n` covering papers, of which `more` could come."""
    states = ["gap" if m == 0 else "sparse" if m <= limit else "covered" for m in (n, n + more)]
    return states[0] if states[0] == states[1] else "unknown"


Found = list[tuple[str, str | None, bool, bool, bool]]
"""For each coding in a cell: key, strength, and True if it covers, is contested, is a part."""


def _cell(
    found: Found, near: list[str], scale: list[str], limit: int, coded: int, uncoded: int, total: int, *, listed: bool
) -> Record:
    mains = [entry for entry in found if not entry[4]]
    keys, parts = {entry[0] for entry in mains}, {entry[0] for entry in found if entry[4]}
    covering = {entry[0] for entry in mains if entry[2]}
    state = _state(len(covering), uncoded, limit)
    reasons = (
        ["weaker_only"] * bool(keys) + ["parts_only"] * bool(parts) + ["near_misses_only"] * bool(near) + ["nothing"]
    )
    return {
        "state": state,
        "reason": reasons[0] if state == "gap" else "not_coded" if state == "unknown" else None,
        "n": len(keys),
        "covering": len(covering),
        "by_strength": {s: len({entry[0] for entry in mains if entry[1] == s}) for s in scale[::-1]},
        "contested": len({entry[0] for entry in mains if entry[3]}),
        "keys": sorted(keys),
        "parts": sorted(parts - keys),
        "near": sorted(near),
        "coded": coded,
        "uncoded": uncoded,
        "listed": listed,
        "total": total,
    }


def _near(pool: Pool, wanted: dict[str, set[str]]) -> list[str]:
    def has(record: Record, axis: str) -> bool:
        return any(near["axis"] == axis and near["term"] in wanted[axis] for near in record.get("near_miss", []))

    return [record["key"] for record in pool.exclusions if all(has(record, axis) for axis in wanted)]


def term_cell(pool: Pool, axis: str, term: str) -> Record:
    """The cell of one term of the gap map, as JSON has it."""
    family = pool.families[axis][term]
    found = [
        (paper["key"], c.get("strength"), pool.covers(axis, c), "contested" in c, c["part"])
        for paper in pool.papers
        for c in paper["codings"].get(axis, [])
        if c["term"] in family
    ]
    listed = pool.axes[axis].get("silence") == "listed"
    coded, uncoded = len(pool.coded(axis)), len(pool.uncoded[axis])
    sizes = pool.limit(), coded, uncoded, coded + uncoded
    return _cell(found, _near(pool, {axis: family}), pool.strengths(axis), *sizes, listed=listed)


def pair_cell(pool: Pool, rows: str, row: str, columns: str, column: str, impossible: set[tuple[str, str]]) -> Record:
    """The cell of a pair of terms, as JSON has it."""
    families = {rows: pool.families[rows][row], columns: pool.families[columns][column]}
    if all((leaf, column) in impossible for leaf in families[rows] & {*pool.leaves(rows)}):
        empty = _cell([], [], [], 0, 0, 0, 0, listed=False)
        return {**empty, "state": "not_applicable", "reason": None}
    found = [
        (
            paper["key"],
            (a if pool.strengths(rows) or not pool.strengths(columns) else b).get("strength"),
            pool.covers(rows, a) and pool.covers(columns, b),
            "contested" in a or "contested" in b,
            a["part"] or b["part"],
        )
        for paper in pool.papers
        for a in paper["codings"].get(rows, [])
        for b in paper["codings"].get(columns, [])
        if a["term"] in families[rows] and b["term"] == column and (a["term"], column) not in impossible
    ]
    apply = (pool.coded(rows) | pool.uncoded[rows]) & (pool.coded(columns) | pool.uncoded[columns])
    waiting = {key for key in apply if key in pool.uncoded[rows] | pool.uncoded[columns]}
    may = [
        pool.uncoded[axis] | {p["key"] for p in pool.papers if any(c["term"] in family for c in pool.mains(p, axis))}
        for axis, family in families.items()
    ]
    uncoded = len(waiting & may[0] & may[1])
    listed = any(pool.axes[axis].get("silence") == "listed" for axis in families)
    scale = pool.strengths(rows) or pool.strengths(columns)
    coded = len(pool.coded(rows) & pool.coded(columns))
    return _cell(found, _near(pool, families), scale, pool.limit(), coded, uncoded, len(apply), listed=listed)


def gaps(pool: Pool) -> Record:
    """The gap map: cells by axis and term, and by pair of axes, row and column."""
    pairs = {}
    for pair in pool.taxonomy.get("maps", []):
        if columns := pair.get("columns"):
            impossible = {(row, column) for row, column in pair.get("impossible", [])}
            pairs[f"{pair['rows']} x {columns}"] = {
                row: {c: pair_cell(pool, pair["rows"], row, columns, c, impossible) for c in pool.leaves(columns)}
                for row in pool.leaves(pair["rows"])
            }
    return {
        "axes": {
            axis: {term: term_cell(pool, axis, term) for term in pool.terms(axis)}
            for axis in pool.axes
            if pool.axes[axis].get("bookkeeping") != "true"
        },
        "pairs": pairs,
    }


def stats(pool: Pool) -> Record:
    """The tables of statistics.json."""
    values = {
        axis: {p["key"]: {c["term"] for c in pool.mains(p, axis)} or {"NA"} for p in pool.papers} for axis in pool.axes
    }
    sizes = {axis: Counter(term for terms in by_key.values() for term in terms) for axis, by_key in values.items()}
    rows = {axis: [*pool.leaves(axis), "NA"] for axis in pool.axes}
    pairs = [(pair["rows"], pair["columns"]) for pair in pool.taxonomy.get("maps", []) if "columns" in pair]
    pairs += map(tuple, pool.taxonomy.get("crosstabs", []))
    codings = [(axis, c) for p in pool.papers for axis in pool.axes for c in p["codings"].get(axis, [])]
    parts = {axis: Counter(c["term"] for name, c in codings if name == axis and c["part"]) for axis in pool.axes}
    strong = Counter((axis, c["term"], c.get("strength")) for axis, c in codings if not c["part"])
    parents = {axis: [t for t in pool.terms(axis) if t not in pool.leaves(axis)] for axis in pool.axes}
    screened = {
        name: Counter(r["screening"].get(name, "NA") for r in pool.exclusions)
        for name in ("stage", "reason", "source", "query_family")
    }
    for name, entries in (("stage", "stages"), ("reason", "reasons")):
        screened[name] = Counter({entry["id"]: screened[name][entry["id"]] for entry in pool.taxonomy.get(entries, [])})
    crossed = Counter(tuple(r["screening"].get(n, "NA") for n in ("source", "query_family")) for r in pool.exclusions)
    papers, left = len(pool.papers), len(pool.exclusions)
    return {
        "totals": {"retained": papers, "excluded": left, "audited": papers + left},
        "counts": {axis: {term: sizes[axis][term] for term in rows[axis]} for axis in pool.axes},
        "rollups": {
            axis: {
                term: sum(not terms.isdisjoint(pool.families[axis][term]) for terms in values[axis].values())
                for term in parents[axis]
            }
            for axis in pool.axes
            if parents[axis]
        },
        "parts": {axis: {term: n[term] for term in pool.leaves(axis)} for axis, n in parts.items() if n},
        "strengths": {
            axis: {term: {s: strong[axis, term, s] for s in pool.strengths(axis)} for term in pool.leaves(axis)}
            for axis in pool.axes
            if pool.strengths(axis)
        },
        "exclusions": screened,
        "exclusion_crosstabs": {
            "source x query_family": {
                a: {b: crossed[a, b] for b in screened["query_family"]} for a in screened["source"]
            }
        },
        "by": {name: Counter(p.get(name) or "NA" for p in pool.papers) for name in ("year", "venue")},
        "crosstabs": {
            f"{a} x {b}": {
                row: {
                    column: sum(row in values[a][k] and column in values[b][k] for k in values[a]) for column in rows[b]
                }
                for row in rows[a]
            }
            for a, b in pairs
        },
    }


def audit_columns(pool: Pool, audit: Record, group: Record | None) -> Record:
    """Agreement by column of an audit, for all cells or those of a group: `{paper: [column]}`."""

    def has(key: str, column: str) -> bool:
        return group is None or not {"*", column, column.partition("=")[0]}.isdisjoint(many(group.get(key, [])))

    result = {}
    for name in many(audit["columns"]):
        cells = [(c["key"], c["first"].get(name), c["second"].get(name)) for c in audit.get("codings", [])]
        kind = pool.axes[name].get("kind", "one") if name in pool.axes else ""
        columns = (
            {
                f"{name}={term}": [(k, *(_in_cell(c, term) for c in pair)) for k, *pair in cells]
                for term in pool.leaves(name)
            }
            if kind == "many"
            else {name: [(k, *map(_main, pair)) if kind else (k, *pair) for k, *pair in cells]}
        )
        pairs = {c: [row for row in rows if has(row[0], c)] for c, rows in columns.items()}
        result |= {c: _agreement(rows) for c, rows in pairs.items()}
        if kind == "many":
            pooled = [row for rows in pairs.values() for row in rows if None not in row]
            result[f"{name}=*"] = _agreement(pooled)
            for strength in pool.strengths(name)[1:]:
                least = pool.rank(name, strength)
                cut = [(k, *("yes" if pool.rank(name, v) >= least else "NA" for v in pair)) for k, *pair in pooled]
                result[f"{name}=*:{strength}"] = _agreement(cut)
    return {name: row for name, row in result.items() if row["n"] or group is None}


def _terms(cell: str) -> dict[str, list[str]]:
    return {word.split(":")[0]: word.split(":")[1:] for word in re.split(r";\s*", cell.strip()) if word}


def _in_cell(cell: str | None, term: str) -> str | None:
    strengths = _terms(cell or "").get(term)
    return None if not cell else "NA" if strengths is None else strengths[0] if strengths else "yes"


def _main(cell: str | None) -> str | None:
    return next((term for term, words in _terms(cell).items() if "part" not in words), "NA") if cell else None


def _agreement(rows: Sequence[tuple[Any, ...]]) -> Record:
    both = [(a, b) for _, a, b in rows if a and b]
    unlike = [pair for pair in both if pair[0] != pair[1]]
    return {
        "n": len(both),
        "agree": len(both) - len(unlike),
        "only_first": sum(b == "NA" for _, b in unlike),
        "only_second": sum(a == "NA" for a, _ in unlike),
        "missing": sorted(key for key, a, b in rows if not (a and b)),
    }


def audit_report(pool: Pool, audit: Record) -> Record:
    """The agreement on all cells of an audit, and on each of its groups."""
    return {
        "axes": audit_columns(pool, audit, None),
        "groups": {name: {"axes": audit_columns(pool, audit, cells)} for name, cells in audit_groups(audit).items()},
    }


def audit_groups(audit: Record) -> dict[str, Record]:
    """The cells of each group: those in the file, and papers coded blind or not, and chosen or drawn, if both occur."""
    codings, written = audit.get("codings", []), {n: group["cells"] for n, group in audit.get("groups", {}).items()}
    blind = {
        c["key"]: {"true": "blind", "false": "not_blind"}.get(c.get("blind", audit.get("blind")), "") for c in codings
    }
    size = int(audit.get("sample", {}).get("size", 0))
    every = size and ("chosen" not in audit or size >= len(codings))
    drawn = {key: every or (size and key in written.get("drawn", {})) for key in blind}
    choice = {key: "drawn" if drawn[key] else "chosen" if "chosen" in audit else "" for key in blind}
    mixed = [kinds for kinds in (blind, choice) if len({*kinds.values()}) > 1]
    names = {key: "_".join(kinds[key] for kinds in mixed) for key in blind}
    return {name: {key: "*" for key in names if names[key] == name} for name in names.values() if name} | written


def claim_values(pool: Pool) -> Record:
    """The observed values of each claim; None for an expectation with `survive`, which is not recomputed."""
    claims = many(pool.files["claims"].get("claims"))
    days = {day: pool_of(pool.files, day) for day in {claim["as_of"] for claim in claims}}

    def observed(claim: Record, expectation: Record) -> object:
        ended = "revised" in claim or "withdrawn" in claim
        dated = ended or expectation.get("dated") == "true"
        value = _observed(days[claim["as_of"]] if dated else pool, expectation)
        return float(f"{value:.6g}") if isinstance(value, float) else value

    return {claim["id"]: [observed(claim, expectation) for expectation in claim["expect"]] for claim in claims}


def _observed(pool: Pool, e: Record) -> Any:
    kind = next(k for k in ("count", "share", "state", "ids", "largest", "median", "agreement", "survive") if k in e)
    topic = e[kind]
    if kind == "survive":
        return None
    if kind == "agreement":
        audit = next(audit for audit in pool.files["audits"] if audit["key"] == e["audit"])
        columns = audit_columns(pool, audit, audit_groups(audit)[e["group"]] if "group" in e else None)
        return sum(columns[column]["agree"] for column in many(topic))
    if kind == "state":
        axis, _, term = topic.partition("=")
        return _state(term_cell(pool, axis, term)["covering"], 0, pool.limit())
    if kind in ("largest", "median"):
        values = [_measured(pool, e, kind, group) for group in (e["group"], e.get("over") or e.get("minus")) if group]
    else:
        records = pool.exclusions if e.get("of") == "exclusions" else pool.papers
        chosen = [[r for r in records if matches(pool, q, r)] for q in (topic, e.get("over") or e.get("minus")) if q]
        if kind == "ids":
            return sorted(record["key"] for record in chosen[0])
        among = select(pool, e.get("among", "*"))
        if kind == "share":
            return sum(record in among for record in chosen[0]) / len(among)
        values = [len(records) for records in chosen]
    return values[0] if len(values) == 1 else values[0] / values[1] if "over" in e else values[0] - values[1]


def _measured(pool: Pool, e: Record, kind: str, group: str) -> float:
    measure = next(measure for measure in pool.taxonomy["measures"] if measure["id"] == e[kind])
    sure = [c if isinstance(c, str) else c["id"] for c in pool.taxonomy.get("confidences", [])]
    least = e.get("confidence") or measure.get("confidence_at_least")
    values = []
    for paper in select(pool, e.get("among") or measure["counted"]):
        fact = paper.get("measures", {}).get(e[kind], {})
        first = next((g["id"] for g in measure["groups"] if matches(pool, g["where"], paper)), None)
        certain = not least or fact.get("confidence") in sure[sure.index(least) :]
        if "value" in fact and first == group and certain:
            values.append(float(fact["value"]))
    return max(values) if kind == "largest" else statistics.median(values)


def strengths_picture(pool: Pool, axis: str) -> Record:
    """The number of papers and the state by label of term and strength, as in the CSV of the plot `gaps`."""
    labels = {s["id"]: s["label"] for s in pool.axes[axis].get("strengths", [])}
    decides = pool.axes[axis].get("gap_strength", "any")
    result: Record = {}
    for term, entry in pool.terms(axis).items():
        cell = term_cell(pool, axis, term)
        counts = {**cell["by_strength"], "any": cell["n"], decides: cell["covering"]}
        for strength, n in counts.items():
            column = labels.get(strength, "any strength" if labels else "papers")
            result[_label(entry), column] = (n, cell["state"] if strength == decides else "")
    return result


def pair_picture(pool: Pool, pair: Record) -> Record:
    """The number of papers and the state by label of row and column, as in the CSV of the plot `gaps`."""
    rows, columns = pair["rows"], pair["columns"]
    impossible = {(row, column) for row, column in pair.get("impossible", [])}
    cells = {
        (_label(row), _label(pool.terms(columns)[leaf])): pair_cell(pool, rows, row["id"], columns, leaf, impossible)
        for row in pool.terms(rows).values()
        for leaf in pool.leaves(columns)
    }
    return {place: (cell["covering"], cell["state"]) for place, cell in cells.items()}


def years_picture(pool: Pool, axis: str) -> Record:
    """The number of papers by year, in all and by main coding or a term above it, as in the CSV of `years`; no zeros."""
    terms, counts = pool.terms(axis), Counter[tuple[str, str]]()
    for paper in pool.papers:
        mains = {tag["term"] for tag in pool.mains(paper, axis)}
        labels = [_within(terms, name) for name, family in pool.families[axis].items() if mains & family]
        counts.update((paper["year"], label) for label in ("All papers", *labels) if paper.get("year"))
    return dict(counts)


def _within(terms: dict[str, Record], name: str) -> str:
    parent = terms.get(terms[name].get("parent"))
    return _label(terms[name]) + (f" (in {_label(parent)})" if parent else "")


def _label(term: Record) -> str:
    return " ".join(filter(None, (term.get("code"), term["label"])))


def markdown_tables(text: str) -> Iterator[list[dict[str, str]]]:
    """The rows of each table of a page, by heading."""
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        head, _, *lines = ([c.strip() for c in re.split(r"(?<!\\)\|", line)[1:]] for line in block.splitlines())
        yield [dict(zip(head, line, strict=False)) for line in lines]


def readme_numbers(pool: Pool, text: str) -> tuple[Record, Record]:
    """The numbers in the tables of a README, and the same numbers recomputed; both by table, row and column."""
    printed: Record = {}
    computed: Record = {}
    axes = {axis["label"]: name for name, axis in pool.axes.items()}
    labels = {
        entry["id"]: entry["label"].lower() for name in ("stages", "reasons") for entry in many(pool.taxonomy.get(name))
    }
    screened = Counter(tuple(labels[r["screening"][name]] for name in ("reason", "stage")) for r in pool.exclusions)
    for rows in markdown_tables(text):
        for row in rows:
            for stage in [head for head in row if "Reason" in row and head.lower() in labels.values()]:
                place = (row["Reason"].lower(), stage.lower())
                printed[place], computed[place] = row[stage], str(screened[place])
            axis = axes.get(row.get("Axis", "")) or next((axes[head] for head in row if head in axes), None)
            if axis is None or "Papers" not in row:
                continue
            words = row.get("Term") or row[pool.axes[axis]["label"]]
            term = next(name for name, t in pool.terms(axis).items() if words in (t["label"], _label(t)))
            cell = term_cell(pool, axis, term)
            place = ("gap" if "Term" in row else "term", axis, term)
            printed[place] = (
                row["Papers"],
                row.get("As a part", ""),
                row.get("State in this pool", "").partition(",")[0],
            )
            parts = str(len(cell["parts"])) if row.get("As a part") else ""
            computed[place] = (str(cell["n"]), parts, cell["state"] if "Term" in row else "")
    if found := re.search(r"\*\*(\d+) papers?\*\* retained and \*\*(\d+)\*\* screened out of (\d+)", text):
        printed["headline"] = found.groups()
        papers, left = len(pool.papers), len(pool.exclusions)
        computed["headline"] = (str(papers), str(left), str(papers + left))
    return printed, computed
