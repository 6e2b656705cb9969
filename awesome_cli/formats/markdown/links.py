"""Classify a link by its target (a paper or another resource), and its text as a label or a title.

`[Paper](https://arxiv.org/abs/2402.01680)` leads to a paper, and its text is a label.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal
from urllib.parse import unquote, urlsplit

from awesome_cli.formats.markdown.page import clean
from awesome_cli.model.identifiers import identifiers
from awesome_cli.text.folding import spaced

PAPER_LABELS = frozenset(
    """
    paper papers pdf arxiv abs abstract doi openreview acl anthology publication preprint article ps html ieee acm
    springer neurips nips icml iclr cvpr iccv eccv aaai emnlp naacl journal conference proceedings manuscript cvf
    jmlr 论文 biorxiv medrxiv ssrn pmlr pubmed
    """.split()
)
"""Words in labels of links to the paper itself."""
OTHER_LABELS = frozenset(
    """
    code codes github git gitlab repo repository implementation implementations official unofficial pytorch
    tensorflow jax keras project projects page pages website web site homepage home webpage blog blogpost post demo
    demos video videos youtube talk dataset datasets data model models weights checkpoint checkpoints huggingface
    hugging face hf space spaces colab notebook slides slide poster supp supplement supplementary material materials
    appendix bibtex bib cite citation review reviews notes note twitter tweet thread x news media press docs doc
    documentation tool tools toolkit presentation tutorial leaderboard benchmark interview podcast summary link
    links url here this download read more source full text online version camera ready long short extended tech
    technical report the and of for on in by v1 v2 v3 main star stars 代码 项目 主页 wechat linkedin reddit medium zhihu
    kaggle software app api workshop oral spotlight follow up caffe matlab torch python theano mxnet c cpp lua r
    julia author authors s
    """.split()
)
"""Words in labels of links to other resources, and words without meaning."""
NO_PAPERS = frozenset(
    "slides slide poster supp supplementary supplement appendix bib bibtex dataset data video code".split()
)
"""Words in labels of links that never lead to the paper itself."""

Sort = Literal["paper", "code", "video", "list", "page"]
HOSTS = re.compile(
    r"proceedings\.(?:mlr\.press|mlsys\.org)/|(?:papers|proceedings|books)\.(?:neurips|nips)\.cc/|"
    r"openaccess\.thecvf\.com/|cv-foundation\.org/+openaccess|ecva\.net/papers|ieeexplore\.ieee\.org/|computer\.org/csdl|"
    r"dl\.acm\.org/|link\.springer\.com/(?:article|chapter|book|content|paper)|sciencedirect\.com/science|"
    r"nature\.com/articles|science\.org/doi|cell\.com/|(?:bio|med|chem|psy|tech|eart)rxiv\.org|psyarxiv\.com|"
    r"jmlr\.org/|ojs\.aaai\.org|aaai\.org/(?:ocs|papers|library)|ijcai\.org/|isca-(?:speech|archive)\.org|"
    r"usenix\.org/(?:conference|system/files|legacy)|semanticscholar\.org/(?:paper|reader)|researchgate\.net/publication|"
    r"ssrn\.com/|hal\.(?:science|archives|inria)|hal-[\w.-]+\.archives|inria\.hal|(?:pubmed\.)?ncbi\.nlm\.nih\.gov/|"
    r"pmc\.ncbi|europepmc\.org/|jstor\.org/|mdpi\.com/\d|frontiersin\.org/|tandfonline\.com/doi|wiley\.com/doi|"
    r"academic\.oup\.com/|pnas\.org/|journals\.\w+\.\w+/|roboticsproceedings\.org|bmva\.org/|bmva-archive|vldb\.org/|cidrdb\.org|"
    r"eprint\.iacr\.org|ndss-symposium\.org/ndss|osf\.io/preprints|huggingface\.co/papers/|paperswithcode\.com/paper|"
    r"research\.(?:google|facebook|fb)(?:\.com)?/(?:pubs?|publications?|archive)|gitxiv\.com/posts|ai\.\w+\.com/research/publications|"
    r"microsoft\.com/en-us/research/(?:publication|uploads)|deepmind\.(?:com|google)/(?:research/)?publications|"
    r"amazon\.science/publications|machinelearning\.apple\.com/research|research\.nvidia\.com/(?:labs/[\w-]+/)?publication|"
    r"acl(?:anthology|web)\.org/|anthology\.aclweb\.org|openreview\.net/|arxiv\.org/|ar5iv\.|alphaxiv\.org/|scholar\.archive\.org|"
    r"direct\.mit\.edu/|worldscientific\.com/doi|sagepub\.com/doi|cambridge\.org/core/(?:journals|books)|iopscience\.iop\.org/|"
    r"journals\.aps\.org|aip\.scitation|royalsocietypublishing\.org/doi|core\.ac\.uk|citeseerx?\.|diglib\.eg\.org|"
    r"drops\.dagstuhl\.de|ceur-ws\.org/Vol|emergentmind\.com/papers|transformer-circuits\.pub/\d|distill\.pub/\d|doi\.org/",
    re.IGNORECASE,
)
"""URLs of papers."""
OTHERS: Mapping[Sort, str] = {
    "list": r"(?i)github\.com/[^/]+/[^/]*(?:awesome|papers?(?:-?list)?\b)",
    "code": r"(?i)(?:github|gitlab|bitbucket|kaggle|gitee|modelscope)\.(?:com|org|cn)/|"
    r"(?:huggingface|hf)\.co/(?!blog)|colab\.",
    "video": r"(?i)youtube\.com|youtu\.be|bilibili\.com|vimeo\.com|slideslive|videolectures",
}
"""Patterns of URLs of other resources; the first match counts."""
PUBLISHED = re.compile(r"/(?:publications?|papers?)/[\w-]{16,}/?(?:\.html?)?$")
"""The path of a work's page, on any host."""
NUMBERED = re.compile(r"\d+|(?:arxiv)?\s*\d{4}\s+\d{4,5}(?:\s*v\d+)?|[a-z]+\d{2,4}")
PICTURE = re.compile(r"img\.shields\.io/badge/(?P<text>[^?]+)", re.IGNORECASE)
HUGGING = re.compile(r"huggingface\.co/papers/(\d{4}\.\d{4,5})")


@dataclass(frozen=True, slots=True)
class Anchor:
    """A link of an entry. `is_label` is True if the text is a label, False if the text is a title."""

    text: str
    url: str
    line: int
    is_label: bool

    @property
    def sort(self) -> Sort:
        """The kind of resource that the link leads to, from the URL and the label."""
        words = set() if self.text.startswith("http") else set(spaced(self.text).split())
        if self.is_label and words & PAPER_LABELS and not words & NO_PAPERS and sort_of(self.url) != "video":
            return "paper"
        return "page" if self.is_label and words & NO_PAPERS and not ids_of(self.url) else sort_of(self.url)

    @property
    def label(self) -> str:
        """The label of the link in a record, such as `Code`."""
        text = self.text if self.is_label else ""
        label = clean(text.strip("[]{}|:*_ "))
        if not label or label.startswith("http") or len(label) > 40:
            label = {"paper": "Paper", "code": "Code", "video": "Video", "list": "Code", "page": "Page"}[self.sort]
        return label[:1].upper() + label[1:]


def is_web(url: str) -> bool:
    """True if a URL is absolute, with http or https."""
    return url.lower().startswith(("http://", "https://"))


def is_kept(url: str) -> bool:
    """True if a URL is absolute, or is the relative path of a PDF."""
    return is_web(url) or (":" not in url and urlsplit_path(url).lower().endswith(".pdf"))


def ids_of(url: str) -> dict[str, object]:
    """Return the identifiers in a URL, including DOIs in URLs of publishers."""
    if arxiv := HUGGING.search(url):
        return identifiers(arxiv=arxiv[1])
    return identifiers([url])


def urlsplit_path(url: str) -> str:
    """Return the path of a URL, '' if it is malformed."""
    try:
        return urlsplit(url).path
    except ValueError:
        return ""


@lru_cache(maxsize=1000)
def sort_of(url: str) -> Sort:
    """Return the kind of resource at a URL."""
    path = urlsplit_path(url).lower()
    if ids_of(url) or HOSTS.search(url):
        return "paper"
    if path.endswith((".pdf", ".ps", ".ps.gz")) or "/pdf/" in path or PUBLISHED.search(path):
        return "paper"
    return next((sort for sort, pattern in OTHERS.items() if re.search(pattern, url)), "page")


@lru_cache(maxsize=1000)
def is_label(text: str) -> bool:
    """True if the text of a link is a label, such as `[Paper]`, `code` or `arXiv 2023`, rather than a title."""
    words = spaced(text)
    if not words or text.strip().startswith(("http://", "https://", "www.", "arXiv:", "doi:")):
        return True
    known = [word in PAPER_LABELS or word in OTHER_LABELS or bool(NUMBERED.fullmatch(word)) for word in words.split()]
    is_bracketed = text.strip().startswith("[") and text.strip().endswith("]")
    return all(known) or (is_bracketed and len(known) <= 4)


def badge(address: str) -> str:
    """Return the text of a badge of shields.io, such as `arXiv 2604.09459` or `ICLR 2024`; '' for other images."""
    picture = PICTURE.search(unquote(address))
    if not picture:
        return ""
    text = re.sub(r"\.svg$", "", picture["text"]).replace("--", "\0").replace("__", "\1")
    words = text.split("-")
    shown = words[:-1] if len(words) > 1 else words
    return " ".join(" ".join(shown).replace("_", " ").replace("\0", "-").replace("\1", "_").split())
