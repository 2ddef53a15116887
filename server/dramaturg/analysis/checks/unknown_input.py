"""Does a task declare the inputs that a call gives it?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.checks.around import NamesOfFile
from dramaturg.language.expand import core
from dramaturg.language.names import RESERVED_INPUTS
from dramaturg.language.nearest import did_you_mean, nearest
from dramaturg.language.problem import Problem
from dramaturg.language.rule import Rule

RULE = Rule(
    "unknown-input",
    "error",
    "An input that the task does not declare.",
    "Its value would go nowhere.",
    '(system:get_context (query "x") (‸qeury‸ "x"))',
)
EXPRESSIONS = (core.TaskCall,)


def check_expression(node: core.Expression, names: NamesOfFile) -> Iterator[Problem]:
    """Inputs by a name that the task does not have, settings of every call excepted."""
    if not isinstance(node, core.TaskCall) or node.meaning is None or node.meaning.task is None:
        return
    known = [item.name for item in node.meaning.task.inputs]
    for item in node.inputs:
        if item.name not in known and item.name not in RESERVED_INPUTS:
            near = nearest(item.name, known, 1)
            message = f"`{node.name}` has no input `{item.name}`{did_you_mean(item.name, known)}"
            yield Problem(RULE.code, item.name_datum.span, message, data=(("replacement", near[0]),) if near else ())
