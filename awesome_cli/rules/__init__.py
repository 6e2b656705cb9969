"""Validation."""

from awesome_cli.corpus import Corpus
from awesome_cli.errors import SurveyError


def require_sound(corpus: Corpus) -> Corpus:
    """The corpus, if every record of it could be read; raises `SurveyError` that names those that could not."""
    if not corpus.faults:
        return corpus
    paths = sorted({fault.path for fault in corpus.faults})
    shown = ", ".join(paths[:5]) + (f" and {len(paths) - 5} more" if len(paths) > 5 else "")
    raise SurveyError(f"cannot answer while records are unreadable: {shown}", hint="see 'awesome validate'")
