"""What is wrong with a program, found without running it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dramaturg.analysis.checks import bindings, branches, calls, names, tasks
from dramaturg.language.expand import core
from dramaturg.language.problem import Problem

Check = Callable[[core.Expression, names.NamesOfFile], Iterator[Problem]]

_SCOPES: tuple[Check, ...] = (bindings.check_unused, bindings.check_hidden)

#: Which checks are asked about which kind of expression.
EXPRESSION_CHECKS: dict[type[core.Expression], tuple[Check, ...]] = {
    core.GlobalReference: (names.check_reference,),
    core.TaskCall: (names.check_unknown_task, tasks.check_inputs),
    core.Call: (calls.check_arity, calls.check_literal_types),
    core.If: (branches.check_branches,),
    core.Let: _SCOPES,
    core.NamedLet: _SCOPES,
    core.Lambda: _SCOPES,
    core.Try: _SCOPES,
    core.Sequential: _SCOPES,
    core.DefineTest: _SCOPES,
}
