"""Orders of candidates: the features against scikit-learn's own, the model, and what an order rests on."""

import random
import subprocess
import sys
import weakref
from collections.abc import Iterator
from datetime import date

import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.svm import LinearSVC

from awesome_cli import __version__
from awesome_cli.analysis.ranking import RATIO, SHARES, STEP, C, LabelledText, Ranker, features, order, scores, text
from awesome_cli.reports.progress import LISTENER
from awesome_cli.system.extras import install

TOPICS = {
    True: ["sourdough", "starter", "rye", "ferments", "slowly", "overnight", "crumb", "acid", "lactic", "culture"],
    False: ["espresso", "grinder", "burr", "pressure", "crema", "portafilter", "basket", "extraction", "roast", "bean"],
}
COMMON = [
    "we",
    "study",
    "the",
    "effect",
    "of",
    "time",
    "and",
    "heat",
    "on",
    "taste",
    "in",
    "many",
    "samples",
    "of",
    "a",
    "kitchen",
]


def shelf(n: int, relevant_every: int = 5) -> tuple[list[str], list[bool]]:
    """Texts on two topics with common words between, and which are on the first."""
    chance = random.Random(n)
    labels = [i % relevant_every == 0 for i in range(n)]
    parts = [[*chance.choices(TOPICS[label], k=4), *chance.choices(COMMON, k=20)] for label in labels]
    for part in parts:
        chance.shuffle(part)
    return [text(" ".join(part[:6]), " ".join(part[6:])) for part in parts], labels


def replay(ranker: Ranker, labels: list[bool], first: tuple[int, ...]) -> list[int]:
    for i in first:
        ranker.label(i, labels[i])
    read = []
    while (i := ranker.next()) is not None:
        ranker.label(i, labels[i])
        read.append(i)
    return read


def test_features_have_the_likenesses_that_scikit_learn_gives():
    texts = [*shelf(60)[0], "", "Only a title here\n", "One-off unheard words twice unheard words\nunheard words"]
    made = features(tuple(texts))
    parts = {
        "words": (TfidfVectorizer(sublinear_tf=True, max_df=0.95), texts),
        "pairs": (TfidfVectorizer(sublinear_tf=True, max_df=0.95, ngram_range=(2, 2)), texts),
        "title": (TfidfVectorizer(sublinear_tf=True, max_df=0.95), [each.partition("\n")[0] for each in texts]),
    }
    expected = 0
    for part, (vectorizer, of) in parts.items():
        matrix = vectorizer.fit_transform(of)
        expected = expected + SHARES[part] ** 2 * (matrix @ matrix.T).toarray()
    found = (made.shared @ made.shared.T).toarray()
    for i in range(len(texts)):
        found[i, i] += made.unique[i]
    assert abs(found - expected).max() < 1e-5


def test_the_model_is_the_one_that_all_terms_would_give():
    texts, labels = shelf(80)
    texts[:20] = [f"{each} word{i} other{i}" for i, each in enumerate(texts[:20])]
    bodies = [each.partition("\n") for each in texts]
    titles = TfidfVectorizer(sublinear_tf=True, max_df=0.95).fit_transform([body[0] for body in bodies])
    words = TfidfVectorizer(sublinear_tf=True, max_df=0.95).fit_transform(texts)
    pairs = TfidfVectorizer(sublinear_tf=True, max_df=0.95, ngram_range=(2, 2)).fit_transform(texts)
    from scipy import sparse

    whole = sparse.hstack([SHARES["words"] * words, SHARES["pairs"] * pairs, SHARES["title"] * titles], format="csr")
    y = labels[:20]
    relevant, n = sum(y), len(y)
    weights = [C * n / (1 + 1 / RATIO) * (1 / relevant if each else 1 / (RATIO * (n - relevant))) for each in y]
    model = LinearSVC(C=1, random_state=0, tol=1e-8, max_iter=100_000).fit(whole[:20], y, sample_weight=weights)
    expected = (whole @ model.coef_[0])[20:]
    found = scores(features(tuple(texts)), range(20), y, 0)[20:]
    assert abs(found - expected).max() < 0.01 * (expected.max() - expected.min())


def test_texts_are_gone_through_once_and_not_kept_and_progress_is_told():
    class Kept(str):
        """A text of which is known whether it is still there."""

    kept: list[weakref.ref[Kept]] = []
    told: list[tuple[str, int, int | None]] = []

    def given() -> Iterator[str]:
        for each in shelf(20)[0]:
            one = Kept(each)
            kept.append(weakref.ref(one))
            yield one

    before = LISTENER.set(lambda *said: told.append(said))
    ranker = Ranker(given(), order("relevance"))
    LISTENER.reset(before)
    assert len(kept) == len(ranker.ranked()) == 20
    assert not any(one() for one in kept)
    assert ("weighing terms", 3, 3) in told


def test_what_is_relevant_comes_early():
    texts, labels = shelf(200)
    read = replay(Ranker(texts, order("relevance", 3)), labels, (0, 1))
    assert len(read) == 198
    assert sum(labels[i] for i in read[:45]) >= 38
    assert sorted([*read, 0, 1]) == list(range(200))


def test_an_order_is_reproduced_and_asking_does_not_change_it():
    texts, labels = shelf(120)
    settings = order("relevance", 5)
    read = replay(Ranker(texts, settings), labels, (0, 1))
    again = Ranker(texts, settings)
    for i in (0, 1, *read[:60]):
        again.label(i, labels[i])
    assert again.next() == read[60]
    assert again.ranked(1) == again.ranked()[:1] == [read[60]]


def test_a_label_taken_back_leaves_no_trace():
    texts, labels = shelf(120)
    ranker = Ranker(texts, order("relevance"))
    for i in (0, 1, 2):
        ranker.label(i, labels[i])
    before = ranker.ranked()
    ranker.label(before[0], relevant=False)
    assert before[0] not in ranker.ranked()
    ranker.unlabel(before[0])
    ranker.unlabel(before[0])
    assert ranker.ranked() == before
    ranker.label(2, not labels[2])
    assert ranker.ranked() != before


def test_known_texts_start_an_order_and_are_never_shown():
    texts, labels = shelf(100)
    known = [LabelledText(each, relevant=label) for each, label in zip(*shelf(41), strict=True)]
    ranker = Ranker(texts, order("relevance"), known=known)
    first = ranker.ranked(20)
    assert sum(labels[i] for i in first) >= 18
    assert sorted(ranker.ranked()) == list(range(100))


def test_relevant_texts_alone_bring_those_like_them_first():
    texts, labels = shelf(100)
    known = [LabelledText(texts[i], relevant=True) for i in range(0, 50, 5)]
    first = Ranker(texts, order("relevance"), known=known).ranked(20)
    assert sum(labels[i] for i in first) >= 15


@pytest.mark.parametrize("texts", [[], [""], ["", "", ""], ["one word", "one word"], ["\n", "title alone\n"]])
def test_texts_with_little_in_them(texts):
    ranker = Ranker(
        texts, order("relevance"), known=[LabelledText("", relevant=True), LabelledText("x", relevant=False)]
    )
    assert sorted(ranker.ranked()) == list(range(len(texts)))
    assert sorted(replay(ranker, [False] * len(texts), ())) == list(range(len(texts)))


def test_without_a_relevant_text_the_order_is_the_random_one_of_its_seed():
    texts, _ = shelf(50)
    at_random = Ranker(texts, order("random", 7)).ranked()
    ranker = Ranker(texts, order("relevance", 7))
    assert ranker.ranked() == at_random != Ranker(texts, order("random", 8)).ranked()
    ranker.label(at_random[0], relevant=False)
    assert ranker.ranked() == at_random[1:]


def test_by_date_the_newest_come_first_and_those_without_one_last():
    dates = [date(2024, 5, 1), None, date(2025, 1, 1), date(2024, 5, 1)]
    ranker = Ranker(["a", "b", "c", "d"], order("date"), dates=dates)
    assert ranker.ranked() == [2, 0, 3, 1]
    ranker.label(2, relevant=True)
    assert ranker.next() == 0
    assert ranker.ranked(2) == [0, 3]


def test_settings_name_every_part():
    settings = order("relevance", 4)
    assert (settings.seed, settings.program) == (4, __version__)
    assert all(str(number) in (settings.classifier or "") + (settings.balance or "") for number in (C, RATIO, STEP))
    assert all(f"{part} {share}" in (settings.features or "") for part, share in SHARES.items())
    assert order("random").features is None


PROGRAM = """
import sys
sys.modules["sklearn"] = None
from awesome_cli.analysis.ranking import Ranker, order
from awesome_cli.errors import AwesomeError
print(Ranker(["a", "b"], order("random")).ranked())
try:
    order("relevance")
except AwesomeError as error:
    print(error.message, "|", error.hint)
"""


def test_without_scikit_learn_other_orders_work_and_the_message_names_the_extra():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    shown, said = done.stdout.splitlines()
    assert sorted(eval(shown)) == [0, 1]
    assert said.startswith(f"an order by relevance needs scikit-learn | install it with: {install('screen')}; or")
