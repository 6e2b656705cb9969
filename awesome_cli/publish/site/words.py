"""The words of the papers' texts and the papers in which each stands, for a search that reads no text."""

from collections.abc import Sequence

from awesome_cli.model.fields import FIELDS
from awesome_cli.model.records import Paper
from awesome_cli.publish.site.packing import packed, steps
from awesome_cli.text.folding import WORD, fold


def vocabulary(papers: Sequence[Paper]) -> dict[str, object]:
    """The folded words in alphabetical order, and for each the places of its papers as packed steps.

    The texts are those of the query `text~`; assets/words.js finds in them what Python finds.
    """
    found: dict[str, list[int]] = {}
    texts = FIELDS["text"].get
    for place, paper in enumerate(papers):
        for word in set(WORD.findall(fold("\n".join(map(str, texts(paper)))))):
            found.setdefault(word, []).append(place)
    words = sorted(found)
    return {"words": " ".join(words), "papers": [packed(steps(found[word])) for word in words]}
