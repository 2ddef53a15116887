"""Does a test test anything?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.checks.around import NamesOfFile
from dramaturg.language.expand import core
from dramaturg.language.problem import Problem
from dramaturg.language.rule import Rule
from dramaturg.syntax.datum import write

RULE = Rule(
    "constant-test",
    "hint",
    "A test that is a bare number or string.",
    "0 and the empty string are false here, which surprises Lispers.",
    "(if ‸1‸ (list) (list))",
)
EXPRESSIONS = (core.If,)


def check_expression(node: core.Expression, names: NamesOfFile) -> Iterator[Problem]:
    """Tests that are literals of which one may forget whether they are true."""
    if isinstance(node, core.If) and isinstance(node.test, core.Literal_):
        test = node.test.datum
        if test.kind in ("number", "string"):
            word = "true" if test.value else "false, as 0 and the empty string are"
            yield Problem(RULE.code, test.span, f"the test `{write(test)[:40]}` is always {word}")
