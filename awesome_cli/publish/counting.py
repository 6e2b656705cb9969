"""Puts calls that count into the tree of a template: each round of a loop, each call of a macro, each list it makes."""

from typing import Any

from jinja2 import nodes
from jinja2.visitor import NodeTransformer

STEP = 10
"""What a round of a loop costs, besides its literal text."""
COUNT, MADE = "count a step", "count what was made"
"""Names of filters, of which no template can write the names."""
BODIES = (nodes.Template, nodes.Block, nodes.Macro, nodes.CallBlock, nodes.FilterBlock, nodes.For)
LISTS = (nodes.List, nodes.Tuple, nodes.Dict)


def counted(tree: nodes.Template) -> nodes.Template:
    """The tree, changed in place: `COUNT` is called with the cost of a step, `MADE` is given each list."""
    _Counting().visit(tree)
    return tree


class _Counting(NodeTransformer):
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
