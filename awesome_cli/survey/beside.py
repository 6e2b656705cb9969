"""What a survey keeps beside its records: claims, audits, the protocol, searches and screenings."""

from typing import Any

from awesome_cli.files.tree import FileTree
from awesome_cli.model import claims, protocol, searches
from awesome_cli.model.audits import Audit
from awesome_cli.model.claims import Claims
from awesome_cli.model.protocol import Protocol
from awesome_cli.model.screenings import Screenings
from awesome_cli.model.searches import Searches, SearchRun
from awesome_cli.reports.findings import RawFinding
from awesome_cli.survey.loading import RecordCache, load_folder, read_file


def load_beside(tree: FileTree, *, known: RecordCache | None = None) -> tuple[dict[str, Any], tuple[RawFinding, ...]]:
    """The fields of a corpus that hold it, by name, and the findings of what could not be read."""
    stated, findings = read_file(tree, Claims, claims.PATH)
    plan, plan_findings = read_file(tree, Protocol, protocol.PATH)
    saved, saved_findings = read_file(tree, Searches, searches.PATH)
    audits, audit_findings = load_folder(tree, Audit, known=known)
    runs, run_findings = load_folder(tree, SearchRun, known=known)
    screenings, screening_findings = load_folder(tree, Screenings, known=known)
    found = {
        "claims_file": stated or Claims(),
        "protocol": plan,
        "searches": saved.searches if saved else (),
        "audits": audits,
        "runs": runs,
        "screenings": screenings,
    }
    beside = (*findings, *audit_findings, *plan_findings, *saved_findings, *run_findings, *screening_findings)
    return found, beside
