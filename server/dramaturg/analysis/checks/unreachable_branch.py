"""Can every branch be taken?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.checks.around import NamesOfFile
from dramaturg.language.expand import core
from dramaturg.language.problem import Problem
from dramaturg.language.rule import Rule
from dramaturg.text import Span

RULE = Rule(
    "unreachable-branch",
    "warning",
    "A branch that is never taken.",
    "The test is a constant.",
    "(if true 1 ‸2‸)",
    tag="unnecessary",
)
EXPRESSIONS = (core.If,)


def check_expression(node: core.Expression, names: NamesOfFile) -> Iterator[Problem]:
    """Branches behind a test that is written `true`, `false` or `nil`."""
    if not isinstance(node, core.If) or not isinstance(node.test, core.Literal_):
        return
    test = node.test.datum
    dead = node.otherwise if test.value else node.then
    if test.kind in ("boolean", "nil") and dead is not None and _is_written(dead):
        word = "true" if test.value else "false"
        yield Problem(RULE.code, _span_of(dead), f"this branch is never taken: the test is always {word}")


def _is_written(node: core.Expression) -> bool:
    return node.datum.end > node.datum.start and not (isinstance(node, core.Sequence) and not node.items)


def _span_of(node: core.Expression) -> Span:
    if isinstance(node, core.Sequence) and node.items:
        return Span(node.items[0].datum.start, node.items[-1].datum.end)
    return node.datum.span
