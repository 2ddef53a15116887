"""What is wrong with a program, found without running it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dramaturg.analysis.checks import bindings, branches, calls, names, tasks
from dramaturg.language.expand import core
from dramaturg.language.problem import Problem

#: Asked about every expression of a form: the expression, and the names around the form.
EXPRESSION_CHECKS: tuple[Callable[[core.Expression, names.NamesOfFile], Iterator[Problem]], ...] = (
    names.check_reference,
    names.check_unknown_task,
    calls.check_arity,
    calls.check_literal_types,
    tasks.check_inputs,
    bindings.check_unused,
    bindings.check_hidden,
    branches.check_branches,
)
