"""The pictures of a terminal in the manual: commands that run on the example survey, in their colours."""

import io
import re
import shutil
from pathlib import Path

import pytest
from builders import EXAMPLES
from rich.console import Console
from rich.text import Text
from running import invoke
from terminals import written

COLUMNS = 100
SHOWN = {
    "gaps": ("gaps", "sour"),
    "claims": ("claims", "check"),
    "findings": ("validate",),
    "list": ("list", "--where", "method=immersion"),
    "trace": ("trace", "show", str(EXAMPLES / "rich-v2.json")),
}
"""The command of each picture."""


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example survey."""
    root = tmp_path_factory.mktemp("example") / "coffee"
    invoke("init", root, "--example")
    return root


@pytest.fixture(scope="module")
def misspelt(example: Path) -> Path:
    """The example survey with a misspelt term."""
    root = example.parent / "misspelt"
    shutil.copytree(example, root)
    record = root / "corpus" / "siphon-note.yaml"
    text = record.read_text(encoding="utf-8")
    assert "method: siphon" in text
    record.write_text(text.replace("method: siphon", "method: syphon"), encoding="utf-8")
    return root


@pytest.mark.parametrize("name", SHOWN)
def test_the_picture_of_a_terminal_is_current(
    name: str, example: Path, misspelt: Path, repository: Path, updating: bool
):
    words = SHOWN[name]
    told = written(*words, root=misspelt if name == "findings" else example, columns=COLUMNS, color="always")
    typed = " ".join(word if "=" not in word else f"'{word}'" for word in words).replace(
        f"{EXAMPLES}/", "traces/examples/"
    )
    drawn = picture(f"$ awesome {typed}", told, name)
    path = repository / "docs" / "terminal" / f"{name}.svg"
    if updating:
        path.parent.mkdir(exist_ok=True)
        path.write_text(drawn, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == drawn, "run: make golden"
    assert "http" not in drawn.replace("http://www.w3.org/", ""), "a picture asks nobody for anything"


def picture(title: str, told: str, name: str) -> str:
    """The SVG of what a terminal shows, by rich; in fonts that are there, since rich's own are on the web."""
    from rich._export_format import CONSOLE_SVG_FORMAT

    form = re.sub(r"@font-face \{\{.*?\}\}\n|<!--.*?-->", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    form = form.replace("Fira Code", "ui-monospace, Menlo, Consolas, DejaVu Sans Mono")
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="256")
    console.print(Text.from_ansi(told.rstrip()))
    return console.export_svg(title=title, code_format=form, unique_id=name) + "\n"
