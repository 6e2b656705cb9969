"""The order by time: whatever a producer says about ties, the shortcut for complete answers changes nothing."""

from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.traces.model import Event
from awesome_cli.traces.order import by_time, sort, tie_key

SEQS = st.none() | st.integers(0, 6) | st.sampled_from([2.0, 3.0])
MOMENTS = st.tuples(st.integers(0, 2), st.integers(0, 2), SEQS, st.integers(0, 11))


@given(st.lists(MOMENTS, max_size=12))
def test_ties_go_by_the_producers_order_then_length_then_id(moments):
    events = [
        Event(i, f"e{name}", "message", "a", start, start + length, None, {} if seq is None else {"seq": seq})
        for i, (start, length, seq, name) in enumerate(moments)
    ]
    assert by_time(events) == sorted(range(len(events)), key=lambda i: (events[i].start, tie_key(events[i])))


def test_a_longer_event_comes_before_an_instant_at_its_end():
    """Also where it has to wait for an event that is later: by time alone the instant would be first."""
    events = [
        Event(i, name, "llm_call", agent, start, end, None, {})
        for i, (name, agent, start, end) in enumerate(
            [("long", "a", 0, 5), ("instant", "a", 5, 5), ("late", "b", 6, 6)]
        )
    ]
    order, stuck = sort(events, [0, 1, 2], [(2, 0)])
    assert ([events[i].id for i in order], stuck) == (["late", "long", "instant"], set())
