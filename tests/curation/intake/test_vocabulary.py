"""Headings of a page in a survey: terms of an axis, made where they are missing, and only where a record has them."""

from awesome_cli.curation.intake.vocabulary import heading_terms
from awesome_cli.files.tree import WorkingTree
from awesome_cli.survey.loading import load_corpus

LIST = """# A list of brews

## Brewing
- [On Hot Brews](https://arxiv.org/abs/2301.00002)

### Cold-stored
- [On Cold Brews](https://arxiv.org/abs/2301.00003) [[code](https://github.com/example/cold)]

## Tools
- [grinder](https://github.com/example/grinder)
"""


def topics(root):
    """The terms of the axis, with their labels and parents."""
    taxonomy = load_corpus(WorkingTree(root)).taxonomy
    return {term.id: (term.label, term.parent) for term in taxonomy.by_id["topic"].terms}


def test_the_axis_is_made_and_comments_survive(run, root):
    path = root / "taxonomy.yaml"
    path.write_text("# kept by hand\n" + path.read_text())
    (root / "list.md").write_text(LIST)
    assert "Left out (1); --entries all adds 1 of them:" in run("import", root / "list.md", "--dry-run", root=root).out
    data = run("import", root / "list.md", "--format", "json", root=root).json["data"]
    assert data["created_terms"] == ["brewing", "brewing_in_general", "cold_stored"]
    assert data["left_out"] == [{"place": "list.md:10", "message": "grinder: links to code or a model, not to a paper"}]
    assert topics(root) == {
        "brewing": ("Brewing", None),
        "cold_stored": ("Cold-stored", "brewing"),
        "brewing_in_general": ("Brewing in general", "brewing"),
    }
    text = path.read_text()
    assert text.startswith("# kept by hand\n")
    assert "question: What is it about?" in text
    loaded = load_corpus(WorkingTree(root))
    assert {tag.term for p in loaded.papers for tag in p.tags.get("topic", ())} == {"brewing_in_general", "cold_stored"}


def test_a_second_list_uses_the_terms_that_are_there(run, root):
    (root / "list.md").write_text(LIST)
    run("import", root / "list.md", root=root)
    before = topics(root)
    more = LIST.replace("2301.0000", "2302.0000").replace("On ", "Further Words on ")
    (root / "more.md").write_text(more + "\n## Storing\n- [Of Tins](https://arxiv.org/abs/2302.00009)\n")
    data = run("import", root / "more.md", "--format", "json", root=root).json["data"]
    assert data["created_terms"] == ["storing"]
    assert topics(root) == {**before, "storing": ("Storing", None)}


def test_headings_may_go_to_an_axis_of_the_survey(run, root):
    (root / "list.md").write_text(LIST.replace("## Brewing", "## Drip").replace("### Cold-stored", "### Siphon"))
    diff = run("import", root / "list.md", "--headings", "device", "--diff", root=root).out
    assert "taxonomy.yaml" not in diff
    assert "device: drip" in diff
    assert "unknown axis 'nowhere'" in run("import", root / "list.md", "--headings", "nowhere", root=root, code=2).err


def test_a_heading_of_known_works_alone_makes_no_term(run, root):
    (root / "list.md").write_text(LIST)
    run("import", root / "list.md", root=root)
    (root / "again.md").write_text(LIST.replace("## Brewing", "## Boiling").replace("### Cold-stored", "### Chilled"))
    data = run("import", root / "again.md", "--format", "json", root=root).json["data"]
    assert (data["created_terms"], len(data["known"])) == ([], 2)


def test_markdown_in_a_folder_is_left_alone(run, root, tmp_path):
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "LICENSE.md").write_text(LIST)
    (folder / "refs.bib").write_text("@misc{a, title={On Grinding}, year={2020}}")
    data = run("import", folder, "--format", "json", root=root).json["data"]
    assert [entry["title"] for entry in data["added"]] == ["On Grinding"]


def test_a_list_without_papers_is_named_with_what_it_holds(run, root):
    (root / "list.md").write_text("# Tools\n\n## Grinders\n- [grinder](https://github.com/example/grinder)\n")
    done = run("import", root / "list.md", root=root, code=4)
    assert "list.md: contains no papers; 1 entry links to other resources: add --entries all" in done.out
    assert "grinder: links to code or a model" in done.out


def test_nested_headings_are_parents_and_works_right_under_one_get_a_term_of_their_own() -> None:
    found = heading_terms([("Tools",), ("Tools", "3D"), ("Tools", "Test"), ("Data", "Test")], taken=["data"])
    assert [(term.id, term.label, term.parent) for term in found.terms] == [
        ("tools", "Tools", None),
        ("h_3d", "3D", "tools"),
        ("test", "Test", "tools"),
        ("data_2", "Data", None),
        ("data_2_test", "Test", "data_2"),
        ("tools_in_general", "Tools in general", "tools"),
    ]
    assert found.ids[("Tools",)] == "tools_in_general"
    assert found.ids[("Data", "Test")] == "data_2_test"


def test_a_heading_without_latin_letters_gets_an_id() -> None:
    assert [term.id for term in heading_terms([("日本",), ("語",)]).terms] == ["heading", "heading_2"]
