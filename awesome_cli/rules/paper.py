"""Rules on paper.yaml and on a LaTeX document that uses it (N); `awesome paper check` reads the document."""

from collections.abc import Iterator, Mapping

from awesome_cli.errors import UsageError
from awesome_cli.model.claims import PATH as CLAIMS
from awesome_cli.model.codings import split_axis
from awesome_cli.model.manuscript import PATH, QuotedTable
from awesome_cli.reports.findings import Level
from awesome_cli.rules.claims import references
from awesome_cli.rules.registry import Found, Route, page, rule, unknown_in, unparsed
from awesome_cli.survey.corpus import Corpus


@rule("N001", Level.ERROR)
def bad_entry(corpus: Corpus) -> Iterator[Found]:
    """An entry of paper.yaml has a query that is not valid, or names an unknown claim, axis, term or measure.

    Try a query with `awesome list`; `awesome explain query` describes the language.
    """
    if corpus.manuscript is None:
        return
    for route, query in corpus.manuscript.queries:
        yield from unparsed(PATH, route, query, corpus.taxonomy)
    for name, number in corpus.manuscript.numbers.items():
        for steps, word, known, kind in references(number, corpus):
            yield from unknown_in(PATH, ("numbers", name, *steps), word, known, kind)
        yield from _unknown_claim(("numbers", name, "claim"), number.claim, corpus)
    for name, table in corpus.manuscript.tables.items():
        yield from _bad_table(("tables", name), table, corpus)


def _unknown_claim(route: Route, name: str | None, corpus: Corpus) -> Iterator[Found]:
    if not any(finding.path in {CLAIMS, "claims.yml"} for finding in corpus.findings):
        yield from unknown_in(PATH, route, name, corpus.claims.by_id, "claim")


def _bad_table(route: Route, table: QuotedTable, corpus: Corpus) -> Iterator[Found]:
    taxonomy = corpus.taxonomy
    for axis in table.axes if table.report == "gaps" else ():
        yield from unknown_in(PATH, (*route, "by"), axis, taxonomy.by_id, "axis")
    for i, name in enumerate(table.claims):
        yield from _unknown_claim((*route, "claims", i), name, corpus)
    yield from unknown_in(PATH, (*route, "measure"), table.measure, {m.id: m for m in taxonomy.measures}, "measure")
    yield from unknown_in(PATH, (*route, "audit"), table.audit, {a.key for a in corpus.audits} | corpus.unread, "audit")
    try:
        axis, term = split_axis(table.term or "")
        if term is not None:
            taxonomy.axis(axis).term(term)
        elif axis and not taxonomy.axes_with(axis):
            raise taxonomy.unknown_term(axis)
    except UsageError as error:
        yield Found(PATH, (*route, "term"), error.message, error.hint)


PAGES: Mapping[str, tuple[Level, str]] = {
    "N002": (Level.ERROR, """A document uses a name that paper.yaml does not define, or an unknown claim.

LaTeX stops with the same error. Write the nearest name, or add the entry and run `awesome paper build`."""),
    "N003": (Level.ERROR, """A document states a claim that fails, is undecided or has ended, or cites an empty list.

LaTeX stops with the reason, unless the package has the option `draft`. See `awesome claims show ID`."""),
    "N004": (Level.ERROR, """A document cites a key that neither the survey nor a bibliography of the document has."""),
    "N005": (Level.NOTE, """A document never cites a paper of the survey, by its key or in a list, table or claim."""),
    "N006": (Level.WARNING, """A number is typed by hand, but paper.yaml or the statistics of the survey have it.

It would be wrong after the next record, so write the macro. The words around a number decide whether it is meant;
after a wrong finding, end the line with `% awesome: ignore REASON`."""),
    "N007": (Level.WARNING, r"""A part of the document does not contain a claim that is `stated` there.

`stated: [abstract, section 4]` of a claim names parts by number or title. Only parts that the document has are checked.
Write `\surveyclaim{ID}` there, or correct `stated`."""),
    "N008": (Level.ERROR, r"""A claim, table or list stands in a heading or caption.

LaTeX also writes these into tables of contents and page headers, where citations are numbered in the wrong order.
`\surveynumber` and `\surveyshare` work there."""),
    "N009": (Level.WARNING, """An input of a document was not read, so it was not checked.

It is not in the folder of the document, such as a file of TeX itself, or it is too large or not text."""),
    "N010": (Level.WARNING, """A generated file does not follow from the records. Run `awesome paper build`."""),
    "N011": (Level.NOTE, """A document cites a work that is in its bibliography but is not a paper of the survey."""),
    "N012": (Level.WARNING, """A bibliography of the document is missing, or lacks a cited paper of the survey.

LaTeX would print `[?]`. Write it with `awesome export bibtex --cited-in FILE --out FOLDER/NAME.bib`."""),
}  # fmt: skip
for _code, (_level, _text) in PAGES.items():
    page(_code, _level, _text)
