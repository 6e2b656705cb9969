"""Templates as data of a stranger: what they may reach, how long they may take, how much they may make.

Jinja's sandbox keeps names with an underscore and whatever changes a value away from them. Here they also reach only
values of the tool and of the language, and each text and each list is charged to an account before it is made: a round
of a loop and a call of a macro by its literal text, `"ab" * 9` by its length, a filter by what it could make.
"""

import re
import time
import types
from collections.abc import Callable, Iterable
from functools import wraps
from math import prod
from operator import mul
from typing import Any

from jinja2 import TemplateRuntimeError, nodes, pass_context
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace
from jinja2.visitor import NodeTransformer

STEP = 10
"""The cost of a round of a loop, besides its literal text."""
COUNT, MADE = "count a step", "count what was made"
"""Names of filters, of which no template can write the names."""
BODIES = (nodes.Template, nodes.Block, nodes.Macro, nodes.CallBlock, nodes.FilterBlock, nodes.For)
LISTS = (nodes.List, nodes.Tuple, nodes.Dict)
CHARACTERS = 400_000_000
"""The most characters that one template may make; a list's item counts as eight of them, a round of a loop as ten."""
SECONDS = 60
"""How long one template may take."""
BITS = 10_000
"""How long a number may become."""
ITEM = 8
# The homes of the types whose attributes a template may use: pydantic's, say, read files and unpickle.
HOMES = {"awesome_cli", "builtins", "collections", "datetime", "enum", "functools", "jinja2", "markupsafe", "types"}
FORBIDDEN = {"encode", "decode", "to_bytes", "from_bytes", "tofile"}
PLAIN = (str, int, float, dict, list, tuple, set, frozenset)


class LimitError(TemplateRuntimeError):
    """A template takes too long, or makes too much."""


class Sandbox(ImmutableSandboxedEnvironment):
    """An environment for templates that nobody read before; `begin` opens the account of the next one."""

    intercepted_binops = frozenset({"*", "**", "+", "%"})

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.filters |= {name: _charged(self, self.filters[name], cost) for name, cost in COSTS.items()}
        self.filters |= {COUNT: self.step, MADE: self.made}
        self.globals["namespace"] = _Namespace
        del self.globals["lipsum"]
        self._safe: dict[tuple[type, str], bool] = {}
        self.begin()

    def begin(self) -> None:
        """Open a new account."""
        self._left, self._ends = CHARACTERS, time.monotonic() + SECONDS

    def charge(self, n: int) -> None:
        """Take what is about to be made from the account; raises `LimitError` if it is empty."""
        self._left -= n
        if self._left < 0:
            raise LimitError(f"the template produces more than {CHARACTERS:,} characters")
        if time.monotonic() > self._ends:
            raise LimitError(f"the template takes longer than {SECONDS} seconds")

    @pass_context  # without it the compiler would call it once and keep the answer
    def step(self, _context: Context, n: int) -> bool:
        """Charge a step of a loop."""
        self.charge(n)
        return True

    def made(self, value: Any) -> Any:
        """A list or a dictionary that a template wrote; a few that hold each other can stand for one of any size."""
        self.charge(self.size(value))
        return value

    def size(self, value: Any, *, numbers: bool = False) -> int:
        """About the characters of a value's text, or anything more than is left; with `numbers`, as widths."""
        total, waiting = 1, [value]
        while waiting and total <= self._left:
            part = waiting.pop()
            if isinstance(part, str):
                total += len(part)
            elif isinstance(part, int) and numbers:
                total += abs(part)
            elif isinstance(part, list | tuple | set | frozenset | dict):
                total += ITEM * (1 + len(part))
                waiting += [*part, *part.values()] if isinstance(part, dict) else part
        return total

    def widest(self, form: Any) -> int:
        """The length of a format, or the largest width in it."""
        return max(len(form), *(int(n) for n in re.findall(r"\d{1,12}", form)), 1) if isinstance(form, str) else 1

    def shown(self, value: object) -> str:
        """The text of a value."""
        text = value if isinstance(value, str) else str(value)
        self.charge(len(text))
        return text

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """No attribute of a class, a function or a module, none that comes from another home."""
        known = type(obj), attr
        if known not in self._safe:
            hidden = isinstance(obj, type | types.ModuleType | types.FunctionType) or attr in FORBIDDEN
            self._safe[known] = not hidden and super().is_safe_attribute(obj, attr, value) and _is_at_home(*known)
        return self._safe[known]

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """The operators that make texts, lists and numbers of any size."""
        if isinstance(left, int) and isinstance(right, int):
            bits = left.bit_length() * max(right, 1) if operator == "**" else left.bit_length() + right.bit_length()
            if bits > BITS:
                raise LimitError(f"a number is longer than {BITS} bits")
        elif operator == "%":
            self.charge(self.widest(left) * self.size(right, numbers=True))
        elif operator == "*":
            self.charge(self.size(left, numbers=True) * self.size(right, numbers=True))
        elif operator == "+":
            self.charge(self.size(left) + self.size(right))
        return super().call_binop(context, operator, left, right)

    def call(self, context: Context, obj: Any, /, *args: Any, **kwargs: Any) -> Any:
        """A method of a text can make as much as the product of what it is given."""
        receiver = getattr(getattr(obj, "__wrapped__", obj), "__self__", None)
        cost = STEP
        if isinstance(receiver, str) or isinstance(obj, type):
            sizes = [self.size(argument, numbers=True) for argument in (*args, *kwargs.values())]
            cost += self.widest(receiver) * prod(sizes)
        self.charge(cost)
        return super().call(context, obj, *args, **kwargs)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        _Counting().visit(tree)
        tree.set_environment(self)
        return tree


class _Counting(NodeTransformer):
    """Puts calls into the tree of a template: `COUNT` is given the cost of a step, `MADE` each list."""

    def visit(self, node: nodes.Node, *args: Any, **kwargs: Any) -> Any:
        node = self.generic_visit(node, *args, **kwargs)
        if isinstance(node, BODIES):
            step = nodes.Const(STEP + _literal(node), lineno=node.lineno)
            node.body.insert(0, nodes.ExprStmt(_filter(step, COUNT), lineno=node.lineno))
            if isinstance(node, nodes.For) and node.test is not None:
                step = nodes.Const(STEP, lineno=node.lineno)
                node.test = nodes.And(_filter(step, COUNT), node.test, lineno=node.lineno)
        elif isinstance(node, nodes.Concat):
            # `a ~ b` is `[a, b] | join`, and that filter is charged for what it makes.
            return _filter(nodes.List(node.nodes, lineno=node.lineno), "join")
        elif isinstance(node, LISTS) and getattr(node, "ctx", "load") == "load":
            return _filter(node, MADE)
        return node


def _literal(node: nodes.Node) -> int:
    """The characters that stand in a body, without those of the bodies in it."""
    children = (child for child in node.iter_child_nodes() if not isinstance(child, BODIES))
    return sum(len(child.data) if isinstance(child, nodes.TemplateData) else _literal(child) for child in children)


def _filter(value: nodes.Expr, name: str) -> nodes.Filter:
    return nodes.Filter(value, name, [], [], None, None, lineno=value.lineno)


class _Namespace(Namespace):
    """A namespace whose text does not hold what is in it: namespaces may hold each other."""

    def __repr__(self) -> str:
        return "<namespace>"


PRODUCTS = "batch center format indent join pprint replace slice sum tojson wordwrap xmlattr"
COSTS: dict[str, Callable[[int, int], int]] = {
    **dict.fromkeys(PRODUCTS.split(), mul),
    # These go through their text again for each mark in it; short texts cost little.
    **dict.fromkeys(("striptags", "urlize"), lambda value, rest: value * value // 1000 * rest),
    "round": lambda _, rest: rest * rest,
}
"""Filters that can make more than they are given: what a call costs, by the size of the value and of the rest."""


def _charged(sandbox: Sandbox, function: Callable[..., Any], cost: Callable[[int, int], int]) -> Callable[..., Any]:
    skip = int(hasattr(function, "jinja_pass_arg"))

    @wraps(function)
    def charged(*args: Any, **kwargs: Any) -> Any:
        value, arguments = args[skip], (*args[skip + 1 :], *kwargs.values())
        if not isinstance(value, PLAIN):
            # What an iterator holds is known when it has been gone through.
            value = list(value) if isinstance(value, Iterable) else value
            args = (*args[:skip], value, *args[skip + 1 :])
        size = max(sandbox.widest(value) if function.__name__ == "do_format" else 1, sandbox.size(value))
        sandbox.charge(STEP + cost(size, prod(sandbox.size(argument, numbers=True) for argument in arguments)))
        return function(*args, **kwargs)

    return charged


def _is_at_home(kind: type, attr: str) -> bool:
    """True if an attribute is a value's own, or comes from a class that is the tool's or the language's."""
    owner = next((ancestor for ancestor in kind.__mro__ if attr in vars(ancestor)), None)
    return owner is None or owner.__module__.partition(".")[0] in HOMES
