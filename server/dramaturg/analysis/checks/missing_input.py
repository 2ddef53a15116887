"""Does a call give a task the inputs that it needs?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.checks.around import NamesOfFile
from dramaturg.language.expand import core
from dramaturg.language.problem import Problem
from dramaturg.language.rule import Rule

RULE = Rule(
    "missing-input",
    "error",
    "A task call without an input that the task needs.",
    "The prompt would lack it.",
    "(‸system:get_context‸)",
)
EXPRESSIONS = (core.TaskCall,)


def check_expression(node: core.Expression, names: NamesOfFile) -> Iterator[Problem]:
    """Required inputs that the call leaves out; one that is being written counts as given."""
    if not isinstance(node, core.TaskCall) or node.meaning is None or node.meaning.task is None:
        return
    written = {item.head for item in node.datum.items[1:]} | {item.name for item in node.inputs}
    missing = [item.name for item in node.meaning.task.inputs if item.required and item.name not in written]
    if missing:
        listed = ", ".join(f"`{name}`" for name in missing)
        message = f"`{node.name}` needs the input{'s' if len(missing) > 1 else ''} {listed}"
        yield Problem(RULE.code, node.name_datum.span, message, data=(("missing", " ".join(missing)),))
