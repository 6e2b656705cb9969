"""Reading `prices.yaml`, from beside the survey or from where it was said to be."""

from pathlib import Path

from awesome_cli.errors import SurveyError, UsageError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.prices import PATH, Prices
from awesome_cli.survey.loading import locate, read_file


def read_prices(path: Path) -> Prices:
    """The prices in a file.

    Raises `UsageError` where there is none, `SurveyError` with the place where it is wrong.
    """
    tree = WorkingTree(path.parent)
    prices, findings = read_file(tree, Prices, path.name)
    for finding in findings:
        line, column = locate(tree.read, finding)
        hint = f"{finding.fix}; the shape: 'awesome schema prices'"
        raise SurveyError(f"{path}:{line}:{column}: {finding.message}", hint=hint)
    if prices is None:
        raise UsageError(f"there is no file {str(path)!r}", hint="what it holds: awesome help metrics")
    return prices


def prices_beside(root: Path | None) -> Prices | None:
    """The prices beside a survey, if there are any."""
    path = root / PATH if root else None
    return read_prices(path) if path and path.exists() else None
