"""The address of a survey's repository: links where its host is known, else the address, else a text to copy."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from pydantic import ValidationError

from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.appearance import About
from awesome_cli.publish import readme, site
from awesome_cli.publish.hosts import (
    MAIL_LENGTH,
    WORKFLOW,
    contact_address,
    in_repository,
    is_repository,
    page_address,
    repository_of,
)
from awesome_cli.survey.loading import load_corpus


@pytest.mark.parametrize(
    ("address", "send", "edit", "history"),
    [
        ("https://github.com/bean/coffee.git", "/issues/new/choose", "/edit/main/a.yaml", "/commits/main/a.yaml"),
        ("https://gitlab.com/bean/in/coffee/", "/-/issues/new", "/-/edit/main/a.yaml", "/-/commits/main/a.yaml"),
        ("https://codeberg.org/bean/coffee", "/issues/new/choose", "/_edit/main/a.yaml", "/commits/branch/main/a.yaml"),
        ("https://git.example.org/coffee", "", None, None),
    ],
)
def test_each_host_has_addresses_of_its_own(address: str, send: str, edit: str | None, history: str | None):
    top = address.removesuffix("/").removesuffix(".git")
    found = in_repository(About(title="x", repository=address), "a.yaml")
    assert (found["records"], found["send"]) == (top, top + send)
    assert (found["edit"], found["history"]) == (edit and top + edit, history and top + history)
    assert found["file"] == (
        edit and re.sub("_?edit/main", "src/branch/main" if "codeberg" in top else "blob/main", top + edit)
    )
    assert bool(found["checks"]) is bool(found["form"]) is ("github" in address)


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("corpus/a.b.yaml", "papers/a.b.html"),
        ("corpus", "papers.html"),
        ("candidates/a.yaml", "candidates.html#a"),
        ("exclusions/X1.yaml", "exclusions.html#X1"),
        ("taxonomy.yaml", "terms.html"),
    ],
)
def test_a_record_has_a_page_on_the_site_else_a_file_on_the_host(tmp_path: Path, path: str, page: str):
    on_host = About(title="x", repository="https://github.com/bean/coffee")
    assert page_address(on_host, tmp_path, path) == f"https://github.com/bean/coffee/blob/main/{path}"
    for top in ("https://bean.github.io/coffee", "https://bean.github.io/coffee/"):
        assert (
            page_address(on_host.model_copy(update={"site": top}), tmp_path, path)
            == f"https://bean.github.io/coffee/{page}"
        )
    assert page_address(About(title="x"), tmp_path, path) is None


@pytest.mark.parametrize(
    "path",
    [
        "github.com/bean",
        "github.com/../..",
        "github.com/bean/coffee/tree/main",
        "gitlab.com/bean/../x",
        "codeberg.org/bean",
        "github.com/bean/coffee\n",
    ],
)
def test_what_is_no_repository_has_no_links_of_a_host(path: str):
    assert not is_repository(f"https://{path}")
    assert in_repository(About.model_construct(repository=f"https://{path}"), "a.yaml")["edit"] is None


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("git@gitlab.com:tea/in/cups.git", "https://gitlab.com/tea/in/cups"),
        ("https://ada:secret@github.com/tea/cups.git", "https://github.com/tea/cups"),
        ("ssh://git@gitlab.example.org:2222/tea/cups.git/", "https://gitlab.example.org/tea/cups"),
        ("https://gitlab.example.org:8443/tea/cups", "https://gitlab.example.org:8443/tea/cups"),
        ("/srv/git/cups.git", None),
        ("https://github.com/tea", None),
    ],
)
def test_the_repository_of_a_folder_is_its_remote(git, tmp_path: Path, remote: str, address: str | None):
    git(tmp_path, "init", "-q")
    assert repository_of(tmp_path) is None
    git(tmp_path, "remote", "add", "origin", remote)
    assert repository_of(tmp_path) == address
    (tmp_path / "below").mkdir()
    assert repository_of(tmp_path / "below") is None


def test_without_an_address_there_is_none():
    assert set(in_repository(About(title="x"), "a.yaml").values()) == {None}


def pages(root: Path, address: str | None, field: str = "repository") -> dict[str, str]:
    """The site and the README of the coffee survey with this address."""
    taxonomy = root / "taxonomy.yaml"
    if address:
        taxonomy.write_text(
            taxonomy.read_text().replace("  short: coffee\n", f"  short: coffee\n  {field}: {address}\n")
        )
    (root / "README.md").write_text("# Coffee\n\n<!-- awesome:begin contribute -->\n<!-- awesome:end contribute -->\n")
    corpus = load_corpus(WorkingTree(root), candidates=True, evidence=True)
    found = {page.path: page.data.decode(errors="replace") for page in site.pages(corpus, root)}
    return found | {"README.md": readme.render(readme.pages(root)["README.md"], corpus, root)}


def test_a_known_host_is_linked(root: Path):
    (root / WORKFLOW).parent.mkdir(parents=True)
    (root / WORKFLOW).touch()
    found = pages(root, top := "https://github.com/bean/coffee")
    assert f'href="{top}/edit/main/corpus/aero2020.yaml"' in found["papers/aero2020.html"]
    assert f'href="{top}/commits/main/corpus/aero2020.yaml"' in found["papers/aero2020.html"]
    assert f'href="{top}/issues/new?template=paper.yml"' in found["take-part.html"]
    asked = "form-key=aero2020&amp;form-coding=device%3Dpress"
    assert f'href="{top}/issues/new?template=coding.yml&amp;{asked}"' in found["papers/aero2020.html"]
    assert f'href="{top}/issues/new?template=correction.yml&amp;form-key=aero2020"' in found["papers/aero2020.html"]
    assert "### " not in found["papers/aero2020.html"] + found["take-part.html"]
    assert f"[![Checks]({top}/actions/workflows/survey.yml/badge.svg)]" in found["README.md"]
    assert f"[Propose it]({top}/issues/new?template=paper.yml)" in found["README.md"]
    assert f"[Dispute the coding]({top}/issues/new?template=coding.yml)" in found["README.md"]
    assert all(f'href="{top}"' in text for path, text in found.items() if path.endswith(".html"))


def test_a_workflow_that_is_not_there_has_no_badge(root: Path):
    assert "badge" not in pages(root, "https://github.com/bean/coffee")["README.md"]


def test_of_another_host_there_is_the_address_alone(root: Path):
    found = pages(root, top := "https://git.example.org/coffee")
    assert {link for text in found.values() for link in re.findall(rf"{top}[^\"\s)<]*", text)} == {top}
    assert "awesome edit aero2020" in found["papers/aero2020.html"]


def test_without_an_address_there_is_a_text_to_copy(root: Path):
    found = pages(root, None)
    assert "<code>corpus/aero2020.yaml</code>" in found["papers/aero2020.html"]
    assert "<code>awesome edit aero2020</code>" in found["papers/aero2020.html"]
    assert "<code>awesome add REFERENCE --kind candidate</code>" in found["take-part.html"]
    assert "`awesome add REFERENCE --kind candidate`" in found["README.md"]
    assert "Its records" not in found["index.html"]
    assert "take-part.html#dispute&amp;key=aero2020&amp;coding=device=press" in found["papers/aero2020.html"]
    assert "### Disputed coding\n" in found["take-part.html"]
    assert "# Proposed paper: How Coffee Is Brewed\n\n### Reference" in found["take-part.html"]
    assert "names neither a repository nor a contact" in found["take-part.html"]
    assert not re.search(r"\bsend\b", found["take-part.html"] + found["papers/aero2020.html"])


def test_a_contact_by_mail_is_a_message_filled_in(root: Path):
    found = pages(root, "ada+beans@coffee.example.org", "contact")
    assert all(
        'href="mailto:ada+beans@coffee.example.org">Contact<' in text
        for path, text in found.items()
        if path.endswith(".html")
    )
    assert "<ada+beans@coffee.example.org>" in found["README.md"]
    messages = re.findall(r'href="(mailto:[^"]+\?[^"]+)"', found["take-part.html"])
    bodies = {
        asked["subject"][0]: asked["body"][0] for asked in (parse_qs(urlsplit(unescape(m)).query) for m in messages)
    }
    text = bodies["Disputed coding: How Coffee Is Brewed"]
    assert text.startswith("### Disputed paper\r\n\r\nKEY\r\n\r\n### Disputed coding")


def test_a_contact_that_is_a_page_is_linked_as_it_is(root: Path):
    found = pages(root, top := "https://example.org/contact", "contact")
    assert f'<a href="{top}" rel="noopener">send it' in found["take-part.html"]
    assert f"Tell the curators: <{top}>" in found["README.md"]


def test_a_message_is_no_longer_than_programs_take_and_no_contact_is_another_address():
    survey = About(title="x", contact="a@b.org")
    assert contact_address(survey, "A & b", "é" * MAIL_LENGTH) == "mailto:a@b.org?subject=A%20%26%20b"
    for contact in ("javascript:alert(1)//@b.org", "a@b.org?bcc=c@d.org", "a@b.org\n", "http://b.org/c", 'a"@b.org'):
        with pytest.raises(ValidationError):
            About(title="x", contact=contact)
        assert contact_address(About.model_construct(title="x", contact=contact)) is None


@pytest.mark.parametrize(
    "address",
    ["git@github.com:bean/coffee.git", "http://github.com/bean/coffee", "https://github.com", "https://a.org/b?c"],
)
def test_another_form_is_a_finding_with_its_place(root: Path, run, address: str):
    taxonomy = root / "taxonomy.yaml"
    taxonomy.write_text(
        taxonomy.read_text().replace("  short: coffee\n", f'  short: coffee\n  repository: "{address}"\n')
    )
    said = run("validate", root=root, code=None).out
    assert "taxonomy.yaml:4:15: S003 survey.repository: must be an https URL such as" in said
