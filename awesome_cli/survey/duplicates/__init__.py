"""Which records are one work: identifiers first, then titles with an author guard; never all pairs."""

from awesome_cli.model.records import AnyRecord
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.duplicates.index import Index
from awesome_cli.survey.duplicates.scoring import Match, MatchKind, compare
from awesome_cli.survey.duplicates.works import Manifestation, manifestations, sketched

__all__ = ["Index", "Manifestation", "Match", "MatchKind", "compare", "find_known", "manifestations", "sketched"]


def find_known(corpus: Corpus, record: AnyRecord) -> tuple[Match, ...]:
    """What in the corpus is the record's work already, best first; `match.b` is the key of the known record.

    For many records build an `Index` once, ask it with `find` and file what was added with `add`.
    """
    return Index.of(corpus).find(record)
