"""A new survey: a small taxonomy, the folders, the README and its templates, and what is rendered from them."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from awesome_cli.errors import RefusedError
from awesome_cli.files.canonical import scalar
from awesome_cli.files.tree import WorkingTree
from awesome_cli.publish import shipped
from awesome_cli.publish.freshness import README
from awesome_cli.publish.outputs import outputs
from awesome_cli.survey.journal import is_open
from awesome_cli.survey.loading import FOLDERS, TAXONOMY, load_corpus
from awesome_cli.survey.saving import Change, commit, locked
from awesome_cli.text.markup import escape

TEMPLATES = "readme"
TITLE = "{{ title }}"


def start(root: Path, title: str, command: Sequence[str] = ()) -> None:
    """Write an empty survey into a folder, rendered; `command` are the words that the plan is remembered by.

    Raises `RefusedError`, having written nothing, where the folder holds a survey or one of its files already.
    """
    if not is_open(root):
        starting(root, title)
    root.mkdir(parents=True, exist_ok=True)
    with locked(root) as finished:
        if finished is None or not finished.did(command):
            files = _rendered(starting(root, title))
            commit(root, [Change(path, None, data) for path, data in files.items()], command=command)


def _rendered(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files of an empty survey with what is made from them."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for path, data in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
        tree = WorkingTree(folder)
        made = (output.changes(tree) for output in outputs(load_corpus(tree), folder))
        return files | {change.path: change.after or b"" for changes in made for change in changes}


def starting(root: Path, title: str) -> dict[str, bytes]:
    """The files of an empty survey before they are rendered; raises `RefusedError` where one of them exists."""
    files = _files(title)
    present = [path for path in files if (root / path).exists()]
    if present:
        raise RefusedError(f"{root / present[0]} exists already; nothing was written", hint="choose an empty folder")
    return {path: text.encode() for path, text in files.items()}


def _files(title: str) -> dict[str, str]:
    folder = shipped()
    page = (folder / "starter" / "README.md.j2").read_text(encoding="utf-8")
    vocabulary = (folder / "starter" / "taxonomy.yaml.j2").read_text(encoding="utf-8")
    files = {
        TAXONOMY: vocabulary.replace(TITLE, scalar(title)),
        README: page.replace(TITLE, str(escape(title))),
    }
    files |= {f"{name}/.gitkeep": "" for name in FOLDERS}
    templates = sorted((folder / TEMPLATES).glob("*.j2"))
    return files | {f"templates/{TEMPLATES}/{path.name}": path.read_text(encoding="utf-8") for path in templates}
