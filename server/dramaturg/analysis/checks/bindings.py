"""Is every local binding used, and does none hide what a reader would take the name for?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.checks.names import NamesOfFile
from dramaturg.language.expand import core
from dramaturg.language.expand.walk import scopes
from dramaturg.language.problem import Problem
from dramaturg.language.table import SPECIAL_FORMS

_WATCHED = frozenset(("let", "step", "define"))


def check_unused(node: core.Expression, names: NamesOfFile) -> Iterator[Problem]:
    """`unused-binding`: let, step and inner define bindings; a last step's value is the form's."""
    for scope in scopes(node):
        last = node.steps[-1].binding if isinstance(node, core.Sequential) and node.steps else None
        for binding in scope.bindings:
            if binding.kind not in _WATCHED or binding.references or binding.assigned or binding is last:
                continue
            if not binding.name.startswith("_"):
                yield Problem("unused-binding", binding.datum.span, f"`{binding.name}` is never used")


def check_hidden(node: core.Expression, names: NamesOfFile) -> Iterator[Problem]:
    """`hides-name`: locals that hide a special form, a named let's own name excepted."""
    for scope in scopes(node):
        for binding in scope.bindings:
            if binding.kind != "loop" and binding.name in SPECIAL_FORMS:
                message = f"`{binding.name}` hides the special form of that name"
                yield Problem("hides-name", binding.datum.span, message)
