"""Sheets for a blind second coding: draw papers from the pool, write the sheet, read it back as an audit."""

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from awesome_cli.errors import SurveyError, UsageError
from awesome_cli.model.audits import NA, Audit, Coding, Sample
from awesome_cli.model.codings import Tag, parse_cell
from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.grouping import group_pairs
from awesome_cli.text.inert import to_csv
from awesome_cli.text.known import unknown

if TYPE_CHECKING:
    from awesome_cli.formats.reading import InputFile, SheetRow

IDENTITY = ("key", "title", "authors", "year", "venue", "address")
DRAWN = "sample"
"""The column that records how the papers were drawn: `size=20 seed=7`."""


def draw(corpus: Corpus, sample: Sample) -> tuple[Paper, ...]:
    """Draw the papers of a sample, in random order; reproducible by seed and pool.

    With `stratify`, each term of that axis (and `NA`) is sampled in proportion to the pool (largest remainders).
    Raises `UsageError` for an unknown axis or a size larger than the pool.
    """
    if sample.size > len(corpus.papers):
        raise UsageError(f"cannot draw {sample.size} of {len(corpus.papers)} papers", hint="choose a smaller --size")
    axis = None if sample.stratify is None else corpus.taxonomy.axis(sample.stratify).id
    papers = sorted(corpus.papers, key=lambda paper: paper.key)
    strata = group_pairs(("" if axis is None else next((t.term for t in p.tags_on(axis)), NA), p) for p in papers)
    chance = random.Random(sample.seed)  # noqa: S311 - a reproducible sample
    sizes = _shares({name: len(papers) for name, papers in strata.items()}, sample.size)
    drawn = [paper for name in sorted(strata) for paper in chance.sample(strata[name], sizes[name])]
    chance.shuffle(drawn)
    return tuple(drawn)


def _shares(sizes: Mapping[str, int], n: int) -> dict[str, int]:
    """Divide `n` in proportion to `sizes`, none above its size (largest remainders; ties by name)."""
    total = sum(sizes.values())
    exact = {name: n * size / total for name, size in sizes.items()}
    shares = {name: int(share) for name, share in exact.items()}
    by_remainder = sorted(exact, key=lambda name: (shares[name] - exact[name], name))
    for name in by_remainder[: n - sum(shares.values())]:
        shares[name] += 1
    return shares


def coded_columns(taxonomy: Taxonomy, axes: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the columns of a sheet: axes, with `axis.strength` for axes of kind `one` that have strengths."""
    names = []
    for name in axes or list(taxonomy.by_id):
        axis = taxonomy.axis(name)
        names.append(name)
        if axis.strengths and axis.kind == "one":
            names.append(f"{name}.strength")
    return tuple(names)


def sheet(papers: Sequence[Paper], columns: Sequence[str], sample: Sample, *, raw: bool = False) -> str:
    """Return CSV with a row per paper and empty cells for the coder; unless `raw`, formulas are escaped."""
    drawn = f"size={sample.size} seed={sample.seed}" + (f" stratify={sample.stratify}" if sample.stratify else "")
    drawn += f" pool={sample.pool}" if sample.pool else ""
    rows: list[tuple[object, ...]] = [(*IDENTITY, *columns, DRAWN)]
    for paper in papers:
        authors = "; ".join(paper.authors)
        identity = (paper.key, paper.title, authors, paper.year or "", paper.venue or "", paper.address or "")
        rows.append((*identity, *("" for _ in columns), drawn))
    return to_csv(rows, raw=raw)


def coding_of(paper: Paper, columns: Sequence[str], taxonomy: Taxonomy) -> dict[str, str]:
    """Return a record's codings by column of a sheet, without axes listed in `not_coded`."""
    coded: dict[str, str] = {}
    for column in columns:
        axis_id, _, strength = column.partition(".")
        if axis_id in paper.not_coded:
            continue
        tags = paper.tags_on(axis_id)
        many = taxonomy.by_id[axis_id].kind == "many"
        words = sorted((tag.strength or NA) if strength else str(tag) if many else tag.term for tag in tags)
        parts = () if strength or many else sorted(str(tag) for tag in paper.parts_on(axis_id))
        coded[column] = "; ".join((*words, *parts)) or NA
    return coded


def read(
    source: "InputFile", corpus: Corpus, *, name: str, on: date, by: str, blind: bool | None = None
) -> tuple[Audit, list[str]]:
    """Read a filled sheet as an audit; the first coder's values are those of the records.

    Empty cells are missing values, as are invalid cells, each with a finding (`row N: …`). Raises `SurveyError` if the
    file is not a coding sheet, `UsageError` if it cannot be read, or no cell is filled.
    """
    from awesome_cli.formats.reading import read_sheet  # which takes long to load

    rows, _ = read_sheet(source)
    head = [cell.strip() for cell in rows[0][1]] if rows else []
    columns = [c for c in head if c.partition(".")[0] in corpus.taxonomy.by_id]
    if "key" not in head or not columns:
        raise SurveyError("this is not a coding sheet: expected a column 'key' and columns named after axes",
                          hint="create a sample with 'awesome audit sample'")  # fmt: skip
    sample = _sample(
        next((row[head.index(DRAWN)] for _, row in rows[1:] if DRAWN in head and len(row) == len(head)), "")
    )
    pool = corpus.as_of(sample.pool) if sample is not None and sample.pool is not None else corpus
    findings: list[str] = []
    codings = list(_codings(rows, head, columns, pool, findings))
    if not any(coding.second for coding in codings):
        hint = findings[0] if findings else "fill the columns named after axes"
        raise UsageError(f"the sheet has no {'valid' if findings else 'filled'} cells", hint=hint)
    audit = Audit(
        key=name, on=on, second=by, blind=blind, columns=tuple(columns), sample=sample, codings=tuple(codings)
    )
    return audit, findings


def _codings(
    rows: "Sequence[SheetRow]", head: Sequence[str], columns: Sequence[str], pool: Corpus, findings: list[str]
) -> Iterator[Coding]:
    seen: set[str] = set()
    for number, row in rows[1:]:
        cells = dict(zip(head, (cell.strip() for cell in row), strict=False))
        key = cells.get("key", "")
        paper = pool.by_key.get(key)
        if not isinstance(paper, Paper) or key in seen:
            twice = f"{key!r} is listed twice" if key in seen else None
            findings.append(f"row {number}: {twice or unknown(key, [p.key for p in pool.papers], 'paper')}")
            continue
        seen.add(key)
        second = {}
        for column in columns:
            value, finding = _value_of(cells.get(column, ""), column, pool.taxonomy)
            if finding:
                findings.append(f"row {number}, {key}: {finding}")
            if value:
                second[column] = value
        yield Coding(key=paper.key, first=coding_of(paper, columns, pool.taxonomy), second=second)


def _value_of(cell: str, column: str, taxonomy: Taxonomy) -> tuple[str, str | None]:
    """Return the ids for a cell of ids, codes or labels; if invalid, an empty string and the reason."""
    name, _, strength = column.partition(".")
    axis = taxonomy.by_id[name]
    if not cell or cell.upper() == NA:
        return (NA if cell else ""), None
    entries = axis.strengths if strength else axis.terms
    known = {word.casefold(): e.id for e in entries for word in (e.id, e.label, getattr(e, "code", None) or e.id)}
    words = []
    tags = [Tag.parse(cell)] if strength else parse_cell(cell)
    if axis.kind == "one" and sum(not tag.part for tag in tags) > 1:
        return "", f"axis {name!r} takes one main term; write others as parts: TERM:part"
    for tag in tags:
        term, weight = tag.term, tag.strength
        if term.casefold() not in known:
            return "", unknown(term, known, "strength" if strength else "term", owner=f"axis {name!r}")
        if weight and weight not in axis.rank:
            return "", unknown(weight, axis.rank, "strength", owner=f"axis {name!r}")
        words.append(Tag(term=known[term.casefold()], strength=weight, part=tag.part))
    return "; ".join(str(tag) for tag in sorted(words, key=lambda tag: (tag.part, str(tag)))), None


def _sample(drawn: str) -> Sample | None:
    pairs = dict(part.split("=", 1) for part in drawn.split() if "=" in part)
    return Sample.model_validate(pairs) if {"size", "seed"} <= pairs.keys() else None
