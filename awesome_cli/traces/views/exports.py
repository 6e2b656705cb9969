"""The formats that a trace can be exported to. Each gives a text, and lists what the format cannot express."""

from collections.abc import Callable, Mapping

from awesome_cli.errors import AwesomeError
from awesome_cli.text.inert import to_json
from awesome_cli.traces.downgrade import downgrade
from awesome_cli.traces.exports.atif import to_atif
from awesome_cli.traces.exports.otel import to_otel
from awesome_cli.traces.model import Trace
from awesome_cli.traces.views import chrome, mermaid
from awesome_cli.traces.views.timeline import timeline

Export = tuple[str, tuple[str, ...]]


def to_v1(trace: Trace) -> Export:
    """Version 1, indented for people."""
    done = downgrade(trace)
    return to_json(done.document, indent=1, allow_nan=False) + "\n", done.lost


def _bounded(write: Callable[[Trace], Export]) -> Callable[[Trace], Export]:
    """The same export, with an error for a trace that JSON cannot nest."""

    def bounded(trace: Trace) -> Export:
        try:
            return write(trace)
        except RecursionError as error:
            raise AwesomeError(
                f"{trace.path}: {trace.trace_id}: a value or the tree of agents is nested too deeply to be written",
                hint="leave out the free fields that nest hundreds of levels deep",
            ) from error

    return bounded


EXPORTS: Mapping[str, Callable[[Trace], Export]] = {
    "atif": _bounded(to_atif),
    "chrome": lambda trace: (chrome.render(timeline(trace)), ()),
    "mermaid": lambda trace: (mermaid.render(timeline(trace)), ()),
    "otel": to_otel,
    "v1": _bounded(to_v1),
}
