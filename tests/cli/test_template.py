"""`awesome template`: what a survey inherits, and what it has for itself."""


def state(run, root, name):
    rows = run("template", "list", "--format", "json", root=root).json["data"]["templates"]
    return {row["name"]: row["state"] for row in rows}[name]


def test_a_copy_is_the_surveys_own_from_then_on(run, root):
    name = "readme/exclusions.md.j2"
    assert state(run, root, name) == "the tool's"
    assert f"created templates/{name}" in run("template", "copy", name, root=root).out
    assert state(run, root, name) == "a copy of the tool's"
    path = root / "templates" / name
    path.write_text("Nothing was screened out that you would miss.\n")
    assert state(run, root, name) == "the survey's own, differs from the tool's"
    run("render", root=root)
    assert "that you would miss" in (root / "README.md").read_text()


def test_a_copy_overwrites_nothing(run, root):
    path = root / "templates" / "site" / "base.html.j2"
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    done = run("template", "copy", "site/base.html.j2", root=root, code=1)
    assert "templates/site/base.html.j2 already exists; nothing was written" in done.err
    assert path.read_text() == "mine"


def test_a_name_is_that_of_a_template_of_readme_or_site(run, root):
    wrong = run("template", "copy", "readme/paper.md.j2", root=root, code=2).err
    assert "did you mean 'readme/papers.md.j2'?" in wrong
    alike = run("template", "copy", "papers", root=root, code=2).err
    assert "one of: readme/papers.md.j2, site/assets/papers.css, site/assets/papers.js, site/papers.html.j2" in alike
    run("template", "copy", "starter/LICENSE", root=root, code=2)
    run("template", "copy", "../pyproject.toml", root=root, code=2)
    assert not (root / "templates" / "starter").exists()


def test_a_template_that_only_the_survey_has_is_listed(run, root):
    (root / "templates" / "site").mkdir(parents=True)
    (root / "templates" / "site" / "own.html.j2").write_text("mine")
    assert state(run, root, "site/own.html.j2") == "the survey's own"
