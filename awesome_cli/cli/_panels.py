"""Panels of options in `--help`: a verb with many options shows them by task."""

import re
from typing import Any

MANY = 8
"""The largest number of options that a verb shows in one list."""
PANELS = {
    "Selection": (
        "--where --kind --as-of --reading --grade --by --measure --n --seed --stratify --order --conflicts"
        " --recall screen:--confidence search:--source search:--since search:--limit"
    ),
    "Record": "--key --set add:--kind import:--kind",
    "Coding": "--tag --evidence --direction --quote --source --confidence --remove",
    "Screening decision": "--stage --reason --note --near-miss --because",
    "Input": (
        "--input --from --against --column --mapping --decision --tags-from --encoding --entries --create-terms"
        " --headings --axis --on-duplicate --texts"
    ),
    "Provenance": "--who --name --on --revised --blind --found-in --query-family",
    "Survey": "--question --preset --licence --author --repository init:--title",
    "Appearance": "--theme --style --width --height --font --dpi --no-title plot:--title",
    "Output": "--dry-run --diff --format --out --report --columns --sort --limit --fail-on --plot --readme --no-data",
}
"""Options by panel; `verb:--option` applies to that verb only. Other options stay under the heading "Options"."""
PANEL_OF = {option: panel for panel, options in PANELS.items() for option in options.split()}


def arrange(command: Any, verb: str) -> None:
    """Assign the options of a verb to panels, and escape `[default: …]`, which rich would read as markup."""
    for parameter in command.params:
        parameter.help = parameter.help and re.sub(r"(?<!\\)\[default", r"\\[default", parameter.help)
    options = [p for p in command.params if p.param_type_name == "option"]
    for option in options if len(options) > MANY else ():
        name = max(option.opts, key=len)
        option.rich_help_panel = PANEL_OF.get(f"{verb}:{name}") or PANEL_OF.get(name)


def write_help(command: Any, ctx: Any, _: object) -> None:
    """Print the help of a command without typer's colours: some are unreadable on white, others on black."""
    from typer import rich_utils  # Imported here, because it is slow and only help needs it.

    for name, style in vars(rich_utils).copy().items():
        if name.startswith("STYLE_") and isinstance(style, str):
            setattr(rich_utils, name, "bold" if "bold" in style else "")
    rich_utils.rich_format_help(obj=command, ctx=ctx, markup_mode=command.rich_markup_mode)
