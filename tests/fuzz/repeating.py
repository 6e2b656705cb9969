"""Texts of one piece repeated: what a reader may search from each place again, or nest at each place."""

from collections.abc import Callable, Iterator, Mapping

from awesome_cli.formats import ReadingOptions
from awesome_cli.formats.reading import InputFile, read
from tests.fuzz.targets import corpus, documents

COMMON = (
    *"a1 -_.,:;|/\\'\"`~*#%&@$=<>()[]{}\n\t", "a ", "1 ", "[[", "](", "![", "((", "{}", "()", "[]", "<!--", "-->", "<a>", "<b>a</b>",
    "http://a ", "10.1/a ", " and ", "A, B; ", "A. B, ", "2020 ", "et al. ", "&amp;", "\\'", "\\u", "é", "漢",
)  # fmt: skip
"""Single characters, pairs, brackets, tags, quotes, separators, and parts of names, links and dates."""
Around = tuple[str, str]
FORMATS: Mapping[str, tuple[tuple[Around, ...], tuple[str, ...], tuple[Around, ...]]] = {
    "markdown": (
        (("", ""), ("- [x](http://a.b) ", ""), ("# ", "\n- [x y z](http://a.b)\n"), ("| title |\n|-|\n| ", "")),
        (
            "![[", "[a][", "[](", "[a](<", "[a](b '", "- [x](", "- a\n", "10. a\n", "# a\n", "> ", "|a|\n|-|\n", "| a | b |\n", "*a", "**_",
            "-->\n", "a\n=\n", "  - a\n", "<td>", "<table><td>x</td></table>", "<td rowspan=9999>", "<details>", "<ul><li>", "<a href='",
            "[a](http://x.y) ", "- [On Tea](https://arxiv.org/abs/2402.01680) *Ada Bean et al.* ICML 2024\n", "- a\n  Venue: x\n",
        ),
        (("<table><tr><td>", "</td></tr></table>"), ("<ul><li>", "</li></ul>"), ("[", "](a)"), ("![", "](a)"), ("**a ", "**")),
    ),
    "bibtex": (
        (("", ""), *((f"@article{{a, title={{t}}, {name}={{", "}}\n") for name in ("author", "url", "pages", "note", "year", "doi"))),
        ("@a(", "@a{", "@a{b,", "@a{b,c={", "@string{a=", "@article{a,title={t},year=2020}\n", "a # ", "{\\", "\\emph{", "\\textbf{a} "),
        (("{", "}"), ("@a{b,c={", "}}")),
    ),
    "ris": (
        (("", ""), *((f"TY  - JOUR\nTI  - t\n{tag}  - ", "\nER  - \n") for tag in ("AU", "PY", "SP", "UR", "KW", "AB"))),
        ("TY  - JOUR\n", "TY  - JOUR\nTI  - a\nER  - \n", "\nAU  - A, B", "\n  a"),
        (),
    ),
    "nbib": (
        (("", ""), *((f"PMID- 1\nTI  - t\n{tag:4}- ", "\n\n") for tag in ("FAU", "DP", "PG", "LID", "MH", "AB"))),
        ("PMID- 1\n", "PMID- 1\nTI  - a\n\n", "\nFAU - A, B", "\n      a", "[doi] "),
        (),
    ),
    "enw": (
        (("", ""), *((f"%0 Journal Article\n%T t\n%{tag} ", "\n\n") for tag in "ADPURX")),
        ("%0 a\n", "%0 a\n%T b\n\n", "\n%A A, B"),
        (),
    ),
    "csv": (
        (("", ""), ("title\tauthors\n", ""), *((f'title,{name}\nt,"', '"\n') for name in ("authors", "year", "url", "tags", "links"))),
        ('""', '"\n"', "t\n", "t,", '"a,', "Code: ", "\r"),
        (),
    ),
    "json": (
        (("", ""), ("[", "null]"), *((f'[{{"title":"t","{name}":"', '"}]') for name in ("authors", "url", "pages", "note", "links"))),
        ("{},", "[],", "1,", "null,", '{"a":', '{"title":"t"},', '{"type":"article","id":"a","title":"t"},', "[1e999,"),
        (("[", "]"), ('{"a":', "}"), ('{"title":[', "]}")),
    ),
    "xml": (
        (
            ("", ""), ("<PubmedArticleSet>", "</PubmedArticleSet>"),
            *((f"<xml><records><record><titles><title>t</title></titles>{a}", "") for a in ("", "<pages>", "<contributors><authors>")),
        ),
        ("<a/>", "<![CDATA[", "<!ENTITY a 'b'>", "<PubmedArticle/>", "<record/>", "<author>A, B</author>", "&#1;", "<a b='"),
        (("<a>", "</a>"),),
    ),
    "yaml": (
        (("", ""), ("- title: '", "'\n"), ('- title: "', '"\n'), ("- title: t\n  url: ", "\n"), ("- title: t\n  authors:\n", "")),
        ("- ", "? ", "- a\n", "a: ", "  - a\n", "&a ", "*a ", "!!x ", "|\n", "---\n", "- title: t\n", "- *a\n", "[a,", "{a: "),
        (("[", "]"), ("{a: ", "}")),
    ),
    "latex": (
        (("", ""), ("\\begin{document}\n", "\n\\end{document}")),
        ("\\begin{a}", "\\end{a}", "\\verb|", "\\cite{a,", "\\cite{a}. ", "\\input{a}", "\\iffalse\n", "\\newcommand{\\a}{\\a\\a}", "\\a{", "^^41"),
        (("{", "}"), ("\\begin{a}", "\\end{a}")),
    ),
}  # fmt: skip
"""What may stand around the pieces of each format, further pieces, and pieces that close each other."""


def texts(name: str) -> Iterator[Callable[[int], bytes]]:
    """Yield functions of a size: the texts of about so many bytes for a format."""
    around, own, nested = FORMATS[name]
    for head, tail in around:
        for piece in (*COMMON, *own):
            yield lambda size, a=head, p=piece, z=tail: (a + p * (size // len(p)) + z).encode()  # type: ignore[misc]
    for start, end in nested:
        yield lambda size, a=start, z=end: (a * (n := size // len(a + z)) + z * n).encode()  # type: ignore[misc]


def read_all(name: str, data: bytes) -> None:
    """Read a text in a format, without what a command does with its works."""
    if name == "latex":
        documents(data)
    else:
        read([InputFile("a.txt", data)], ReadingOptions(corpus().taxonomy, form=name))
