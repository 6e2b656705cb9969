"""Functions on traces, which belong to no survey; `load_traces` or `load_trace` reads one."""

import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from awesome_cli import errors
from awesome_cli.text.known import require_known
from awesome_cli.traces import graph, sources
from awesome_cli.traces import replay as replaying
from awesome_cli.traces.model import Trace
from awesome_cli.traces.replay import Replay
from awesome_cli.traces.rewards import read_rewards
from awesome_cli.traces.training.table import DecisionTable

if TYPE_CHECKING:
    import pandas as pd


def load_traces(*paths: str | Path) -> Iterator[Trace]:
    """Yield the traces in files and folders (.json, .jsonl, .parquet), one at a time.

    Raises `AwesomeError` for the first unreadable trace; `load_trace` lists its findings.
    """
    for reading in sources.readings(sources.pieces(map(str, paths))):
        if reading.trace is None:
            raise errors.AwesomeError(str(reading.error), hint="list all errors: awesome trace check FILE")
        yield reading.trace


def replay(trace: Trace) -> Replay:
    """Replay a trace: return its order of events, states, findings and digests."""
    return replaying.replay(trace, graph.graph_of(trace))


def decisions(
    traces: Iterable[Trace],
    *,
    channel: str = "team",
    gamma: float = 1.0,
    std: Literal["population", "sample"] = "population",
    rewards: str | Path | None = None,
    with_content: bool = False,
) -> "pd.DataFrame":
    """Return one row per decision of some traces, with returns and credit by published rules in one reward channel.

    Model calls without a decision also get a row. `gamma`, from 0 to 1, is the discount of a row; `std` is the
    standard deviation of a group; `rewards` is a table (.csv, .tsv, .jsonl) with the columns trace, group, agent and
    value. The column `missing` says why other columns are null.

    Raises `UsageError` for another `gamma` or `std`, and for a table of which no trace is among `traces`; warns of
    traces that only one of the two has.
    """
    import pandas as pd

    require_known(std, ("population", "sample"), "standard deviation")
    if not 0 <= gamma <= 1:
        raise errors.UsageError(f"gamma is {gamma}, expected a number from 0 to 1")
    runs = list(traces)
    joined = read_rewards(rewards, channel)
    for message in joined.mismatches([trace.trace_id for trace in runs]):
        warnings.warn(message, stacklevel=2)
    table = DecisionTable.over(runs, channel=channel, gamma=gamma, std=std, with_content=with_content, joined=joined)
    rows = [row for trace in runs for row in table.rows(trace)]
    return pd.DataFrame(rows, columns=list(table.columns))
