"""Import a file and check that what comes out is a trace without errors."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from trace_runs import import_path

from awesome_cli.reports.findings import Level
from awesome_cli.traces.checking import check_trace
from awesome_cli.traces.reading import read_document


@pytest.fixture
def imported() -> Callable[..., dict[str, Any]]:
    """The only trace of a file, read as `form`."""

    def convert(path: Path, form: str, *, with_content: bool = False) -> dict[str, Any]:
        (result,) = import_path(path, with_content=with_content)
        assert result.error is None, result.error
        assert result.format == form
        (trace,) = result.traces
        reading = read_document(trace)
        assert reading.trace is not None, reading.findings
        assert [f for f in check_trace(reading.trace) if f.level is Level.ERROR] == []
        return trace

    return convert
