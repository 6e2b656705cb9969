"""The table of verbs. A run imports only its own verb; help and completion import all."""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import typer


@dataclass(frozen=True)
class Verb:
    """A verb's panel in help, and its `module:function` or `module:application` below `awesome_cli.cli`."""

    panel: str
    place: str

    def load(self) -> Callable[..., None] | typer.Typer:
        """Import and return the function, or the sub-application of a group of verbs."""
        module, _, name = self.place.partition(":")
        loaded: Callable[..., None] | typer.Typer = getattr(importlib.import_module(f"awesome_cli.cli.{module}"), name)
        return loaded


START, LOOK, RECORDS, VOCABULARY = "Start", "Look", "Records", "Vocabulary"
LIVING, EVIDENCE, PUBLISH, TRACES = "Keep current", "Evidence", "Publish", "Traces"

VERBS: Mapping[str, Verb] = {
    "init": Verb(START, "init:init"),
    "status": Verb(START, "status:status"),
    "help": Verb(START, "help:help_"),
    "explain": Verb(START, "help:explain"),
    "schema": Verb(START, "help:schema"),
    "list": Verb(LOOK, "listing:list_"),
    "show": Verb(LOOK, "listing:show"),
    "stats": Verb(LOOK, "listing:stats"),
    "gaps": Verb(LOOK, "gaps:gaps"),
    "diff": Verb(LOOK, "revisions:diff"),
    "changelog": Verb(LOOK, "revisions:changelog"),
    "flow": Verb(LOOK, "exclusions:flow"),
    "audit": Verb(LOOK, "audit:audit"),
    "add": Verb(RECORDS, "add:add"),
    "import": Verb(RECORDS, "import_:import_"),
    "set": Verb(RECORDS, "records:set_"),
    "tag": Verb(RECORDS, "records:tag"),
    "code": Verb(RECORDS, "screen:code"),
    "edit": Verb(RECORDS, "records:edit"),
    "exclude": Verb(RECORDS, "exclusions:exclude"),
    "readmit": Verb(RECORDS, "exclusions:readmit"),
    "admit": Verb(RECORDS, "records:admit"),
    "remove": Verb(RECORDS, "records:remove"),
    "rename": Verb(RECORDS, "records:rename"),
    "link": Verb(RECORDS, "duplicates:link"),
    "dedupe": Verb(RECORDS, "duplicates:dedupe"),
    "fmt": Verb(RECORDS, "records:fmt"),
    "refresh": Verb(RECORDS, "monitoring:refresh"),
    "check-links": Verb(RECORDS, "monitoring:check_links"),
    "recover": Verb(RECORDS, "records:recover"),
    "search": Verb(LIVING, "search:search"),
    "screen": Verb(LIVING, "screen:screen"),
    "watch": Verb(LIVING, "monitoring:watch"),
    "issue": Verb(LIVING, "issue:issue"),
    "taxonomy": Verb(VOCABULARY, "taxonomy:taxonomy"),
    "validate": Verb(EVIDENCE, "validate:validate"),
    "evidence": Verb(EVIDENCE, "evidence:evidence"),
    "claims": Verb(EVIDENCE, "claims:claims"),
    "sensitivity": Verb(EVIDENCE, "claims:sensitivity"),
    "render": Verb(PUBLISH, "render:render"),
    "export": Verb(PUBLISH, "export:export"),
    "plot": Verb(PUBLISH, "plot:plot"),
    "site": Verb(PUBLISH, "site_:site"),
    "template": Verb(PUBLISH, "render:template"),
    "paper": Verb(PUBLISH, "paper:paper"),
    "trace": Verb(TRACES, "trace:app"),
}
