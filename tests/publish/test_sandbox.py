"""A template of a stranger reaches no file and no program, ends soon, and fills no memory."""

import os
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import invoke

from awesome_cli.errors import SurveyError
from awesome_cli.files.paths import OutsideError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.publish import sandbox
from awesome_cli.publish.islands import ISLANDS
from awesome_cli.publish.templates import fill, html_environment, markdown_environment, own_templates
from awesome_cli.survey.loading import load_corpus


def _filled(root: Path, text: str, **data: object) -> str:
    (root / "templates").mkdir(exist_ok=True)
    (root / "templates/t.j2").write_text(text)
    return fill(html_environment(root), "t.j2", data)


@pytest.fixture
def memory() -> Iterator[None]:
    """No more than 2 GB beyond what the process has."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 2 * 2**30, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


REACHING = (
    "{{ ''.__class__.__mro__ }}",
    "{{ ''|attr('__class__') }}",
    "{{ ([corpus]|map(attribute='__class__')|list)[0] }}",
    "{{ '{0.__class__}'.format(corpus) }}",
    "{{ ('{0.__class__}'|attr('format'))(corpus) }}",
    "{{ cycler.__init__.__globals__ }}",
    "{{ self._TemplateReference__context }}",
    "{{ corpus.taxonomy.parse_file('taxonomy.yaml') }}",
    "{{ corpus.taxonomy.parse_raw('x', proto='pickle', allow_pickle=true) }}",
    "{{ corpus.papers[0].model_construct }}",
    "{{ corpus.papers[0].model_dump_json() }}",
    "{{ folder.iterdir() }}",
    "{{ folder.write_text('x') }}",
    "{{ dict.fromkeys('ab') }}",
    "{% set x = [] %}{{ x.append(1) }}",
    "{{ corpus.taxonomy.by_id.clear() }}",
    "{{ 'x'.encode('punycode') }}",
    "{{ lipsum() }}",
)


@pytest.mark.parametrize("text", REACHING)
def test_a_template_reaches_values_only(root: Path, text: str):
    corpus = load_corpus(WorkingTree(root))
    before = sorted((path, path.stat().st_mtime_ns) for path in root.rglob("*.yaml"))
    with pytest.raises(SurveyError, match=r"^templates/t\.j2:1: "):
        _filled(root, text, corpus=corpus, folder=root)
    assert before == sorted((path, path.stat().st_mtime_ns) for path in root.rglob("*.yaml"))


ENDLESS = {
    "numbers": "{{ 9 ** (9 ** 9) }}",
    "a product of numbers": "{% set n = namespace(x=9) %}{% for i in range(99999) %}{% set n.x = n.x * n.x %}{% endfor %}",
    "a long text": "{{ 'x' * 10 ** 9 }}",
    "a long list": "{{ [1] * 10 ** 9 }}",
    "center": "{{ 'x'|center(10 ** 9) }}",
    "center, a method": "{{ 'x'.center(10 ** 9) }}",
    "ljust": "{{ 'x'.ljust(10 ** 9) }}",
    "zfill": "{{ '1'.zfill(10 ** 9) }}",
    "expandtabs": "{{ '\t'.expandtabs(10 ** 9) }}",
    "indent": "{{ ('x\n' * 10 ** 6)|indent(10 ** 6) }}",
    "format": "{{ '%1000000000d'|format(1) }}",
    "format with a width": "{{ '%*d'|format(10 ** 9, 1) }}",
    "the operator of format": "{{ '%1000000000d' % 1 }}",
    "format, a method": "{{ '{:1000000000}'.format(1) }}",
    "format with a nested width": "{{ '{:{}}'.format(1, 10 ** 9) }}",
    "format map": "{{ '{a:1000000000}'.format_map({'a': 1}) }}",
    "replace": "{% set x = 'x' * 10 ** 6 %}{{ x|replace('', x) }}",
    "replace, a method": "{% set x = 'x' * 10 ** 6 %}{{ x.replace('', x) }}",
    "join": "{% set x = 'x' * 10 ** 6 %}{{ ([x] * 10 ** 5)|join }}",
    "join, a method": "{% set x = 'x' * 10 ** 6 %}{{ x.join(['a'] * 10 ** 5) }}",
    "join of an iterator": "{% set x = 'x' * 10 ** 6 %}{{ range(99999)|map('replace', '', x)|join }}",
    "batch": "{{ [1]|batch(10 ** 9, 'x')|list }}",
    "slice": "{{ [1]|slice(10 ** 9)|list }}",
    "round": "{{ 1.5|round(10 ** 9) }}",
    "tojson": "{{ [1]|tojson(indent=10 ** 9) }}",
    "wordwrap": "{% set x = 'x' * 10 ** 6 %}{{ x|wordwrap(1, true, x) }}",
    "striptags": "{{ ('<!-- -->' * 10 ** 6)|striptags }}",
    "translate": "{{ ('x' * 10 ** 6).translate({120: 'x' * 10 ** 6}) }}",
    "texts that double": "{% set n = namespace(x='x') %}{% for i in range(99) %}{% set n.x = n.x ~ n.x %}{% endfor %}{{ n.x }}",
    "lists that double": "{% set n = namespace(x=[]) %}{% for i in range(99) %}{% set n.x = [n.x, n.x] %}{% endfor %}{{ n.x }}",
    "equal lists": "{% set n = namespace(x=[], y=[]) %}{% for i in range(40) %}{% set n.x = [n.x, n.x] %}{% set n.y = [n.y, n.y] %}{% endfor %}{{ n.x == n.y }}",
    "dictionaries that double": "{% set n = namespace(x=1) %}{% for i in range(99) %}{% set n.x = dict(a=n.x, b=n.x) %}{% endfor %}{{ n.x }}",
    "loops": "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
    "a loop that chooses": "{% for a in range(99999) %}{% for b in range(99999) if false %}{% endfor %}{% endfor %}",
    "a loop in itself": "{% set x = range(99999) %}{% for a in x recursive %}{% if a < 9999 %}{{ loop(x) }}{% endif %}{% endfor %}",
    "a long body": "{% for a in range(99999) %}" + "x" * 99_999 + "{% endfor %}",
    "macros": "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(99) }}",
    "a macro without end": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "a file in itself": "{% include 't.j2' %}",
    "blocks": "{% block a %}{% for i in range(9) %}{{ self.a() }}{% endfor %}{% endblock %}",
    "deep brackets": "{{ " + "(" * 50_000 + "1" + ")" * 50_000 + " }}",
    "a long number": "{{ " + "9" * 50_000 + " }}",
    "a large file": "x" * 2_000_000,
}


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("case", ENDLESS)
def test_a_template_ends(root: Path, case: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sandbox, "SECONDS", 0.05)
    with pytest.raises(SurveyError, match=r"^templates/t\.j2"):
        _filled(root, ENDLESS[case])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\n{{ 1 / 0 }}", "templates/t.j2:2: ZeroDivisionError: division by zero"),
        ("a\n\n{{ nothing }}", "templates/t.j2:3: 'nothing' is undefined"),
        ("a\n{% for %}", "templates/t.j2:2: "),
        ("{{ 'x'|none }}", "templates/t.j2:1: "),
        ("{% include 'none.j2' %}", "template none.j2 not found"),
        ("\n{% include '../taxonomy.yaml' %}", "template ../taxonomy.yaml not found"),
        ("{% include '/etc/passwd' %}", "template /etc/passwd not found"),
    ],
)
def test_an_error_names_the_line(root: Path, text: str, said: str):
    with pytest.raises(SurveyError) as caught:
        _filled(root, text)
    assert caught.value.message.startswith(said)


def test_the_language_stays_whole(root: Path):
    text = (
        "{% macro m(x) %}<{{ x }}>{% endmacro %}{% for i in [1, 2, 3] if i > 1 %}{{ loop.index }}/{{ loop.length }}"
        "{{ m(i ~ '&') }}{{ ', ' if not loop.last }}{% else %}none{% endfor %} {{ (1, 2)|join('-') }} {{ '%03d'|format(7) }}"
        " {{ {'a': 1}.items()|list }} {{ 2 ** 3 + 4 * 5 }} {{ '<'|safe ~ '>' }} {{ 'ab'|center(6) }}|{{ [3, 1]|sort }}"
    )
    shown = "1/2<2&amp;>, 2/2<3&amp;> 1-2 007 [(&#39;a&#39;, 1)] 28 <&gt;   ab  |[1, 3]"
    assert _filled(root, text) == shown


@pytest.mark.parametrize("link", ["templates", "templates/readme", "templates/readme/papers.md.j2", "templates/t.j2"])
def test_a_link_out_of_the_templates_is_not_followed(root: Path, tmp_path: Path, link: str):
    outside = tmp_path / "outside"
    (outside / "readme").mkdir(parents=True)
    for name in ("t.j2", "papers.md.j2", "readme/papers.md.j2"):
        (outside / name).write_text("secret")
    (root / link).parent.mkdir(parents=True, exist_ok=True)
    target = {"templates": "", "templates/readme": "readme"}.get(link, "t.j2")
    (root / link).symlink_to(outside / target)
    name = "t.j2" if link.endswith("t.j2") else "readme/papers.md.j2"
    with pytest.raises(OutsideError, match="leads out"):
        fill(markdown_environment(root), name, ISLANDS["papers"](load_corpus(WorkingTree(root))))


def test_a_pipe_is_no_template(root: Path):
    (root / "templates").mkdir()
    os.mkfifo(root / "templates/t.j2")
    with pytest.raises(SurveyError, match=r"templates/t\.j2 is a named pipe"):
        fill(html_environment(root), "t.j2", {})


def test_a_template_that_is_not_text_is_named(root: Path):
    (root / "templates").mkdir()
    (root / "templates/t.j2").write_bytes(b"a\n\xff")
    with pytest.raises(SurveyError, match=r"templates/t\.j2:2:1: .*UTF-8"):
        fill(html_environment(root), "t.j2", {})


def test_own_templates_are_named(root: Path):
    invoke("render", root=root)
    assert own_templates(root) == ()
    for name, text in (
        ("readme/gaps.md.j2", "own"),
        ("more.j2", "more"),
        ("notes.txt", ""),
        ("site/assets/table.js", ""),
    ):
        (root / "templates" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "templates" / name).write_text(text)
    said = "this survey overrides templates: templates/more.j2, templates/readme/gaps.md.j2, templates/site/assets/table.js"
    assert said in invoke("render", root=root).err
    assert said in invoke("site", "build", root=root).err
    for verb in ("status", "validate"):
        assert said not in invoke(verb, root=root, code=None).err


def test_status_and_validate_render_nothing(root: Path):
    invoke("render", root=root)
    (root / "templates/readme").mkdir(parents=True)
    (root / "templates/readme/papers.md.j2").write_text("{{ 1 / 0 }}")
    assert "awesome render" in invoke("status", root=root).out
    invoke("validate", root=root)
    assert "ZeroDivisionError" in invoke("render", root=root, code=3).err
