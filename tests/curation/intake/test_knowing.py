"""What an import takes for known, and what it says of a work that only looks like another."""

from dataclasses import replace
from datetime import date

import pytest
from builders import COFFEE, DATA, coffee

from awesome_cli.curation.editing.duplicates import absorbed
from awesome_cli.curation.intake import Intake, Settings, begin, take_in
from awesome_cli.curation.intake.summary import to_report
from awesome_cli.files.tree import WorkingTree
from awesome_cli.formats import ReadingOptions
from awesome_cli.formats.reading import InputFile, read
from awesome_cli.model.drafts import Draft
from awesome_cli.model.records import Exclusion, Paper
from awesome_cli.output import Format, to_text

INPUTS = DATA / "inputs"
DAY = date(2026, 1, 2)
TEXT = {"title": "On Bread and Its Many Old Crumbs", "authors": ("Bean, Ada",), "year": 2020}


def intake(*drafts: Draft, after: Intake | None = None, **wishes) -> Intake:
    """Drafts taken into the coffee survey, or into what another intake left."""
    begun = begin(coffee(), WorkingTree(COFFEE), Settings(DAY, **wishes))
    if after is not None:
        begun.works, begun.names = after.works, after.names
        begun.works.new.clear()
    return take_in(begun, drafts)


def draft(key=None, place="x:1", kind="paper", **fields) -> Draft:
    return Draft({**TEXT, **fields}, place, key, kind=kind)


@pytest.mark.parametrize(
    ("name", "added", "near"),
    [
        ("bibtex/zorcpapers.bib", 203, None),
        ("bibtex/ludger-paschen-germanic.bib", 80, None),
        ("cases/err.bib", 3, {"m2": "m1", "m3": "m1"}),
        ("cases/isbn.bib", 2, {"doe1999-cheese": "doe1999-chapter"}),
        ("cases/na.bib", 6, None),
        ("cases/parts.bib", 9, {"p2": "p1", "w2": "w1", "c2": "c1"}),
        ("cases/tworefs.bib", 4, None),
    ],
)
def test_works_that_look_alike_are_all_taken_in_and_known_from_then_on(name, added, near):
    source = InputFile(name, (INPUTS / name).read_bytes())
    drafts = read([source], ReadingOptions(coffee().taxonomy)).drafts
    first = intake(*drafts)
    assert (len(first.taken), first.known, first.failed) == (added, [], [])
    assert not any(taken.record.distinct_from for taken in first.taken)
    if near is not None:
        alike = [taken for taken in first.taken if taken.near]
        assert {taken.record.key: taken.near[0] for taken in alike} == near
        assert all(f"looks like {t.near[0]}, but is a different work (" in " ".join(t.alike) for t in alike)
    second = intake(*drafts, after=first)
    assert (second.taken, len(second.known), second.failed) == ([], added, [])


@pytest.mark.parametrize(
    ("fields", "known"),
    [
        ({}, True),
        ({"title": "On bread, and its many old crumbs."}, True),
        ({"title": "Crumbs", "identifiers": {"doi": "10.1000/b"}}, False),
        ({"title": "On Bread and Many Old Crumbs", "identifiers": {"doi": "10.1000/a"}}, True),
        ({"identifiers": {"doi": "10.1000/b"}}, False),
        ({"authors": ()}, False),
        ({"year": None}, False),
        ({"year": 2021}, False),
        ({"title": "On Bread and Its Many Old Crumbs, Part 2"}, False),
        ({"title": "Erratum: On Bread and Its Many Old Crumbs"}, False),
    ],
)
def test_only_what_is_certain_is_skipped(fields, known):
    done = intake(draft("a-b", identifiers={"doi": "10.1000/a"}), draft("c-d", place="x:2", **fields))
    assert [known.match.b for known in done.known] == (["a-b"] if known else [])
    assert len(done.taken) == 2 - known


def test_for_an_exclusion_only_commands_that_take_one_are_named():
    done = intake(draft("a-b", kind="exclusion"), draft("c-d", authors=()), draft("e-f", kind="exclusion", authors=()))
    for taken in done.taken[1:]:
        assert "awesome dedupe --distinct" in taken.warnings[0]
        assert "--merge" not in taken.warnings[0] or isinstance(taken.record, Paper)
    assert isinstance(done.taken[2].record, Exclusion)


@pytest.mark.parametrize("key", ["ed2", None])
def test_equal_entries_without_authors_are_two_only_under_two_keys(key):
    fields = {"title": "Editorial", "venue": "Journal of A"}
    done = intake(Draft(fields, "x:1", "ed1"), Draft(fields, "x:2", key))
    assert (len(done.taken), len(done.known)) == ((2, 0) if key else (1, 1))
    assert not key or "looks like ed1 (the two entries are equal; " in done.taken[1].warnings[0]


def test_two_scans_of_one_list_are_two_works():
    done = intake(draft("notes", extra={"file": "a.pdf"}), draft("notes2", extra={"file": "b.pdf"}))
    assert [taken.near for taken in done.taken] == [(), ("notes",)]


def test_a_key_that_is_taken_is_changed_and_the_citation_key_kept_where_it_is_free():
    bib = """@misc{ann, title={On Bread}, author={Bean, Ada}, year=2020}
@misc{Ann, title={Steam Engines}, author={Doe, Jo}, year=1999}
@misc{ann, title={A Third Thing}, author={Roe, Ed}, year=2001}"""
    done = intake(*read([InputFile("x.bib", bib.encode())], ReadingOptions(coffee().taxonomy)).drafts)
    assert {taken.record.key: taken.record.citation.key for taken in done.taken} == {
        "ann": "ann",
        "doe1999-steam": "Ann",
        "roe2001-third": "roe2001-third",
    }
    said = "the file's key 'Ann' is already in use; it is 'doe1999-steam' here, and 'Ann' in citations"
    assert done.taken[1].warnings[-1] == said
    assert done.taken[2].warnings[-1] == "the file's key 'ann' is already in use; it is 'roe2001-third' here"


def test_a_key_that_is_also_the_one_that_is_proposed_is_no_change():
    bib = b"@misc{a, title={A}, crossref={b}} @misc{b, title={B}, crossref={a}}"
    done = intake(*read([InputFile("x.bib", bib)], ReadingOptions(coffee().taxonomy)).drafts)
    assert [(t.record.key, t.warnings) for t in done.taken] == [
        ("a", ()),
        ("b", ("crossref: 'a' inherits from this entry",)),
    ]


def test_a_report_stays_short_whatever_the_values_are():
    header = ["title", "year", *(f"column{n}" for n in range(1000))]
    csv = f"{','.join(header)}\nOn Bread,{'2' * 5000},{','.join('1' * 1000)}\n,2020{',' * 1000}\n"
    bib = f"@misc{{{'k' * 5000}, title={{B}}, year={'2' * 5000}}} @misc{{{'k' * 5000}, title={{{'C' * 5000}}}}}"
    files = [InputFile("x.csv", csv.encode()), InputFile("x.bib", bib.encode())]
    done = intake(*read(files, ReadingOptions(coffee().taxonomy)).drafts)
    text = to_text(to_report(done, written=False), Format.TEXT)
    assert "is not valid and is kept under extra.year" in text
    assert "and 901 more, which --format json lists" in text
    assert len(text) < 10_000


def test_a_new_file_has_a_name_of_its_own_on_every_system():
    taken = coffee().exclusions[0].key
    done = intake(
        draft("con"),
        draft(taken.lower(), title="Steam Engines of the North"),
        draft("x" * 300, title="Kettles of the South"),
        draft("日本", title="日本のパン", authors=("山田, 太郎",)),
        draft("日本", title="日本の茶", authors=("山田, 太郎",)),
    )
    keys = [taken.record.key for taken in done.taken]
    assert (len(keys), done.failed) == (5, [])
    assert len({*keys, taken.lower(), "con"}) == 7
    assert max(map(len, keys)) < 100


def test_a_person_is_asked_about_what_looks_known_and_not_about_a_near_one():
    asked = []

    def ask(known, match):
        asked.append((known.key, match.kind))
        return "link"

    drafts = [draft("a-b"), draft("c-d", authors=()), draft("e-f", title="On Bread and Its Many Old Crumbs (II)")]
    done = intake(*drafts, on_duplicate="ask", ask=ask)
    assert asked == [("a-b", "same")]
    assert [taken.record.key for taken in done.taken] == ["a-b", "e-f"]
    assert done.taken[-1].near
    assert len(done.works.records["a-b"].versions) == 1


@pytest.mark.parametrize("way", ["skip", "link"])
def test_what_a_known_entry_has_more_is_named(way):
    first = intake(replace(draft("a-b", extra={"abstract": "Rye."}, note="Read."), tags=("taste=sweet",)))
    more = {"abstract": "Wheat.", "file": "b.pdf"}
    again = replace(draft("c-d", extra=more), tags=("device=drip", "taste=sour", "crumbs"), decision="in")
    done = intake(again, draft("e-f", note="Read."), after=first, on_duplicate=way)
    left = ("extra.abstract", "extra.file", "extra.keywords", "tags.device=drip", "tags.taste=sour")
    assert [known.left for known in done.known] == [left, ()]
    assert not done.vocabulary.mapped + done.vocabulary.unknown + done.decided
    report = to_report(done, written=True)
    assert report.data["known"][0]["left"] == list(left)
    said = "not copied: extra.abstract, extra.file, extra.keywords; tags not copied: awesome tag a-b device=drip"
    assert said in str(report.sections)


def test_a_merged_record_is_known_by_its_key():
    drafts = [draft(f"notes{n}", title="Notes", extra={"file": f"{n}.pdf", "abstract": "Rye"}) for n in range(3)]
    first = intake(*drafts)
    assert len(first.taken) == 3
    records = [taken.record for taken in first.taken]
    after = intake()
    for record in (absorbed(records[2], records[0]), records[1]):
        after.works.put(record)
        after.names.add(record)
    done = intake(*drafts, after=after)
    assert ([known.match.b for known in done.known], done.taken) == (["notes2", "notes1", "notes2"], [])
    assert [known.left for known in done.known] == [()] * 3


def test_the_key_of_a_work_makes_it_known_if_nothing_differs():
    first = intake(draft("a-b", year=None))
    assert len(intake(draft("a-b", year=None, venue="Mill"), after=first).known) == 1
    first = intake(draft("a-b", year=None, venue="Oven"))
    assert not intake(draft("a-b", year=None, venue="Mill"), after=first).known


@pytest.mark.parametrize("turned", [False, True])
def test_a_preprint_is_a_version_of_the_article(turned):
    pair = [draft("pre", venue="arXiv preprint"), draft("art", venue="Journal of Bread", place="x:2")]
    done = intake(*(reversed(pair) if turned else pair))
    assert "to link them: awesome link pre --version-of art;" in done.taken[1].warnings[-1]


def test_a_key_that_no_record_can_have_is_named():
    done = intake(draft("x", citation={"key": "x"}), draft("7", title="Steam Engines"))
    said = "the file's key 'x' is not a valid key; it is 'bean2020-bread' here, and 'x' in citations"
    assert [taken.warnings for taken in done.taken] == [(said,), ()]


def test_exclusions_without_a_stage_or_reason_are_counted_with_the_command_for_all():
    done = intake(draft("a-b", kind="exclusion"), draft("c-d", kind="exclusion", title="Steam Engines"))
    text = str(to_report(done, written=True).sections)
    for name in ("stage", "reason"):
        fix = f"awesome set --kind exclusion --where {name}=unspecified screening.{name}={name.upper()}"
        assert f"Exclusions without a {name}: 2; to give all of them the same: {fix}" in text


def test_a_key_that_no_record_can_have_stays_in_citations():
    drafts = [Draft({"title": title}, "x:1", key) for title, key in (("A", "Doe:2001/x"), ("B", "b"), ("C", "123"))]
    cited = [taken.record.citation.key for taken in intake(*drafts).taken]
    assert cited[:2] == ["Doe:2001/x", "b"]
    assert cited[2] != "123", "a number is no citation key"
