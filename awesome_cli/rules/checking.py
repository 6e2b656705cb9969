"""The table of rules, and the one function that runs them over a tree of files."""

from collections.abc import Mapping

from awesome_cli.files.tree import FileTree
from awesome_cli.model.audits import Audit
from awesome_cli.model.records import Candidate, Exclusion, Paper
from awesome_cli.reports.findings import Fault, Finding, in_order
from awesome_cli.rules import axes, claims, duplicates, identifiers, reading, vocabulary
from awesome_cli.rules.preconditions import taxonomy_errors
from awesome_cli.rules.registry import Check, Rule, run
from awesome_cli.survey import loading
from awesome_cli.survey.corpus import Corpus

CHECKED: tuple[Rule, ...] = (*axes.RULES, *vocabulary.RULES, *identifiers.RULES, *duplicates.RULES, *claims.RULES)
RULES: Mapping[str, Rule] = {
    **{code: Rule(code, level, manual) for code, (level, manual) in reading.READING.items()},
    **{rule.code: rule for rule in CHECKED},
}


def check(tree: FileTree, *, also: Check | None = None) -> tuple[Finding, ...]:
    """Every finding in a survey's files, in the order of their places; never raises for what files hold.

    Without a usable taxonomy the records are still read, and only what depends on it goes unchecked. `also` checks
    what the layers above know, such as the kinds of plot.
    """
    taxonomy, taxonomy_faults = loading.read_taxonomy(tree)
    order = [axis.id for axis in taxonomy.axes] if taxonomy is not None else None
    papers, paper_faults = loading.load_folder(tree, Paper, axes=order)
    exclusions, exclusion_faults = loading.load_folder(tree, Exclusion, axes=order)
    candidates, candidate_faults = loading.load_folder(tree, Candidate, axes=order)
    stated, claim_faults = loading.read_claims(tree)
    audits, audit_faults = loading.load_folder(tree, Audit)
    faults = [*taxonomy_faults, *paper_faults, *exclusion_faults, *candidate_faults, *claim_faults, *audit_faults]
    if taxonomy is not None:
        unread = (*paper_faults, *exclusion_faults, *candidate_faults)
        corpus = Corpus(taxonomy, papers, exclusions, candidates, unread, stated, audits)
        broken = list(taxonomy_errors(corpus))
        faults += broken
        # Queries of a broken taxonomy cannot be run over records.
        faults += run(corpus, CHECKED if not broken else (*identifiers.RULES, *duplicates.RULES))
        faults += also(corpus) if also is not None else ()
        faults = list(dict.fromkeys(faults))
    return in_order(to_finding(tree, fault) for fault in faults)


def to_finding(tree: FileTree, fault: Fault) -> Finding:
    """The fault with its place in the file."""
    line, column = loading.locate(tree, fault)
    field = ".".join(str(step) for step in fault.route) or None
    level = RULES[fault.code].level
    return Finding(fault.code, level, fault.message, fault.path, line, column, fault.key, field, fault.fix)
