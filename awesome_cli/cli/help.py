"""`awesome help`, `explain` and `schema`: print help of verbs, pages of the manual, and JSON schemas."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from textwrap import shorten, wrap
from typing import Annotated, Any, Literal

import typer

from awesome_cli.cli._corpus import usable_corpus, vocabulary
from awesome_cli.cli._options import FormatOption
from awesome_cli.cli._printing import hand_over, show
from awesome_cli.cli._session import CommandContext
from awesome_cli.cli.verbs import VERBS
from awesome_cli.errors import UsageError
from awesome_cli.output import Format
from awesome_cli.text.known import shown

WIDTH = 80


def help_(
    ctx: CommandContext,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="TOPIC", help="Verb, page, or words to search for. [default: list all topics]"),
    ] = None,
) -> None:
    """Show the help of a verb or a page of the manual, or search both for other words. Without a TOPIC, list both.

    If a verb and a page share a name, the page follows the help. For rules, terms and states use 'awesome explain'.

    Example: awesome help records
    """
    from awesome_cli.publish.manual import page, pages

    topic = words[0] if words else ""
    paged = len(words or ()) == 1 and topic in pages(every=True)
    if not words:
        show("\n".join(_overview()))
    elif _is_command(words):
        program = str(ctx.find_root().info_name)
        if code := _command(topic).main(args=[*words, "--help"], prog_name=program, standalone_mode=False):
            raise typer.Exit(code)
    elif not paged:
        show("\n".join(_matches(" ".join(words))))
    if paged:
        ctx.obj.emit_markdown(page(topic))


def _is_command(words: Sequence[str]) -> bool:
    """True for a verb alone, and for a group with a part; False for other words, such as `rename a term`."""
    if words[0] not in VERBS or len(words) == 1:
        return words[0] in VERBS
    return hasattr(_command(words[0]).commands[words[0]], "commands")


def _matches(query: str) -> Iterator[str]:
    """Lay out the topics that match; raise `UsageError` with the nearest page if there are none."""
    from rapidfuzz.process import extractOne

    from awesome_cli.publish.manual import best, pages

    if not (results := best(query)):
        hint = f"the nearest page: 'awesome help {extractOne(query, [*pages()])[0]}'; 'awesome help' lists all"
        raise UsageError(f"no page of the manual matches {shown(query)}", hint=hint)
    titles = _lines({command: title.lstrip("# ") for command, title, _ in results})
    for line, (_, _, piece) in zip(titles, results, strict=True):
        yield "\n      ".join([line, *wrap(piece.strip("#|- "), WIDTH - 6, max_lines=2, placeholder=" …")])
    yield ""


def _command(verb: str = "") -> Any:
    """Compose the command line with one verb, by default with all verbs."""
    from awesome_cli.cli.main import compose  # It composes this verb, too.

    return typer.main.get_command(compose([verb] if verb else VERBS))


def _overview() -> Iterator[str]:
    from awesome_cli.publish.manual import pages, title

    commands = _command().commands
    for panel in dict.fromkeys(verb.panel for verb in VERBS.values()):
        names = [name for name, verb in VERBS.items() if verb.panel == panel]
        about = (" ".join(commands[name].help.partition("\n\n")[0].split()) for name in names)
        yield from (f"{panel}:", *_lines(dict(zip(names, about, strict=True))), "")
    yield from ("Pages of the manual:", *_lines({topic: title(path) for topic, path in pages().items()}))
    yield "\n'awesome help NAME' opens one of these, 'awesome explain WORD' explains a word.\n"


def _lines(about: Mapping[str, str]) -> Iterator[str]:
    """Lay out names with the first sentence of their help, cut at a comma or colon if it is too long."""
    width = max(12, *(len(name) + 1 for name in about))
    room = WIDTH - width - 3
    for name, whole in about.items():
        text = re.split(r"[.;] ", whole)[0].rstrip(".")
        if len(text) > room:
            short = shorten(text, room, placeholder=" …")
            text = max((text[: mark.start()] for mark in re.finditer(r"[,:] ", text[:room])), key=len, default=short)
        yield f"  {name:<{width}} {text}"


def explain(
    ctx: CommandContext,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Rule code, trace metric, term, axis, or a word such as 'query'.")
    ],
    form: FormatOption = Format.TEXT,
) -> None:
    """Explain a rule (V002), a trace metric (tokens_fresh), a term (axis=term or its code), an axis or a word.

    Examples of words are query, stages, reasons, gaps and near_miss. 'awesome explain words' lists all words.

    Example: awesome explain stages
    """
    from awesome_cli.analysis import explanation
    from awesome_cli.publish.manual import manual

    ctx.obj.emit(explanation.explain(name, manual(), vocabulary(ctx.obj), partial(usable_corpus, ctx.obj)), form)


SchemaKind = Literal[
    "paper", "exclusion", "candidate", "taxonomy", "claims", "protocol", "manuscript", "audit", "search", "run",
    "screenings", "coder-request", "coder-answer", "prices", "trace",
]  # fmt: skip


def schema(ctx: CommandContext, kind: Annotated[SchemaKind, typer.Argument(help="Kind of file.")] = "paper") -> None:
    """Print the JSON Schema of a kind of file; in a survey it includes the survey's axes and terms.

    Example: awesome schema paper > schemas/paper.json
    """
    from awesome_cli.publish.schemas import schema_text

    hand_over(schema_text(kind, vocabulary(ctx.obj)))
