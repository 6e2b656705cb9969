"""Analyze many pieces of input in this process, in several, or on a Dask cluster; always in the order of the input."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain

from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.reports.progress import watched
from awesome_cli.traces.rows import ROWS_ONLY, Analysis, Wanted, analyze_piece
from awesome_cli.traces.sources import Piece

MEASURING = "measuring parts of the input"
Work = Callable[[Piece], list[Analysis]]


def analyze_all(
    pieces: Iterable[Piece], *, jobs: int = 1, dask: str | None = None, wanted: Wanted = ROWS_ONLY
) -> Iterator[Analysis]:
    """Every trace's analysis, in the order of the input.

    `jobs` processes share the work. `dask` is a scheduler's address, or `local` for a cluster on this machine with
    `jobs` workers; remote workers read the files themselves, by the given paths.
    """
    work = partial(analyze_piece, wanted=wanted)
    if dask is not None:
        yield from on_dask(list(pieces), work, dask, jobs)
    elif jobs > 1:
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor(jobs) as pool:
            pieces = list(pieces)
            yield from chain.from_iterable(watched(pool.map(work, pieces), MEASURING, len(pieces)))
    else:
        yield from chain.from_iterable(map(work, watched(list(pieces), MEASURING)))


def on_dask(pieces: list[Piece], work: Work, address: str, jobs: int) -> Iterator[Analysis]:
    """One task per piece; each result comes straight from its worker."""
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise AwesomeError("Dask is not installed", hint="pip install 'awesome-survey[dask]'") from error
    if not pieces:
        return
    if address != "local" and "://" not in address and ":" not in address:
        raise UsageError(f"{address!r} is not a scheduler", hint="give an address like tcp://host:8786, or 'local'")
    cluster = None
    if address == "local":
        cluster = LocalCluster(n_workers=jobs, threads_per_worker=1, processes=True, dashboard_address=None)
    try:
        with Client(cluster or address, timeout="10s") as client:
            # Not pure: the same path can have other traces the next time.
            yield from chain.from_iterable(client.gather(client.map(work, pieces, pure=False)))
    except OSError as error:
        raise AwesomeError(f"no Dask scheduler answers at {address}", hint="start one: dask scheduler") from error
    finally:
        if cluster is not None:
            cluster.close()
