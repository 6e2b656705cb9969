"""What an order is made with: the text of a record, the settings that are stored, and whether the library is there."""

from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Literal

from awesome_cli import __version__
from awesome_cli.analysis.ranking.features import SHARES
from awesome_cli.analysis.ranking.relevance import RATIO, STEP, C
from awesome_cli.errors import AwesomeError
from awesome_cli.model.screenings import ScreeningOrder

INSTALL = "pip install 'awesome-survey[screen]'"
"""The command that installs what an order by relevance is learnt with."""

FEATURES = "TF-IDF of " + ", ".join(f"{part} {share}" for part, share in SHARES.items())
CLASSIFIER = (
    f"linear support vector machine, squared hinge loss, C {C}, fitted when a label is relevant or 1 in {STEP} new"
)
BALANCE = f"all relevant {RATIO} to all irrelevant 1"


@dataclass(frozen=True)
class LabelledText:
    """A text that is not shown, with its label: a paper that was retained or excluded earlier."""

    text: str
    relevant: bool


def can_learn() -> bool:
    """Whether scikit-learn is installed; it is not imported for that."""
    return find_spec("sklearn") is not None


def needs_library() -> None:
    """Load scikit-learn, which takes a second once; raises `AwesomeError` where it is missing."""
    try:
        import_module("sklearn.svm")
    except ImportError:
        hint = f"install it with: {INSTALL}; an order at random or by date needs none"
        raise AwesomeError("an order by relevance needs scikit-learn", hint=hint) from None


def text(title: str, abstract: str | None) -> str:
    """What a `Ranker` reads of a record: the title is the first line, the abstract the rest."""
    return f"{' '.join(title.split())}\n{abstract or ''}"


def order(by: Literal["random", "date", "relevance"], seed: int = 0) -> ScreeningOrder:
    """The settings of an order as this program makes it, to be stored beside the decisions.

    Those of an order by relevance name features, classifier, balance and the version of scikit-learn; without that
    library they raise `AwesomeError`.
    """
    if by != "relevance":
        return ScreeningOrder(by=by, seed=seed, program=__version__)
    needs_library()
    return ScreeningOrder(
        by=by,
        seed=seed,
        features=FEATURES,
        classifier=CLASSIFIER,
        balance=BALANCE,
        version=f"scikit-learn {version('scikit-learn')}",
        program=__version__,
    )
