"""Do calls have as many arguments as what they call takes?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.checks.around import NamesOfFile
from dramaturg.language.expand import core
from dramaturg.language.problem import Problem
from dramaturg.language.rule import Rule
from dramaturg.language.signature import range_words

RULE = Rule(
    "arity", "error", "A number of arguments that does not fit.", "A run would stop at the call.", "(‸first‸ 1 2)"
)
EXPRESSIONS = (core.Call,)


def check_expression(node: core.Expression, names: NamesOfFile) -> Iterator[Problem]:
    """Calls of primitives, of top-level functions, and of functions bound by a name that nothing changes."""
    if not isinstance(node, core.Call):
        return
    operator, count = node.operator, len(node.arguments)
    name, expected = node.datum.head, ""
    if isinstance(operator, core.GlobalReference) and operator.meaning is not None:
        construct, arity = operator.meaning.construct, operator.meaning.arity
        if construct is not None and operator.meaning.kind == "primitive" and not construct.accepts(count):
            expected = construct.expected
        elif arity is not None:
            expected = _expected(arity, count)
    elif isinstance(operator, core.LocalReference):
        value = operator.binding.value
        if isinstance(value, core.Lambda) and not operator.binding.assigned:
            expected = _expected(value.arity, count)
    elif isinstance(operator, core.Lambda):
        expected, name = _expected(operator.arity, count), "lambda"
    if expected:
        yield Problem(RULE.code, node.datum.items[0].span, f"`{name}`: expected {expected}, found {count}")


def _expected(arity: tuple[int, int | None], count: int) -> str:
    """The arguments in words where `count` does not fit, else nothing."""
    low, high = arity
    return range_words(low, high) if count < low or (high is not None and count > high) else ""
