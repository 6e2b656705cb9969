"""Wording of places and numbers."""

from awesome_cli.traces.sources import LINES


def place(path: str, line: int) -> str:
    """A file, with the line in it if the file can hold more than one trace."""
    many = path.removesuffix(".gz").endswith((*LINES, ".parquet"))
    return f"{path}:{line}" if many or line > 1 else path


def counted(n: int, noun: str) -> str:
    """`1 trace`, `2 traces`."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
