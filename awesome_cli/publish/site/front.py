"""The front page: finding, key figures, small map, open questions and recent changes."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from awesome_cli.analysis.claims.finding import Chart, Lead, chart, headline, lead_agreement, observed_text
from awesome_cli.analysis.diff.changelog import Changelog
from awesome_cli.analysis.gaps.cells import silence_notes
from awesome_cli.analysis.gaps.interest import Interest, interesting
from awesome_cli.analysis.gaps.matrix import ANY, Matrix, matrix
from awesome_cli.analysis.gaps.states import STATES, UNKNOWN, GapState
from awesome_cli.analysis.watching import to_screen
from awesome_cli.model.taxonomy import Map, Taxonomy
from awesome_cli.publish.plots.card import Card
from awesome_cli.publish.site import linked
from awesome_cli.publish.site.page import Frame, SitePage
from awesome_cli.query.query_words import lowered
from awesome_cli.text.numbers import counted

FIGURES, QUESTIONS, DAYS = 3, 3, 3
"""Maximum numbers of key figures, questions and days of change on the page."""
NAMED = 4
"""Maximum number of papers named for a reading."""
SIDE = 14, 8
"""Maximum numbers of rows and columns of the small map."""


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """A figure, its label, and the page with details."""

    number: int
    words: str
    page: str


def front_page(frame: Frame, changes: Sequence[Changelog]) -> SitePage:
    """Return the front page; `changes` are the release notes of the last days with changes, newest first."""
    corpus, taxonomy = frame.corpus, frame.corpus.taxonomy
    pair = first_map(taxonomy)
    picture, leads = matrix(corpus, pair), frame.leads
    return frame.page(
        "index.html",
        "front",
        title=taxonomy.survey.title,
        description=headline(leads),
        linked=linked.website(corpus, frame.description, frame.base),
        styles=("front",),
        leads=[_lead(lead) for lead in leads],
        chart=(drawn := _first_rows(chart(leads))),
        chart_notes=silence_notes(corpus, drawn.axis) if drawn else (),
        agreement=lead_agreement(frame.checked.pool, leads),
        figures=key_figures(frame, picture)[:FIGURES],
        most=NAMED,
        tally=_tally(picture),
        notes=silence_notes(corpus),
        questions=[_question(gap) for gap in _most_interesting(interesting(corpus))],
        days=[_day(log, {lead.result.claim.id for lead in leads}) for log in changes[:DAYS]],
        matrix=picture,
        rows=picture.rows[: SIDE[0]],
        columns=picture.columns[: SIDE[1]],
        axis=taxonomy.by_id[pair.rows],
        column_axis=taxonomy.by_id.get(pair.columns or ""),
        states=[state for state in STATES if state is not UNKNOWN or state in _states(picture)],
    )


def _first_rows(drawn: Chart | None) -> Chart | None:
    """Shorten a chart to its longest bars, in the order of the taxonomy."""
    if drawn is None or len(drawn.rows) <= SIDE[0]:
        return drawn
    longest = sorted(drawn.rows, key=lambda row: (row[0].id not in drawn.led, -max(bar.high for bar in row[1])))
    return replace(drawn, rows=tuple(row for row in drawn.rows if row in longest[: SIDE[0]]))


def card(frame: Frame) -> Card:
    """Return the preview card of the survey for social media."""
    taxonomy = frame.corpus.taxonomy
    figures = [(str(f.number), f.words) for f in key_figures(frame, matrix(frame.corpus, first_map(taxonomy)))]
    statement = headline(frame.leads) or frame.description
    return Card(taxonomy.survey.title, statement, tuple(figures[:FIGURES]))


def first_map(taxonomy: Taxonomy) -> Map:
    """Return the first map of the taxonomy, by default that of the first axis."""
    return taxonomy.maps[0] if taxonomy.maps else Map(rows=taxonomy.axes[0].id)


def key_figures(frame: Frame, picture: Matrix) -> tuple[KeyFigure, ...]:
    """Return the key figures of the survey in order of importance, without zeros."""
    corpus = frame.corpus
    gaps = [n for state, n in _tally(picture) if state is STATES[0]]
    figures = (
        _counted(len(corpus.papers), "paper", "retained", "papers.html"),
        _counted(len(corpus.exclusions), "record", "screened out", "exclusions.html"),
        _counted(len(to_screen(corpus)), "candidate", "to screen", "candidates.html"),
        _counted(sum(gaps), "gap", "in the first map", "map.html"),
    )
    return tuple(figure for figure in figures if figure)


def _counted(n: int, noun: str, more: str, page: str) -> KeyFigure | None:
    return KeyFigure(n, f"{counted(n, noun).partition(' ')[2]} {more}", page) if n else None


def _states(picture: Matrix) -> list[GapState | None]:
    parents = {term.parent for term in picture.rows}
    lines = (line for row, line in picture.cells.items() if row not in parents)
    return [cell.state for line in lines for cell in line.values()]


def _tally(picture: Matrix) -> list[tuple[GapState, int]]:
    """Return the number of cells of a map by state, without rows of parents, which repeat those of their children."""
    states = _states(picture)
    return [(state, states.count(state)) for state in STATES if state.times is not None and state in states]


def _lead(lead: Lead) -> dict[str, object]:
    coded, *read = ((answer, observed_text(answer.outcome, lead), lead.moved(answer)) for answer in lead.answers)
    return {
        "claim": lead.result.claim,
        "origin": lead.origin,
        "sentence": lead.sentence,
        "coded": (coded[1], coded[0].outcome.selection.keys),
        "readings": [reading for reading in read if reading[2]],
        "awaited": lead.awaited(),
    }


def _most_interesting(gaps: Sequence[Interest]) -> list[Interest]:
    """Return the most interesting gap of each map first, then the others in order."""
    of_map = {(gap.rows.id, gap.columns and gap.columns.id): gap for gap in reversed(gaps)}.values()
    return sorted(gaps, key=lambda gap: not any(gap is first for first in of_map))[:QUESTIONS]


def _question(gap: Interest) -> dict[str, object]:
    axes = [(gap.rows, gap.row)]
    axes += [(gap.columns, gap.column)] if gap.columns and gap.column else []
    terms = [f"{term.label} ({lowered(axis.label)})" for axis, term in axes]
    view = "&".join(f"{name}={axis.id}" for name, (axis, _) in zip(("rows", "columns"), axes, strict=False))
    strength = gap.rows.gap_strength
    if gap.column is None and strength:
        least = f"{gap.rows.display(strength)}{' or stronger' if strength != gap.rows.strength_ids[-1] else ''}"
        terms[0] = f"{gap.row.label}, {least} ({lowered(gap.rows.label)})"
    cell = f"{gap.row.id},{gap.column.id if gap.column else strength or ANY}"
    words = f"Which papers {'are coded' if len(axes) == 1 else 'combine'} {' with '.join(terms)}?"
    n, listed = len(gap.cell.covering), gap.cell.listed
    return {"words": words, "page": f"map.html#{view}&cell={cell}", "n": n, "listed": listed, "reason": gap.reason}


def _day(log: Changelog, shown: Collection[str]) -> dict[str, object]:
    """Return a day of change, with the first new claim not already `shown` on the page."""
    stated = [change for change in log.diff.claims if change.before is None and change.claim not in shown]
    return {"day": log.diff.names[1], "summary": log.summary(), "stated": stated[:1]}
