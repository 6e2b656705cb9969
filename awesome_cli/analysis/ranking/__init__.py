"""The order in which candidates are screened: at random, by date, or by relevance learnt from what was decided."""

from awesome_cli.analysis.ranking.orders import INSTALL, LabelledText, can_learn, order, text
from awesome_cli.analysis.ranking.ranker import Ranker

__all__ = ["INSTALL", "LabelledText", "Ranker", "can_learn", "order", "text"]
