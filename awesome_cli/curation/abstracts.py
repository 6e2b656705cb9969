"""Fetch abstracts from arXiv and OpenAlex into the cache; records keep those of arXiv if the survey says so."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from awesome_cli.errors import AwesomeError, reason
from awesome_cli.files.tree import FileTree
from awesome_cli.model.records import AnyWork
from awesome_cli.reports.progress import watched
from awesome_cli.reports.report import Block, Code, Report, Section, Table, Text
from awesome_cli.sources import arxiv, openalex
from awesome_cli.sources.openalex import TOGETHER
from awesome_cli.survey import kept
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.saving import Changes, diff, edit, locked
from awesome_cli.system.network import Net
from awesome_cli.text.inert import without_unseen
from awesome_cli.text.numbers import counted

SOURCES: Mapping[str, Callable[[Sequence[str], Net], Mapping[str, str]]] = {
    "arxiv": lambda ids, net: {name: result.summary for name, result in arxiv.search(ids, net).items()},
    "doi": openalex.abstracts,
}
"""Functions that return abstracts by identifier, in order of preference."""


@dataclass(frozen=True)
class Abstracts:
    """Works whose abstracts are fetched; `failures` are the messages of sources."""

    root: Path
    corpus: Corpus
    works: tuple[AnyWork, ...]
    failures: tuple[str, ...] = ()

    def fetched(self, net: Net) -> "Abstracts":
        """Fetch the abstracts that neither the records nor the cache have, and store each batch at once."""
        corpus, failures = kept.with_abstracts(self.corpus, self.root), list[str]()
        for scheme, ask in SOURCES.items():
            waiting = (getattr(work.identifiers, scheme) for work in self.works if not corpus.abstract(work))
            names = list(dict.fromkeys(filter(None, waiting)))
            try:
                for start in watched(range(0, len(names), TOGETHER), "fetching abstracts"):
                    self._store(scheme, ask(names[start : start + TOGETHER], net))
            except (AwesomeError, OSError) as error:
                failures.append(error.message if isinstance(error, AwesomeError) else reason(error))
            corpus = kept.with_abstracts(corpus, self.root)
        return replace(self, corpus=corpus, failures=tuple(dict.fromkeys(failures)))

    def _store(self, scheme: str, texts: Mapping[str, str]) -> None:
        news = {f"{scheme}:{name}": " ".join(without_unseen(text).split()) for name, text in texts.items()}
        with locked(self.root, finish=False):
            kept.add_abstracts(self.root, news)

    @property
    def trouble(self) -> str:
        return "some abstracts could not be fetched" if self.failures else ""

    def changes(self, tree: FileTree) -> Changes:
        """Return the changes that store arXiv's abstracts (CC0) in records; () unless the survey keeps abstracts."""
        known = kept.abstracts(self.root) if self.corpus.taxonomy.survey.abstracts == "kept" else {}
        waiting = ((work, known.get(f"arxiv:{work.identifiers.arxiv}")) for work in self.works)
        news = ((work, {"abstract": text, **work.extra}) for work, text in waiting if text)
        axes = tuple(self.corpus.taxonomy.by_id)
        return tuple(c for w, extra in news for c in edit(tree, w, w.model_copy(update={"extra": extra}), axes))

    def to_report(self, changes: Changes, *, written: bool) -> Report:
        """Report which works have an abstract, and the sources that failed."""
        known = {work.key: self.corpus.abstract(work) is not None for work in self.works}
        missing = sum(not is_known for is_known in known.values())
        blocks: list[Block] = [Code(diff(changes), "diff")] if changes else []
        blocks.append(Text(f"{counted(len(known), 'work')}, {missing:,} without an abstract", "strong"))
        blocks += [Text(failure, "bad") for failure in self.failures]
        data = {"known": known, "missing": missing, "failed": list(self.failures), "written": written}
        table = Table.of(("key", "abstract"), list(known.items()))
        return Report("awesome/abstracts/1", data, (Section(None, tuple(blocks)),), rows=table)
