"""Does a binding hide what a reader would take the name for?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.checks.around import NamesOfFile
from dramaturg.analysis.environment import Environment
from dramaturg.language.expand import core
from dramaturg.language.expand.walk import SCOPE_MAKERS, scopes
from dramaturg.language.names import TOOLS
from dramaturg.language.problem import Problem
from dramaturg.language.rule import Rule
from dramaturg.language.table import PRIMITIVE_TABLE, SPECIAL_FORMS

RULE = Rule(
    "hides-name",
    "warning",
    "A local that hides a special form, or a top-level name that hides a primitive, a task or a tool.",
    "Whoever reads the name expects the other meaning.",
    "(define ‸first‸ 1)",
)
EXPRESSIONS = SCOPE_MAKERS


def check_expression(node: core.Expression, names: NamesOfFile) -> Iterator[Problem]:
    """Locals that hide a special form, a named let's own name excepted."""
    for scope in scopes(node):
        for binding in scope.bindings:
            if binding.kind != "loop" and binding.name in SPECIAL_FORMS:
                message = f"`{binding.name}` hides the special form of that name"
                yield Problem(RULE.code, binding.datum.span, message)


def check_workflow(environment: Environment) -> Iterator[Problem]:
    """Top-level names that hide a primitive, a task or a tool."""
    names = environment.document.names
    outside = (PRIMITIVE_TABLE, TOOLS, environment.snapshot.tasks)
    # Of a file that hides nothing its definitions are not gone through, at each edit.
    suspects = any(name in names for table in outside for name in table) or "defatom" in environment.document.text
    for form, item in environment.document.definitions if suspects else ():
        if item.kind == "test":
            continue
        hidden = ""
        if item.kind == "task":
            hidden = "task of a template file" if item.name in environment.snapshot.tasks else ""
        elif item.name in PRIMITIVE_TABLE:
            hidden = "primitive"
        elif environment.task_named(item.name) is not None:
            hidden = "tool" if item.name in TOOLS else "task"
        if hidden:
            message = f"`{item.name}` hides the {hidden} of that name"
            yield Problem(RULE.code, item.span.shift(form.start), message)
