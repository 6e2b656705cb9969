"""The codebook as pages: definition, state and papers of each term."""

from collections.abc import Iterator, Sequence

from awesome_cli.analysis import publication
from awesome_cli.analysis.audit.report import agreement_sentences
from awesome_cli.analysis.claims.succession import Succession
from awesome_cli.analysis.gaps.cells import GapCell, gap_map, pools_to_compare, term_readings
from awesome_cli.analysis.gaps.report import counting_rule
from awesome_cli.model.codings import Tag
from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Axis, Term
from awesome_cli.publish.site import linked
from awesome_cli.publish.site.codings import about
from awesome_cli.publish.site.page import Frame, SitePage
from awesome_cli.reports.progress import watched
from awesome_cli.survey.corpus import Corpus

FIRST = 200
"""Maximum number of papers on the page of a term; the table of papers shows all."""


def term_pages(frame: Frame, revised: Sequence[Succession] = ()) -> Iterator[SitePage]:
    """Yield the page of all terms, and one per term, with links to `revised` claims about it."""
    corpus = frame.corpus
    pools = pools_to_compare(corpus)
    cells = gap_map(corpus, axes=[*corpus.taxonomy.by_id], pairs=()).axes
    yield frame.page(
        "terms.html",
        "terms",
        title="Terms",
        description="The codebook: the questions on which every paper is coded, and the definitions of the answers.",
        linked=linked.vocabulary(corpus.taxonomy),
        cells=cells,
        rules={axis.id: counting_rule(axis, corpus.taxonomy.sparse) for axis in corpus.taxonomy.axes},
    )
    facts = {paper.key: about(paper) for paper in corpus.papers}
    pairs = [(axis, term) for axis in corpus.taxonomy.axes for term in axis.terms]
    for axis, term in watched(pairs, "writing pages of terms"):
        path, cell = f"terms/{axis.id}.{term.id}.html", cells[axis.id][term.id]
        yield frame.page(
            path,
            "term",
            description=term.definition or f"{term.label}, an answer to: {axis.question}",
            linked=linked.term(axis, term, frame.address(path)),
            title=f"{term.label} ({axis.label.lower()})",
            axis=axis,
            term=term,
            cell=cell,
            rule=counting_rule(axis, corpus.taxonomy.sparse),
            agreement=agreement_sentences(corpus, axis.id),
            readings=term_readings(pools, axis, term),
            revised=[s.result for s in revised if any(t.axis is axis and t.term is term for t in s.terms)],
            parent=axis.by_id.get(term.parent or ""),
            children=[child for child in axis.terms if child.parent == term.id],
            published=list(publication.sentences(corpus, axis, term)),
            otherwise=publication.otherwise(corpus, axis, term),
            judged=[(entry, publication.coding(corpus, axis, term, entry.key)) for entry in term.judged],
            told=facts,
            groups=(groups := _groups(corpus, axis, term, cell)),
            most=FIRST // max(len(groups), 1),
            near=[
                (exclusion, near)
                for exclusion in corpus.exclusions
                for near in exclusion.near_miss
                if near.axis == axis.id and near.term in axis.family[term.id]
            ],
        )


def _groups(corpus: Corpus, axis: Axis, term: Term, cell: GapCell) -> list[tuple[str, list[tuple[Paper, Tag]]]]:
    """Return the term's papers by strength, strongest first; without strengths, one group with an empty heading."""
    keys = {*cell.keys, *cell.parts}
    entries = [entry for entry in corpus.coded(axis.id, axis.family[term.id]) if entry[0].key in keys]
    main = [entry for entry in entries if not entry[1].part]
    groups = [(s.label, [entry for entry in main if entry[1].strength == s.id]) for s in reversed(axis.strengths)]
    groups.append(("", [entry for entry in main if entry[1].strength not in axis.strength_ids]))
    groups.append(("as a part", [entry for entry in entries if entry[1].part]))
    return [(label, entries) for label, entries in groups if entries]
