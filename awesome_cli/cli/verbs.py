"""The table of verbs. A run loads only its own verb; help and completion load all."""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import typer


@dataclass(frozen=True)
class Verb:
    """Where a verb is: its module in `awesome_cli.cli`, and the function or sub-application in it."""

    panel: str
    module: str
    attribute: str = ""

    def load(self) -> Callable[..., None] | typer.Typer:
        """The function, or the sub-application of a verb that has verbs of its own."""
        module = importlib.import_module(f"awesome_cli.cli.{self.module}")
        loaded: Callable[..., None] | typer.Typer = getattr(module, self.attribute or self.module)
        return loaded


START, LOOK, RECORDS, VOCABULARY = "Start", "Look", "Records", "Vocabulary"
LIVING, EVIDENCE, PUBLISH, TRACES = "Keep current", "Evidence", "Publish", "Traces"

VERBS: Mapping[str, Verb] = {
    "init": Verb(START, "init"),
    "status": Verb(START, "status"),
    "help": Verb(START, "help", "help_"),
    "explain": Verb(START, "explain"),
    "schema": Verb(START, "schema"),
    "list": Verb(LOOK, "list", "list_"),
    "show": Verb(LOOK, "show"),
    "stats": Verb(LOOK, "stats"),
    "gaps": Verb(LOOK, "gaps"),
    "diff": Verb(LOOK, "diff"),
    "changelog": Verb(LOOK, "changelog"),
    "flow": Verb(LOOK, "flow"),
    "audit": Verb(LOOK, "audit"),
    "add": Verb(RECORDS, "add"),
    "import": Verb(RECORDS, "import_"),
    "set": Verb(RECORDS, "set", "set_"),
    "tag": Verb(RECORDS, "tag"),
    "edit": Verb(RECORDS, "edit"),
    "exclude": Verb(RECORDS, "exclude"),
    "readmit": Verb(RECORDS, "readmit"),
    "admit": Verb(RECORDS, "admit"),
    "remove": Verb(RECORDS, "remove"),
    "rename": Verb(RECORDS, "rename"),
    "link": Verb(RECORDS, "link"),
    "dedupe": Verb(RECORDS, "dedupe"),
    "fmt": Verb(RECORDS, "fmt"),
    "refresh": Verb(RECORDS, "refresh"),
    "links": Verb(RECORDS, "links"),
    "recover": Verb(RECORDS, "recover"),
    "search": Verb(LIVING, "search"),
    "screen": Verb(LIVING, "screen"),
    "watch": Verb(LIVING, "watch"),
    "issue": Verb(LIVING, "issue"),
    "taxonomy": Verb(VOCABULARY, "taxonomy"),
    "validate": Verb(EVIDENCE, "validate"),
    "evidence": Verb(EVIDENCE, "evidence"),
    "claims": Verb(EVIDENCE, "claims"),
    "sensitivity": Verb(EVIDENCE, "sensitivity"),
    "render": Verb(PUBLISH, "render"),
    "export": Verb(PUBLISH, "export"),
    "plot": Verb(PUBLISH, "plot"),
    "site": Verb(PUBLISH, "site_", "site"),
    "template": Verb(PUBLISH, "template"),
    "trace": Verb(TRACES, "trace", "app"),
}
