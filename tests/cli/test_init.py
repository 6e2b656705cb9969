"""A new survey: valid at once whatever is answered, on top of nothing that is there, and kept up to date."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from serving import Reply, Service
from test_add import ENTER, terminal  # noqa: F401 - a fixture

from awesome_cli import __version__
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.forms import proposed_axes
from awesome_cli.publish.starter import files as starter
from awesome_cli.publish.starter.files import LICENCES, presets
from awesome_cli.survey.loading import load_corpus

GITHUB = "https://github.com/ada/bread"
GITLAB = "https://gitlab.com/ada/bread"
WHY = "What does it do, and why does it belong here?"
COMMIT = "git+https://example.org/ada/tool@" + "0123456789" * 4
WHEEL = "https://example.org/awesome_survey-0.1.0-py3-none-any.whl#sha256=" + "0123456789abcdef" * 4


def survey_of(root):
    return load_corpus(WorkingTree(root)).taxonomy.survey


def files(root):
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".awesome" not in path.parts
    }


def in_order(run, root):
    """All checks pass without a finding, and the next command adds a record."""
    assert "no findings" in run("validate", "--strict", root=root).out
    run("claims", "check", root=root)
    run("render", "--check", "--diff", root=root)
    assert "Nothing to do. Next: awesome add" in run("status", root=root).out


def test_an_empty_survey_is_valid_and_rendered(run, tmp_path):
    root = tmp_path / "my-bread_survey"
    said = run("init", root).err
    assert [line.split()[0] for line in said.splitlines()] == ["left", "next:", "cd", "git", "awesome"]
    assert survey_of(root).title == "My bread survey"
    in_order(run, root)
    for folder in ("corpus", "exclusions", "candidates"):
        assert (root / folder).is_dir()
    assert not (root / "templates").exists()
    run("add", "--set", "title=A First Work", "--set", "authors=Bean, Ada", "--set", "identifiers.doi=10.1000/x",
        "--tag", "contribution=method", root=root)  # fmt: skip
    run("validate", "--strict", root=root)
    run("export", "bibtex", root=root)


def test_in_a_repository_none_is_begun_and_the_workflows_are_spoken_of(run, tmp_path, git):
    git(tmp_path, "init")
    said = " ".join(run("init", tmp_path / "docs" / "bread", "--tool", COMMIT).err.split())
    assert "git init" not in said
    assert "this survey is in docs/bread" in said
    assert "'survey: docs/bread'" in said
    assert "top" not in run("init", tmp_path, "--tool", COMMIT).err
    assert "top" not in run("init", tmp_path / "tea").err, "there is no .github to move"


@pytest.mark.parametrize("preset", presets())
def test_every_preset_passes_all_checks(run, tmp_path, preset):
    root = tmp_path / preset
    words = ("--title", "On bread", "--question", "What makes bread rise?", "--repository", GITHUB)
    run("init", root, "--preset", preset, "--licence", "CC-BY-4.0", "--author", "Bean, Ada", *words)
    in_order(run, root)
    assert survey_of(root).repository == GITHUB
    taxonomy = load_corpus(WorkingTree(root)).taxonomy
    assert all(term.definition for axis in taxonomy.axes for term in (*axis.terms, *axis.strengths))
    form = yaml.safe_load((root / ".github/ISSUE_TEMPLATE/paper.yml").read_text())
    names = [field["id"] for field in form["body"]]
    assert names == ["form-reference", "form-summary", *(axis.id for axis in proposed_axes(taxonomy))]
    assert len(names) > 2
    assert "nothing to change" in run("init", "--upgrade", root=root).out


@pytest.mark.parametrize("preset", presets())
def test_the_example_of_a_claim_is_one(run, tmp_path, preset):
    run("init", tmp_path / "new", "--preset", preset, "--title", "On: [bread]")
    path = tmp_path / "new" / "claims.yaml"
    lines = [line.removeprefix("# ") for line in path.read_text().splitlines()]
    path.write_text("\n".join(lines[lines.index("claims:") : lines.index("claims: []")]))
    (answer,) = run("claims", "check", "--format", "json", root=tmp_path / "new").json["data"]["claims"]
    assert answer["holds"] is True
    assert "no findings" in run("validate", "--strict", root=tmp_path / "new").out


@pytest.mark.parametrize(
    "title", ["Bread: *and* [butter]", "yes", '"quoted"', "{{ title }}", "@{ version }@", "<b>&amp;"]
)
def test_titles_that_need_quotes(run, tmp_path, title):
    run("init", tmp_path / "new", "--title", title, "--question", title, "--author", title, "--licence", "MIT")
    assert survey_of(tmp_path / "new").title == title
    in_order(run, tmp_path / "new")
    citation = yaml.safe_load((tmp_path / "new" / "CITATION.cff").read_text())
    assert (citation["title"], citation["authors"]) == (title, [{"name": title}])


@pytest.mark.parametrize("licence", [*LICENCES, "none"])
def test_a_licence_is_named_with_its_address(run, tmp_path, licence):
    run("init", tmp_path / "new", "--licence", licence)
    named = (tmp_path / "new" / "LICENSE").read_text() if licence in LICENCES else ""
    assert all(part in named for part in LICENCES.get(licence, ()))
    assert (tmp_path / "new" / "LICENSE").exists() is (licence != "none")
    assert survey_of(tmp_path / "new").licence == ("" if licence == "none" else licence)
    in_order(run, tmp_path / "new")


def test_without_a_repository_nothing_links_to_one(run, tmp_path):
    run("init", tmp_path / "new", "--title", "Bread")
    assert not (tmp_path / "new" / ".github" / "ISSUE_TEMPLATE").exists()
    assert b"https://github.com" not in b"".join(files(tmp_path / "new").values())
    text = (tmp_path / "new" / "CONTRIBUTING.md").read_text()
    copied = text.partition("```markdown\n")[2].partition("```")[0]
    assert [line for line in copied.splitlines() if line.startswith("### ")][:2] == ["### Reference", f"### {WHY}"]
    sent = copied.replace("### Reference\n", "### Reference\n\n2402.01680\n").replace(WHY, f"{WHY}\n\nIt rises.")
    (tmp_path / "sent.md").write_text(sent)
    run("--offline", "issue", "apply", tmp_path / "sent.md", root=tmp_path / "new")


def test_what_a_repository_has_stays_and_its_readme_may_be_filled(run, tmp_path):
    own = {"README.md": b"# Mine\n", "LICENSE": b"mine", ".gitignore": b"*.tmp\n", "CITATION.cff": b"cff-version: 1.2.0\n",
           "CONTRIBUTING.md": b"Ask me.\n", "notes/a.md": b"a"}  # fmt: skip
    for name, data in own.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    said = run("init", tmp_path, "--title", "Bread").err
    assert "not overwritten: README.md, LICENSE, CITATION.cff, CONTRIBUTING.md, .gitignore\n" in said
    assert {name: data for name, data in files(tmp_path).items() if name in own} == own
    assert survey_of(tmp_path).licence == ""  # the file may say anything
    in_order(run, tmp_path)
    marks = said.partition("add the lines ")[2].partition(" and run")[0].split(" and ")
    (tmp_path / "README.md").write_text("# Mine\n\n" + "\n".join(marks) + "\n")
    run("add", "--set", "title=A First Work", "--set", "authors=Bean, Ada", "--set", "identifiers.doi=10.1000/x",
        "--tag", "contribution=method", root=tmp_path)  # fmt: skip
    run("render", root=tmp_path)
    assert "A First Work" in (tmp_path / "README.md").read_text()


def test_nothing_is_overwritten(run, tmp_path):
    (tmp_path / "claims.yaml").write_text("mine")
    (tmp_path / "LICENSE").symlink_to("elsewhere")
    done = run("init", tmp_path, code=1)
    assert "already contains LICENSE, claims.yaml; nothing was written" in " ".join(done.err.split())
    assert {path.name for path in tmp_path.iterdir()} == {"claims.yaml", "LICENSE"}


def test_it_starts_where_c_says_and_a_typed_path_is_relative_to_where_one_stands(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.md").write_text("# Bread\n\n## A\n- [On Bread](https://arxiv.org/abs/1706.03762)\n")
    run("init", "--input", "list.md", root="deep/new")
    assert survey_of(tmp_path / "deep" / "new").title == "Bread"
    run("init", "third", root="deep/new")
    assert survey_of(tmp_path / "third").title == "Third"
    run("init", "--example", root="example")
    assert survey_of(tmp_path / "example").title
    assert {path.name for path in tmp_path.iterdir()} == {"list.md", "deep", "third", "example"}


@pytest.mark.parametrize("address", [f"{GITHUB}/", f"{GITHUB}.git", GITHUB.replace("github", "GitHub")])
def test_every_spelling_of_an_address_leads_to_the_form(run, tmp_path, address):
    run("init", tmp_path / "new", "--repository", address)
    assert (tmp_path / "new" / ".github/ISSUE_TEMPLATE/paper.yml").exists()
    top = address.removesuffix("/").removesuffix(".git")
    text = (tmp_path / "new" / "CONTRIBUTING.md").read_text()
    assert f"({top}/issues/new?template=paper.yml)" in text
    assert f"[the repository]({top})" in text


def test_the_form_is_one_that_github_takes(run, tmp_path):
    rows = "".join(f"Paper {n},10.1000/{n},{word}\n" for n, word in enumerate(("none", "open") * 3))
    (tmp_path / "list.csv").write_text(f"title,doi,reference\n{rows}")
    run("init", tmp_path / "new", "--input", tmp_path / "list.csv", "--axis", "reference", "--repository", GITHUB)
    form = yaml.safe_load((tmp_path / "new" / ".github/ISSUE_TEMPLATE/paper.yml").read_text())
    labels = [field["attributes"]["label"] for field in form["body"]]
    assert "Reference (reference)" in labels
    assert len({*labels}) == len(labels)
    (options,) = (field["attributes"]["options"] for field in form["body"] if field["id"] == "reference")
    assert options == ["reference=none", "open"]


def test_a_title_of_several_lines_stays_one_paragraph_of_the_licence(run, tmp_path):
    run("init", tmp_path / "new", "--title", "Two\nlines\n---")
    assert "\n    Two lines ---,\n" in (tmp_path / "new" / "LICENSE").read_text()


def test_a_start_ends_no_plan_of_another_command(run, tmp_path):
    plan = tmp_path / ".awesome" / "plan"
    plan.mkdir(parents=True)
    step = {"path": "README.md", "before": None, "after": sha256(b"theirs").hexdigest()}
    (plan / "after-0").write_bytes(b"theirs")
    (plan / "plan.json").write_text(json.dumps({"command": ["init", "elsewhere"], "files": [step]}))
    assert "'awesome init elsewhere' was interrupted in this folder" in run("init", tmp_path, code=1).err
    assert not files(tmp_path)


def test_a_survey_is_not_started_twice(run, tmp_path):
    run("init", tmp_path / "new")
    before = files(tmp_path / "new")
    done = run("init", tmp_path / "new", "--title", "Other", code=1)
    assert "already contains a survey" in done.err
    assert "awesome init --upgrade" in done.err
    assert files(tmp_path / "new") == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--preset", "methods"], "unknown preset 'methods'; did you mean 'method'?"),
        (["--licence", "CC0"], "unknown licence 'CC0'; did you mean 'CC0-1.0'?"),
        (["--repository", "github.com/ada/bread"], "not a valid repository address"),
        (["--repository", f"{GITHUB}\n"], "not a valid repository address"),
        (["--repository", "https://github.com/ada"], "not a valid repository address"),
        (["--title", " "], "the title is empty"),
        (["--upgrade", "--title", "Bread"], "cannot be combined with --upgrade"),
        *(
            (["--tool", text], f"--tool {text!r} does not pin a commit or a wheel")
            for text in (
                "awesome-survey",
                "awesome-survey==0.1.0",
                COMMIT[:-1],
                COMMIT[:-40] + "main",
                COMMIT + "0",
                f"other @ {COMMIT}",
                COMMIT.replace("https", "http"),
                COMMIT.replace("https", "ssh"),
                COMMIT.replace("https://", "file:///"),
                WHEEL[:-1],
                WHEEL.partition("#")[0],
                WHEEL.replace("https", "http"),
                WHEEL.replace("sha256", "md5"),
                ".",
                "../tool",
                "dist/awesome.whl",
                f"{COMMIT} --extra-index-url=https://example.org",
                f"{COMMIT}\nother",
                f'{COMMIT}"]',
                f"{COMMIT}#egg=x",
                f"{COMMIT};os_name=='nt'",
                WHEEL.replace("example.org", "user:secret@example.org"),
                COMMIT.replace("tool", "$(touch ran)"),
                COMMIT.replace("tool", "`ran`"),
                COMMIT.replace("tool", "t'ool"),
                COMMIT.replace("tool", "${{ secrets.X }}"),
                COMMIT.replace("tool", "t\u00f6\u00f6l"),
            )
        ),
    ],
)
def test_answers_that_cannot_be(run, tmp_path, words, said):
    assert said in run("init", tmp_path / "new", *words, code=2).err
    assert not (tmp_path / "new").exists()


def test_a_person_is_asked(run, tmp_path, terminal):  # noqa: F811
    down = "\x1b[B"
    keys = ("", "Why?", down, down + down, "Bean, Ada; Others, The", "nonsense")
    # The first address of each kind is refused, and cleared.
    terminal.send_text(ENTER.join(keys) + ENTER + "\x15" + GITHUB + ENTER + "tool" + ENTER + "\x15" + WHEEL + ENTER)
    run("init", tmp_path / "my-bread")
    survey = survey_of(tmp_path / "my-bread")
    assert (survey.title, survey.description, survey.repository) == ("My bread", "Why?", GITHUB)
    assert (survey.licence, survey.authors) == ([*LICENCES][2], ("Bean, Ada", "Others, The"))
    assert WHEEL in (tmp_path / "my-bread" / ".github" / "requirements.txt").read_text()
    assert len(load_corpus(WorkingTree(tmp_path / "my-bread")).taxonomy.axes) > 1
    in_order(run, tmp_path / "my-bread")


def test_nobody_is_asked_in_vain(run, tmp_path, terminal):  # noqa: F811
    (tmp_path / "claims.yaml").write_text("mine")
    assert "already contains claims.yaml" in run("init", tmp_path, code=1).err  # without one key pressed


def test_what_an_option_says_is_not_asked(run, tmp_path, terminal):  # noqa: F811
    terminal.send_text("Bean, Ada" + ENTER + ENTER)
    words = ("--title", "Bread", "--question", "", "--preset", "list", "--licence", "none", "--repository", GITHUB)
    run("init", tmp_path / "new", *words)
    assert survey_of(tmp_path / "new").authors == ("Bean, Ada",)


def of_tool(root):
    return {name for name in files(root) if name.startswith((".git", ".pre-commit")) and name != ".gitignore"}


def test_without_a_release_or_an_address_nothing_runs_a_tool(run, tmp_path):
    said = " ".join(run("init", tmp_path / "new").err.split())
    assert "left out: workflows and hooks, since awesome" in said
    assert "awesome init --upgrade --tool git+https://HOST/PATH@COMMIT" in said
    assert of_tool(tmp_path / "new") == set()
    assert b"awesome-survey" not in b"".join(files(tmp_path / "new").values())
    assert run("init", "--upgrade", root=tmp_path / "new").out == "nothing to change\n"
    run("init", "--upgrade", "--tool", COMMIT, root=tmp_path / "new")
    run("init", tmp_path / "at-once", "--tool", COMMIT, "--title", "New")
    assert of_tool(tmp_path / "new") == of_tool(tmp_path / "at-once")
    in_order(run, tmp_path / "new")


@pytest.mark.parametrize("address", [COMMIT, WHEEL])
@pytest.mark.parametrize("prefix", ["", "awesome-survey @ ", "awesome-survey[plot]@"])
def test_workflows_hooks_and_guide_install_one_address(run, tmp_path, address, prefix):
    root = tmp_path / "new"
    assert "left out" not in run("init", root, "--tool", prefix + address).err
    _, line = (root / ".github" / "requirements.txt").read_text().splitlines()
    assert Requirement(line).url == address
    hooks = yaml.safe_load((root / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    assert {*map(str, (hook["additional_dependencies"] for hook in hooks))} == {str([f"awesome-survey @ {address}"])}
    assert f"\npipx install '{address}'\n" in (root / "CONTRIBUTING.md").read_text()
    in_order(run, root)


@pytest.mark.parametrize("host", ["gitlab.com", "gitlab.example.org"])
def test_a_survey_on_gitlab_gets_the_jobs_of_gitlab(run, git, tmp_path, host):
    root = tmp_path / "new"
    options = ("--title", "A survey of bread", "--repository", f"https://{host}/ada/in/bread")
    assert "left out: workflows and hooks" in run("init", root, *options).err
    assert of_tool(root) == set()
    run("init", "--upgrade", "--tool", COMMIT, root=root)
    assert of_tool(root) == {".gitlab-ci.yml", ".pre-commit-config.yaml"}
    (tmp_path / "at-once").mkdir()
    git(tmp_path / "at-once", "init", "-q")
    git(tmp_path / "at-once", "remote", "add", "origin", f"git@{host}:ada/in/bread.git")
    run("init", tmp_path / "at-once", *options[:2], "--tool", COMMIT)
    shutil.rmtree(tmp_path / "at-once/.git")
    assert files(tmp_path / "at-once") == files(root)
    assert run("init", "--upgrade", root=root).out == "nothing to change\n", "the pin is read from the file"
    run("init", "--upgrade", "--tool", WHEEL, root=root)
    jobs = yaml.safe_load((root / ".gitlab-ci.yml").read_text())
    assert Requirement(shlex.split(jobs["default"]["before_script"][0])[-1]).url == WHEEL
    in_order(run, root)


@pytest.mark.slow
def test_the_jobs_of_gitlab_run(run, tmp_path, git):
    root = tmp_path / "survey"
    run("init", root, "--example", "--with", "paper")
    taxonomy = root / "taxonomy.yaml"
    taxonomy.write_text(re.sub(r"(?m)^survey:$", f"survey:\n  repository: {GITLAB}", taxonomy.read_text(), count=1))
    run("init", "--upgrade", "--tool", COMMIT, root=root)
    run("render", root=root)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "Start")
    base = git(tmp_path, "rev-parse", "HEAD").strip()
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "SURVEY": "survey",
        "CI_PROJECT_DIR": str(tmp_path),
        "CI_PAGES_URL": "https://ada.gitlab.io/bread",
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": base,
    }
    file = yaml.safe_load((root / ".gitlab-ci.yml").read_text())
    jobs = {name: job["script"] for name, job in file.items() if "script" in job}

    def failing() -> set[str]:
        """Run each job in the folder of the repository, as GitLab does, and return those that fail."""
        codes = {
            name: subprocess.run(["bash", "-e"], input="\n".join(lines), text=True, cwd=tmp_path, env=environment)
            for name, lines in jobs.items()
        }
        return {name for name, done in codes.items() if done.returncode}

    assert failing() == set()
    assert (tmp_path / "public" / "index.html").is_file()
    run("set", "press-study", "title=Pressing Again", root=root)
    git(tmp_path, "add", "-A", "survey/corpus")
    git(tmp_path, "commit", "-qm", "Recode")
    assert "render" in failing()
    run("render", root=root)
    main = root / "paper" / "main.tex"
    main.write_text(main.read_text().replace("{retained}", "{retaned}"))
    assert failing() & {"render", "validate"} == {"render"}
    (root / "corpus" / "broken.yaml").write_text("title: [")
    assert {"validate"} <= failing()


def test_an_example_may_have_workflows_too(run, tmp_path):
    run("init", tmp_path / "new", "--example", "--tool", WHEEL)
    assert WHEEL in (tmp_path / "new" / ".github" / "requirements.txt").read_text()


@pytest.fixture
def index(service, monkeypatch) -> Service:
    """An index for pip, the only one that it asks."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", f"{service.url}/simple")
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    return service


def test_a_release_is_found_as_pip_finds_it(run, tmp_path, index, monkeypatch):
    name = f"awesome_survey-{__version__}-py3-none-any.whl"
    with zipfile.ZipFile(tmp_path / name, "w") as archive:
        about = f"awesome_survey-{__version__}.dist-info"
        archive.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: awesome-survey\nVersion: {__version__}\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    wheel = (tmp_path / name).read_bytes()
    digest = sha256(wheel).hexdigest()
    page = f'<a href="/{name}#sha256={digest}">wheel</a><a href="/awesome_survey-{__version__}.tar.gz">source</a>'
    index.routes["/simple/awesome-survey/"] = Reply(page.encode(), headers={"Content-Type": "text/html"})
    index.routes[f"/{name}"] = Reply(wheel)
    assert starter.resolved(os.environ) == f"{index.url}/{name}#sha256={digest}"
    monkeypatch.setattr(starter, "RELEASED", __version__)
    assert "left out: workflows and hooks" in run("init", tmp_path / "new").err, "an address without TLS pins nothing"


def test_a_release_pins_its_own_wheel(run, tmp_path, monkeypatch):
    wheel = WHEEL.replace("0.1.0", __version__)
    monkeypatch.setattr(starter, "resolved", lambda _environment: wheel)
    run("init", tmp_path / "before")
    assert of_tool(tmp_path / "before") == set(), "nobody asks for a name that nobody holds"
    monkeypatch.setattr(starter, "RELEASED", __version__)
    run("init", tmp_path / "new")
    assert wheel.encode() in b"".join(files(tmp_path / "new").values())
    assert "created .github/requirements.txt" in run("init", "--upgrade", root=tmp_path / "before").out


def test_a_release_that_no_index_has_leaves_workflows_out(run, tmp_path, index, monkeypatch):
    monkeypatch.setattr(starter, "RELEASED", __version__)
    assert "left out: workflows and hooks" in run("init", tmp_path / "new").err
    assert index.asked
    assert of_tool(tmp_path / "new") == set()


def test_a_release_without_the_network_leaves_workflows_out(run, tmp_path, index, monkeypatch):
    monkeypatch.setattr(starter, "RELEASED", __version__)
    assert "left out: workflows and hooks" in run("--offline", "init", tmp_path / "new").err
    assert (of_tool(tmp_path / "new"), index.asked) == (set(), [])


def test_zizmor_finds_nothing_in_a_new_survey(run, tmp_path):
    """Not even as a pedant."""
    run("init", tmp_path / "new", "--tool", COMMIT, "--repository", GITHUB)
    command = [
        "zizmor",
        "--offline",
        "--quiet",
        "--strict-collection",
        "--persona",
        "pedantic",
        "--format",
        "json",
        ".",
    ]
    program = Path(sys.executable).with_name(command[0])
    done = subprocess.run([program, *command[1:]], cwd=tmp_path / "new", capture_output=True, text=True, check=False)
    assert (done.returncode, json.loads(done.stdout)) == (0, []), done.stderr


class TestUpgrade:
    @pytest.fixture
    def new(self, run, tmp_path):
        run("init", tmp_path / "new", "--title", "Bread", "--tool", COMMIT)
        return tmp_path / "new"

    def grow_old(self, new):
        """Files as an earlier version of the tool wrote them."""
        from awesome_cli.publish import freshness

        for name in ("CONTRIBUTING.md", ".github/requirements.txt"):
            text = freshness.MARK.sub("", (new / name).read_text())
            (new / name).write_text(
                freshness.marked(name, f"{text}\nearlier\n").replace("awesome 0.1.0", "awesome 0.0.9")
            )

    def test_what_is_old_or_missing_is_written(self, run, new):
        after = files(new)
        self.grow_old(new)
        (new / ".gitignore").unlink()
        old = files(new)
        assert "+_site/" in run("init", "--upgrade", "--diff", root=new).out
        assert "would create .gitignore" in run("init", "--upgrade", "--dry-run", root=new).out
        assert files(new) == old
        said = run("init", new, "--upgrade").out
        assert set(said.splitlines()) == {
            "created .gitignore", "changed .github/requirements.txt", "changed CONTRIBUTING.md",
        }  # fmt: skip
        assert files(new) == after
        assert run("init", "--upgrade", root=new).out == "nothing to change\n"

    def test_what_a_person_changed_is_left_and_named(self, run, new):
        self.grow_old(new)
        path = new / "CONTRIBUTING.md"
        path.write_text(path.read_text() + "Ask Ada first.\n")
        done = run("init", "--upgrade", root=new)
        assert done.out == "changed .github/requirements.txt\n"
        assert "kept CONTRIBUTING.md: it was edited by hand" in done.err
        assert "move the file away and repeat the command" in done.err
        shown = run("init", "--upgrade", "--diff", root=new).out
        assert "--- a/CONTRIBUTING.md" in shown
        assert "-Ask Ada first." in shown
        assert path.read_text().endswith("Ask Ada first.\n")
        path.unlink()
        assert run("init", "--upgrade", root=new).out == "created CONTRIBUTING.md\n"

    def test_what_belongs_to_the_survey_is_never_touched(self, run, new):
        own = ("README.md", "LICENSE", "CITATION.cff", "claims.yaml", "taxonomy.yaml")
        for name in own:
            (new / name).write_text((new / name).read_text() + "\n")
        before = files(new)
        assert run("init", "--upgrade", root=new).out == "nothing to change\n"
        (new / "CITATION.cff").unlink()
        assert run("init", "--upgrade", root=new).out == "nothing to change\n"
        assert files(new) == {name: data for name, data in before.items() if name != "CITATION.cff"}

    def test_pins_are_left_to_those_who_keep_them(self, run, new):
        path = new / ".github" / "workflows" / "survey.yml"
        path.write_text(path.read_text().replace("# v4.2.2", "# v5.0.0"))
        assert run("init", "--upgrade", root=new).out == "nothing to change\n"
        pinned = new / ".github" / "requirements.txt"
        pinned.write_text(pinned.read_text().replace(COMMIT, WHEEL))
        assert run("init", "--upgrade", root=new).out == "changed CONTRIBUTING.md\nchanged .pre-commit-config.yaml\n"
        assert WHEEL in (new / ".pre-commit-config.yaml").read_text()
        assert run("init", "--upgrade", root=new).out == "nothing to change\n"

    def test_a_file_of_a_newer_version_is_left(self, run, new):
        path = new / ".github" / "workflows" / "survey.yml"
        path.write_text(path.read_text().replace("awesome 0.1.0", "awesome 9.1.0") + "\n# new\n")
        done = run("init", "--upgrade", root=new)
        assert done.out == "nothing to change\n"
        assert "kept .github/workflows/survey.yml: a newer version" in done.err
        assert "move the file away" not in done.err
        assert run("init", "--upgrade", "--diff", root=new).out == "nothing to change\n"

    def test_a_name_that_nobody_holds_is_replaced_only_by_an_address(self, run, new):
        """As surveys had it that were begun before: the mark of a file does not depend on what it pins."""
        from awesome_cli.publish import freshness

        for name in (".github/requirements.txt", ".pre-commit-config.yaml"):
            text = freshness.MARK.sub("", (new / name).read_text()).replace(f" @ {COMMIT}", "==0.1.0")
            (new / name).write_text(freshness.marked(name, text))
        before = files(new)
        done = run("init", "--upgrade", root=new)
        assert done.out == "changed CONTRIBUTING.md\n"
        assert "kept workflows and hooks: .github/requirements.txt does not pin a commit or a wheel" in done.err
        assert {name for name, data in files(new).items() if data != before[name]} == {"CONTRIBUTING.md"}
        said = run("init", "--upgrade", "--tool", COMMIT, root=new).out
        assert {*said.splitlines()} == {
            "changed .github/requirements.txt", "changed .pre-commit-config.yaml", "changed CONTRIBUTING.md",
        }  # fmt: skip
        assert b"survey==" not in b"".join(files(new).values())

    def test_status_tells_of_a_guide_that_does_not_know_the_vocabulary(self, run, new):
        path = new / "taxonomy.yaml"
        path.write_text(path.read_text().replace("- id: survey\n", "- id: review\n", 1))
        run("render", root=new)
        assert "Next: awesome init --upgrade" in run("status", root=new).out
        run("init", "--upgrade", root=new)
        assert "Nothing to do." in run("status", root=new).out

    def test_a_repository_that_came_later_brings_the_form(self, run, new):
        path = new / "taxonomy.yaml"
        path.write_text(path.read_text().replace("  licence:", f"  repository: {GITHUB}\n  licence:", 1))
        said = run("init", "--upgrade", root=new).out
        assert "created .github/ISSUE_TEMPLATE/paper.yml" in said
        assert "changed CONTRIBUTING.md" in said
        assert f"{GITHUB}/issues/new?template=paper.yml" in (new / "CONTRIBUTING.md").read_text()

    def test_a_repository_that_came_later_brings_the_forms_with_the_pages_too(self, run, new):
        path, form = new / "taxonomy.yaml", ".github/ISSUE_TEMPLATE/paper.yml"
        path.write_text(path.read_text().replace("  licence:", f"  repository: {GITHUB}\n  licence:", 1))
        assert f"{form} is stale; run 'awesome render'" in run("render", "--check", root=new, code=1).out
        assert "+name: Propose a paper" in run("render", "--diff", root=new).out
        assert f"{form} rendered" in run("render", root=new).out
        assert f"{form} is up to date" in run("render", "--check", root=new).out
        assert form not in run("init", "--upgrade", root=new).out
        (new / ".github/workflows/contribution.yml").unlink()  # whoever wants no forms takes in none
        (new / form).unlink()
        assert form not in run("render", root=new).out


def test_a_survey_from_before_gets_what_it_lacks(run, root):
    (root / "CONTRIBUTING.md").write_text("# Ours\n")
    assert "github" not in run("init", "--upgrade", root=root).out
    assert "created .github/requirements.txt" in run("init", "--upgrade", "--tool", COMMIT, root=root).out
    assert (root / "CONTRIBUTING.md").read_text() == "# Ours\n"
    assert "no findings" in run("validate", root=root).out
