"""Shell completion, asked as the shells ask: by variables of the environment, and by bash itself."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from builders import COFFEE
from docs_pages import commands
from needs import missing
from tiers import sampled

from awesome_cli.cli._completion import CHOICES, SOURCES

AWESOME = Path(sys.executable).with_name("awesome")


def asked(where: Path, **variables: str) -> tuple[list[str], str]:
    """The lines of the answer, and what stands on standard error."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(where), "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    done = subprocess.run([AWESOME], cwd=where, env=environment | variables, capture_output=True, text=True, timeout=60)
    return [line for line in done.stdout.splitlines() if line], done.stderr


def fish(where: Path, line: str) -> list[str]:
    """The words that fish gets for a line, without what they mean."""
    lines, said = asked(where, _AWESOME_COMPLETE="complete_fish", _TYPER_COMPLETE_ARGS=f"awesome {line}")
    assert said == ""
    return [line.partition("\t")[0] for line in lines]


PLACES = [
    ("sho", ["show"]),
    ("taxonomy ren", ["rename"]),
    ("show --form", ["--format"]),
    ("list --format j", ["json"]),
    ("show a", ["aero2020"]),
    ("-C . show a", ["aero2020"]),
    ("show --offline a", ["aero2020"]),
    ("readmit ", ["X1", "X2"]),
    ("admit ", ["salt2026"]),
    ("tag aero2020 ta", ["taste="]),
    ("tag aero2020 taste=sw", ["taste=sweet"]),
    ("tag aero2020 taste=sweet:t", ["taste=sweet:tasted"]),
    ("tag aero2020 taste=sweet beans=ro", ["beans=robusta"]),
    ("taxonomy merge taste=sweet,sa", ["taste=sweet,salty"]),
    ("taxonomy merge taste=sweet,salty --into sw", ["sweet"]),
    ("gaps taste=sa", ["taste=salty"]),
    ("gaps --by device,ta", ["device,taste"]),
    ("gaps --by taste,", ["taste,device", "taste,beans"]),
    ("list --columns key,dev", ["key,device"]),
    ("list --where 'device=drip tas", ["device=drip taste="]),
    ("list --where 'taste=sw", ["taste=sweet"]),
    ("list --where stage=a", ["stage=abstract"]),
    ("list --where ye", ["year>="]),
    ("set aero2020 ven", ["venue="]),
    ("set aero2020 identifiers.d", ["identifiers.doi="]),
    ("exclude aero2020 --stage a", ["abstract"]),
    ("exclude aero2020 --reason o", ["opinion"]),
    ("tag aero2020 --confidence l", ["low"]),
    ("list --reading s", ["strict"]),
    ("list --kind c", ["candidate"]),
    ("export bib", ["bibtex"]),
    ("explain V00", [f"V00{n}" for n in range(1, 10)]),
    ("explain taste=sw", ["taste=sweet"]),
    ("help impor", ["import", "importing"]),
    ("check-links --fail-on mo", ["moved"]),
    ("trace export o", ["otel"]),
]


@pytest.mark.parametrize(("line", "found"), sampled(PLACES, *PLACES[::6]))
def test_words_of_the_place(line: str, found: list[str]):
    assert fish(COFFEE, line) == found


def test_a_shell_that_shows_meanings_gets_them():
    lines, _ = asked(COFFEE, _AWESOME_COMPLETE="complete_zsh", _TYPER_COMPLETE_ARGS="awesome tag aero2020 taste=sw")
    assert lines == ['_arguments \'*: :(("taste=sweet":"Sweet"))\'']


PARTED = [
    (["show", "a"], ["aero2020"]),
    (["tag", "aero2020", "taste", "="], ["bitter", "sour", "sweet", "salty", "umami"]),
    (["tag", "aero2020", "taste", "=", "sw"], ["sweet"]),
    (["tag", "aero2020", "taste", "=", "sweet", ":", "t"], ["tasted"]),
    (["list", "--format", "=", "j"], ["json"]),
    (["list", "--where", "'taste=sw"], ["taste=sweet"]),
    (["set", "aero2020", "identifiers.d"], ["identifiers.doi="]),
]


@pytest.mark.parametrize(("words", "found"), sampled(PARTED, PARTED[4]))
def test_bash_which_parts_words_at_their_signs_gets_the_part(words: list[str], found: list[str]):
    """With the function that `--show-completion` prints."""
    bash = shutil.which("bash") or missing("bash is not installed")
    typed = " ".join(f'"{word}"' for word in ["awesome", *words])
    program = f"""
        eval "$(_AWESOME_COMPLETE=source_bash "$1")"
        COMP_WORDS=({typed}); COMP_CWORD={len(words)}
        _awesome_completion "$1"
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    command = [bash, "--norc", "-c", program, "bash", str(AWESOME)]
    done = subprocess.run(command, cwd=COFFEE, capture_output=True, text=True, timeout=60)
    assert (done.stdout.split("\n")[:-1], done.stderr) == (found, "")


UNREADABLE = [
    ("fish", "show "),
    ("zsh", "tag x taste=s"),
    ("bash", "list --where x="),
    ("fish", "-C /nowhere show "),
    ("zsh", "\x1b "),
]


@pytest.mark.parametrize("content", [None, "axes: [", "axes: []\n"])
@pytest.mark.parametrize(("shell", "line"), sampled(UNREADABLE, UNREADABLE[2]))
def test_where_nothing_can_be_read_there_are_no_words_and_no_message(
    tmp_path: Path, shell: str, line: str, content: str | None
):
    if content is not None:
        (tmp_path / "taxonomy.yaml").write_text(content)
    words = ["awesome", *line.split(" ")]
    typed = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)} if shell == "bash" else {}
    lines, said = asked(
        tmp_path, _AWESOME_COMPLETE=f"complete_{shell}", _TYPER_COMPLETE_ARGS=f"awesome {line}", **typed
    )
    assert said == ""
    assert lines in ([], ["_files"])


def test_every_row_is_for_a_parameter():
    found = {
        (path, str(p.metavar or ""), max(p.opts, key=len))
        for path, command in commands().items()
        for p in command.params
    }
    named = {metavar for _, metavar, _ in found} | {f"{path} {metavar}" for path, metavar, _ in found} | {"WHEN"}
    assert set(SOURCES) - named == set()
    assert set(CHOICES) - {f"{path} {option}" for path, _, option in found} == set()


def test_completion_is_installed_for_the_shell_at_hand(tmp_path: Path):
    bash = shutil.which("bash") or missing("bash is not installed")
    for option, told in (
        ("--show-completion", "complete -o default -F _awesome_completion awesome"),
        ("--install-completion", ""),
    ):
        program = f'"$1" {option}; true'
        done = subprocess.run(
            [bash, "--norc", "-c", program, "bash", AWESOME],
            env={**os.environ, "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
        )
        assert told in done.stdout, done.stderr
    assert (tmp_path / ".bash_completions" / "awesome.sh").is_file()
