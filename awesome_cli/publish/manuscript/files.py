r"""The generated files of a manuscript: definitions for LaTeX, the same as JSON, a file per table, the style file.

survey-data.tex defines an entry per line: `\surveyentry{number}{retained}{84}`.
"""

import re
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from awesome_cli.errors import GitError
from awesome_cli.files import git
from awesome_cli.files.git import GitTree
from awesome_cli.files.tree import PARTS, FileTree, WorkingTree
from awesome_cli.model.manuscript import FOLDER
from awesome_cli.model.records import Paper
from awesome_cli.output import latex
from awesome_cli.publish import shipped
from awesome_cli.publish.freshness import Output, output_of, without_commit
from awesome_cli.publish.manuscript.answers import PaperAnswers
from awesome_cli.reports.report import Report, Table, machine_value
from awesome_cli.text.inert import to_json
from awesome_cli.text.markup import split
from awesome_cli.text.names import byline

STYLE = "awesome-survey.sty"
HEAD = "% Written by 'awesome paper build' from the records and paper.yaml; do not edit.\n"


def files(answers: PaperAnswers, root: Path) -> dict[str, str]:
    """Return the text of each generated file by path."""
    commit, definitions = revision(root), entries(answers)
    texts = {f"survey-table-{name}.tex": HEAD + text for (kind, name), text in definitions.items() if kind == "table"}
    definitions |= {("table", name): f"survey-table-{name}" for name in answers.tables}
    about = {("about", "day"): str(answers.corpus.modified or ""), ("about", "commit"): commit}
    lines = (rf"\surveyentry{{{kind}}}{{{name}}}{{{text}}}" for (kind, name), text in (about | definitions).items())
    texts["survey-data.tex"] = HEAD + "\n".join(lines) + "\n"
    texts["survey-data.json"] = to_json(_json(answers, commit), indent=1) + "\n"
    texts[STYLE] = (shipped() / "paper" / STYLE).read_text(encoding="utf-8")
    return {f"{FOLDER}/{name}": text for name, text in texts.items()}


def outputs(answers: PaperAnswers, root: Path) -> tuple[Output, ...]:
    """Return the state of the generated files; tables that paper.yaml no longer names are to be removed."""
    expected, tree = files(answers, root), WorkingTree(root)
    named = (_settled(output_of(root, path, after)) for path, after in expected.items())
    tables = (path for path in tree.list(FOLDER) if path.startswith(f"{FOLDER}/survey-table-") and path not in expected)
    unnamed = (replace(output_of(root, path, HEAD), after=None, stale=True) for path in tables)
    own = (output for output in unnamed if (output.before or "").startswith(HEAD))
    return tuple(replace(output, command="awesome paper build") for output in (*named, *own))


def _settled(output: Output) -> Output:
    """Return a file as fresh if only its commit differs, which a build writes if it is known."""
    before, after = ((text or "").encode() for text in (output.before, output.after))
    if without_commit(before) != without_commit(after):
        return output
    return replace(output, stale=False, after=output.before if after == without_commit(after) else output.after)


def revision(root: Path) -> str:
    """Return the abbreviated id of the last commit that changed the survey, with `+` if files have changed since.

    Empty without git, before the first commit, and if a shallow clone lacks the commit.
    """
    try:
        commit = git.last_change(root, PARTS)[:12]
        changed = commit and _survey(WorkingTree(root)) != _survey(GitTree(root, "HEAD", PARTS))
    except GitError:
        return ""
    return f"{commit}+" if changed else commit


def _survey(tree: FileTree) -> dict[str, bytes]:
    """Return the bytes of the survey's files, by path."""
    paths = (path for part in PARTS for path in ((part,) if part.endswith(".yaml") else tree.list(part)))
    # Git may convert line ends.
    return {path: (tree.read(path) or b"").replace(b"\r\n", b"\n") for path in paths if path.endswith(".yaml")}


def entries(answers: PaperAnswers) -> dict[tuple[str, str], str]:
    """Return the LaTeX of each entry by kind and name; `note` and `fails` belong to the claim of the same name."""
    texts = {("number", name): latex.escape(number.text) for name, number in answers.numbers.items()}
    for name, number in answers.numbers.items():
        if number.percent:
            texts["share", name] = latex.escape(number.percent).replace(" ", r"\,")
    texts |= {("list", name): ",".join(keys) for name, keys in answers.lists.items()}
    texts |= {("table", name): _table(answers, name) for name in answers.tables}
    for name, entry in answers.claims.items():
        texts["claim", name] = _cited(entry.claim.statement, answers)
        if note := entry.reason or entry.qualification:
            texts["note", name] = _cited(note, answers)
        if entry.reason:
            plain = re.sub(r"[\\{}%#^]", " ", " ".join(entry.reason.split()))
            texts["fails", name] = rf"\detokenize{{{plain}}}"
    return texts


def _cited(text: str, answers: PaperAnswers) -> str:
    """Convert a sentence to LaTeX, with a name and a citation in place of the key of a paper."""

    def citation(match: re.Match[str]) -> tuple[str, str] | None:
        paper = answers.corpus.by_key.get(match[0])
        if not isinstance(paper, Paper) or paper.key not in answers.cites:
            return None
        name = answers.corpus.short_titles[paper.key]
        name = byline(paper.authors) if name == paper.title else name
        return latex.escape(name or paper.key), answers.cites[paper.key]

    parts = split(" ".join(text.split()), citation)
    return "".join(latex.escape(p) if isinstance(p, str) else rf"{p[0]}~\surveycite{{{p[1]}}}" for p in parts)


def _table(answers: PaperAnswers, name: str) -> str:
    caption = answers.manuscript.tables[name].caption
    text = latex.tables(answers.tables[name], answers.cites, caption, f"tab:{name}")
    return text.replace(r"\cite{", r"\surveycite{")


def _json(answers: PaperAnswers, commit: str) -> dict[str, object]:
    data = {
        "day": str(answers.corpus.modified or ""),
        "commit": commit,
        "numbers": {name: asdict(number) for name, number in answers.numbers.items()},
        "cites": dict(answers.cites),
        "lists": {name: list(keys) for name, keys in answers.lists.items()},
        "tables": {name: [*_tables(report)] for name, report in answers.tables.items()},
        "claims": {
            name: {
                "statement": entry.claim.statement,
                "status": entry.status.value,
                "reason": entry.reason,
                "qualification": entry.qualification,
            }
            for name, entry in answers.claims.items()
        },
    }
    return {"schema": "awesome/paper/1", "data": data}


def _tables(report: Report) -> Iterator[dict[str, object]]:
    for table in (block for section in report.sections for block in section.blocks if isinstance(block, Table)):
        rows = [[*map(machine_value, row)] for row in table.rows]
        yield {"title": table.title, "columns": list(table.columns), "rows": rows, "note": table.note}
