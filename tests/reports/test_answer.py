"""Reports in notebooks: texts stay texts, whatever they contain."""

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.reports.answer import SurveyAnswer
from awesome_cli.reports.report import Bullets, Code, Report, Section, Table, Text, Toned
from awesome_cli.text.inert import visible

WORDS = st.text(st.sampled_from("ab<>&\"'/!-;= $\\`\x1b\u202e"), min_size=1) | st.sampled_from(
    ["<script>alert(1)</script>", "&lt;b&gt;", "<!--", "</td></table>", "<img src=x onerror=y>", "$x$"]
)
CELLS = WORDS | WORDS.map(Toned) | st.lists(WORDS).map(tuple) | st.integers() | st.booleans() | st.none()
BLOCKS = st.one_of(
    st.tuples(WORDS, WORDS, CELLS, CELLS).map(lambda t: Table.of(t[:2], [t[2:]], title=t[0], note=t[1])),
    st.lists(WORDS).map(lambda items: Bullets(tuple(items))),
    WORDS.map(Text),
    WORDS.map(Code),
)
TAGS = {"div", "h3", "h4", "p", "ul", "li", "pre", "table", "caption", "thead", "tbody", "tr", "th", "td"}


class Example(SurveyAnswer):
    """An answer with any report."""

    def __init__(self, report: Report) -> None:
        self.report = report

    def to_report(self) -> Report:
        return self.report


class Page(HTMLParser):
    """The tags, attributes and texts of a page; an element without its end is left in `open`."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs
        self.open.append(tag)
        self.texts.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts[-1] += data

    def handle_comment(self, data):
        raise AssertionError(data)

    handle_decl = handle_pi = unknown_decl = handle_comment


@given(WORDS, st.lists(BLOCKS, max_size=4))
def test_no_text_becomes_markup(title: str, blocks: list[Table | Bullets | Text | Code]):
    answer = Example(Report("awesome/example/1", {}, (Section(title, tuple(blocks)),), title))
    page = Page(answer._repr_html_())
    assert page.open == []
    assert page.tags <= TAGS
    assert page.attributes == [("class", "tex2jax_ignore mathjax_ignore")]
    assert page.texts[1:3] == [visible(title)] * 2
