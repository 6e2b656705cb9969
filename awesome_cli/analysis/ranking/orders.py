"""What an order is made with: the text of a record, the settings that are stored, and whether the library is there."""

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from awesome_cli import __version__
from awesome_cli.model.screenings import ScreeningOrder

INSTALL = "pip install 'awesome-survey[screen]'"
"""The command that installs what an order by relevance is learnt with."""

FEATURES = "tf-idf of words and pairs of words"
CLASSIFIER = "linear support vector machine"
BALANCE = "balanced"


@dataclass(frozen=True)
class LabelledText:
    """A text that is not shown, with its label: a paper that was retained or excluded earlier."""

    text: str
    relevant: bool


def can_learn() -> bool:
    """Whether scikit-learn is installed; it is not imported for that."""
    return find_spec("sklearn") is not None


def text(title: str, abstract: str | None) -> str:
    """What a `Ranker` reads of a record: the title is the first line, the abstract the rest."""
    return f"{' '.join(title.split())}\n{abstract or ''}"


def order(by: Literal["random", "date", "relevance"], seed: int = 0) -> ScreeningOrder:
    """The settings of an order as this program makes it, to be stored beside the decisions.

    Those of an order by relevance name features, classifier, balance and the version of scikit-learn.
    """
    if by != "relevance":
        return ScreeningOrder(by=by, seed=seed, program=__version__)
    return ScreeningOrder(
        by=by,
        seed=seed,
        features=FEATURES,
        classifier=CLASSIFIER,
        balance=BALANCE,
        version=None,
        program=__version__,
    )
