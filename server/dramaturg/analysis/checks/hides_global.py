"""Does a local hide a primitive, a task or a tool? Most do so on purpose: off unless asked for."""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.checks.around import NamesOfFile
from dramaturg.language.expand import core
from dramaturg.language.expand.walk import SCOPE_MAKERS, scopes
from dramaturg.language.names import TOOLS
from dramaturg.language.problem import Problem
from dramaturg.language.rule import Rule
from dramaturg.language.table import PRIMITIVE_TABLE

RULE = Rule(
    "hides-global",
    "off",
    "A local that hides a primitive, a task or a tool.",
    "Inside its scope the other meaning cannot be reached. Many such names are meant, so this is a hint to switch on.",
    "(lambda (‸list‸) list)",
)
EXPRESSIONS = SCOPE_MAKERS


def check_expression(node: core.Expression, names: NamesOfFile) -> Iterator[Problem]:
    """Every local of a name that has another meaning outside."""
    for scope in scopes(node):
        for binding in scope.bindings:
            hidden = "primitive" if binding.name in PRIMITIVE_TABLE else ""
            if not hidden and names.task_named(binding.name) is not None:
                hidden = "tool" if binding.name in TOOLS else "task"
            if hidden:
                yield Problem(RULE.code, binding.datum.span, f"`{binding.name}` hides the {hidden} of that name")
