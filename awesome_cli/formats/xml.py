"""XML of PubMed (`PubmedArticleSet`) and of EndNote (`<xml><records>`), import only.

PubMed's elements are read as the tags of its `.nbib` files, EndNote's as those of RIS, so a work has the same record
from each of its formats.

`<Author><LastName>Bean</LastName><ForeName>Ada</ForeName></Author>` becomes the author `Bean, Ada`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from awesome_cli.files.xml_reading import parse, text_of
from awesome_cli.formats import ImportFormat, enw, nbib, ris
from awesome_cli.formats.rows import collect
from awesome_cli.model.drafts import Batch, Failure
from awesome_cli.model.publication import month_named
from awesome_cli.text import names

WAY = "export the library as RIS, BibTeX or CSV and import the exported file"

JOURNAL = "*/Article/Journal"
PUBMED: Mapping[str, str] = {
    "PMID": "*/PMID", "TI": "*/Article/ArticleTitle | BookDocument/ArticleTitle", "BTI": "*/Book/BookTitle",
    "TT": "*/Article/VernacularTitle | BookDocument/VernacularTitle", "CTI": "*/Book/CollectionTitle",
    "JT": f"{JOURNAL}/Title", "TA": f"{JOURNAL}/ISOAbbreviation | */MedlineJournalInfo/MedlineTA",
    "VI": f"{JOURNAL}/JournalIssue/Volume | */Book/Volume", "IP": f"{JOURNAL}/JournalIssue/Issue",
    "IS": f"{JOURNAL}/ISSN", "ISBN": "*/Book/Isbn", "EN": "*/Book/Edition", "PB": "*/Book/Publisher/PublisherName",
    "PL": "*/MedlineJournalInfo/Country | */Book/Publisher/PublisherLocation", "LA": "*/Article/Language | */Language",
    "PT": "*/Article/PublicationTypeList/PublicationType | BookDocument/PublicationType",
    "AD": "*/Article/AuthorList/Author//Affiliation | */Article/Affiliation | BookDocument//Author//Affiliation",
    "OAB": "*/OtherAbstract/AbstractText", "CI": "*//Abstract/CopyrightInformation", "OT": "*/KeywordList/Keyword",
    "RN": "*/ChemicalList/Chemical/NameOfSubstance", "GR": "*//GrantList/Grant/GrantID",
}  # fmt: skip
"""Elements of an article or a book by the tags of `.nbib` files; others are read in code."""
ENDNOTE: Mapping[str, str] = {
    "contributors/authors/author": "AU", "contributors/secondary-authors/author": "A2",
    "contributors/tertiary-authors/author": "A3", "contributors/subsidiary-authors/author": "A4",
    "titles/title": "TI", "titles/secondary-title": "T2", "titles/tertiary-title": "T3", "titles/short-title": "ST",
    "titles/translated-title": "TT", "periodical/full-title": "JF", "periodical/abbr-1": "J2", "dates/year": "PY",
    "dates/pub-dates/date": "DA", "keywords/keyword": "KW", "urls/web-urls/url": "UR", "urls/related-urls/url": "UR",
    "urls/pdf-urls/url": "L1", "urls/text-urls/url": "L2", "pages": "SP", "volume": "VL", "number": "IS",
    "publisher": "PB", "pub-location": "CY", "isbn": "SN", "electronic-resource-num": "DO", "accession-num": "AN",
    "abstract": "AB", "notes": "N1", "edition": "ET", "research-notes": "RN", "section": "SE", "call-num": "CN",
    "label": "ID", "language": "LA", "auth-address": "AD", "remote-database-name": "DB",
    "remote-database-provider": "DP", "access-date": "Y2", "orig-pub": "OP", "work-type": "type_of_work",
    "num-vols": "NV", "reviewed-item": "RI", "caption": "CA", **{f"custom{n}": f"C{n}" for n in range(1, 9)},
}  # fmt: skip
"""RIS's tags by the elements of a record; the name of any other element is its tag."""
OF_LIBRARY = {"ref-type", "database", "source-app", "rec-number", "foreign-keys/key"}
"""Elements about the EndNote library, which are not values of the work, and the type, which is read first."""


def read(text: str, name: str, _options: object = None) -> Batch:
    """Read XML of PubMed or EndNote; `name` is the file name for positions (`a.xml:12`)."""
    try:
        root = parse(text.removeprefix("\ufeff").lstrip().encode(), "utf-8")
    except ValueError as error:
        return Batch((), (Failure(name, f"not valid XML: {error}"),))
    if root.tag == "xml":
        return ris.from_lines([(f"{name}:{work.sourceline}", list(_of_endnote(work))) for work in root.iter("record")])
    if not root.tag.startswith("Pubmed"):
        return Batch((), (Failure(name, f"XML with the root <{root.tag}> is not supported; {WAY}"),))
    works = root.iter("PubmedArticle", "PubmedBookArticle")
    return collect(((f"{name}:{work.sourceline}", list(_of_pubmed(work))) for work in works), nbib.draft)


def _of_pubmed(work: Any) -> Iterator[tuple[str, str]]:
    """Yield `(tag, value)` of each value of an article or book, as in PubMed's `.nbib` files."""
    for tag, path in PUBMED.items():
        yield from ((tag, text_of(part)) for part in work.xpath(path))
    own = work.xpath("*/Article/AuthorList/Author | BookDocument/AuthorList[not(@Type='editors')]/Author")
    yield from _people(own or work.xpath("*/Book/AuthorList[not(@Type='editors')]/Author"), "FAU")
    yield from _people(work.xpath("*/Book/AuthorList[@Type='editors']/Author"), "FED")
    yield from (("FAU", names.OTHERS) for _ in work.xpath("*/Article/AuthorList[@CompleteYN='N']"))
    yield "DP", _date(work)
    pages = {part.tag: text_of(part) for part in work.xpath("*//Pagination/*")}
    ends = dict.fromkeys(filter(None, (pages.get("StartPage"), pages.get("EndPage"))))
    yield "PG", pages.get("MedlinePgn") or "-".join(ends)
    parts = work.xpath("*//Abstract/AbstractText")
    yield "AB", " ".join(": ".join(filter(None, (part.get("Label"), text_of(part)))) for part in parts)
    for heading in work.xpath("*/MeshHeadingList/MeshHeading"):
        yield "MH", "/".join(f"{'*' * (part.get('MajorTopicYN') == 'Y')}{text_of(part)}" for part in heading)
    numbers = [("LID", part, part.get("EIdType")) for part in work.xpath("*/Article/ELocationID[not(@ValidYN='N')]")]
    numbers += [("AID", part, part.get("IdType")) for part in work.xpath("*/ArticleIdList/ArticleId")]
    yield from dict.fromkeys((tag, f"{text_of(part)} [{kind}]") for tag, part, kind in numbers if kind != "pubmed")


def _people(people: list[Any], tag: str) -> Iterator[tuple[str, str]]:
    for person in people:
        parts = {part.tag: text_of(part) for part in person}
        forenames = (parts.get("ForeName") or parts.get("Initials"), parts.get("Suffix"))
        full = ", ".join(filter(None, (parts.get("LastName"), " ".join(filter(None, forenames)))))
        group = parts.get("CollectiveName")
        yield ("CN" if tag == "FAU" else tag, group) if group else (tag, full)


def _date(work: Any) -> str:
    """Return the date of publication as in `.nbib` files, such as `2008 Feb`, else that of the electronic version."""
    dates = work.xpath(f"{JOURNAL}/JournalIssue/PubDate | */Book/PubDate")
    for date in dates + work.xpath("*/Article/ArticleDate | */ContributionDate"):
        parts = {part.tag: text_of(part) for part in date}
        month = parts.get("Month") or parts.get("Season") or ""
        texts = (parts.get("MedlineDate"), parts.get("Year"), month_named(month) or month, parts.get("Day"))
        if any(texts):
            return " ".join(filter(None, texts))
    return ""


def _of_endnote(record: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield `(tag, value)` of each value of a record, as in RIS; the type comes first."""
    if not path:
        kind = next((kind.get("name") or text_of(kind) for kind in record.iterchildren("ref-type")), "")
        yield "TY", enw.TYPES.get(kind.casefold(), kind)
    for part in record.iterchildren("*"):
        where = f"{path}{part.tag}"
        if any(inner.tag != "style" for inner in part.iterchildren("*")):
            yield from _of_endnote(part, f"{where}/")
        elif where not in OF_LIBRARY:
            yield ENDNOTE.get(where, part.tag), text_of(part)


IMPORT = ImportFormat(("xml",), lambda start: bool(re.match(r"<(?:\?xml|[!\w])", start)), read)
