"""Facts in the words beside a title: who wrote a work, where it appeared and when; a reference that is one text.

Only what its form leaves no doubt about is taken.
"""

import re
from collections.abc import Sequence

from awesome_cli.formats.markdown.links import is_label
from awesome_cli.formats.people import CORPORATE
from awesome_cli.text.folding import spaced

VENUES = tuple(
    """
    ICLR NeurIPS NIPS ICML ACL EMNLP NAACL EACL AACL COLING TACL CVPR ICCV ECCV WACV BMVC ACCV AAAI IJCAI KDD SIGKDD
    WWW SIGIR CIKM WSDM RecSys ICRA IROS CoRL RSS SIGGRAPH ICASSP INTERSPEECH UAI AISTATS COLT JMLR TMLR TPAMI PAMI
    IJCV TIP TOG TVCG 3DV ICME ISCA MICRO ASPLOS HPCA OSDI SOSP NSDI EuroSys ATC MLSys VLDB PVLDB SIGMOD ICDE CCS
    NDSS USENIX SIGCOMM CHI UIST CSCW ICSE FSE ASE ISSTA PLDI POPL OOPSLA Nature Science PNAS arXiv Arxiv ArXiv
    Preprint CoRR bioRxiv medRxiv COLM CoLM LREC CoNLL MICCAI TMI RA-L RAL T-RO TKDE TOIS TNNLS ICPR DAC PPoPP SoCC
    HotOS ICLP ECAI AAMAS ICAPS CogSci ISWC ESWC SemEval IEEE ACM MobiCom MobiSys SenSys INFOCOM ICDM SDM PAKDD ECML
    ICDAR ICIP ICSC ISMAR TRO ICS SC TACO TOIT JAIR AIJ IUI SIGDIAL EDBT
    """.split()
)
"""Venues by their usual short names; text with one of them, and a year, tells where a work appeared."""
TITLE_WORDS = frozenset(
    """
    a the of for and in on with to from by via is are as at using towards toward without how why what when this that
    need it its your be or not under over into through between large language models model learning deep neural
    network networks survey review reinforcement vision visual image images video generation reasoning efficient
    data training attention transformer transformers agents agent multi benchmark framework knowledge robust
    adaptive self scaling prediction detection representation representations recognition segmentation optimization
    analysis systems system inference memory graph diffusion policy technical report gaussian splatting prompt
    prompting tuning retrieval evaluation open access text
    """.split()
)
"""Words that stand in titles and in no name."""
JOURNAL_WORDS = frozenset(
    """
    of in for on the journal letters review reviews research science sciences annals proceedings transactions bulletin
    archives acta studies quarterly magazine reports advances trends nature lancet frontiers international american
    british european medicine medical ecology ecological biology physics physical chemistry history historical society
    surgery health care theory revue zeitschrift journals communications naturalist economics past present inquiry
    statistics psychology sociology philosophy geology evolution plos monographs assessment education environment
    """.split()
)
"""Words that stand in names of journals and in no name of a person."""

KNOWN = "|".join(sorted(map(re.escape, VENUES), key=len, reverse=True))
YEAR = r"(?:19[5-9]\d|20[0-4]\d)"
VENUE = re.compile(
    rf"(?P<name>(?:(?:Findings of|ACM|IEEE|Findings)\s+)?\b(?:{KNOWN})"
    r"(?:[ -](?:Findings|Workshops?|Asia|MM|Datasets? and Benchmarks?|Oral|Demo))*)"
    rf"W?(?![A-Z]|[\w-]*[a-z])[\s,:’'`‘.()-]*(?P<year>{YEAR}|(?<=[\s’'`‘A-Z])\d\d(?!\d))?"
)
DATE = re.compile(rf"\b({YEAR})(?:[./-]?\d{{1,2}}){{0,2}}\b|\b\d{{1,2}}[./-]({YEAR})\b")
LEAD = re.compile(
    rf"\s*(?:[-*+•·>#]+\s+|\d{{1,3}}[.):]\s+|[(\[【]\s*\d{{1,3}}\s*[)\]】]\s*|(?:Papers?|Title|Work)\s*:\s*|"
    rf"[\[(【]?\s*(?:{YEAR}[./-]?\d{{0,2}}(?:[./-]\d{{1,2}})?|\d{{1,2}}[./-]{YEAR})\s*[\])】]?\s*[:,|—–-]?\s*(?=\W|[^\d\s])|"
    r"(?P<bracket>[\[(【])(?P<text>[^\[\]()【】]{1,40})[\])】]\s*[:|—–-]?\s*)"
)
"""What may stand before a title: a number, a date, `Paper:`, a word in brackets."""
ET_AL = re.compile(r",?\s*\bet\.?\s*al\b\.?", re.IGNORECASE)
BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
NAMED = re.compile(r"([^()]*\w[^()]*)\([^()]*[A-Za-z]{2}[^()]*\)")
"""A name, with words in brackets behind it."""
QUOTES = '"“”'
PARTICLE = "(?:van|von|de|der|den|del|della|di|da|dos|la|le|el|al|bin|ten)"
NAME = re.compile(rf"(?:{PARTICLE}\s+)*[^\W\d_a-zß-öø-ÿ][\w'’.-]*(?:\s+(?:{PARTICLE}|[^\W\d_][\w'’.-]*)){{0,4}}")
DATED = re.compile(rf"(?P<authors>[^()]{{3,400}}?)[\s,.]*\({YEAR}[a-z]?\)[.,:]?\s+(?P<title>\S.*)", re.DOTALL)
"""Authors, the year in brackets, title: how the APA has references written."""
SHORT = r"[^\W\d_][\w'’ -]{0,40} [A-Z]{1,3}"
MEDICAL = re.compile(rf"(?P<authors>(?:{SHORT}, ){{0,60}}(?:{SHORT}|et al))\.\s+(?P<title>\S+\s\S+\s\S.*)", re.DOTALL)
"""Names with bare initials behind them, title: the style called Vancouver."""
SENTENCE = re.compile(r"(?<![A-Z])(?<!\bal)(?<!\bvs)\.[\s\"”’']+(?=\S)|(?<=[?!])[\"”’']?\s+(?=\S)|(?<=\bal)\.\s+")


ENDS = (
    re.compile(r"\s*[([【]([^()\[\]]*)[)\]】][\s.,;|]*$"),
    re.compile(r"\s*[,.|—–-]\s+(arXiv:[\d.v]+|[^,.|—–]{2,60})[\s.,;|]*$"),
)
"""What may stand behind a title of one word: words in brackets; of two words: words behind a mark."""
KEYS = re.compile(r"(?<=[.?!])\s+[\[(][^\[\]()]{2,40}[\])]$")
"""Words in brackets behind the full stop of a title."""
SEARCHED = 4000
"""Letters of a text that are searched; no title, and no list of authors that is kept, is longer."""
TAIL = re.compile(
    rf"\s*[,|]\s*[^,|]{{2,40}}\bet\.? al\b.*$|\s*\([^()]*(?:\bet\.? al\b|,)[^()]*{YEAR}\s*\)[\s.,]*$", re.DOTALL
)
"""The first author and what follows, or authors and year in brackets, behind a title."""


def without_lead(text: str) -> str:
    """A text without what stands before its title. A word in round brackets stays, unless it is a venue."""
    text = text[:SEARCHED]
    while found := LEAD.match(text):
        rest = text[found.end() :]
        if found["bracket"] and not is_venue(found["text"]) and (found["bracket"] == "(" or len(rest.split()) < 2):
            break
        if not found[0].strip() or not any(c.isalpha() for c in rest):
            break
        text = rest
    return text


def venue_of(text: str) -> tuple[str, int | None]:
    """The venue and the year that a text names; nothing for a text without them."""
    year = year_in(text)
    for found in VENUE.finditer(text):
        if found["name"] in {"Nature", "Science", "IEEE", "ACM"} and _goes_on(text, found):
            continue
        told = found["year"]
        if told:
            year = int(told) if len(told) == 4 else 2000 + int(told) if int(told) < 50 else 1900 + int(told)
        name = " ".join(found["name"].split())
        return {"arxiv": "arXiv", "preprint": "", "corr": "arXiv"}.get(name.casefold(), name), year
    return "", year


def _goes_on(text: str, found: re.Match[str]) -> bool:
    """Whether a name is part of a longer one: `IEEE Access`, `Political Science`."""
    longer = re.match(r" [A-Za-z]{3}", text[found.end("name") :])
    return bool(longer or re.search(r"[A-Z][a-z]+ $", text[: found.start()]))


def year_in(text: str) -> int | None:
    """The first year in a text."""
    found = DATE.search(text)
    return int(found[1] or found[2]) if found else None


def is_venue(text: str) -> bool:
    """Whether a text says no more than a venue, a year or a date."""
    named = NAMED.fullmatch(text.strip())
    if named and not VENUE.search(named[1]) and not DATE.search(named[1]):
        return False
    text = text.strip(" .,;:()[]{}|*_`'\"—–-")
    rest = DATE.sub("", VENUE.sub("", text))
    return bool(text) and rest != text and len(spaced(rest).split()) <= 2


def is_names(text: str, *, alone: bool = False) -> bool:
    """Whether a text is a list of authors; a single name counts only where it stands `alone`, apart from other text."""
    shortened = bool(ET_AL.search(text))
    text = BRACKETS.sub("", ET_AL.sub("", text)).strip(" .,;:*†‡")
    parts = [part.strip(" *†‡.") for part in re.split(r",|;|\band\b|&|\|", text)]
    parts = [part for part in parts if part]
    if not parts or len(text) > 3000 or max(len(part.split()) for part in parts) > 6:
        return False
    is_name = [bool(NAME.fullmatch(part)) and not has_plain_word(part) for part in parts]
    if shortened or alone:
        return all(is_name) and len(parts[0].split()) < 6
    initials = any(re.match(r"[A-Z]\.|\S.* [A-Z]{1,3}$", part) for part in parts)
    return sum(is_name) >= 0.8 * len(parts) and is_name[0] and (initials or (len(parts) > 1 and " " in parts[0]))


def names_in(text: str) -> str:
    """The authors at the beginning of a text, without the venue and what else follows."""
    found = ET_AL.search(text)
    text = text[: found.end()] if found else text
    venue = VENUE.search(text)
    names = BRACKETS.sub("", text[: venue.start()] if venue else text).strip(' ,.;:|(-–—"“”*')
    return f"{names}." if re.search(r"\b[A-Z]\.[ -]?[A-Z]$", names) else names


def has_plain_word(text: str) -> bool:
    """Whether a text has a word that stands in titles and in no name."""
    is_acronym = bool(re.search("[A-Z]{3}", text)) and not text.isupper()
    return is_acronym or any(
        len(word) > 1 and (word in TITLE_WORDS or word in JOURNAL_WORDS) for word in spaced(text).split()
    )


def reference(text: str) -> tuple[str, str]:
    """Title and authors in one text: `Title. Authors.`, `Authors. Title.`, `Authors, Title, Venue, 2020`."""
    text = without_lead(text).strip(" ,;|") or text.strip()
    text = text.partition(" | ")[0] if text.count(" | ") > 1 else text
    if is_names(text):
        return "", text
    for shape in (DATED, MEDICAL):
        if (found := shape.match(text)) and is_names(found["authors"], alone=True):
            return titled(SENTENCE.split(found["title"], maxsplit=1)[0]), found["authors"]
    first, second, *_ = [*SENTENCE.split(text, maxsplit=2), "", ""]
    if second and is_names(first):
        return titled(second), first
    if second and is_names(names_in(second)):
        return titled(first), names_in(second)
    parts = text.split(", ")
    n = next((n for n in range(_inverted(parts), len(parts)) if not _is_author(parts[n])), len(parts))
    last = next((m for m in range(n + 1, len(parts)) if _is_place(*parts[m : m + 2])), len(parts))
    if 0 < n < last and (n > 1 or " and " in parts[0] or last < len(parts)):
        return titled(", ".join(parts[n:last])), ", ".join(parts[:n])
    told = second and (is_venue(second) or not spaced(second))
    return titled(first if told else text), ""


def _is_author(part: str) -> bool:
    return is_names(part.removeprefix("and "), alone=True) and " " in part.strip() and not is_venue(part)


def _inverted(parts: Sequence[str]) -> int:
    """How many parts a first author with the family name in front takes, before a second one: two or none."""
    is_one = len(parts) > 2 and all(NAME.fullmatch(part) and " " not in part for part in parts[:2])
    return 2 if is_one and _is_author(parts[2]) else 0


def _is_place(part: str, following: str = "") -> bool:
    """Whether a part of a reference is where the work appeared: a known venue, or capitals before a year."""
    return is_venue(part) or (part.isupper() and bool(re.match(YEAR, following)))


def titled(text: str) -> str:
    """A title without the venue, date and marks that stand behind it."""
    before, text = None, text[:SEARCHED]
    while before != text:
        before = text
        text = re.sub(r"\s*[([【]\s*@[^()]*[)\]】]\s*$", "", text.strip())
        text = KEYS.sub("", TAIL.sub("", text))
        for least, end in enumerate(ENDS, 1):
            found = end.search(text)
            if found and is_venue(found[1]) and len(text[: found.start()].split()) >= least:
                text = text[: found.start()]
        quotes = sum(map(text.count, QUOTES))
        marks = QUOTES if quotes % 2 or (quotes == 2 and text[0] in QUOTES) else ""
        text = text.strip().strip("*_").strip(f"|,;:：，—–- {marks}")
        text = re.sub(r"(?<=[^.\s])\.$", "", text)
    return text


PRIZES = frozenset(
    "award best outstanding accepted honorable mention thesis dissertation phd book chapter submitted press spotlight"
    " oral poster survey preprint arxiv access".split()
)
"""Words of slanted texts that tell of a prize or of the kind of a work."""
INSTITUTIONS = frozenset(
    "google openai deepmind meta facebook microsoft stanford mit berkeley nvidia ibm amazon apple baidu tencent alibaba"
    " cmu oxford cambridge harvard princeton tsinghua ethz anthropic".split()
)
"""Words of slanted texts that tell where the authors work."""
NO_FAMILIES = frozenset(
    "part type vitamin hepatitis influenza figure table section volume class appendix group phase series model"
    " version".split()
)
"""Words that a capital letter follows, as initials follow a family name."""

Slanted = tuple[str, str]
"""A slanted text, and what stands behind it."""
YEAR_BEHIND = re.compile(rf"[\s.,;:(|–—-]*{YEAR}\b")
VOLUME_BEHIND = re.compile(rf"[\s.,]*(?:{YEAR}\s*;\s*\d|\d{{1,4}}\s*[,(:]\s*(?:no\.\s*)?\d)")
"""Volume and page, as in `2014;3(2):1-9`, `13, 508` and `91, no. 5`."""
OWN_YEAR = re.compile(rf"[\s,(]+(?:\d{{1,4}}[\s,(]+)?{YEAR}\)?$")
BEFORE_YEAR = re.compile(rf"(?:^|[.,|(–—]\s)\s*(?P<name>[A-Z][^.,;|()\d]{{4,80}}?)[,.]?\s+\(?(?={YEAR})", re.MULTILINE)
JOINING = frozenset("of in for on the and a an de la et der für und & at to".split())
INITIALED = re.compile(
    r"(?:[A-Z]\.[ -]?){1,4}[^\W\d_][\w'’-]+|[A-Z][\w'’-]+ (?:[A-Z]\. ?)+[A-Z][\w'’-]+|"
    r"(?P<family>[A-Z][\w'’-]*[a-z]) [A-Z]{1,4}"
)
"""One name with initials: `P. W. Higgs`, `Robert T. Paine`, `Hardin G`."""
SEVERAL = re.compile(r"[,;&|]|\band\b|\bet\.? al\b")
BIBTEX = re.compile(r"[^,]+, [^,]+?(?: and [^,]+, [^,]+?)+")
FAMILY_FIRST = r"(?:[^\W\d_][\w'’-]*[a-z] ){1,3}[A-Z]{1,4}"
LISTED = re.compile(rf"(?:{FAMILY_FIRST}(?:, (?:and )?| and | & )){{1,60}}{FAMILY_FIRST}(?=\. |\.?$)")
"""Names as PubMed lists them, up to the full stop behind them: `Doll R, Hill AB. `."""


def slanted_authors(text: str, *, has_venue: bool) -> str:
    """The authors in a slanted text; nothing for what may be a journal, an institution or a name alone."""
    names = names_in(text)
    if is_journal(names) or not is_names(names, alone=True):
        return ""
    parts = [part.strip() for part in re.split(r",|;|\band\b|&|\|", ET_AL.sub("", names)) if part.strip()]
    if len(parts) == 1 and not INITIALED.fullmatch(names) and not ET_AL.search(names):
        # With a conference beside it, a name alone in the usual form is an author.
        others = {*spaced(names).split()} & (INSTITUTIONS | PRIZES)
        plain = 1 < len(names.split()) < 4 and not re.search(r"[a-z][A-Z]", names) and not others
        return names if has_venue and plain and not CORPORATE.search(names) else ""
    is_list = all(" " in part for part in parts) or BIBTEX.fullmatch(names) or re.search(r"\b[A-Z]\.", names)
    return names if is_list or ET_AL.search(names) else ""


def slanted_venue(text: str, behind: str, *, has_authors: bool, year: bool) -> str:
    """The venue that a slanted text is, by its words or by the year or volume behind it; nothing if in doubt."""
    has_year = bool(YEAR_BEHIND.match(behind) or OWN_YEAR.search(text))
    text = OWN_YEAR.sub("", text).strip(" .,;:()")
    words = spaced(text).split()
    of_others = re.sub(r"(?i)\bsociety\b", "", text)  # a journal may be that of a society
    if not 0 < len(words) <= 12 or is_label(text) or set(words) & PRIZES or CORPORATE.search(of_others):
        return ""
    capitals = (word for word in re.split(r"[\s-]+", text) if word[:1].isalpha() and word not in JOINING)
    if (
        not all(word[:1].isupper() for word in capitals)
        or re.search(r"[a-z]{4}\. ", text)
        or slanted_authors(text, has_venue=False)
        or (VENUE.search(text) and is_venue(text))
    ):
        return ""
    volume = bool(VOLUME_BEHIND.match(behind))
    if is_journal(text):
        return text if year or volume or has_authors else ""
    plain = not re.search(r"[a-z][A-Z]", text) and not set(words) & INSTITUTIONS
    return text if volume or (plain and has_authors and has_year) else ""


def _plain_venue(text: str) -> str:
    """A journal named before a year in plain text."""
    names = (found["name"].strip() for found in BEFORE_YEAR.finditer(text[:SEARCHED]))
    journals = (name for name in names if is_journal(name) and len(name.split()) > 1 and not VENUE.search(name))
    return next((name for name in journals if slanted_venue(name, "", has_authors=True, year=True)), "")


def authors(names: Sequence[str], slanted: Sequence[Slanted], *, has_venue: bool) -> str:
    """The authors in slanted text, or else in plain `names`."""
    found = (*(slanted_authors(text, has_venue=has_venue) for text, _ in slanted), *map(_plain_authors, names))
    return next(filter(None, found), "")


def journal(plain: str, slanted: Sequence[Slanted], line: str, *, has_authors: bool) -> str:
    """The venue in slanted text, or else in plain text; `line` is both."""
    year = year_in(line) is not None
    found = (slanted_venue(text, behind, has_authors=has_authors, year=year) for text, behind in slanted)
    return next(filter(None, found), "") or _plain_venue(plain.replace("\0", "\n"))


def _plain_authors(text: str) -> str:
    if listed := LISTED.match(text[:SEARCHED]):
        return listed[0]
    names = map(names_in, SENTENCE.split(text))
    return next((found for found in names if SEVERAL.search(found) and is_names(found)), "")


def one_author(text: str) -> str:
    """A text that is one name with initials; it needs a venue beside it."""
    text = text[:SEARCHED].strip(" ,.;:|()–—-")
    found = INITIALED.fullmatch(text)
    is_name = found and spaced(found["family"] or "") not in NO_FAMILIES and not is_journal(text)
    return text if is_name else ""


def is_unsure(names: Sequence[str], slanted: Sequence[Slanted], authors: str, venue: str) -> bool:
    """Whether some words have the form of a name or of a journal, and were taken for neither."""
    left = [text for text, _ in slanted if len(text.split()) <= 30 and not is_venue(text)]
    left = [text for text in left if not (venue and venue in text) and not (authors and authors in text)]
    short = [name for name in names if len(name.split()) < 15]
    said = (re.search(r"[^\W\d_]{2}", name) and not is_venue(name) and not is_label(name) for name in short)
    return bool(left) or (not authors and (any(said) if slanted else any(map(_may_be_name, short))))


def _may_be_name(text: str) -> bool:
    parts = [part.strip() for part in re.split(r"[.,;]\s|[–—]", f"{text} ")]
    return any(
        1 < len(part.split()) < 5 and NAME.fullmatch(part) and not is_venue(part) and not is_label(part)
        for part in parts
    )


def is_journal(text: str) -> bool:
    """Whether a text has a word that stands in names of journals."""
    return bool(set(spaced(text).split()) & JOURNAL_WORDS)
