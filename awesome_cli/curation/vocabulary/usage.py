"""`taxonomy show` and `taxonomy usage`: the codebook, and the records that use its terms."""

from dataclasses import dataclass

from awesome_cli.model.codings import split_axis
from awesome_cli.model.taxonomy import Axis, Taxonomy, Term
from awesome_cli.reports.report import Block, Report, Section, Table, Text
from awesome_cli.survey.corpus import Corpus


@dataclass(frozen=True, slots=True)
class Use:
    """The records that use a term: papers and candidates with the tag, exclusions with the near-miss."""

    axis: str
    term: str
    papers: tuple[str, ...]
    candidates: tuple[str, ...]
    near: tuple[str, ...]
    retired: str | None


def usage(corpus: Corpus, text: str | None = None) -> Report:
    """Report the use of all terms, of the terms of `AXIS`, or of `AXIS=TERM[,…]`; a single term with keys."""
    axes, terms = corpus.taxonomy.axes, tuple[str, ...]()
    if text is not None:
        name, words = split_axis(text)
        axes = (corpus.taxonomy.axis(name),)
        terms = tuple(axes[0].term(word.strip()).id for word in words.split(",")) if words is not None else ()
    uses = [_use(corpus, axis, term.id) for axis in axes for term in axis.terms if not terms or term.id in terms]
    rows = [(use.axis, use.term, len(use.papers), len(use.candidates), len(use.near)) for use in uses]
    columns = ("axis", "term", "papers", "candidates", "near-misses")
    blocks: list[Block] = [Table.of(columns, rows)]
    if len(terms) == 1:
        keys = {"papers": uses[0].papers, "candidates": uses[0].candidates, "near-misses": uses[0].near}
        blocks += [Text(f"{name}: {', '.join(users)}") for name, users in keys.items() if users]
    blocks += [Text(f"{use.retired}.", "warn") for use in uses if use.retired]
    data: dict[str, dict[str, object]] = {}
    for use in uses:
        data.setdefault(use.axis, {})[use.term] = {
            "papers": list(use.papers),
            "candidates": list(use.candidates),
            "near_misses": list(use.near),
            "retired": use.retired,
        }
    table = Table.of(
        (*columns, "keys of papers", "keys of candidates", "keys of near-misses", "retired"),
        [(*row, use.papers, use.candidates, use.near, use.retired) for row, use in zip(rows, uses, strict=True)],
    )
    return Report("awesome/taxonomy-usage/1", {"axes": data}, (Section(None, tuple(blocks)),), rows=table)


def _use(corpus: Corpus, axis: Axis, term: str) -> Use:
    papers, candidates = (
        tuple(work.key for work in works if any(tag.term == term for tag in work.tags_on(axis.id)))
        for works in (corpus.papers, corpus.candidates)
    )
    near = (e.key for e in corpus.exclusions if any(n.axis == axis.id and n.term == term for n in e.near_miss))
    return Use(axis.id, term, papers, candidates, tuple(near), axis.retirement(term))


def shown(taxonomy: Taxonomy, name: str | None = None) -> Report:
    """Report all axes with their terms, or one axis."""
    axes = taxonomy.axes if name is None else (taxonomy.axis(name),)
    sections = tuple(Section(f"{axis.id}: {axis.label}", _axis(axis)) for axis in axes)
    rows = [(axis.id, *_row(axis, term)) for axis in axes for term in axis.terms]
    return Report(
        "awesome/taxonomy/1",
        {"axes": [axis.model_dump(mode="json", exclude_defaults=True) for axis in axes]},
        sections,
        rows=(
            Table.of(
                ("axis", "label", "question", "kind", "strengths", "former"),
                [
                    (axis.id, axis.label, axis.question, axis.kind, tuple(s.id for s in axis.strengths), axis.former)
                    for axis in axes
                ],
                title="axes",
            ),
            Table.of(("axis", "term", "code", "label", "definition"), rows, title="terms"),
        ),
    )


def _axis(axis: Axis) -> tuple[Block, ...]:
    scale = " < ".join(strength.id for strength in axis.strengths)
    notes = [axis.question, "one term" if axis.kind == "one" else "any number of terms"]
    if scale:
        notes.append(f"strengths {scale}")
    if axis.former:
        notes.append(f"formerly {', '.join(axis.former)}")
    return (
        Text("; ".join(notes), "muted"),
        Table.of(("term", "code", "label", "definition"), [_row(axis, term) for term in axis.terms]),
    )


def _row(axis: Axis, term: Term) -> tuple[str, str | None, str, str]:
    """Return a term as a table row, indented below its parent, with its successor or former ids."""
    depth = sum(term.id in family and term.id != other for other, family in axis.family.items())
    warnings = {"retired, use": term.deprecated.use if term.deprecated else "", "formerly": ", ".join(term.former)}
    notes = [f"({name} {text})" for name, text in warnings.items() if text]
    return "  " * depth + term.id, term.code, term.label, " ".join([term.definition, *notes])
