"""Is every task that is called known?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.checks.around import NamesOfFile
from dramaturg.language.expand import core
from dramaturg.language.nearest import did_you_mean, nearest
from dramaturg.language.problem import Problem
from dramaturg.language.rule import Rule

RULE = Rule(
    "unknown-task",
    "error",
    "A call of a task or a tool that does not exist.",
    "A run would stop at the call.",
    '(‸sumarize‸ (text "..."))',
)
EXPRESSIONS = (core.TaskCall,)


def check_expression(node: core.Expression, names: NamesOfFile) -> Iterator[Problem]:
    """Calls by a name that no task, tool or function has."""
    if not isinstance(node, core.TaskCall) or node.computed is not None or node.meaning is not None:
        return
    known = names.task_names()
    near = nearest(node.name, known, 1)
    hint = did_you_mean(node.name, known) or did_you_mean(node.name, names.known_names())
    message = f"no task or tool is named `{node.name}`{hint}"
    yield Problem(RULE.code, node.name_datum.span, message, data=(("replacement", near[0]),) if near else ())
