"""What people send through a form, as the plan that takes it in: proposals, contests and corrections."""

from awesome_cli.curation.contributions.corrections import corrected
from awesome_cli.curation.contributions.disputes import disputed
from awesome_cli.curation.contributions.paper import SentPaper, described, taken
from awesome_cli.curation.contributions.reading import (
    FilledForm,
    MalformedError,
    Sender,
    form_text,
    read_form,
    unanswered,
)
from awesome_cli.curation.editing.recoding import Twins
from awesome_cli.files.tree import FileTree
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.saving import Plan

__all__ = ["FilledForm", "MalformedError", "Sender", "contributed", "described", "form_text", "read_form", "unanswered"]


def contributed(
    tree: FileTree, corpus: Corpus, form: FilledForm, paper: SentPaper | None, sender: Sender, twins: Twins
) -> tuple[Plan, str]:
    """The plan that takes in what a form says, of a corpus with candidates, and a sentence on it.

    `paper` is the one that the form for papers names. Raises `MalformedError`, which says all that is wrong.
    """
    if paper is not None:
        return taken(tree, corpus, form, paper, sender)
    if form.form.kind == "coding":
        return disputed(tree, corpus, form, sender)
    return corrected(tree, corpus, form, sender, twins)
