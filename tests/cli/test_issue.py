"""`awesome issue apply`: a form that somebody sent, taken in whole or refused with all that is wrong."""

import re
from pathlib import Path

import pytest
import yaml
from serving import Reply

from awesome_cli.curation.contributions.reading import read_form
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.forms import Form
from awesome_cli.publish.forms import FormText, forms
from awesome_cli.publish.starter.files import presets
from awesome_cli.survey.loading import load_corpus

NO = "_No response_"


def form(root: Path, kind: str) -> Form:
    return forms(load_corpus(WorkingTree(root)).taxonomy)[kind]


def body(root: Path, kind: str, **values: str) -> str:
    """The text that GitHub makes of a form, with values by field, without `form-`."""
    given = {field.id: values.get(field.id.removeprefix("form-"), NO) for field in form(root, kind).fields}
    return form(root, kind).text(given).replace("\n", "\r\n")


def dispute(root: Path, **values: str) -> str:
    given = {
        "key": "aero2020",
        "coding": "device=press",
        "grade": "weak",
        "because": "It drips.",
        "source": "doi:10.1/x",
    }
    return body(root, "coding", **{**given, **values})


def correction(root: Path, **values: str) -> str:
    given = {
        "key": "aero2020",
        "field": "year",
        "value": "2021",
        "because": "The issue is of 2021.",
        "source": "doi:10.1/x",
    }
    return body(root, "correction", **{**given, **values})


def paper(root: Path, **values: str) -> str:
    given = {"reference": "2402.01680", "summary": "Foam is\nmeasured."}
    return body(root, "paper", **{**given, **values})


def one(root: Path, axis: str, term: str) -> str:
    """The option of a term in the form for papers."""
    (field,) = (field for field in form(root, "paper").fields if field.id == axis)
    return field.options[field.words.index(term)]


def record(root: Path, path: str) -> dict:
    return yaml.safe_load((root / path).read_text())


@pytest.mark.parametrize("preset", presets())
@pytest.mark.parametrize("listed", [True, False])
def test_a_coding_of_a_new_survey_can_be_disputed(run, tmp_path: Path, preset: str, listed: bool):
    table, new = tmp_path / "list.csv", tmp_path / "new"
    table.write_text("title,method\nOn Bread,drip\nOn Rye,drip\nOn Tea,press\n")
    run("init", new, "--preset", preset, "--repository", "https://github.com/a/b", *["--input", table] * listed)
    assert "moderate" in (new / ".github/ISSUE_TEMPLATE/coding.yml").read_text()
    run("add", "--set", "title=On Foam", "--key", "foam", "--offline", root=new)
    axis = load_corpus(WorkingTree(new)).taxonomy.axes[0]
    run("tag", "foam", coding := f"{axis.id}={axis.leaves[0].id}", root=new)
    run("issue", "apply", "-", root=new, stdin=dispute(new, key="foam", coding=coding, grade="moderate"))
    (tag,) = load_corpus(WorkingTree(new)).by_key["foam"].tags[axis.id]
    assert tag.contested
    assert tag.contested.grade == "moderate"


def test_a_paper_becomes_a_candidate_with_its_codings(run, root: Path, service):
    work = b'{"message": {"DOI": "10.1000/x", "title": ["On Foam"], "author": [{"family": "Bean", "given": "Ada"}], "issued": {"date-parts": [[2024]]}, "type": "journal-article"}}'
    service.routes["/crossref/works/10.1000%2Fx"] = Reply(work)
    device, sour = (one(root, axis, term) for axis, term in (("device", "press"), ("taste", "sour")))
    sent = paper(root, reference="https://doi.org/10.1000/x", device=device, taste=f"{sour}, bitter: Mentioned")
    done = run("issue", "apply", "-", "--number", "7", "--who", "ada-b", root=root, stdin=sent)
    said = "candidate On Foam (doi:10.1000/x), codings: device=press, taste=sour, taste=bitter:mentioned"
    assert said in " ".join(done.out.split())
    assert "created candidates/bean2024-foam.yaml" in done.out
    made = record(root, "candidates/bean2024-foam.yaml")
    assert (made["proposal"], made["summary"]) == ("consider", "Foam is measured.")
    assert (made["found"]["by"], made["found"]["source"]) == ("ada-b", "issue 7")
    assert made["tags"] == {"device": "press", "taste": ["sour", {"term": "bitter", "strength": "mentioned"}]}
    assert "no findings" in run("validate", "candidates/bean2024-foam.yaml", root=root).out
    again = run("issue", "apply", "-", root=root, stdin=sent, code=1)
    assert "Reference: the survey has this work: candidates/bean2024-foam.yaml (both are doi 10.1000/x)" in " ".join(
        again.out.split()
    )


def test_offline_a_stub_is_added(run, root: Path):
    done = run("--offline", "issue", "apply", "-", root=root, stdin=paper(root))
    assert "created candidates/arxiv-2402-01680.yaml" in done.out


def test_a_service_without_a_usable_answer_is_no_mistake_of_the_sender(run, root: Path, service):
    service.routes["/crossref/works/10.1000%2Fx"] = Reply(b"", status=500)
    sent = paper(root, reference="10.1000/x")
    done = run("issue", "apply", "-", "--format", "md", root=root, stdin=sent, code=3)
    assert done.out.startswith("Nothing was recorded, because a service did not respond")
    assert "- Crossref answered with status 500" in done.out
    sent = paper(root, reference="10.1000/x", beans="tea")
    wrong = run("issue", "apply", "-", "--format", "md", root=root, stdin=sent, code=1).out
    assert "- Beans: axis 'beans' has no term 'tea'" in wrong, (
        "a mistake of the sender is told, whatever the service does"
    )


def test_a_host_that_cannot_be_resolved_is_a_service_without_a_response(run, root: Path):
    sent = paper(root, reference="https://no-such-host.invalid/p")
    done = " ".join(run("issue", "apply", "-", "--dry-run", root=root, stdin=sent, code=3).out.split())
    assert "The text above need not be changed, unless it has a wrong URL." in done
    assert "https://no-such-host.invalid/p: the host name cannot be resolved" in done


@pytest.mark.parametrize(
    ("reference", "path"), [("10.1000/coffee.9", "candidates/salt2026.yaml"), ("doi:10.1000/coffee.2", "corpus/")]
)
def test_a_known_identifier_is_recognised_without_its_service(run, root: Path, service, reference: str, path: str):
    sent = paper(root, reference=reference, beans="tea")
    done = " ".join(run("issue", "apply", "-", root=root, stdin=sent, code=1).out.split())
    assert f"the survey has this work: {path}" in done
    assert "Beans: axis 'beans' has no term 'tea'" in done
    assert service.asked == []


def test_number_and_sender_stand_in_a_contest_and_in_the_note_of_a_candidate(run, root: Path):
    sender = ("--number", "7", "--who", "ada")
    run("issue", "apply", "-", *sender, root=root, stdin=dispute(root))
    assert (
        record(root, "corpus/aero2020.yaml")["tags"]["device"][0]["contested"]["because"] == "It drips. (issue 7, ada)"
    )
    year = correction(root, key="salt2026", value="2025")
    was = record(root, "candidates/salt2026.yaml")
    run("issue", "apply", "-", *sender, root=root, stdin=year)
    made = record(root, "candidates/salt2026.yaml")
    assert made["year"] == 2025
    said = r"year was 2026 until [0-9-]{10}: The issue is of 2021\. \(issue 7, ada\)"
    assert re.fullmatch(said, made["note"].removeprefix(was.get("note", "")).strip())


def test_a_paper_that_is_corrected_on_the_day_it_came_keeps_what_was_published(run, root: Path):
    run("add", "--set", "title=Crema", "--set", "year=2020", "--set", "authors=Bean, Ada", "--key", "crema", root=root)
    run("issue", "apply", "-", root=root, stdin=correction(root, key="crema"))
    (entry,) = record(root, "corpus/crema.yaml")["corrections"]
    assert (entry["published"], entry["because"]) == ("2020", "The issue is of 2021.")


def test_a_dispute_stands_beside_the_coding_and_a_second_one_is_refused(run, root: Path):
    before = record(root, "corpus/aero2020.yaml")
    done = run("issue", "apply", "-", root=root, stdin=dispute(root, **{"as": "drip"}))
    assert "disputes device=press of aero2020: weak, " in done.out
    after = record(root, "corpus/aero2020.yaml")
    (tag,) = after["tags"]["device"]
    contest = tag.pop("contested")
    assert tag == {"term": "press"}
    assert {**after, "tags": {**after["tags"], "device": "press"}} == before
    assert (contest["grade"], contest["as"], contest["because"], contest["source"]) == (
        "weak",
        "drip",
        "It drips.",
        "doi:10.1/x",
    )
    assert contest["on"]
    assert "no findings" in run("validate", root=root).out
    again = run("issue", "apply", "-", root=root, stdin=dispute(root, grade="strong"), code=1)
    assert "already disputed (weak, " in again.out
    assert "which a curator can extend" in again.out


@pytest.mark.parametrize(
    ("coding", "text", "written"),
    [
        ("taste=bitter", ":tasted", {"strength": "tasted"}),
        ("taste=bitter", "sour:measured, sweet:tasted", ["sour:measured", "sweet:tasted"]),
        ("device=press", "device=siphon", "siphon"),
        ("device=press", "None", "none"),
        ("device=press", NO, None),
    ],
)
def test_what_it_should_be_is_said_in_short_forms(run, root: Path, coding: str, text: str, written: object):
    run("issue", "apply", "-", root=root, stdin=dispute(root, coding=coding, **{"as": text}))
    axis, _, term = coding.partition("=")
    tags = record(root, "corpus/aero2020.yaml")["tags"][axis]
    tag = next(tag for tag in (tags if isinstance(tags, list) else [tags]) if tag["term"] == term)
    assert tag["contested"].get("as") == written
    assert "V012" not in run("validate", root=root, code=None).out


def test_a_coding_may_be_spelled_as_the_page_of_the_paper_shows_it(run, root: Path):
    sent = dispute(
        root, key="https://bean.github.io/papers/aero2020.html", coding="taste: BITTER", **{"as": "Sour: Measured"}
    )
    assert "disputes taste=bitter" in run("issue", "apply", "-", root=root, stdin=sent).out
    (tag,) = (tag for tag in record(root, "corpus/aero2020.yaml")["tags"]["taste"] if tag["term"] == "bitter")
    assert tag["contested"]["as"] == "sour:measured"
    run("issue", "apply", "-", root=root, stdin=correction(root, key="corpus/aero2020.yaml", field="Year"))
    assert record(root, "corpus/aero2020.yaml")["year"] == 2021


def test_a_correction_keeps_what_was_published_and_its_source(run, root: Path):
    done = run("issue", "apply", "-", "--number", "9", "--who", "ada", root=root, stdin=correction(root))
    assert "corrects year of aero2020" in done.out
    made = record(root, "corpus/aero2020.yaml")
    assert made["year"] == 2021
    assert made["provenance"]["year"]["source"] == "doi:10.1/x"
    (entry,) = made["corrections"]
    assert (entry["field"], entry["published"]) == ("year", "2020")
    assert entry["because"] == "The issue is of 2021. (issue 9, ada)"
    assert "2020" in run("list", "--as-of", "2026-02-01", "--where", "key=aero2020", root=root).out
    run("issue", "apply", "-", root=root, stdin=correction(root, field="measures.grams", value="17.5"))
    assert record(root, "corpus/aero2020.yaml")["measures"]["grams"]["source"] == "doi:10.1/x"
    run("issue", "apply", "-", root=root, stdin=correction(root, field="authors", value="Bean, Ada; Roast, Robert"))
    assert record(root, "corpus/aero2020.yaml")["authors"] == ["Bean, Ada", "Roast, Robert"]
    assert "no findings" in run("validate", root=root).out


def test_all_that_is_wrong_is_said_at_once_with_what_would_be_right(run, root: Path):
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    sent = dispute(root, key="aero202", coding="device=presso", grade="huge", because=NO, source="a\u202eb")
    done = run("issue", "apply", "-", "--format", "md", root=root, stdin=sent, code=1)
    lines = [line.replace("\\", "") for line in done.out.splitlines() if line.startswith("- ")]
    assert lines == [
        "- Disputed paper: unknown record 'aero202'; did you mean 'aero2020'?",
        "- Disputed coding: axis 'device' has no term 'presso'; did you mean 'press'? (one of: immersion, press, siphon, drip, cold)",
        "- How strongly does the evidence speak against it?: unknown option 'huge' (one of: weak, strong)",
        "- What does the evidence say?: is missing",
        "- Source: contains an invisible character, U+202E (right-to-left override) (type it again)",
    ]
    data = run("issue", "apply", "-", "--format", "json", root=root, stdin=sent, code=1).json["data"]
    assert [row["field"] for row in data["wrong"]] == [line[2:].partition(":")[0] for line in lines]
    assert {
        path: path.read_bytes() for path in root.rglob("*") if path.is_file() and ".awesome" not in path.parts
    } == before


@pytest.mark.parametrize(
    ("kind", "values", "said"),
    [
        ("coding", {"coding": "device=drip"}, "aero2020 is not coded device=drip (it has press)"),
        ("coding", {"coding": "device"}, "needs a term"),
        ("coding", {"coding": "taste=sour,bitter"}, "disputes one coding"),
        ("coding", {"as": "press"}, "the paper is already coded press"),
        ("coding", {"as": "drip:part"}, "is not a valid coding"),
        ("coding", {"as": "beans=arabica"}, "has no term"),
        ("coding", {"key": "X1"}, "is an exclusion"),
        ("coding", {"key": "../../etc/passwd"}, "unknown record"),
        ("correction", {"field": "tags.device"}, "unknown field 'tags.device'"),
        ("correction", {"field": "extra.x"}, "unknown field"),
        ("correction", {"value": "{a: [b]}"}, "must not begin with"),
        ("correction", {"value": "long ago"}, "year"),
        ("correction", {"value": "2020"}, "already has this value"),
        ("correction", {"field": "identifiers.doi", "value": "10.1000/coffee.2"}, "coffee.2"),
        ("coding", {"source": "javascript:alert(1)"}, "'javascript:alert(1)' is not a valid URL (write https://… or"),
        ("correction", {"source": "JavaScript:alert(1)"}, "Source: 'JavaScript:alert(1)' is not a valid URL"),
        ("correction", {"field": "measures.grams", "value": "17.5", "source": "file:///etc/passwd"}, "is not a valid URL"),
        ("paper", {"reference": "javascript:alert(1)"}, "is not an identifier or a URL"),
        ("paper", {"reference": "work.bib"}, "is not an identifier or a URL (write an arXiv"),
        ("paper", {"reference": "http://127.0.0.2/"}, "127.0.0.2 is a private address (give an identifier"),
        ("paper", {"reference": "2402.01680 and 2402.01681"}, "Reference: names 2 works (arxiv:2402.01680, arxiv:2402.01681); one paper a form (keep one here"),
        ("paper", {"device": "press, drip"}, "Device: takes at most 1 term, got 2 (keep"),
        ("paper", {"device": "press\n### Brewer\npress"}, "Device: is followed by a heading that the form does not have (copy the answers"),
        ("paper", {"summary": "…"}, "'…' is a placeholder"),
        ("paper", {"reference": "https://doi.org/10.1000/none"}, "no service has a record of"),
        ("coding", {"key": "aero2020, drip2021"}, "Disputed paper: names 2 papers; one paper a form (keep one here"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_and_nothing_is_written(run, root: Path, service, kind: str, values: dict, said: str):
    before = {path: path.read_bytes() for path in root.rglob("*.yaml")}
    make = {"coding": dispute, "correction": correction}.get(kind, paper)
    done = run("issue", "apply", "-", root=root, stdin=make(root, **values), code=1)
    assert said in " ".join(done.out.split())
    assert {path: path.read_bytes() for path in root.rglob("*.yaml")} == before


@pytest.mark.parametrize(
    ("taste", "codings"),
    [
        ("- Sour\n- bitter: Mentioned", "taste=sour, taste=bitter:mentioned"),
        ("* {sour}\n\n* Bitter", "taste=sour, taste=bitter"),
        ("- Sour", "taste=sour"),
        ("Not sure.", "none"),
        ("None", "none"),
    ],
)
def test_terms_may_be_a_list_and_a_sender_may_be_unsure(run, root: Path, taste: str, codings: str):
    sent = paper(root, taste=taste.format(sour=one(root, "taste", "sour")))
    done = run("--offline", "issue", "apply", "-", "--dry-run", root=root, stdin=sent)
    assert f"(arxiv:2402.01680), codings: {codings}\n" in done.out


def test_an_answer_lists_terms_by_label(run, root: Path):
    done = run("--offline", "issue", "apply", "-", root=root, stdin=paper(root, taste="soor"), code=1)
    labels = ", ".join(term.label for term in load_corpus(WorkingTree(root)).taxonomy.by_id["taste"].current)
    assert f"axis 'taste' has no term 'soor'; did you mean 'Sour'? (one of: {labels})" in " ".join(done.out.split())


def test_every_wrong_value_of_a_paper_is_named_in_the_order_of_the_form(run, root: Path):
    sent = paper(
        root, reference="a title", taste=f"{one(root, 'taste', 'sour')}, soor, bitter: mentionned", beans="tea, cup"
    )
    data = run("issue", "apply", "-", "--format", "json", root=root, stdin=sent, code=1).json["data"]
    assert [(row["field"], row["message"].partition(";")[0]) for row in data["wrong"]] == [
        ("Reference", "'a title' is not an identifier or a URL"),
        ("Beans", "axis 'beans' has no term 'tea'"),
        ("Beans", "axis 'beans' has no term 'cup'"),
        ("Beans", "takes at most 1 term, got 2"),
        ("Taste", "axis 'taste' has no term 'soor'"),
        ("Taste", "axis 'taste' has no strength 'mentionned'"),
    ]


def test_a_field_that_names_very_many_terms_or_works_is_refused_in_a_short_answer(run, root: Path):
    many = {
        "taste": ",".join(f"x{n}" for n in range(9000)),
        "reference": " ".join(f"2402.{n:05}" for n in range(1, 3000)),
    }
    said = run("issue", "apply", "-", "--format", "md", root=root, stdin=paper(root, **many), code=1).out
    assert "- Taste: takes at most 5 terms, got 9000" in said
    assert "names 2999 works (arxiv:2402.00001, " in said
    assert len(said) < 2_000


def test_two_forms_in_one_text_are_told_one_paper_a_form(run, root: Path):
    sent = f"{paper(root)}\r\n\r\n{paper(root, reference='2402.01681')}"
    said = " ".join(run("issue", "apply", "-", root=root, stdin=sent, code=1).out.split())
    assert "- Reference: is given 2 times; one paper a form (keep one here, and send each other one in" in said


@pytest.mark.parametrize(
    ("about", "page"),
    [
        ("site: https://bean.github.io/coffee/", "https://bean.github.io/coffee/{}"),
        ("repository: https://github.com/bean/coffee", "https://github.com/bean/coffee/blob/main/{}"),
    ],
)
def test_an_answer_links_to_pages_and_records_and_names_no_command(run, root: Path, about: str, page: str):
    path = root / "taxonomy.yaml"
    path.write_text(path.read_text().replace("  short: coffee", f"  short: coffee\n  {about}"))
    sent = (
        paper(root, reference="10.1000/coffee.9", device="presso"),
        correction(root, value="2020"),
        dispute(root, key="aero", coding="taste=sour:zzz"),
    )
    said = "\n".join(
        run("--offline", "issue", "apply", "-", "--format", "md", root=root, stdin=text, code=1).out for text in sent
    )
    pages = {"candidates.html#salt2026", "papers/aero2020.html", "papers.html", "terms.html"}
    if about.startswith("repository"):
        pages = {"candidates/salt2026.yaml", "corpus/aero2020.yaml", "corpus", "taxonomy.yaml"}
    assert set(re.findall(r"\]\((.*?)\)", said)) == {page.format(name) for name in pages}
    assert "awesome " not in said


def test_an_answer_was_chosen_before_labels_changed(run, root: Path):
    sent = paper(
        root,
        device=one(root, "device", "cold"),
        taste=", ".join(one(root, "taste", term) for term in ("sour", "umami")),
    )
    path = root / "taxonomy.yaml"
    renamed = (
        path.read_text()
        .replace("Cold brew", "Steeped")
        .replace("label: Sour", "label: 'Acid, sharp'")
        .replace("Savouriness", "x; y")
    )
    path.write_text(renamed)
    run("--offline", "issue", "apply", "-", root=root, stdin=sent)
    assert record(root, "candidates/arxiv-2402-01680.yaml")["tags"] == {"device": "cold", "taste": ["sour", "umami"]}


def test_another_text_is_none_of_the_forms(run, root: Path, tmp_path: Path):
    done = run("issue", "apply", "-", root=root, stdin="hello\n### Title\n", code=1)
    assert "open one of the forms: 'Propose a paper', 'Dispute a coding', 'Correct a record'" in " ".join(
        done.out.split()
    )
    assert "this is not a filled-in form" in run("issue", "apply", "-", root=root, stdin="", code=1).out
    large = tmp_path / "large.md"
    large.write_text("x" * 400_000)
    assert "larger than" in run("issue", "apply", large, root=root, code=1).out
    large.write_bytes(b"### Reference\n\n\xff\n")
    assert "- line 3 is not UTF-8" in run("issue", "apply", large, "--format", "md", root=root, code=1).out
    large.write_text("\ufeff" + dispute(root))
    run("issue", "apply", large, "--dry-run", root=root)
    run("issue", "apply", tmp_path / "none.md", root=root, code=2)
    run("issue", "apply", "-", "--who", "a b; c", root=root, stdin=dispute(root), code=2)


def test_a_heading_that_stands_twice_is_refused_and_another_one_is_a_part_of_the_text(run, root: Path):
    sent = dispute(root, because="First.\n### Then\nSecond. <!-- hidden -->")
    run("issue", "apply", "-", root=root, stdin=f"{sent}\r\n### Source\r\n\r\nelsewhere", code=1)
    run("issue", "apply", "-", root=root, stdin=sent)
    assert (
        record(root, "corpus/aero2020.yaml")["tags"]["device"][0]["contested"]["because"] == "First. ### Then Second."
    )


def test_texts_that_look_like_yaml_stay_texts(run, root: Path):
    odd = "'\": {a: b} - # &x *x !!python/object:os.system [1]"
    run("issue", "apply", "-", root=root, stdin=dispute(root, because=odd, source="- a: b"))
    contest = record(root, "corpus/aero2020.yaml")["tags"]["device"][0]["contested"]
    assert (contest["because"], contest["source"]) == (odd, "- a: b")


def test_the_text_to_copy_is_read_once_it_is_filled_in(run, root: Path):
    survey = load_corpus(WorkingTree(root)).taxonomy.survey
    text = FormText.of(survey, form(root, "coding"), key="aero2020", coding="device=press").text
    assert "<!-- one of these:\nweak\nstrong -->" in text
    assert "is missing" in run("issue", "apply", "-", root=root, stdin=text, code=1).out
    whole = (
        text.replace("<!-- one of these:\nweak\nstrong -->", "weak").replace("say?", "say?\n\nIt drips.")
        + "\n\ndoi:10.1/x"
    )
    run("issue", "apply", "-", root=root, stdin=whole)
    (asked,) = (field for field in form(root, "paper").fields if field.id == "taste")
    assert "some of these, with commas:\nBitter" in asked.remark
    text = FormText.of(survey, form(root, "paper")).text
    filled = text.replace(asked.remark, f"sour:tasted {asked.remark}")
    read = read_form(filled, forms(load_corpus(WorkingTree(root)).taxonomy).values())
    assert (read.value("taste"), read.value("device")) == ("sour:tasted", "")
