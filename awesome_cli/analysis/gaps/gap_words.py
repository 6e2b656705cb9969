"""What the words of the gap map mean: its states, and the reasons of a gap."""

from collections.abc import Iterator, Mapping

from awesome_cli.analysis.gaps.cells import GapReason
from awesome_cli.analysis.gaps.states import COVERED, GAP, NOT_APPLICABLE, SPARSE, GapState
from awesome_cli.model.taxonomy import Axis
from awesome_cli.reports.report import Block, Section, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.folding import forms

MEANINGS: Mapping[GapState, str] = {
    GAP: "No paper of the pool counts for the cell.",
    SPARSE: "Few papers of the pool count for the cell: so many as its axis calls sparse, or fewer. "
    "For a cell of two axes, the axis of the rows decides.",
    COVERED: "More papers of the pool count for the cell than its axis calls sparse.",
    NOT_APPLICABLE: "The two terms do not go together, says the taxonomy.",
}
WORDS = (*(state.value for state in MEANINGS), *(reason.value for reason in GapReason))


def rule(axis: Axis) -> str:
    """Which papers count for a term of an axis, and with how many it is a gap or sparse."""
    bar = f" with strength {axis.gap_strength!r} or above" if axis.gap_strength else ""
    return (
        f"A paper counts for a term if that is its main coding{bar}. "
        f"With no such paper a term is a gap; with {axis.sparse} it is sparse."
    )


def sections(corpus: Corpus | None, word: str) -> Iterator[tuple[Section, dict[str, object]]]:
    """The section of a state or of a reason, with its form for machines; none for another word.

    Without a corpus it says nothing of the axes of a survey.
    """
    for state, text in MEANINGS.items():
        if forms(state.value) & forms(word):
            blocks: tuple[Block, ...] = (Text(text), *_tables(corpus, state))
            yield Section(f"{state.word} (state of a cell of the gap map)", blocks), _data("state", word, text)
    for reason in GapReason:
        if forms(reason.value) & forms(word):
            text = f"The cell is a gap: {reason.meaning}."
            yield Section(f"{word} (reason of a gap)", (Text(text),)), _data("reason of a gap", word, text)


def _tables(corpus: Corpus | None, state: GapState) -> Iterator[Table]:
    if state is GAP:
        yield Table.of(("reason", "meaning"), [(reason.value, reason.meaning) for reason in GapReason])
    if state is SPARSE and corpus is not None:
        axes = [(axis.id, axis.gap_strength, str(axis.sparse)) for axis in corpus.taxonomy.axes]
        yield Table.of(("axis", "counts from strength", "sparse"), axes)


def _data(what: str, word: str, text: str) -> dict[str, object]:
    return {"what": what, "id": word, "text": text}
