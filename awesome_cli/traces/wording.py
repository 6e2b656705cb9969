"""Wording of places."""

from awesome_cli.traces.sources import LINES


def place(path: str, line: int) -> str:
    """A file, with the line in it if the file can hold more than one trace."""
    many = path.removesuffix(".gz").endswith((*LINES, ".parquet"))
    return f"{path}:{line}" if many or line > 1 else path
