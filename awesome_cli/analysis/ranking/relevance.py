"""How likely each text is to be relevant, by a linear model that is fitted to the labelled ones."""

from collections.abc import Sequence
from typing import Any

from awesome_cli.analysis.ranking.features import Features

C = 0.07
"""The cost of an error of training: the smaller, the less the model follows single texts."""

RATIO = 9.8
"""All relevant texts together weigh this many times what all irrelevant ones do, however many there are of each."""

STEP = 25
"""Beside every relevant label, the model is fitted again when one label in this many is new."""


def scores(features: Features, labelled: Sequence[int], labels: Sequence[bool], seed: int) -> Any:
    """The score of each text: the distance from the plane of a linear support vector machine, less a constant.

    The model has the least |w|²/2 + Σ cᵢ · max(0, 1 - yᵢ · (w·xᵢ + b))². In its dual form cᵢ stands only in 1/(2cᵢ),
    which is added to |xᵢ|²; a term that no other text has adds its square there as well. So the costs are lowered by
    `own`, and the model is the one that all terms would give (Hsieh et al. 2008, "A dual coordinate descent method for
    large-scale linear SVM"). Where all labels are relevant, the score is the likeness to their mean; without a
    relevant one it is 0.
    """
    import numpy as np

    at, y = np.asarray(labelled, dtype=int), np.asarray(labels, dtype=bool)
    relevant = int(y.sum())
    if relevant == 0:
        return np.zeros(features.shared.shape[0])
    if relevant == len(y):
        return features.shared @ np.asarray(features.shared[at].mean(axis=0)).ravel()
    cost = C * np.where(y, 1 / relevant, 1 / (RATIO * (len(y) - relevant))) * len(y) / (1 + 1 / RATIO)
    return features.shared @ _weights(features.shared[at], y, cost / (1 + 2 * cost * features.own[at]), seed)


def best_first(scores: Any, fixed: Sequence[int]) -> list[int]:
    """The candidates by score, the highest first; those with one score as they stand in `fixed`."""
    import numpy as np

    order = np.asarray(fixed, dtype=int)
    ranked: list[int] = order[np.argsort(-scores[order], kind="stable")].tolist()
    return ranked


def _weights(rows: Any, y: Any, cost: Any, seed: int) -> Any:
    """The weight of each term, in single precision; the model is fitted to the terms that `rows` have."""
    import numpy as np
    from sklearn.svm import LinearSVC

    weights = np.zeros(rows.shape[1], np.float32)
    used = np.zeros(rows.shape[1], bool)
    used[rows.indices] = True
    if not used.any():
        return weights
    model = LinearSVC(C=1, dual=True, loss="squared_hinge", random_state=seed, max_iter=1_000_000)
    weights[used] = model.fit(rows[:, used], y, sample_weight=cost).coef_[0]
    return weights
