"""The front page: what the survey found, the figures behind it, and ways on."""

from collections.abc import Sequence
from dataclasses import dataclass

from awesome_cli.analysis.claims.evaluation import Outcome
from awesome_cli.analysis.claims.leading import Answer, Lead, leading
from awesome_cli.analysis.claims.results import ClaimStatus
from awesome_cli.analysis.diff.changelog import Changelog
from awesome_cli.analysis.gaps.interest import Interest, interesting
from awesome_cli.analysis.gaps.matrix import ANY, Matrix, matrix
from awesome_cli.analysis.gaps.states import STATES, GapState, state_of
from awesome_cli.model.taxonomy import Map, Taxonomy
from awesome_cli.publish.site import linked
from awesome_cli.publish.site.evidence import LOOKS
from awesome_cli.publish.site.page import Frame, SitePage
from awesome_cli.text.numbers import short

FIGURES, QUESTIONS, DAYS = 3, 3, 3
"""So many key figures, questions and days of change stand on the page."""
MOST = 4
"""So many papers are named of those whose contests a reading follows."""
SIDE = 14, 8
"""So many rows and columns at most has the small picture of the map."""


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """A figure with what it counts, and the page that it comes from."""

    number: int
    words: str
    page: str


def front_page(frame: Frame, changes: Sequence[Changelog]) -> SitePage:
    """The page that a stranger sees first; `changes` are those of the last days of change, newest first."""
    corpus, taxonomy = frame.corpus, frame.corpus.taxonomy
    pair = first_map(taxonomy)
    picture, leads = matrix(corpus, pair), leading(frame.checked)
    return frame.page(
        "index.html",
        "front",
        title=taxonomy.survey.title,
        description=leads[0].result.claim.statement if leads else "",
        linked=linked.website(corpus, frame.description, frame.base),
        styles=("front",),
        leads=[_lead(frame, lead) for lead in leads],
        figures=key_figures(frame, picture)[:FIGURES],
        most=MOST,
        tally=_tally(picture),
        questions=[_question(one) for one in interesting(corpus)[:QUESTIONS]],
        days=[(log.diff.names[1], [(heading, len(lines)) for heading, lines in log.notes()]) for log in changes[:DAYS]],
        matrix=picture,
        rows=picture.rows[: SIDE[0]],
        columns=picture.columns[: SIDE[1]],
        axis=taxonomy.by_id[pair.rows],
        column_axis=taxonomy.by_id.get(pair.columns or ""),
        states=STATES,
    )


def first_map(taxonomy: Taxonomy) -> Map:
    """The map that the survey shows first; without any, that of its first axis."""
    return taxonomy.maps[0] if taxonomy.maps else Map(rows=taxonomy.axes[0].id)


def key_figures(frame: Frame, picture: Matrix) -> tuple[KeyFigure, ...]:
    """What the survey has to count, the most telling first; each survey has papers."""
    corpus = frame.corpus
    standing = [one for one in frame.checked.results if one.stands and not one.claim.definitional]
    statuses = [one.status for one in standing]
    holding = len(standing) - statuses.count(ClaimStatus.FAILS)
    contested = statuses.count(ClaimStatus.CONTESTED)
    cells = sum(n for _, n in _tally(picture))
    gaps = next((n for state, n in _tally(picture) if state is STATES[0]), 0)
    claims = f"of {len(standing)} claims hold as coded" + (f", {contested} contested" if contested else "")
    found = (
        (KeyFigure(len(corpus.papers), "papers retained", "papers.html"), True),
        (KeyFigure(holding, claims, "claims.html"), standing),
        (KeyFigure(len(corpus.exclusions), "records screened out", "exclusions.html"), corpus.exclusions),
        (KeyFigure(gaps, f"of {cells} cells of the first map are gaps", "map.html"), cells),
        (KeyFigure(len(corpus.candidates), "candidates wait", "candidates.html"), corpus.candidates),
    )
    return tuple(figure for figure, there in found if there)


def _tally(picture: Matrix) -> list[tuple[GapState, int]]:
    """How many cells of a map are in each state that a number gives."""
    states = [cell.state for line in picture.cells.values() for cell in line.values()]
    return [(state, states.count(state)) for state in STATES if state.times is not None and state in states]


def _lead(frame: Frame, lead: Lead) -> dict[str, object]:
    rank, by_key = frame.corpus.taxonomy.grade_rank, frame.corpus.by_key
    result = lead.result

    def challengers(answer: Answer) -> list[object]:
        if answer.reading is None:
            return []
        side, least = answer.reading.side, rank[answer.reading.grade]
        keys = (c.key for c in result.contested if c.side is side and rank.get(c.grade, -1) >= least)
        return [by_key[key] for key in dict.fromkeys(keys)]

    return {
        "claim": result.claim,
        "status": result.status.words,
        "look": LOOKS[result.status],
        "bound": "",
        "answers": [(one, figure(frame, one.outcome), challengers(one)) for one in lead.answers],
    }


def figure(frame: Frame, outcome: Outcome) -> tuple[str, str]:
    """The number that an expectation observes, and what it counts."""
    asked, n = outcome.expectation, len(outcome.selection)
    if asked.kind == "share" and isinstance(outcome.value, float):
        return f"{100 * outcome.value:.3g} %", f"of {asked.of}"
    if asked.kind in {"largest", "median"} and isinstance(outcome.value, float):
        unit = next((one.unit for one in frame.corpus.taxonomy.measures if one.id == asked.asked), "")
        return short(outcome.value), unit
    if asked.kind == "count" and isinstance(outcome.value, float):
        n = int(outcome.value)
    nouns = {"survive": "claim", "agreement": "paper"}
    noun = nouns.get(asked.kind, asked.of.removesuffix("s"))
    return str(n), noun if n == 1 else f"{noun}s"


def _question(one: Interest) -> dict[str, object]:
    decides = one.rows.gap_strength or ANY
    column = one.column.id if one.column else decides
    view = f"rows={one.rows.id}" + (f"&columns={one.columns.id}" if one.columns else "")
    return {"of": one, "page": f"map.html#{view}&cell={one.row.id},{column}", "n": len(one.cell.covering)}
