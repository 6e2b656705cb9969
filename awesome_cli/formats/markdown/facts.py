"""Extract authors, venue and year from the text beside a title, and parse references in plain text.

`Ada Bean and Rob Roast. On Tea. ICML 2024` becomes the title `On Tea` and the authors. Ambiguous text is ignored.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from awesome_cli.formats.markdown.links import is_label
from awesome_cli.formats.people import EAST_ASIAN, is_mla
from awesome_cli.text.folding import spaced
from awesome_cli.text.names import CORPORATE

VENUES = tuple(
    """
    ICLR NeurIPS NIPS ICML ACL EMNLP NAACL EACL AACL COLING TACL CVPR ICCV ECCV WACV BMVC ACCV AAAI IJCAI KDD SIGKDD
    WWW SIGIR CIKM WSDM RecSys ICRA IROS CoRL RSS SIGGRAPH ICASSP INTERSPEECH UAI AISTATS COLT JMLR TMLR TPAMI PAMI
    IJCV TIP TOG TVCG 3DV ICME ISCA MICRO ASPLOS HPCA OSDI SOSP NSDI EuroSys ATC MLSys VLDB PVLDB SIGMOD ICDE CCS
    NDSS USENIX SIGCOMM CHI UIST CSCW ICSE FSE ASE ISSTA PLDI POPL OOPSLA Nature Science PNAS
    Preprint CoRR COLM CoLM LREC CoNLL MICCAI TMI RA-L RAL T-RO TKDE TOIS TNNLS ICPR DAC PPoPP SoCC
    HotOS ICLP ECAI AAMAS ICAPS CogSci ISWC ESWC SemEval IEEE ACM MobiCom MobiSys SenSys INFOCOM ICDM SDM PAKDD ECML
    ICDAR ICIP ICSC ISMAR TRO ICS SC TACO TOIT JAIR AIJ IUI SIGDIAL EDBT
    """.split()
)
"""Common abbreviations of venues."""
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
"""Words of titles that do not occur in names of people."""
JOURNAL_WORDS = frozenset(
    """
    of in for on the journal letters review reviews research science sciences annals proceedings transactions bulletin
    archives acta studies quarterly magazine reports advances trends nature lancet frontiers international american
    british european medicine medical ecology ecological biology physics physical chemistry history historical society
    surgery health care theory revue zeitschrift journals communications naturalist economics past present inquiry
    statistics psychology sociology philosophy geology evolution plos monographs assessment education environment
    databases computing computers software engineering
    """.split()
)
"""Words of journal names that do not occur in names of people."""
PREPRINTS = {name.casefold(): name for name in ("arXiv", "bioRxiv", "medRxiv", "ChemRxiv", "PsyArXiv")}
"""Preprint servers, whose names lists write in any case."""
CANONICAL = {name.casefold(): name for name in VENUES} | PREPRINTS
"""The usual spelling of each venue, by its name in lower case."""
LONGER = ("USENIX Security", "USENIX ATC", "IEEE S&P", "Communications of the ACM")
KNOWN = f"(?i:{'|'.join(PREPRINTS)})|" + "|".join(sorted(map(re.escape, (*VENUES, *LONGER)), key=len, reverse=True))
YEAR = r"(?:1[89]\d\d|20[0-4]\d)"
VENUE = re.compile(
    rf"(?P<name>(?:(?:Findings of|ACM|IEEE|Findings)\s+)?\b(?:{KNOWN})"
    r"(?:[ -](?:Findings|Workshops?|Asia|MM|Datasets? and Benchmarks?|Oral|Demo))*)"
    rf"W?(?![A-Z]|[\w-]*[a-z])[\s,:’'`‘.()-]*(?P<year>{YEAR}|(?<=[\s’'`‘A-Z])\d\d(?!\d))?"
)
DATE = re.compile(rf"(?<!arXiv:)\b({YEAR})(?!\.\d{{4}})(?:[./-]?\d{{1,2}}){{0,2}}\b|\b\d{{1,2}}[./-]({YEAR})\b")
LEAD = re.compile(
    rf"\s*(?:[-*+•·>#]+\s+|\d{{1,3}}[.):]\s+|[(\[【]\s*\d{{1,3}}\s*[)\]】]\s*|(?:Papers?|Title|Work)\s*:\s*|"
    rf"{YEAR}[-/ ][A-Z][\w&-]{{1,14}}\s+[-–—:|]+\s+|(?:{KNOWN})[-/’' ]{{0,2}}(?:{YEAR}|\d\d)\s*[-–—:|]+\s+|"
    rf"(?P<bracket>[\[(【])(?P<text>(?:{YEAR}[^\[\]()【】]{{0,80}}|[^\[\]()【】]{{1,40}}))[\])】]\s*[:|—–-]?\s*|"
    rf"[\[(【]?\s*(?:{YEAR}[./-]?\d{{0,2}}(?:[./-]\d{{1,2}})?|\d{{1,2}}[./-]{YEAR})\s*[\])】]?\s*[:,|—–-]?\s*(?=\W|[^\d\s]))"
)
"""Text before a title: a number, a date, `Paper:`, a word in brackets."""
ET_AL = re.compile(r",?\s*\b(?:et\.?\s*al\b\.?|and others\b)", re.IGNORECASE)
BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
NAMED = re.compile(r"(?=[^()\w]*+\w)([^()]*+)\((?>[^()]*?[A-Za-z]{2})[^()]*+\)")
"""A name followed by words in brackets."""
QUOTES = '"“”'
PARTICLE = "(?:van|von|de|der|den|del|della|di|da|dos|la|le|el|al|bin|ten|['’]t)"
NAME = re.compile(rf"(?:{PARTICLE}\s+)*[^\W\d_a-zß-öø-ÿ][\w'’.-]*(?:\s+(?:{PARTICLE}|[^\W\d_][\w'’.-]*)){{0,4}}")
DATED = re.compile(rf"(?P<authors>[^()]{{3,400}}?)[\s,.]*\({YEAR}[a-z]?\)[.,:]?\s+(?P<title>\S.*)", re.DOTALL)
"""Authors, year in brackets, title: the APA style."""
PARTED = re.compile(r"[,;、，]|\band\b|&|\|")
"""Separators of names."""
SHORT = r"[^\W\d_][\w'’ -]{0,40} [A-Z]{1,3}"
MEDICAL = re.compile(rf"(?P<authors>(?:{SHORT}, ){{0,60}}(?:{SHORT}|et al))\.\s+(?P<title>\S+\s\S+\s\S.*)", re.DOTALL)
"""Names with initials last, title: the Vancouver style."""
FULL_STOP = re.compile(r"(?<!\b[A-Z])(?<!\bvs)\.[\"”’']*\s")
SENTENCE = re.compile(r"(?<!\b[A-Z])(?<!\bal)(?<!\bvs)\.[\s\"”’']+(?=\S)|(?<=[?!])[\"”’']?\s+(?=\S)|(?<=\bal)\.\s+")

END = re.compile(r"\s*(?:@\s*|[,.|—–-]\s+)(arXiv:[\d.v]+|[^,.|—–@]{2,60})[\s.,;|]*$")
"""Text after a title and a separator."""
IN_BOOK = re.compile(r"[.,]\s+In:?\s+(?:the\s+)?Proc(?:eedings\b|\.).*$", re.DOTALL)
KEYS = re.compile(r"(?<=\.)\s+[\[(][^\[\]()]{2,40}[\])]$")
"""Words in brackets after the full stop of a title."""
SEARCHED = 4000
"""Maximum number of characters searched; titles and author lists are shorter."""
TAIL = re.compile(r"\s*(?:[,|]|\s[-–—])\s*[^,|]{2,40}\bet\.? al\b.*$", re.DOTALL)
"""Text after a title: the first author, `et al.`, and the rest."""


@lru_cache(maxsize=1000)
def without_lead(text: str) -> str:
    """Remove number, date and the like before a title. A word in round brackets is kept unless it is a venue."""
    text = text[:SEARCHED]
    while lead := LEAD.match(text):
        rest = text[lead.end() :]
        if lead["bracket"] and not is_venue(lead["text"]) and (lead["bracket"] == "(" or len(rest.split()) < 2):
            break
        if not lead[0].strip() or not any(c.isalpha() for c in rest):
            break
        text = rest
    return text


@lru_cache(maxsize=1000)
def venue_of(text: str) -> tuple[str, int | None]:
    """Return `(venue, year)` of a text, '' and None if missing: `ICML'24` gives `("ICML", 2024)`."""
    year = year_in(text)
    for match in VENUE.finditer(text):
        if match["name"] in {"Nature", "Science", "IEEE", "ACM"} and _goes_on(text, match):
            continue
        digits = match["year"]
        if digits and (len(digits) == 4 or year is None):
            year = int(digits) if len(digits) == 4 else 2000 + int(digits) if int(digits) < 50 else 1900 + int(digits)
        name = " ".join(match["name"].split())
        return {**PREPRINTS, "preprint": "", "corr": "arXiv"}.get(name.casefold(), name), year
    return "", year


DATED_VENUE = re.compile(
    rf"(?:{YEAR}[\s,:-]+)?(?P<name>[^\W\d_][^\[\]()【】,;:.]{{1,60}}?)[\s,:]*(?P<year>{YEAR}|[’']\d\d|(?<=[A-Z] )\d\d)?"
    r"(?:\s*,.*|\s+from .*)?",
)
"""A venue after or before a year: `2023 Genome Biology`, `Big Data Research 2021`, `CHEOPS 22`."""
CLOSING = re.compile(r"\s*[(（【\[]\s*(?P<text>[^()（）【】\[\]]{2,80}?)\s*[)）】\]][\s.,;]*$")
"""Words in brackets at the end of a text."""


STATUS = re.compile(r"\b(?:(?:under|in) (?:review|submission|press)|to appear|accepted|submitted)\b", re.IGNORECASE)
REMARKS = frozenset("new under review survey version paper best award in to appear by accepted workshop long".split())
"""Words in brackets after a title that are not part of the title."""


def bracketed(text: str) -> tuple[str, int | None]:
    """Return `(venue, year)` of a text in brackets, '' and None if missing; it need not be a known venue."""
    text = text.strip(" ()（）[]【】")
    venue, year = venue_of(text)
    match = DATED_VENUE.fullmatch(text)
    is_titled = not JOURNAL_WORDS.isdisjoint({*spaced(text).split()} - JOINING) and text[:1].isupper()
    if venue or not match or STATUS.search(text) or not (year_in(text) or match["year"] or is_titled):
        return venue, year
    digits = re.sub(r"\D", "", match["year"] or "")
    year = year or (int(digits) + 2000 * (len(digits) == 2) if digits else None)
    name = re.sub(r"(?i)^(?:papers?|pdf)\s+", "", match["name"]).strip(" -–—")
    # After a name, a year may be that of a citation: `(Fuller, 1978)`.
    is_person = not re.match(YEAR, text) and is_names(name, alone=True) and not re.search(r"[a-zA-Z][A-Z]", name)
    if name and not re.search(r"[^a-z\W]", name):
        return "", None  # `(updated 2023)` says nothing of the work.
    is_name = len(name.split()) <= 6 and not is_label(name) and not PRIZES.issuperset(spaced(name).split())
    return name if is_name and not (is_person or ET_AL.search(text) or "&" in name) else "", year


def without_place(text: str) -> tuple[str, str]:
    """Split venue, year or labels in brackets off a text's end: `On Tea (CIDR 2019)` gives `On Tea`, `CIDR 2019`."""
    closing = CLOSING.search(text)
    n_words = len(text[: closing.start()].split()) if closing else 0
    if not closing or n_words < (1 if is_venue(closing["text"]) else 2):
        return text, ""
    words = {*spaced(closing["text"]).split()}
    is_remark = is_label(closing["text"]) or (bool(words) and words <= REMARKS | PRIZES)
    return (text[: closing.start()], closing["text"]) if is_remark or any(bracketed(closing["text"])) else (text, "")


def is_dated(text: str) -> bool:
    """True if a short text starts or ends with a year: `2024 ICLR workshop on cells`."""
    return len(text.split()) <= 10 and bool(re.match(rf"{YEAR}\b", text) or re.search(rf"\b{YEAR}$", text))


def _goes_on(text: str, venue: re.Match[str]) -> bool:
    """True if a venue is part of a longer name: `IEEE Access`, `Political Science`."""
    longer = re.match(r" [A-Za-z]{3}", text[venue.end("name") :])
    return bool(longer or re.search(r"[A-Z][a-z]+ $", text[: venue.start()]))


def undated(text: str) -> str:
    """Remove year and month at the end of a venue: `Robotics (CoRL), Nov 2023` gives `Robotics (CoRL)`."""
    text = OWN_YEAR.sub("", text.strip()).rstrip(" .,;:(")
    month = [*MONTH.finditer(text)][-1:]
    is_last = month and not text[month[0].end() :].strip(" .,0123456789")
    text = text[: month[0].start()].rstrip(" .,;:(") if is_last and month[0].start() else text
    return text + ")" * (text.count("(") > text.count(")"))


def remainder(text: str, *known: str) -> str:
    """Return a text if it says more than known texts, venue, date and labels, else ''; a short text without these."""
    rest = re.sub(r"\b\d{4}\.\d{4,5}(?:v\d+)?\b", " ", text)
    for part in filter(None, known):
        rest = rest.replace(part, " ")
    rest = MONTH.sub(" ", DATE.sub(" ", VENUE.sub(" ", rest)))
    words = [word for word in spaced(rest).split() if len(word) > 1 and not word.isdigit()]
    if not words or is_label(" ".join(words)) or PRIZES.issuperset(words):
        return ""
    return text if len(words) > 6 else " ".join(re.sub(r"[(\[][\s,.]*[)\]]", "", rest).split()).strip(" .,;:–—-()[]|*")


def year_in(text: str) -> int | None:
    """Return the first year in a text."""
    year = DATE.search(text)
    return int(year[1] or year[2]) if year else None


@lru_cache(maxsize=1000)
def is_venue(text: str) -> bool:
    """True if a text is only a venue, a year or a date."""
    bracketed = NAMED.fullmatch(text.strip())
    if bracketed and not VENUE.search(bracketed[1]) and not DATE.search(bracketed[1]):
        return False
    text = text.strip(" .,;:()[]{}|*_`'\"—–-")
    rest = DATE.sub("", named := VENUE.sub("", text))
    words = [word for word in spaced(MONTH.sub(" ", rest)).split() if not word.isdigit()]
    is_date = named != text or (len(words) < 2 and len(re.findall(YEAR, text)) == 1)
    return bool(text) and rest != text and len(words) <= 2 and is_date


@lru_cache(maxsize=1000)
def is_names(text: str, *, alone: bool = False) -> bool:
    """True if a text is a list of authors. With `alone`, no other text is beside it, and a single name counts, too."""
    shortened = bool(ET_AL.search(text))
    text = BRACKETS.sub("", ET_AL.sub("", text)).strip(" .,;:*†‡")
    parts = [part.strip(" *†‡.") for part in PARTED.split(text)]
    parts = [part for part in parts if part]
    if not parts or len(text) > 3000 or max(len(part.split()) for part in parts) > 6:
        return False
    plain = [part for part in parts if INITIALED.fullmatch(part) or (NAME.fullmatch(part) and not has_plain_word(part))]
    # Beside other names, `In So Kweon`, `Siu Wing Or` and `ada bean` are names, too.
    rest = [part for part in parts if part not in plain]
    sure = plain or shortened
    doubtful = [part for part in rest if NAME.fullmatch(part) and _may_be_named(part)] if sure else []
    doubtful += [part for part in rest if _is_lower_name(part)] if len(plain) > 1 else []
    names = len(plain) + len(doubtful)
    if shortened or alone:
        return names == len(parts) and len(parts[0].split()) < 6
    initials = any(re.match(r"[A-Z]\.|\S.* [A-Z]{1,3}$", part) for part in parts)
    is_list = initials or (len(parts) > 1 and " " in parts[0]) or is_mla(parts) or bool(EAST_ASIAN.search(text))
    return names >= 0.8 * len(parts) and parts[0] in {*plain, *doubtful} and is_list


def _is_lower_name(text: str) -> bool:
    return text.islower() and len(text.split()) == 2 and text.replace(" ", "").isalpha() and not has_plain_word(text)


def _may_be_named(text: str) -> bool:
    """True if the words of titles in a text are short and capitalized, as in the names `Bo On` and `In So Kweon`."""
    words = (word for word in text.split() if has_plain_word(word))
    return all(word.istitle() and len(word) < 5 for word in words)


DATED_END = re.compile(rf",[^,;()]*\b{YEAR}\b.*$", re.DOTALL)
"""The last part of a list, with a year."""


def names_in(text: str) -> str:
    """Return the authors at the start of a text, without venue and other text after them."""
    et_al = ET_AL.search(text)
    text = text[: et_al.end()] if et_al else text
    venue = VENUE.search(text)
    text = text[: venue.start()] if venue else DATED_END.sub("", text)
    names = BRACKETS.sub("", text).strip(' ,.;:|(-–—"“”*')
    return f"{names}." if re.search(r"\b[A-Z]\.[ -]?[A-Z]$", names) else names


def has_plain_word(text: str) -> bool:
    """True if a text contains a word of titles that does not occur in names."""
    is_acronym = bool(re.search("[A-Z]{3}", text)) and not text.isupper()
    return is_acronym or any(
        len(word) > 1 and (word in TITLE_WORDS or word in JOURNAL_WORDS) for word in spaced(text).split()
    )


def reference(text: str) -> tuple[str, str]:
    """Return `(title, authors)` of a reference: `Title. Authors.`, `Authors. Title.`, `Authors, Title, Venue, 2020`."""
    text = without_lead(text).strip(" ,;|") or text.strip()
    text = text.partition(" | ")[0] if text.count(" | ") > 1 else text
    if is_names(text) and not SENTENCE.search(text) and (re.search(r"[,;]|\b[A-Z]\.", text) or ET_AL.search(text)):
        return "", text
    for shape in (DATED, MEDICAL):
        if (match := shape.match(text)) and is_names(match["authors"], alone=True):
            return titled(FULL_STOP.split(match["title"], maxsplit=1)[0]), match["authors"]
    first, second, *_ = [*SENTENCE.split(text, maxsplit=2), "", ""]
    if second and is_names(first):
        return titled(second), first
    people = names_in(second)
    if second and (is_names(people) or INITIALED.fullmatch(people)):
        return titled(first), people
    parts = text.split(", ")
    ends = next((m for m in range(1, len(parts)) if _is_place(*parts[m : m + 2])), len(parts))
    begins = next((m for m in range(ends, 0, -1) if not _is_author(parts[m - 1])), 0)
    if 0 < begins < ends - 1:
        return titled(", ".join(parts[:begins])), ", ".join(parts[begins:ends])
    n = next((n for n in range(_inverted(parts), len(parts)) if not _is_author(parts[n])), len(parts))
    last = next((m for m in range(n + 1, len(parts)) if _is_place(*parts[m : m + 2])), len(parts))
    if 0 < n < last and (n > 1 or " and " in parts[0] or last < len(parts)):
        return titled(", ".join(parts[n:last])), ", ".join(parts[:n])
    has_end = second and (is_venue(second) or not spaced(second))
    return titled(first if has_end else text), ""


def _is_author(part: str) -> bool:
    return is_names(part.removeprefix("and "), alone=True) and " " in part.strip() and not is_venue(part)


def _inverted(parts: Sequence[str]) -> int:
    """Return 2 if the first two parts are one author (`Last, First`) and a second author follows, else 0."""
    is_author = len(parts) > 2 and all(NAME.fullmatch(part) and " " not in part for part in parts[:2])
    return 2 if is_author and _is_author(parts[2]) else 0


def _is_place(part: str, following: str = "") -> bool:
    """True if a part of a reference is a venue: a known venue, or capitals before a year."""
    return is_venue(part) or (part.isupper() and bool(re.match(YEAR, following)))


@lru_cache(maxsize=1000)
def titled(text: str) -> str:
    """Remove venue, date and punctuation after a title."""
    before, text = None, text[:SEARCHED]
    while before != text:
        before = text
        text = re.sub(r"\s*[([【]\s*@[^()]*[)\]】]\s*$", "", text.strip())
        text = KEYS.sub("", TAIL.sub("", without_place(text)[0]))
        text = IN_BOOK.sub("", text)
        tail = END.search(text)
        if tail and is_venue(tail[1]) and len(text[: tail.start()].split()) > 1:
            text = text[: tail.start()]
        text = text[1:-1] if text[:1] == "[" and text[-1:] == "]" and text.count("[") == 1 else text
        text = text.rstrip("([【 ")
        quotes = sum(map(text.count, QUOTES))
        marks = QUOTES if quotes % 2 or (quotes == 2 and text[0] in QUOTES and text[-1] in QUOTES) else ""
        text = text.strip().strip("*_").strip(f"|,;:：，—–- {marks}")
        text = re.sub(r"(?<=[^.\s])\.$", "", text)
    return text


PRIZES = frozenset(
    "award best outstanding accepted honorable mention thesis dissertation phd book chapter submitted press spotlight"
    " oral poster survey preprint arxiv access".split()
)
"""Words in italics that name a prize or the type of a work."""
INSTITUTIONS = frozenset(
    "google openai deepmind meta facebook microsoft stanford mit berkeley nvidia ibm amazon apple baidu tencent alibaba"
    " cmu oxford cambridge harvard princeton tsinghua ethz anthropic".split()
)
"""Words in italics that name an affiliation."""
NO_FAMILIES = frozenset(
    "part type vitamin hepatitis influenza figure table section volume class appendix group phase series model"
    " version".split()
)
"""Words other than family names that precede a single capital letter."""

Slanted = tuple[str, str]
"""A text in italics, and the text after it."""
YEAR_BEHIND = re.compile(rf"[\s.,;:(|–—-]*{YEAR}\b")
VOLUME_BEHIND = re.compile(rf"[\s.,]*(?:{YEAR}\s*;\s*\d|\d{{1,4}}\s*[,(:]\s*(?:no\.\s*)?\d)")
"""Volume and pages, as in `2014;3(2):1-9`, `13, 508` and `91, no. 5`."""
OWN_YEAR = re.compile(rf"[\s,:(]+(?:\d{{1,4}}[\s,(]+)?{YEAR}\)?$")
MONTH = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\b\.?",
    re.IGNORECASE,
)
BEFORE_YEAR = re.compile(rf"(?:^|[.,|(–—]\s)\s*(?P<name>[A-Z][^.,;|()\d]{{4,80}}?)[,.]?\s+\(?(?={YEAR})", re.MULTILINE)
BEFORE_VOLUME = re.compile(rf"(?:^|[.,|(–—]\s)(?P<name>[A-Z][^.,;|()\d]{{2,80}})\. {YEAR}\s*;\s*\d", re.MULTILINE)
"""A journal in the Vancouver style: `J Tea Res. 2020;3(2):1-9`."""
CITED = re.compile(rf"(?P<names>[^()]{{3,100}}?)(?:,\s*\(?|\s*\(){YEAR}[a-z]?\)?")
"""Authors and year: `Bean & Roast, 2020`, `Bean et al (2020)`."""
JOINING = frozenset("of in for on the and a an de la et der für und & at to".split())
INITIALED = re.compile(
    r"(?:[A-Z]\.[ -]?){1,4}[^\W\d_][\w'’-]+|[A-Z][\w'’-]+ (?:[A-Z]\. ?)+[A-Z][\w'’-]+|"
    r"(?P<family>[A-Z][\w'’-]*[a-z]) [A-Z]{1,4}"
)
"""A name with initials: `P. W. Higgs`, `Robert T. Paine`, `Hardin G`."""
SEVERAL = re.compile(r"[,;&|]|\band\b|\bet\.? al\b")
BIBTEX = re.compile(r"[^,]+, [^,]+?(?: and [^,]+, [^,]+?)+")
FAMILY_FIRST = r"(?:[^\W\d_][\w'’-]*[a-z] ){1,3}[A-Z]{1,4}"
NAME_LIST = re.compile(rf"(?:{FAMILY_FIRST}(?:, (?:and )?| and | & )){{1,60}}{FAMILY_FIRST}(?=\. |\.?$)")
"""Names in PubMed's style, up to the full stop after them: `Doll R, Hill AB. `."""


def slanted_authors(text: str, *, has_venue: bool) -> str:
    """Return the authors in a text in italics, '' if the text may be a journal, an affiliation or a single name."""
    names = names_in(text)
    parts = [part.strip() for part in PARTED.split(ET_AL.sub("", names)) if part.strip()]
    if len(parts) == 1 and not INITIALED.fullmatch(names) and not ET_AL.search(names):
        # Beside a conference, a single name is an author.
        words = names.split()
        ruled_out = {*spaced(names).split()} & (INSTITUTIONS | PRIZES)
        is_plain = 1 < len(words) < 4 and not re.search(r"[a-z][A-Z]", names) and not ruled_out
        is_name = is_names(names, alone=True) and not is_journal(names)
        is_name = is_name or (len(words) == 3 and bool(NAME.fullmatch(names)) and _may_be_named(names))
        return names if has_venue and is_plain and is_name and not CORPORATE.search(names) else ""
    if not is_names(names, alone=True):
        return ""
    is_list = (
        all(" " in part or EAST_ASIAN.search(part) for part in parts)
        or BIBTEX.fullmatch(names)
        or re.search(r"\b[A-Z]\.", names)
    )
    return names if is_list or ET_AL.search(names) else ""


def slanted_venue(text: str, behind: str, *, has_authors: bool, year: bool) -> str:
    """Return a text in italics if its words, or a year or volume after it, show that it is a venue, else ''."""
    text = text[1:-1] if text[:1] == "(" and text[-1:] == ")" else text
    has_year = bool(YEAR_BEHIND.match(behind) or OWN_YEAR.search(text))
    text = undated(text)
    words = spaced(text).split()
    of_others = re.sub(r"(?i)\bsociety\b", "", text)  # a journal's name may contain the name of a society
    if not 0 < len(words) <= 12 or is_label(text) or set(words) & PRIZES or CORPORATE.search(of_others):
        return ""
    capitals = (word for word in re.split(r"[\s-]+", text) if word[:1].isalpha() and word not in JOINING)
    if (
        not all(word[:1].isupper() for word in capitals)
        or re.search(r"[a-z]{4}\. ", text)
        or slanted_authors(text, has_venue=False)
        or (venue_of(text)[0] and is_venue(text))
    ):
        return ""
    volume = bool(VOLUME_BEHIND.match(behind))
    if is_journal(text):
        return text if year or volume or has_authors else ""
    plain = not re.search(r"[a-z][A-Z]", text) and not set(words) & INSTITUTIONS
    return text if volume or (plain and has_authors and has_year) else ""


def _plain_venue(text: str) -> str:
    if match := BEFORE_VOLUME.search(text[:SEARCHED]):
        return match["name"]
    names = (found["name"].strip() for found in BEFORE_YEAR.finditer(text[:SEARCHED]))
    journals = (name for name in names if is_journal(name) and len(name.split()) > 1 and not VENUE.search(name))
    return next((name for name in journals if slanted_venue(name, "", has_authors=True, year=True)), "")


def authors(names: Sequence[str], slanted: Sequence[Slanted], *, has_venue: bool) -> str:
    """Return the authors from texts in italics, or else from the plain texts `names`."""
    candidates = (*(slanted_authors(text, has_venue=has_venue) for text, _ in slanted), *map(_plain_authors, names))
    return next(filter(None, candidates), "")


def journal(plain: str, slanted: Sequence[Slanted], line: str, *, has_authors: bool) -> str:
    """Return the venue from texts in italics, or else from plain text; `line` is the text of the whole entry."""
    year = year_in(line) is not None
    venues = (slanted_venue(text, behind, has_authors=has_authors, year=year) for text, behind in slanted)
    return next(filter(None, venues), "") or _plain_venue(plain.replace("\0", "\n"))


def _plain_authors(text: str) -> str:
    if match := NAME_LIST.match(text[:SEARCHED]):
        return match[0]
    if SEVERAL.search(text) and (people := cited_authors(text)):
        return people
    before, by, named = text.rpartition("by ")
    if by and not before.strip(" ,.;") and slanted_authors(named, has_venue=True):
        return slanted_authors(named, has_venue=True)
    sentences = map(names_in, SENTENCE.split(named))
    return next((names for names in sentences if SEVERAL.search(names) and is_names(names)), "")


def cited_authors(text: str) -> str:
    """Return the authors of a citation, '' if a text is something else: `Bean, Roast (2020)` gives `Bean, Roast`."""
    text = text.strip(" []")[:SEARCHED]
    cited = CITED.fullmatch(text)
    people = names_in(cited["names"]) if cited and (text.endswith(")") or SEVERAL.search(cited["names"])) else ""
    is_plain = is_names(people, alone=True) and not is_journal(people)
    parts = [part.strip() for part in people.split(",")]
    if not is_plain or any(len(part.split()) > 3 for part in parts):
        return ""
    return "; ".join(parts) if len(parts) > 1 and not any(" " in part for part in parts) else people


def one_author(text: str, *, has_venue: bool) -> str:
    """Return a text if it is a single name with initials or beside a conference, else ''.

    Call this only for text beside a venue.
    """
    text = text[:SEARCHED].strip(" ,.;:|()–—-")
    match = INITIALED.fullmatch(text)
    is_name = match and spaced(match["family"] or "") not in NO_FAMILIES and not is_journal(text)
    return text if is_name or (has_venue and slanted_authors(text, has_venue=True) == text) else ""


def is_unsure(names: Sequence[str], slanted: Sequence[Slanted], authors: str, venue: str) -> bool:
    """True if a text has the form of a name or a journal, but is neither in `authors` nor in `venue`."""
    left = [text for text, _ in slanted if len(text.split()) <= 30 and not is_venue(text)]
    left = [text for text in left if not (venue and venue in text) and not (authors and authors in text)]
    short = [name for name in names if len(name.split()) < 15]
    unused = (re.search(r"[^\W\d_]{2}", name) and not is_venue(name) and not is_label(name) for name in short)
    return bool(left) or (not authors and (any(unused) if slanted else any(map(_may_be_name, short))))


def _may_be_name(text: str) -> bool:
    parts = [part.strip() for part in re.split(r"[.,;]\s|[–—]", f"{text} ")]
    return any(
        1 < len(part.split()) < 5 and NAME.fullmatch(part) and not is_venue(part) and not is_label(part)
        for part in parts
    )


def is_journal(text: str) -> bool:
    """True if a text contains a word of journal names."""
    return bool(set(spaced(text).split()) & JOURNAL_WORDS)
