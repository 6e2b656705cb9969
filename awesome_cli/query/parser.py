"""The query language of the command line, the claims and the taxonomy.

    axis=term            exact; a parent term matches its children; the code of a term works, too
    axis=*               any term on that axis: the papers that are coded on it
    axis=term,term       any of them
    axis!=term           has a term on that axis, but not this one
    axis=NA              no main term on that axis
    axis=term:strength   the term at that strength or stronger
    axis=term:=strength  the term at exactly that strength
    axis=term:main       the term as the main coding; :part as a further one; both may follow a strength
    term                 a bare term that only one axis has
    year>=2025           numbers and dates: = != < <= > >=; measures likewise
    text~"some words"    words in any form and order, tolerating typing errors; = compares the whole text
    contested=GRADE      contested at that grade or above; also yes and no
    judged=yes           a paper with this verdict in `judged` of a term: yes, near or no
    *                    every record

Join conditions by AND, OR, NOT and parentheses. Blanks mean AND; NOT binds before AND, AND before OR.
"""

import operator
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeVar, cast, get_args

from awesome_cli.errors import UsageError
from awesome_cli.model.codings import MAIN, PART, Tag, Verdict, which_axis
from awesome_cli.model.fields import FIELDS, RecordField
from awesome_cli.model.records import AnyRecord, AnyWork, Paper, Work
from awesome_cli.model.taxonomy import LISTED, NA, UNCODED, Axis, Taxonomy
from awesome_cli.query.logic import Logic, Token
from awesome_cli.text.folding import is_like
from awesome_cli.text.known import listed, require_known, unknown

Test = Callable[[AnyRecord], bool]
Getter = Callable[[AnyRecord], tuple[object, ...]]
JUDGED = "judged"
TEXTS = frozenset(name for name, field in FIELDS.items() if field.kind == "text" and name != "kind")
OF_CODINGS = frozenset({"confidence", "contested"})
"""Fields whose values are those of the codings."""
VERDICTS = get_args(Verdict)
COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Criteria:
    """A factory of tests for comparisons, with the axes and terms of a taxonomy."""

    def __init__(self, taxonomy: Taxonomy, *, silent: bool | None = None) -> None:
        self.taxonomy = taxonomy
        self.silent = silent
        self.measures = {measure.id for measure in taxonomy.measures}
        self.terms: set[tuple[str, str]] = set()

    def comparison(self, name: str, op: str, values: tuple[tuple[str, str | None], ...]) -> Test:
        if name in self.taxonomy.by_id:
            return self.on_axis(self.taxonomy.by_id[name], op, values)
        texts = tuple(value for value, _ in values)
        if name in self.measures:
            return _any_of(op, [_compared(name, op, text, _measure(name)) for text in texts])
        if name == JUDGED:
            return _any_of(op, [self.judged(op, text) for text in texts])
        if name in FIELDS:
            return self.of_codings(name, _any_of(op, [self.on_field(FIELDS[name], op, text) for text in texts]))
        self.taxonomy.refuse_former(name)
        known = [*self.taxonomy.by_id, *FIELDS, *self.measures]
        raise UsageError(unknown(name, known, "axis, field or measure"), hint=listed(self.taxonomy.by_id))

    def of_codings(self, name: str, test: Test) -> Test:
        """Return the test of a field; the codings that a paper lacks could have any confidence and contest."""
        answer = self.silent
        if answer is None or name not in OF_CODINGS:
            return test
        lacking = [not_coded(axis, self.taxonomy) for axis in self.taxonomy.axes]
        return lambda record: answer if any(lacks(record) for lacks in lacking) else test(record)

    def bare(self, word: str, exact: str | None) -> Test:
        term = Tag.parse(word).term
        axes = self.taxonomy.axes_with(term)
        if len(axes) == 1:
            return self.on_axis(self.taxonomy.by_id[axes[0]], "=", ((word, exact),))
        if axes:
            raise UsageError(f"{term!r} is a term of {len(axes)} axes", hint=which_axis(axes, term))
        if term in self.taxonomy.by_id:
            terms = ", ".join(self.taxonomy.by_id[term].by_id)
            raise UsageError(f"the axis {term!r} needs a term", hint=f"write {term}=TERM with one of: {terms}")
        error = self.taxonomy.unknown_term(term)
        every = 'for every record, write "*"' if word.lower() in EVERY else None
        raise UsageError(error.message, hint=every or f'to search texts, write text~"{term}"')

    def on_axis(self, axis: Axis, op: str, values: tuple[tuple[str, str | None], ...]) -> Test:
        if op not in {"=", "!="}:
            raise UsageError(f"{axis.id}{op} is not valid; compare terms with = or !=")
        test, answer = self.coded(axis, op, values), self.silent
        if answer is None or (op, values) == ("=", (("*", None),)):
            return test  # `axis=*` selects the coded papers, whatever the codings of the others will be
        may_have = [not_coded(axis, self.taxonomy)]
        # A listed term stays listed; only its absence is in doubt.
        if axis.silence == LISTED and (answer or op != "=" or (NA, None) in values):
            may_have.append(unlisted(axis))
        return lambda record: answer if any(silent(record) for silent in may_have) else test(record)

    def coded(self, axis: Axis, op: str, values: tuple[tuple[str, str | None], ...]) -> Test:
        wanted = [self.tag_test(axis, value, exact) for value, exact in values]
        axis_id = axis.id

        def matches(record: AnyRecord) -> bool:
            tags = _tags(record).get(axis_id, ())
            return any(test(tags) for test in wanted) if len(wanted) > 1 else wanted[0](tags)

        if op == "=":
            return matches
        if any(value == NA for value, _ in values):
            return lambda record: isinstance(record, Work) and not matches(record)
        return lambda record: isinstance(record, Work) and bool(record.tags.get(axis_id)) and not matches(record)

    def tag_test(self, axis: Axis, value: str, exact: str | None) -> Callable[[tuple[Tag, ...]], bool]:
        if value == NA:
            return lambda tags: not any(not tag.part for tag in tags)
        fits = self.coding_test(axis, value, exact)
        return lambda tags: any(map(fits, tags))

    def coding_test(self, axis: Axis, value: str, exact: str | None) -> Callable[[Tag], bool]:
        """Return a test of one coding: its term, its strength, and its role (main or part)."""
        word, role = _role(f"{value}:{exact}" if exact else value)
        wanted = Tag.parse(word)
        family = None if wanted.term == "*" else axis.family[self.term_id(axis, wanted.term)]
        if wanted.strength is None:
            ranks = None
        else:
            require_known(
                wanted.strength, axis.rank, "strength", owner=f"axis {axis.id!r}", hint=without_strengths(axis)
            )
            least = axis.rank[wanted.strength]
            ranks = {wanted.strength} if exact else {s for s, rank in axis.rank.items() if rank >= least}
        if family is not None and ranks is None and role is None:
            return lambda tag: tag.term in family
        return lambda tag: (
            (family is None or tag.term in family)
            and (ranks is None or tag.strength in ranks)
            and (role is None or tag.part is (role == PART))
        )

    def term_id(self, axis: Axis, word: str) -> str:
        term = axis.term(word).id
        self.terms.add((axis.id, term))
        return term

    def judged(self, op: str, verdict: str) -> Test:
        require_known(verdict, VERDICTS, "verdict")
        if op not in {"=", "!="}:
            raise UsageError(f"{JUDGED}{op} is not valid; compare verdicts with = or !=")
        terms = (term for axis in self.taxonomy.axes for term in axis.terms)
        keys = {entry.key for term in terms for entry in term.judged if entry.verdict == verdict}
        return lambda record: not keys.isdisjoint((record.key, *record.aliases))

    def on_field(self, field: RecordField, op: str, text: str) -> Test:
        match field.kind:
            case "number":
                return _compared(field.query_name, op, text, field.get)
            case "date":
                form = "a date like 2025-01-31"
                return _compared(field.query_name, op, text, field.get, date.fromisoformat, form)
            case "grade":
                return self.grade(field, op, text)
            case "flag":
                if text not in {"yes", "no"}:
                    raise UsageError(f"{field.query_name}: expected yes or no, got {text!r}")
                return lambda record: (True in field.get(record)) is (text == "yes")
            case "word" if text != UNCODED:
                known = [entry.id for entry in getattr(self.taxonomy, field.words)]
                require_known(text, [*known, NA], field.query_name)
        return _text(field, op, text)

    def grade(self, field: RecordField, op: str, text: str) -> Test:
        rank = self.taxonomy.grade_rank
        if op not in {"=", "!="}:
            raise UsageError(f"{field.query_name}{op} is not valid; write {field.query_name}=GRADE")
        if text in {"yes", "no"}:
            return lambda record: bool(field.get(record)) is (text == "yes")
        require_known(text, rank, "grade", hint=f"yes, no, or {listed(rank)}")
        return lambda record: any(rank.get(str(grade), -1) >= rank[text] for grade in field.get(record))


def _tags(record: AnyRecord) -> Mapping[str, tuple[Tag, ...]]:
    # An object's own class is recognized much faster than the base class of a model.
    return record.tags if isinstance(record, Paper) or isinstance(record, Work) else {}  # noqa: SIM101


def not_coded(axis: Axis, taxonomy: Taxonomy) -> Test:
    """Return a test for works that are not coded yet on an axis (see `Axis.silence`)."""
    axis_id = axis.id
    needed = _may_need(axis, taxonomy) if axis.silence is None else None

    def test(record: AnyRecord) -> bool:
        if _tags(record).get(axis_id) or not isinstance(record, Work):
            return False
        return axis_id in record.not_coded or (needed is not None and needed(record))

    return test


def untagged(axis: Axis, taxonomy: Taxonomy, work: AnyWork) -> str:
    """Return the meaning of a work without terms on an axis: `not coded yet`, `none`, or `does not apply`."""
    if not_coded(axis, taxonomy)(work) or not (work.tags or isinstance(work, Paper)):
        return "not coded yet"
    if axis.silence == LISTED:
        return "none listed"
    applies = axis.silence is not None and parse(axis.required_for or "*", taxonomy).matches(work)
    return "none" if applies else "does not apply"


def _may_need(axis: Axis, taxonomy: Taxonomy) -> Test:
    """Return a test for papers that match `required_for` of an axis, or could match once they are coded."""
    query, memo = axis.required_for or "*", ("may need", axis.id)
    if memo not in taxonomy.memo:
        taxonomy.memo[memo] = parse(query, taxonomy).matches  # for axes whose queries refer to each other
        taxonomy.memo[memo] = parse(query, taxonomy, silent=True).matches
    return cast("Test", taxonomy.memo[memo])


def unlisted(axis: Axis) -> Test:
    """Return a test for works that may have terms on an axis which were not listed; on a listing of many terms, all."""
    axis_id, many = axis.id, axis.kind == "many"
    return lambda record: isinstance(record, Work) and (many or not record.tags.get(axis_id))


def _role(value: str) -> tuple[str, str | None]:
    """Split a role from a value: `press:part` gives `("press", "part")`, `press` gives `("press", None)`."""
    word, _, role = value.rpartition(":")
    return (word, role) if word and role in {MAIN, PART} else (value, None)


def _any_of(op: str, tests: list[Test]) -> Test:
    """Join the tests of several values: `!=` must hold for all of them, other comparisons for one."""
    if op == "!=":
        return lambda record: not any(test(record) for test in tests)
    return tests[0] if len(tests) == 1 else lambda record: any(test(record) for test in tests)


def _measure(name: str) -> Getter:
    def get(record: AnyRecord) -> tuple[object, ...]:
        fact = record.measures.get(name) if isinstance(record, Work) else None
        return () if fact is None or fact.value is None else (fact.value,)

    return get


def _text(field: RecordField, op: str, text: str) -> Test:
    if op == "~":
        return lambda record: is_like(text, field.get(record))
    if op not in {"=", "!="}:
        raise UsageError(f"{field.query_name}{op} is not valid; compare texts with =, != or ~")
    if text == NA:
        return lambda record: not field.get(record)
    folded = text.casefold()
    return lambda record: any(str(value).casefold() == folded for value in field.get(record))


def _compared(
    name: str, op: str, text: str, get: Getter, read: Callable[[str], object] = float, form: str = "a number"
) -> Test:
    if text == NA and op in {"=", "!="}:
        return lambda record: not get(record)
    try:
        limit = read(text)
    except ValueError:
        raise UsageError(f"{name}: expected {form}, got {text!r}") from None
    if op == "~":
        raise UsageError(f"{name}~ is not valid; use = != < <= > or >=")
    compare = COMPARE["=" if op == "!=" else op]
    return lambda record: any(compare(value, limit) for value in get(record))


def without_strengths(axis: Axis) -> str | None:
    """Return the hint for a strength on an axis without strengths; None for other axes."""
    return None if axis.rank else f"write the term alone; axis {axis.id!r} has no 'strengths' in taxonomy.yaml yet"


R = TypeVar("R", bound=AnyRecord)
EVERY = frozenset(["all", "any", "every", "everything", "true", "yes"])
"""Words that people write for the query `*`."""
HELP = "see 'awesome explain query'"
TOKEN = re.compile(
    r"\s*(?:(?P<paren>[()])|(?P<exact>:=)|(?P<op><=|>=|!=|=|<|>|~)|(?P<comma>,)"
    r"|\"(?P<text>(?:[^\"\\]|\\.)*)\"|(?P<word>(?:[^\s()<>!=~\",:]|:(?!=))+))"
)


@dataclass(frozen=True, eq=False)
class Query:
    """A parsed query. Parsing a text twice with one taxonomy gives the same object."""

    text: str
    matches: Test
    names: frozenset[str] = frozenset()
    """The axes, fields and measures in the query."""
    terms: frozenset[tuple[str, str]] = frozenset()
    """`(axis, term)` of the terms in the query."""
    axes: tuple[str, ...] = ()
    """The axes of the query, in the order of the taxonomy."""
    wider: str | None = None
    """The query with `~` in place of each `=` that compares a text; None without such comparisons."""

    def select(self, records: Sequence[R]) -> tuple[R, ...]:
        """Return the matching records, in order."""
        return tuple(filter(self.matches, records))

    @property
    def reads_axes_alone(self) -> bool:
        """True if the matches depend on nothing but the terms of a record on the `axes`."""
        return self.names <= {*self.axes}

    def means_the_same(self, here: Taxonomy, there: Taxonomy) -> bool:
        """True if the query, parsed with `here`, surely has the same matches when parsed with `there`."""
        # A bare term could be one of other axes there, and grades and verdicts could be others.
        same = (there.by_id.get(axis) is here.by_id[axis] for axis in self.axes)
        return here is there or (self.names == frozenset(self.axes) and all(same))

    def depends_on_silence(self, taxonomy: Taxonomy, uncoded: Collection[str]) -> bool:
        """True if missing codings could change the matches, when papers are not coded yet on the `uncoded` axes."""
        listed = any(taxonomy.by_id[axis].silence == LISTED for axis in self.axes)
        return listed or (bool(uncoded) and not {*uncoded, *OF_CODINGS}.isdisjoint((*self.names, *self.axes)))


def parse(text: str, taxonomy: Taxonomy, *, silent: bool | None = None) -> Query:
    """Parse a query; raise `UsageError` with the place of the error and the nearest axis or term.

    `silent` is the answer for papers that are not coded on an axis of the query, or of which only some terms are
    listed: with True the query has all papers that could match it, with False those that match it whatever their
    missing codings are. By default, such papers have no term.
    """
    memo = ("query", text, silent)
    if memo in taxonomy.memo:  # parsing takes longer than matching
        return cast("Query", taxonomy.memo[memo])
    try:
        parser = _Parser(text, taxonomy, silent=silent)
        test = parser.whole()
    except UsageError as error:
        raise UsageError(f"query: {error.message}", hint=error.hint or HELP) from None
    names, terms = frozenset(parser.compared), frozenset(parser.names.terms)
    axes = tuple(axis for axis in taxonomy.by_id if axis in names or any(axis == of for of, _ in terms))
    query = Query(text, test, names, terms, axes, parser.wider() if parser.whole_texts else None)
    return cast("Query", taxonomy.memo.setdefault(memo, query))


class _Parser(Logic[Test]):
    """A parser whose methods return tests of records."""

    def __init__(self, text: str, taxonomy: Taxonomy, *, silent: bool | None) -> None:
        super().__init__(text, TOKEN)
        self.compared: set[str] = set()
        self.whole_texts: list[int] = []
        self.names = Criteria(taxonomy, silent=silent)

    def whole(self) -> Test:
        if not self.tokens:
            raise UsageError("must not be empty; '*' matches every record")
        return super().whole()

    def any_of(self, parts: list[Test]) -> Test:
        return lambda record: any(test(record) for test in parts)

    def all_of(self, parts: list[Test]) -> Test:
        return lambda record: all(test(record) for test in parts)

    def none_of(self, part: Test) -> Test:
        return lambda record: not part(record)

    def negated(self) -> Test:
        if (silent := self.names.silent) is None or not self.follows("word", "NOT"):
            return super().negated()
        self.names.silent = not silent
        part = self.inside(self.negated)
        self.names.silent = silent
        return self.none_of(part)

    def single(self, token: Token) -> Test:
        if token.kind == "text":
            self.compared.add("text")
            return lambda record: is_like(token.text, FIELDS["text"].get(record))
        if token.kind != "word":
            raise self.error("unexpected", token)
        if token.text == "*":
            return lambda _record: True
        following = self.peek()
        if following is not None and following.kind == "op":
            self.next += 1
            self.compared.add(token.text)
            values = self.values()
            if following.text == "=" and token.text in TEXTS and (NA, None) not in values:
                self.whole_texts.append(following.at - 1)
            return self.names.comparison(token.text, following.text, values)
        return self.names.bare(token.text, self.strength())

    def wider(self) -> str:
        return "".join("~" if at in self.whole_texts else sign for at, sign in enumerate(self.text))

    def values(self) -> tuple[tuple[str, str | None], ...]:
        """Parse the values of a comparison, as `(value, exact strength or None)`; at least one."""
        values: list[tuple[str, str | None]] = []
        while True:
            token = self.take()
            if token.kind not in {"word", "text"}:
                raise self.error("missing value before", token)
            values.append((token.text, self.strength()))
            if not self.follows("comma", ","):
                return tuple(values)

    def strength(self) -> str | None:
        return self.take().text if self.follows("exact", ":=") else None
