"""Excel workbooks (.xlsx): write a table whose cells are all text, read the cells of the first sheet as text."""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from awesome_cli.errors import AwesomeError
from awesome_cli.formats.rows import LARGEST
from awesome_cli.formats.spreadsheets import LIMIT, UNCALCULATED
from awesome_cli.system.extras import install
from awesome_cli.text.bounds import allowed, too_large
from awesome_cli.text.inert import to_cell, without_unseen

WORKBOOK = re.compile(b"PK\3\4.*xl/", re.DOTALL)
SHEET = "codings"
MOST_ROWS = 1_048_576
"""Maximum number of rows of a sheet, the limit of Excel."""
WIDTHS = (10, 50)
"""Minimum and maximum width of a column, in characters."""


def _openpyxl() -> Any:
    try:
        import openpyxl
    except ImportError:
        hint = f"install it with: {install('xlsx')}; or use CSV"
        raise AwesomeError("workbooks (.xlsx) need openpyxl", hint=hint) from None
    return openpyxl


def write(rows: Sequence[Sequence[str]], *, raw: bool = False) -> bytes:
    """Return a workbook with one sheet of text cells, below a header that does not scroll.

    Raises `AwesomeError` for a text that is too long for a cell.
    """
    openpyxl = _openpyxl()
    workbook = openpyxl.Workbook(write_only=True)
    sheet = workbook.create_sheet(SHEET)
    sheet.freeze_panes = "B2"
    rows = [[without_unseen(text if raw else to_cell(text)) for text in row] for row in rows]
    if any(len(text) > LIMIT for row in rows for text in row):
        raise AwesomeError(f"a text is longer than the {LIMIT:,} characters of a cell", hint="export the table as CSV")
    for place, column in enumerate(zip(*rows, strict=True), 1):
        widest = max(len(cell) for cell in column[:1_000])
        sheet.column_dimensions[openpyxl.utils.get_column_letter(place)].width = min(max(widest, WIDTHS[0]), WIDTHS[1])
    for row in rows:
        cells = [openpyxl.cell.WriteOnlyCell(sheet, text) for text in row]
        for cell in cells:
            cell.number_format, cell.data_type = "@", "s"
        sheet.append(cells)
    data = io.BytesIO()
    workbook.save(data)
    return data.getvalue()


def read(data: bytes) -> Iterator[list[str]]:
    """Yield the rows of the sheet `codings`, else of the first sheet, as text.

    Raises `ValueError` if the file is damaged or too large.
    """
    openpyxl = _openpyxl()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > allowed(LARGEST):
                raise ValueError(too_large("the workbook", LARGEST))
            sheets = [name for name in archive.namelist() if name.startswith("xl/worksheets/")]
            has_formulas = any(b"<f" in archive.read(name) for name in sheets)
        passes = [_values(openpyxl, data, data_only=only) for only in ((True, False) if has_formulas else (True,))]
        for number, rows in enumerate(zip(*passes, strict=True), 1):
            if number > MOST_ROWS:
                raise ValueError(f"the sheet has more than {MOST_ROWS:,} rows")
            yield [_text(values) for values in zip(*rows, strict=True)]
    except (zipfile.BadZipFile, KeyError, TypeError, AttributeError, SyntaxError, OSError) as error:
        raise ValueError("the workbook is damaged, or its sheet has no cells") from error


def _values(openpyxl: Any, data: bytes, *, data_only: bool) -> Iterable[tuple[Any, ...]]:
    sheets = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=data_only).worksheets
    sheet = next((sheet for sheet in sheets if sheet.title == SHEET), sheets[0])
    sheet.reset_dimensions()  # some programs declare them wrongly
    return sheet.iter_rows(values_only=True)  # type: ignore[no-any-return]


def _text(values: tuple[Any, ...]) -> str:
    """Return a cell as text, of its value and (in a workbook with formulas) its formula."""
    value = UNCALCULATED if values[0] is None and values[-1] is not None else values[0]
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else str(value).upper() if isinstance(value, bool) else str(value)
