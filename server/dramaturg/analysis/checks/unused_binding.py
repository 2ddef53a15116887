"""Is every local binding used?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.checks.around import NamesOfFile
from dramaturg.language.expand import core
from dramaturg.language.expand.walk import SCOPE_MAKERS, scopes
from dramaturg.language.problem import Problem
from dramaturg.language.rule import Rule

RULE = Rule(
    "unused-binding",
    "warning",
    "A let, step or inner define that nothing uses.",
    "It is left over, or its use is misspelt.",
    "(let ((‸x‸ 1)) 2)",
    tag="unnecessary",
)
EXPRESSIONS = SCOPE_MAKERS

_WATCHED = frozenset(("let", "step", "define"))


def check_expression(node: core.Expression, names: NamesOfFile) -> Iterator[Problem]:
    """Bindings without a use; a last step's value is the form's, and `_` at the front says that it is meant."""
    last = node.steps[-1].binding if isinstance(node, core.Sequential) and node.steps else None
    for scope in scopes(node):
        for binding in scope.bindings:
            if binding.kind not in _WATCHED or binding.references or binding.assigned or binding is last:
                continue
            if scope.names.get(binding.name) is not binding:
                continue  # Bound twice in one list, which is reported as that.
            if not binding.name.startswith("_"):
                yield Problem(RULE.code, binding.datum.span, f"`{binding.name}` is never used")
