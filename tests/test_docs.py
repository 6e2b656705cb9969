"""Documentation that can go stale is generated, and every command is in it."""

import re
from pathlib import Path

import pytest
from docs_pages import cli_page, commands, formats_page, rules_page

PAGES = {"cli.md": cli_page, "rules.md": rules_page, "formats.md": formats_page}


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_current(name: str, repository: Path, updating: bool):
    path, text = repository / "docs" / name, PAGES[name]()
    if updating:
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "run: make golden"


@pytest.mark.parametrize(("name", "command"), sorted(commands().items()))
def test_every_command_has_help_with_an_example(name: str, command):
    assert command.help
    assert f"awesome {name}" in command.help, f"the help of {name!r} has no example"
    for parameter in command.params:
        assert getattr(parameter, "help", None), f"{name}: {parameter.name} has no help"


def test_links_between_pages_lead_somewhere(repository: Path):
    """The README's paper list is generated, and its links are the records' own."""
    for page in [repository / "CONTRIBUTING.md", *(repository / "docs").rglob("*.md")]:
        text = page.read_text(encoding="utf-8")
        for name, anchor in re.findall(
            r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)", re.sub(r"```.*?```", "", text, flags=re.DOTALL)
        ):
            target = page.parent / name if name else page
            assert target.exists(), f"{page.name}: {name}"
            headings = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.MULTILINE) if anchor else []
            assert not anchor or anchor in {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}, (
                anchor
            )
