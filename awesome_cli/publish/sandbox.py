"""A sandbox for untrusted templates: limits on attributes, time and output size.

Jinja's sandbox blocks names with an underscore and methods that change a value. This sandbox also restricts attributes
to types of the tool and of Python. It charges each text and list to a budget before building it: an iteration or a
macro call costs its literal text, `"ab" * 9` its length, a filter its largest possible output.
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
"""The cost of an iteration in characters, in addition to its literal text."""
COUNT, MADE = "count a step", "count what was made"
"""Internal filters; their names contain blanks, so that templates cannot use them."""
BODIES = (nodes.Template, nodes.Block, nodes.Macro, nodes.CallBlock, nodes.FilterBlock, nodes.For)
LISTS = (nodes.List, nodes.Tuple, nodes.Dict)
CHARACTERS = 400_000_000
"""Maximum output of a template in characters; a list item counts as 8 (`ITEM`), an iteration as 10 (`STEP`)."""
SECONDS = 60
"""Maximum run time of a template."""
BITS = 10_000
"""Maximum length of an integer."""
ITEM = 8
# Packages of types whose attributes a template may use; pydantic's, for example, read files and unpickle.
HOMES = {"awesome_cli", "builtins", "collections", "datetime", "enum", "functools", "jinja2", "markupsafe", "types"}
FORBIDDEN = {"encode", "decode", "to_bytes", "from_bytes", "tofile"}
PLAIN = (str, int, float, dict, list, tuple, set, frozenset)


class LimitError(TemplateRuntimeError):
    """Raised if a template exceeds the limit of its run time or output size."""


class Sandbox(ImmutableSandboxedEnvironment):
    """A Jinja environment for untrusted templates; call `begin` before each template."""

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
        """Reset the budget and the timer."""
        self._left, self._ends = CHARACTERS, time.monotonic() + SECONDS

    def charge(self, n: int) -> None:
        """Deduct `n` characters from the budget; raises `LimitError` if the budget or the time is exceeded."""
        self._left -= n
        if self._left < 0:
            raise LimitError(f"the template produces more than {CHARACTERS:,} characters")
        if time.monotonic() > self._ends:
            raise LimitError(f"the template takes longer than {SECONDS} seconds")

    @pass_context  # without it the compiler would call it once and keep the answer
    def step(self, _context: Context, n: int) -> bool:
        """Charge an iteration."""
        self.charge(n)
        return True

    def made(self, value: Any) -> Any:
        """Charge the nested size of a list or dictionary literal, since repeated references can multiply its size."""
        self.charge(self.size(value))
        return value

    def size(self, value: Any, *, numbers: bool = False) -> int:
        """Estimate the length of a value's text, up to the budget. With `numbers`, count an integer as that length."""
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
        """Return the larger of a format string's length and the largest number in it: 500 for `%500d`."""
        return max(len(form), *(int(n) for n in re.findall(r"\d{1,12}", form)), 1) if isinstance(form, str) else 1

    def shown(self, value: object) -> str:
        """Convert a value to text and charge its length."""
        text = value if isinstance(value, str) else str(value)
        self.charge(len(text))
        return text

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Allow attributes that a type from `HOMES` defines; forbid attributes of classes, functions and modules."""
        known = type(obj), attr
        if known not in self._safe:
            hidden = isinstance(obj, type | types.ModuleType | types.FunctionType) or attr in FORBIDDEN
            self._safe[known] = not hidden and super().is_safe_attribute(obj, attr, value) and _is_at_home(*known)
        return self._safe[known]

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Charge an operator whose result can be much larger than its operands."""
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
        """Charge a method call on a text with the product of the sizes of its arguments."""
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
    """Insert charges into the syntax tree of a template: `COUNT` at each iteration, `MADE` around each list."""

    def visit(self, node: nodes.Node, *args: Any, **kwargs: Any) -> Any:
        node = self.generic_visit(node, *args, **kwargs)
        if isinstance(node, BODIES):
            step = nodes.Const(STEP + _literal(node), lineno=node.lineno)
            node.body.insert(0, nodes.ExprStmt(_filter(step, COUNT), lineno=node.lineno))
            if isinstance(node, nodes.For) and node.test is not None:
                step = nodes.Const(STEP, lineno=node.lineno)
                node.test = nodes.And(_filter(step, COUNT), node.test, lineno=node.lineno)
        elif isinstance(node, nodes.Concat):
            # `a ~ b` is `[a, b] | join`, and that filter is charged for its output.
            return _filter(nodes.List(node.nodes, lineno=node.lineno), "join")
        elif isinstance(node, LISTS) and getattr(node, "ctx", "load") == "load":
            return _filter(node, MADE)
        return node


def _literal(node: nodes.Node) -> int:
    """Return the number of literal characters in a body, without nested bodies."""
    children = (child for child in node.iter_child_nodes() if not isinstance(child, BODIES))
    return sum(len(child.data) if isinstance(child, nodes.TemplateData) else _literal(child) for child in children)


def _filter(value: nodes.Expr, name: str) -> nodes.Filter:
    return nodes.Filter(value, name, [], [], None, None, lineno=value.lineno)


class _Namespace(Namespace):
    """A namespace whose text is constant, since namespaces can refer to each other."""

    def __repr__(self) -> str:
        return "<namespace>"


PRODUCTS = "batch center format indent join pprint replace slice sum tojson wordwrap xmlattr"
COSTS: dict[str, Callable[[int, int], int]] = {
    **dict.fromkeys(PRODUCTS.split(), mul),
    # These scan their text again for each tag in it; short texts cost little.
    **dict.fromkeys(("striptags", "urlize"), lambda value, rest: value * value // 1000 * rest),
    "round": lambda _, rest: rest * rest,
}
"""Costs of filters whose output can exceed their input, by the sizes of the value and of the other arguments."""


def _charged(sandbox: Sandbox, function: Callable[..., Any], cost: Callable[[int, int], int]) -> Callable[..., Any]:
    skip = int(hasattr(function, "jinja_pass_arg"))

    @wraps(function)
    def charged(*args: Any, **kwargs: Any) -> Any:
        value, arguments = args[skip], (*args[skip + 1 :], *kwargs.values())
        if not isinstance(value, PLAIN):
            # The size of an iterator is only known once it is consumed.
            value = list(value) if isinstance(value, Iterable) else value
            args = (*args[:skip], value, *args[skip + 1 :])
        size = max(sandbox.widest(value) if function.__name__ == "do_format" else 1, sandbox.size(value))
        sandbox.charge(STEP + cost(size, prod(sandbox.size(argument, numbers=True) for argument in arguments)))
        return function(*args, **kwargs)

    return charged


def _is_at_home(kind: type, attr: str) -> bool:
    """True if an attribute belongs to the instance or to a class from `HOMES`."""
    owner = next((ancestor for ancestor in kind.__mro__ if attr in vars(ancestor)), None)
    return owner is None or owner.__module__.partition(".")[0] in HOMES
