"""Files of entries: what each format gives, how what is broken is named, and which formats are refused."""

import gzip
import io
import zipfile

import pytest
from builders import COFFEE, DATA
from hypothesis import given, settings
from hypothesis import strategies as st
from work import calls

from awesome_cli.errors import UsageError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.formats import IMPORTED, ReadingOptions
from awesome_cli.formats.people import authors_of
from awesome_cli.formats.reading import ENCODINGS, InputFile, column_mapping, read
from awesome_cli.model.drafts import Batch
from awesome_cli.survey.loading import read_taxonomy

INPUTS = DATA / "inputs"
TAXONOMY = read_taxonomy(WorkingTree(COFFEE))[0]


def load(name: str, text: str | bytes, **options: object) -> Batch:
    data = text if isinstance(text, bytes) else text.encode()
    return read([InputFile(name, data)], ReadingOptions(TAXONOMY, **options))


BIB = r"""Notes of mine
@string{bj = "Journal of Bread"}
@article{one, title = {On {LLM}s and Gr\'{e}goire}, author = {M{\"u}ller, Bo and {World Bank} and Jan van der Berg
  and others}, journal = bj, year = 2020, pages={1--9}, keywords = {taste=sour:tasted, crumbs}, myfield = {kept}}
@article{one, title = {Another}, year = {2021}}
@misc{, title = {Without a key}, eprint = {2101.01230v2}, archiveprefix = {arXiv}}
@misc{two, title = {First}, title = {Second}, year = "2019", note = {n}, doi = {10.1000/x}}
@article{broken, title = {never closed, year = 2020
@book{last, title={One line}, year={2018}, editor={Doe, Jane}, date={2018-05-01}}
"""


def test_bibtex_loses_nothing():
    batch = load("refs.bib", BIB)
    first, again, keyless, doubled, last = batch.drafts
    assert first.fields["title"] == "On LLMs and Grégoire"
    assert first.fields["authors"] == ("Müller, Bo", "World Bank", "van der Berg, Jan", "others")
    assert first.fields["citation"] == {
        "key": "one",
        "type": "article",
        "container": "Journal of Bread",
        "pages": "1--9",
    }
    assert (first.fields["extra"], first.keywords) == ({"myfield": "kept"}, ("taste=sour:tasted", "crumbs"))
    assert (again.title, again.key, again.warnings) == ("Another", "one", ("repeated entry key 'one'",))
    assert (keyless.key, keyless.warnings) == (None, ("the entry has no key",))
    assert keyless.fields["identifiers"] == {"arxiv": "2101.01230", "arxiv_version": 2}
    assert (doubled.title, doubled.fields["year"]) == ("First", 2019)
    assert doubled.fields["extra"] == {"title_again": ["Second"]}
    assert last.fields["authors"] == ("Doe, Jane",)
    assert (last.fields["extra"], last.fields["citation"]["month"]) == (
        {"editor": "Doe, Jane", "date": "2018-05-01"},
        "may",
    )
    assert [(f.place, f.key) for f in batch.failures] == [("refs.bib:8", "broken")]
    assert first.place == "refs.bib:3"


RIS = """TY  - JOUR
TI  - On   Bread
AU  - Bean, Ada
AU  - Doe, Jane
PY  - 2020/05/01
JO  - Journal of Bread
SP  - 1
EP  - 9
DO  - 10.1000/x
AD  - Mill
AD  - Bakery
KW  - taste=sour
XX  - odd
ER  -

TY  - CONF
AU  - Bean, Ada
ER  -

TY  - CHAP
T1  - Cut short
AU  - Ada Bean
"""


def test_ris_loses_nothing():
    batch = load("refs.ris", RIS)
    first, cut = batch.drafts
    assert (first.title, first.fields["year"], first.fields["venue"]) == ("On Bread", 2020, "Journal of Bread")
    assert (first.fields["affiliation"], first.fields["extra"]["author_address"]) == ("Mill", "Bakery")
    assert (first.fields["identifiers"], first.keywords) == ({"doi": "10.1000/x"}, ("taste=sour",))
    assert (cut.fields["authors"], cut.fields["citation"]["type"]) == (("Ada Bean",), "incollection")
    assert [(f.place, f.message) for f in batch.failures] == [("refs.ris:16", "the reference has no title")]


CSL = """[{"id": "a", "type": "paper-conference", "title": "On Bread", "DOI": "10.1000/x", "custom": {"x": 1},
 "author": [{"family": "Berg", "given": "Jan", "non-dropping-particle": "van der"}, {"literal": "World Bank"}],
 "issued": {"date-parts": [["2020", 5]]}, "page": "1-9", "container-title": "Proc. Bread"},
 {"id": "b", "type": "entry", "issued": {"date-parts": [[null]]}, "DOI": "10.1000/y"},
 {"id": "c", "type": "book", "title": "Later", "issued": {"date-parts": [[null]]}}]"""


def test_csl_json():
    batch = load("refs.json", CSL)
    first, undated = batch.drafts
    assert first.fields["authors"] == ("van der Berg, Jan", "World Bank")
    assert (first.fields["year"], first.fields["citation"]["pages"]) == (2020, "1-9")
    assert first.fields["extra"] == {"custom": {"x": 1}}
    assert "year" not in undated.fields
    assert "extra" not in undated.fields
    assert [(f.place, f.key, f.message) for f in batch.failures] == [("refs.json:4", "b", "the item has no title")]


ITEM = """{"type": "article-journal", "id": "x", "title": "A single item with H<sub>2</sub>O &amp; p<q", "DOI": "10.1000/x",
 "issued": {"date-parts": [[2016, 5, 2]]}, "author": [{"family": "Fenner", "given": "Martin"}, {"literal": "et al."}],
 "abstract": "<jats:title>Aim</jats:title><jats:p>To <jats:italic>bake</jats:italic>.</jats:p>", "keyword": "bread; salt, sea"}"""


@pytest.mark.parametrize(
    "text",
    [
        ITEM,
        f"[{ITEM}]",
        f'{{"status": "ok", "message-type": "work", "message": {ITEM}}}',
        f'{{"status": "ok", "message": {{"total-results": 1, "items": [{ITEM}]}}}}',
    ],
)
def test_one_item_and_an_answer_of_crossref_are_read_like_a_list(text):
    (draft,) = load("x.json", text).drafts
    assert (draft.title, draft.key) == ("A single item with H2O & p<q", "x")
    assert (draft.fields["authors"], draft.fields["year"]) == (("Fenner, Martin", "others"), 2016)
    assert draft.fields["citation"]["month"] == "may"
    issued = {"date-parts": [[2016, 5, 2]]}
    assert draft.fields["extra"] == {"abstract": "Aim To bake.", "issued": issued}
    assert draft.keywords == ("bread", "salt, sea")


def test_answers_of_registries_as_they_were_recorded():
    crossref = load("x.json", (INPUTS / "crossref/colrev_10.2196_22081.json").read_bytes()).drafts[0]
    assert crossref.fields["identifiers"] == {"doi": "10.2196/22081"}
    assert crossref.fields["citation"]["type"] == "article"
    assert crossref.fields["extra"]["abstract"].startswith("Background The COVID-19 crisis")
    datacite = (INPUTS / "datacite/commonmeta_datacite.json").read_text()
    for text in (datacite, f'{{"data": {{"attributes": {datacite}}}}}', f'{{"data": [{{"attributes": {datacite}}}]}}'):
        (draft,) = load("x.json", text).drafts
        assert (draft.title, draft.fields["authors"]) == ("Eating your own Dog Food", ("Fenner, Martin",))
        assert draft.keywords == ("datacite", "doi", "metadata")
        assert draft.fields["extra"]["abstract"].startswith("Eating your own dog food")


CSV = """Paper Title;Authors;Year;taste;Code link;Verdict;Why
On Bread;"Bean, Ada; Doe, Jane";2020;sour:tasted, bitter;https://example.org/code;include;
Toast;Ada Bean;2021;;;exclude;tea
;Nobody;2019;;;;
"""


def test_csv_with_columns():
    columns = {"Paper Title": "title", "Verdict": "decision", "Why": "reason"}
    batch = load("table.csv", CSV, columns=columns)
    bread, toast = batch.drafts
    assert bread.fields["authors"] == ("Bean, Ada", "Doe, Jane")
    assert (bread.tags, bread.keywords) == (("taste=sour:tasted", "taste=bitter"), ())
    assert bread.fields["links"] == [{"label": "Code link", "url": "https://example.org/code"}]
    assert (toast.kind, toast.fields["screening"]) == ("exclusion", {"reason": "tea"})
    assert [(f.place, f.message) for f in batch.failures] == [("table.csv:4", "the entry has no title")]


def test_column_mappings(tmp_path):
    path = tmp_path / "mapping.yaml"
    path.write_text("Paper Title: title\nWhen: year\n")
    assert column_mapping(["When=venue", "a=b=doi"], path) == {"Paper Title": "title", "When": "venue", "a=b": "doi"}
    path.write_text("- a\n")
    for texts, file in ((["nothing"], None), ([], path)):
        with pytest.raises(UsageError):
            column_mapping(texts, file)
    with pytest.raises(UsageError, match="did you mean 'title'"):
        load("t.csv", "a,b\n1,2\n", columns={"a": "tile"})


YAML = """papers:
- id: one
  title: "On: Bread"
  authors: Ada Bean, Jan van der Berg and Bo Doe
  paper: https://arxiv.org/pdf/2101.01230v3.pdf
  code: https://example.org/code
  video: null
  tags: [sour, crumbs]
  rating: 2508.04650
- just a text
- id: two
  title: null
"""


def test_yaml_lists_have_lines():
    batch = load("list.yaml", YAML)
    (one,) = batch.drafts
    assert one.fields["authors"] == ("Bean, Ada", "van der Berg, Jan", "Doe, Bo")
    assert one.fields["identifiers"] == {"arxiv": "2101.01230", "arxiv_version": 3}
    assert [link["label"] for link in one.fields["links"]] == ["Paper", "Code"]
    assert (one.fields["extra"], one.keywords) == ({"rating": "2508.04650"}, ("sour", "crumbs"))
    assert [(f.place, f.key) for f in batch.failures] == [("list.yaml:10", None), ("list.yaml:11", "two")]


@pytest.mark.parametrize(
    ("text", "authors"),
    [
        ("Bean, Ada", ["Bean, Ada"]),
        ("Bean, A., Doe, J. K.", ["Bean, A.", "Doe, J. K."]),
        ("Bean, Ada and Doe, Jane", ["Bean, Ada", "Doe, Jane"]),
        ("Ada Bean, Jane Doe, and Bo Li", ["Bean, Ada", "Doe, Jane", "Li, Bo"]),
        ("OpenAI", ["OpenAI"]),
        ("Ada Bean Jr.; Ludwig van Beethoven", ["Bean, Ada Jr.", "van Beethoven, Ludwig"]),
        (["Ada Bean", "Doe, Jane"], ["Bean, Ada", "Doe, Jane"]),
    ],
)
def test_authors_however_they_are_separated(text, authors):
    assert [name for name in authors_of(text) if name] == authors


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("x.bib", b"", "no entries"),
        ("x.bib", b"only words", "no entries"),
        ("x.ris", b"\xef\xbb\xbf\n", "no entries"),
        ("x.ris", b"JF  - Journal\nER  - \n", "to start with 'TY"),
        ("x.json", b"{", "not json"),
        ("x.json", b"[]", "no entries"),
        ("x.json", b'"text"', "expected a list"),
        ("x.csv", b"\n", "does not contain column names"),
        ("x.csv", b"title\n", "no entries"),
        ("x.csv", b"title,year\n", "no entries"),
        ("x.yaml", b"a: &x 1\nb: *x\n", "anchors"),
        ("x.yaml", b"a: [", "not yaml: line"),
        ("x.bib", b"@misc{a, title={\xb2\xe2}}", "line 1 is not utf-8"),
        ("x.bib", b"@misc{a,\x00title={b}}", "binary"),
        ("x.json", b"[" * 100_000, "not json"),
        ("x", b"words and words", "unknown format"),
        ("x.json", b'{"schema": "awesome/papers/1"}', "has no 'data'"),
    ],
)
def test_a_file_that_holds_nothing_is_a_failure(name, data, message):
    batch = load(name, data)
    assert not batch.drafts
    assert [f.place.partition(":")[0] for f in batch.failures] == [name]
    assert message in batch.failures[0].message


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ("% Encoding: windows-1252\n\n", "cp1252"),
        ("This file was created with JabRef 2.10.\nEncoding: Cp1250\n\n", "cp1250"),
        ("% Encoding: ISO8859_2\n", "iso-8859-2"),
        ("% Encoding: SJIS\n", "shift_jis"),
        ("% Encoding: Cp1252\n", "utf-8"),  # saved as UTF-8 later
        ("% Encoding: UTF-16\n", "utf-8"),
        ("% Encoding: nothing\n", "utf-8"),
    ],
)
def test_a_declared_encoding_is_obeyed(head, encoding):
    title = "テスト" if encoding == "shift_jis" else "ž\u00e9"
    data = f"{head}@misc{{a, title={{{title}}}}}".encode(encoding)
    assert load("x.bib", data).drafts[0].title == title
    record = f"<xml><records><record><titles><title>{title}</title></titles></record></records></xml>"
    data = f"<?xml version='1.0' encoding='{encoding}'?>\n{record}".encode(encoding)
    assert load("x.xml", data).drafts[0].title == title


def test_an_encoding_option_overrides_a_declared_encoding():
    data = b"% Encoding: windows-1252\n@misc{a, title={\x9e}}"
    titles = [load("x.bib", data, encoding=encoding).drafts[0].title for encoding in (None, "cp1251")]
    assert titles == ["ž", "ћ"]


def test_an_encoding_may_be_named():
    text = "@misc{a, title={测试}}".encode("gb18030")
    assert load("x.bib", text, encoding="gb18030").drafts[0].title == "测试"
    unnamed = load("x.bib", text)
    assert (len(unnamed.drafts), len(unnamed.failures)) == (0, 1)


@pytest.mark.parametrize(
    ("encoding", "offered"),
    [(None, ["cp1252"]), ("latin-1", ["cp1252"]), ("gb18030", ["cp1252"]), ("iso-8859-15", ["cp1252"])],
)
def test_bytes_of_windows_are_never_control_characters(encoding, offered):
    data = "title,year\n“Smart” quotes,2001\n".encode("cp1252")
    [failure] = load("x.csv", data, encoding=encoding).failures
    assert [name for name in ENCODINGS if f"{name} (" in failure.message] == offered
    assert load("x.csv", data, encoding="cp1252").drafts[0].title == "“Smart” quotes"


def test_a_format_is_named_by_an_ending_and_an_encoding_must_exist():
    assert load("x", "@misc{a, title={A}}", form="bib").drafts[0].title == "A"
    with pytest.raises(UsageError, match="unknown encoding 'foo'"):
        load("x.csv", "title,year\nA,2001\n", encoding="foo")


def test_files_of_one_name_are_all_read():
    files = [InputFile("x.yaml", f"- title: {title}".encode()) for title in ("One", "Two")]
    assert [draft.title for draft in read(files, ReadingOptions(TAXONOMY)).drafts] == ["One", "Two"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("@article{a, title={x}, year\n}\n", "expected @type{key, name = {value}, …}"),
        ("@article{a, title={x\n@misc{b, title={y}}", "a closing brace or quote is missing"),
    ],
)
def test_bibtex_is_refused_in_plain_words(text, why):
    failures = read([InputFile("a.bib", text.encode())], ReadingOptions(TAXONOMY)).failures
    assert why in failures[0].message


def test_formats_are_told_by_content():
    for text, title in ((BIB, "On LLMs and Grégoire"), (RIS, "On Bread"), (CSL, "On Bread"), (YAML, "On: Bread")):
        assert load("<stdin>", text).drafts[0].title == title
    with pytest.raises(UsageError, match="did you mean 'bibtex'"):
        load("x", BIB, form="bibtx")


@pytest.mark.parametrize(
    ("file", "entries", "failures"),
    [
        ("cases/a1.ris", 1, 0),
        ("cases/au.csv", 5, 0),
        ("cases/concat.bib", 3, 0),
        ("cases/err.bib", 3, 0),
        ("cases/isbn.bib", 2, 0),
        ("cases/na.bib", 6, 0),
        ("cases/na.csv", 3, 0),
        ("cases/parts.bib", 9, 0),
        ("cases/tworefs.bib", 4, 0),
        ("bibtex/annotations.bib", 2, 0),
        ("bibtex/bibtex-aliases.bib", 8, 0),
        ("bibtex/crossrefs.bib", 45, 0),
        ("bibtex/hedvig-tirailleur.bib", 77, 0),
        ("bibtex/ludger-paschen-germanic.bib", 80, 0),
        ("nbib/two.nbib", 2, 1),
        ("xml/endnote.xml", 2, 1),
        ("xml/pubmed.xml", 3, 1),
        ("ris/RisImporterCorrupted.ris", 0, 1),
        ("ris/RisImporterTest3.ris", 1, 0),
        ("ris/RisImporterTestScopus.ris", 1, 0),
        ("crossref/colrev_10.2196_22081.json", 1, 0),
        ("crossref/commonmeta_crossref.json", 1, 0),
        ("datacite/commonmeta_datacite.json", 1, 0),
        ("csl/csl-json_null-date-parts-csl_raw.json", 0, 1),
        ("csl/csl-json_crossref-deep-review-csl_raw.json", 1, 0),
        ("corpora/awesome_3dgs_papers.yaml", 44, 1),
        ("yaml/line-after-scalar.yaml", 0, 1),
        ("yaml/list-then-mapping.yaml", 0, 1),
        ("yaml/scalar-after-list.yaml", 0, 1),
        ("yaml/tab-as-indentation.yaml", 0, 1),
    ],
)
def test_files_as_they_are_found(file, entries, failures):
    path = INPUTS / file
    batch = load(path.name, path.read_bytes())
    assert (len(batch.drafts), len(batch.failures)) == (entries, failures)


@pytest.mark.parametrize("stem", ["RisImporterTest3", "RisImporterTestScopus"])
def test_ris_agrees_with_what_another_importer_makes_of_it(stem):
    folder = INPUTS / "ris"
    ours, theirs = (load(f"{stem}.{end}", (folder / f"{stem}.{end}").read_bytes()).drafts[0] for end in ("ris", "bib"))
    assert ours.title == theirs.title
    for name in ("authors", "year"):
        assert ours.fields.get(name) == theirs.fields.get(name)
    assert ours.fields["identifiers"]["doi"] == theirs.fields["identifiers"]["doi"]


def test_csl_pruned_and_raw_are_one_work():
    folder = INPUTS / "csl"
    raw, pruned = (
        load("x.json", (folder / f"csl-json_crossref-deep-review-csl_{kind}.json").read_bytes()).drafts[0].fields
        for kind in ("raw", "pruned")
    )
    for name in ("title", "authors", "year", "venue", "identifiers"):
        assert raw.get(name) == pruned.get(name)


PIECES = st.sampled_from(
    ["@article{", "@", "{", "}", '"', ",", "=", "title", "key", "\n", "TY  - JOUR\n", "ER  - \n", "TI  - x\n", "AU  - ", " - ",
     "- ", ": ", "[", "]", "null", "\\", "'", "#", "&a", "*a", "title: x\n", "author = {A and B}", "\t", "%", "year = 2020"]
)  # fmt: skip
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=4)), max_size=25).map("".join)


@given(TEXTS, st.sampled_from(IMPORTED))
@settings(max_examples=4 * settings.default.max_examples)
def test_no_text_makes_a_reader_raise(text, form):
    batch = load("x", text.encode(errors="replace"), form=form)
    assert batch.drafts or batch.failures
    assert all(draft.place.startswith("x") for draft in batch.drafts)
    assert all(failure.message for failure in batch.failures)


def test_a_file_of_a_record_is_that_record():
    record = "title: On Bread\nlinks:\n- {label: Code, url: https://example.org}\n"
    [draft] = load("bread2020.yaml", record + "tags:\n  taste: sour\n").drafts
    assert (draft.key, draft.title, draft.fields["tags"]) == ("bread2020", "On Bread", {"taste": "sour"})
    assert load("x.yaml", "title: On Salt\nscreening: {stage: abstract}\n").drafts[0].kind == "exclusion"
    [plain] = load("x.yaml", record).drafts
    assert (plain.title, plain.fields["links"]) == ("On Bread", [{"label": "Code", "url": "https://example.org"}])
    assert [one.title for one in load("x.yaml", "title: Works\nworks:\n- title: On Salt\n").drafts] == ["On Salt"]
    [failure] = load("taxonomy.yaml", (COFFEE / "taxonomy.yaml").read_text()).failures
    assert "awesome export json" in failure.message


@pytest.mark.parametrize(
    ("name", "begin", "odd"),
    [
        ("a.ris", "", "\n"),
        ("a.ris", "TY  - JOUR\nTI  - a\nAU  - ", "a"),
        ("a.csv", "title,authors\na,", "title={"),
        ("a.json", '[{"title": "a", "authors": "', "&amp"),
        ("a.bib", "@article{k, title = {a}, author = {", "a and "),
    ],
)
def test_odd_texts_are_read_in_linear_time(name: str, begin: str, odd: str) -> None:
    def work(n: int) -> int:
        return calls(lambda: load(name, begin + odd * (n // len(odd))))

    assert work(8_000) < 10_000 + 6 * work(2_000)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            '[{"title":"x","authorships":[],"abstract_inverted_index":{"a":1}}]',
            "a value does not have the expected type",
        ),
        (f"[{'9' * 5000}]", "not json: a number has too many digits"),
        ("[1]", "expected an entry with named values"),
    ],
)
def test_what_is_no_entry_is_told_in_plain_words(text, why):
    (failure,) = load("x.json", text.encode()).failures
    assert failure.message == why


BLOCK = "# Papers\n\nCite us:\n\n```bibtex\n@misc{a, title={On Bread}, year={2020}}\n```\n"


def zipped(name: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(name, "x")
    return data.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("x.xml", b"<xml>\n<records>", "not valid XML: line 2: Premature end"),
        ("x.rdf", b"<rdf:RDF xmlns='a'>", "RDF is not supported"),
        ("x.xml", b"<other/>", "XML with the root <other> is not supported; export"),
        ("x.html", b"<!doctype html><html>", "HTML is not supported"),
        ("x.ciw", b"VR 1.0", "Web of Science's tagged text"),
        ("x.txt", b"FN Clarivate Analytics\nVR 1.0\nPT J\nAU Bean", "Web of Science's tagged text"),
        ("x.xlsx", zipped("xl/workbook.xml"), "an Excel sheet is not supported; save the sheet as CSV"),
        ("x.csv", zipped("xl/workbook.xml"), "an Excel sheet is not supported"),
        ("x.ods", zipped("content.xml"), "a zip archive is not supported; unpack"),
        ("x.xls", b"\xd0\xcf\x11\xe0\xa1\xb1", "an old Excel or Word file"),
        ("x.bib", gzip.compress(b"@misc{a}", mtime=0), "a gzip archive"),
        ("x.pdf", b"%PDF-1.7\n", "a PDF is not supported; add the work by its DOI"),
        ("README.md", BLOCK.encode(), "Markdown is not supported; import its source data"),
        ("<stdin>", BLOCK.encode(), "Markdown is not supported"),
        ("x.bib", BLOCK.encode(), "Markdown is not supported"),
        ("x.txt", b"Bean, A. (2020). On Bread. Journal of Bread, 3(1), 1-9.\n", "unknown format"),
        ("x.txt", b"References:\n- Bean, A. On Bread.\n", "References in plain text are not supported"),
    ],
)
def test_what_is_not_read_is_named(name, data, message):
    batch = read([InputFile(name, data)], ReadingOptions(TAXONOMY))
    assert batch.drafts == ()
    assert message in batch.failures[0].message


@pytest.mark.parametrize("name", ["README.md", "<stdin>"])
def test_a_block_in_markdown_is_not_read_by_a_named_format_either(name):
    batch = read([InputFile(name, BLOCK.encode())], ReadingOptions(TAXONOMY, form="bibtex"))
    assert batch.drafts == ()
    assert "Markdown is not supported" in batch.failures[0].message


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.txt", "@misc{a, title={On Bread}}"),
        ("x.txt", "%0 Journal Article\n%T On Bread\n"),
        ("x.enw", "%T On Bread\n"),
        (
            "<stdin>",
            "<?xml version='1.0'?><xml><records><record><titles><title>On Bread</title></titles></record></records></xml>",
        ),
        ("x.csv", "@misc{a, title={On Bread}}"),
        ("x.bib", "TY  - JOUR\nTI  - On Bread\nER  - \n"),
        ("x.yaml", '[{"title": "On Bread"}]'),
        ("x.json", "- title: On Bread\n"),
        ("<stdin>", "# Papers\n- title: On Bread\n"),
        ("<stdin>", "title\tyear\nOn Bread\t2020\n"),
        ("x.bib", "@misc{a, title={On Bread}, abstract={See\n- [this](https://example.org)}}"),
        ("x.bib", "% mine\n@misc{a, title={On Bread}, abstract={See\n```\n}}"),
        ("x.yaml", "- title: On Bread\n  note: |\n    - [this](https://example.org)\n"),
        ("x.csv", 'title,note\nOn Bread,"one\n```\ntwo"\n'),
    ],
)
def test_a_text_that_is_plainly_of_another_format_is_read_as_that(name, text):
    assert [draft.title for draft in read([InputFile(name, text.encode())], ReadingOptions(TAXONOMY)).drafts] == [
        "On Bread"
    ]
