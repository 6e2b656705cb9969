"""Random searches, and texts that have some of their words."""

from hypothesis import strategies as st

from awesome_cli.query.searching import NoneOf, Phrase, all_of, any_of

WORDS = ("bean", "beans", "roast", "dark", "müller", "crème", "and", "2025", "ß")
PHRASES = st.builds(
    Phrase,
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(tuple),
    st.sampled_from(("", "title", "abstract", "author")),
) | st.builds(
    lambda words, last, field: Phrase((*words, last), field, begins=True),
    st.lists(st.sampled_from(WORDS), max_size=2),
    st.sampled_from(("bea", "roas", "mül")),
    st.sampled_from(("", "title", "abstract", "author")),
)
TREES = st.recursive(
    PHRASES,
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3).map(all_of)
        | st.lists(inner, min_size=1, max_size=3).map(any_of)
        | inner.map(NoneOf)
    ),
    max_leaves=8,
)
TEXTS = st.lists(
    st.sampled_from([*WORDS, "BEANS", "Mu\u0308ller", "Creme", "roasted", "-", ",", "\n", "ss"]), max_size=8
).map(" ".join)
