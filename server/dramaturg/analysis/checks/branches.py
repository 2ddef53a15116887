"""Can every branch be taken?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.checks.names import NamesOfFile
from dramaturg.language.expand import core
from dramaturg.language.problem import Problem
from dramaturg.syntax.datum import Datum, write
from dramaturg.text import Span


def check_branches(node: core.Expression, names: NamesOfFile) -> Iterator[Problem]:
    """`unreachable-branch` where a test is true, false or nil; `constant-test` where it is a number or a string."""
    if not isinstance(node, core.If) or not isinstance(node.test, core.Literal_):
        return
    test = node.test.datum
    if test.kind in ("boolean", "nil"):
        dead = node.otherwise if test.value else node.then
        if dead is not None and _is_written(dead):
            word = "true" if test.value else "false"
            yield Problem(
                "unreachable-branch", _span_of(dead), f"this branch is never taken: the test is always {word}"
            )
    elif test.kind in ("number", "string"):
        word = "true" if test.value else "false, as 0 and the empty string are"
        yield Problem("constant-test", test.span, f"the test `{write(test)[:40]}` is always {word}")


def _is_written(node: core.Expression) -> bool:
    return node.datum.end > node.datum.start and not (isinstance(node, core.Sequence) and not node.items)


def _span_of(node: core.Expression) -> Span:
    datum: Datum = node.datum
    if isinstance(node, core.Sequence) and node.items:
        return Span(node.items[0].datum.start, node.items[-1].datum.end)
    return datum.span
