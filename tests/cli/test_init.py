from awesome_cli.files.tree import WorkingTree
from awesome_cli.survey.loading import load_corpus


def test_an_empty_survey_is_valid_and_rendered(run, tmp_path):
    root = tmp_path / "my-bread_survey"
    run("init", root)
    assert load_corpus(WorkingTree(root)).taxonomy.survey.title == "My bread survey"
    assert "no findings" in run("validate", root=root).out
    run("render", "--check", root=root)
    for folder in ("corpus", "exclusions", "candidates"):
        assert (root / folder).is_dir()
    run("add", "--set", "title=A First Work", "--set", "authors=Bean, Ada", "--set", "identifiers.doi=10.1000/x",
        "--tag", "contribution=method", root=root)  # fmt: skip
    run("validate", "--strict", root=root)
    run("export", "bibtex", root=root)


def test_titles_that_need_quotes(run, tmp_path):
    for number, title in enumerate(["Bread: *and* [butter]", "yes", '"quoted"', "{{ title }}"]):
        root = tmp_path / str(number)
        run("init", root, "--title", title)
        assert load_corpus(WorkingTree(root)).taxonomy.survey.title == title
        run("render", "--check", root=root)


def test_nothing_is_overwritten(run, tmp_path):
    (tmp_path / "README.md").write_text("mine")
    done = run("init", tmp_path, code=1)
    assert "README.md exists already; nothing was written" in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
