"""The example that `awesome init --example` writes: sound, complete, and plainly made up."""

import subprocess
from collections.abc import Iterator, Mapping
from inspect import get_annotations
from typing import Any, get_args

import pytest
from pydantic import BaseModel
from running import invoke
from wheel import installed

from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.audits import Audit
from awesome_cli.model.claims import Claims, Expectation
from awesome_cli.model.protocol import Protocol
from awesome_cli.model.records import KINDS
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.publish.islands import ISLANDS
from awesome_cli.publish.readme import islands
from awesome_cli.publish.starter.files import Example
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.journal import WRITTEN
from awesome_cli.survey.loading import load_corpus

LEFT_OUT = {
    ("Identifiers", "arxiv"): "an id that is free today may be somebody's paper tomorrow",
    ("Identifiers", "arxiv_version"): "as arxiv",
    ("Identifiers", "acl"): "as arxiv",
    ("Identifiers", "openreview"): "as arxiv",
    ("Work", "withdrawn"): "of records whose day of leaving alone is known; the example has the screening in its place",
    ("Work", "rejected"): "no registry has a made-up work",
    **{("RejectedValue", name): "as rejected" for name in ("field", "value", "source", "on")},
    ("Retraction", "handled"): "no work of the example was retracted",
    ("Plot", "columns"): "a second picture would double the size of the example",
    ("Plot", "measure"): "as columns",
    ("Protocol", "follows"): "made-up works follow no standard",
    ("Audit", "program"): "the second coder of the example is a person",
    ("Audit", "prompt"): "as program",
    ("Coding", "answer"): "as program",
    ("Coding", "evidence"): "as program",
    **{("CoderFacts", name): "as program" for name in ("coder", "model", "settings", "usage", "cost")},
    **{("CoderEvidence", name): "as program" for name in ("evidence", "quote", "found")},
    **{("Cost", name): "as program" for name in ("amount", "currency")},
    ("About", "abstracts"): "no service has an abstract of a made-up work",
    ("About", "repository"): "the address is of whoever takes the example over",
    ("About", "site"): "as repository",
    ("About", "contact"): "as repository",
    ("About", "url"): "as repository",
    ("Readme", "exports"): "two more files to read; the manual has an example",
    ("Tag", "as_published"): "no coding of the example repeats a publication against its evidence",
    ("Sparse", "at_most"): "a share stands in its place",
    ("Taxonomy", "traces"): "coffee is brewed without orchestration",
}
"""The fields that the example does not use, and why."""
Field = tuple[str, str]


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """The example as it is written, with its site."""
    root = tmp_path_factory.mktemp("example") / "coffee"
    invoke("init", root, "--example", "--site")
    return root


@pytest.fixture(scope="module")
def corpus(example) -> Corpus:
    return load_corpus(WorkingTree(example), candidates=True, evidence=True)


def models(kind: Any, seen: set[type[BaseModel]]) -> set[type[BaseModel]]:
    """The models that a type is made of."""
    if isinstance(kind, type) and issubclass(kind, BaseModel) and kind not in seen:
        seen.add(kind)
        for field in kind.model_fields.values():
            models(field.annotation, seen)
    for part in get_args(kind):
        models(part, seen)
    return seen


def owner(model: type[BaseModel], name: str) -> Field:
    """A field by the model that declares it."""
    bases = reversed(model.__mro__)
    return next(base.__name__ for base in bases if name in get_annotations(base)), name


def used(value: Any) -> Iterator[Field]:
    """The fields that have another value than they have by default."""
    if isinstance(value, BaseModel):
        for name in value.model_fields_set:
            inner = getattr(value, name)
            if inner != type(value).model_fields[name].get_default(call_default_factory=True):
                yield owner(type(value), name)
                yield from used(inner)
    elif isinstance(value, Mapping | tuple):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from used(inner)


def test_every_field_is_used_or_left_out_with_a_reason(corpus):
    whole = (corpus.taxonomy, *corpus.records, corpus.claims, corpus.protocol, *corpus.audits)
    kinds = set[type[BaseModel]]()
    for kind in (Taxonomy, *KINDS.values(), Claims, Protocol, Audit):
        models(kind, kinds)
    known = {owner(kind, name) for kind in kinds for name in kind.model_fields}
    assert known - set(used(whole)) == set(LEFT_OUT)


def test_every_kind_of_expectation_is_claimed(corpus):

    assert {e.kind for claim in corpus.claims.claims for e in claim.expect} == set(Expectation.KINDS)


def test_it_passes_its_own_checks(run, example):
    assert "no findings" in run("validate", "--strict", root=example).out
    run("render", "--check", root=example)
    run("claims", "check", root=example)
    run("fmt", "--check", root=example)


def test_every_work_says_that_it_is_made_up(corpus):
    assert len(corpus.records) <= 12
    assert all("made-up" in record.title for record in corpus.records)
    addresses = {link.url for work in corpus.works for link in work.links}
    assert all(url.startswith("https://example.org/") for url in addresses)


def test_readme_and_site_show_all_parts(corpus, example):
    page = (example / "README.md").read_text()
    assert {name for name, _, _ in islands(page)} == {*ISLANDS, "contents"}
    assert all(page[start:end].strip() for _, start, end in islands(page))
    site = {path.stem for path in (example / "_site").glob("*.html")}
    assert {"index", "papers", "terms", "claims", "flow", "exclusions", "changes", "data"} <= site
    assert {path.stem for path in (example / "_site" / "papers").iterdir()} == {paper.key for paper in corpus.papers}


@pytest.mark.slow
def test_the_wheel_alone_makes_it(tmp_path):
    def awesome(*words: str) -> str:
        return subprocess.run([installed(), *words], cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    awesome("init", "coffee", "--example")
    assert "no findings" in awesome("-C", "coffee", "validate", "--strict")
    awesome("-C", "coffee", "render", "--check")


def test_a_plan_may_name_all_its_files():
    assert [path for path in Example.shipped().files if not WRITTEN.fullmatch(path)] == []
