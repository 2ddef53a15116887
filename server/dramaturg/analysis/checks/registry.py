"""Which checks are there? A module each: its `RULE`, and what it checks.

`check_expression(node, names)` is asked about each expression of the kinds in the
module's `EXPRESSIONS`; `check_workflow(environment)` about a workflow file;
`check_templates(document, snapshot)` about a template file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from types import ModuleType

from dramaturg.analysis.checks import (
    arity,
    constant_test,
    duplicate_task,
    hides_global,
    hides_name,
    inherited_parts,
    load_cycle,
    missing_input,
    redefinition,
    ref_cycle,
    unbound_name,
    undeclared_placeholder,
    unknown_field,
    unknown_input,
    unknown_model,
    unknown_reference,
    unknown_task,
    unreachable_branch,
    unused_binding,
    unused_ignore,
    wrong_type,
)
from dramaturg.analysis.checks.around import NamesOfFile
from dramaturg.analysis.environment import Environment
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.language.expand import core
from dramaturg.language.problem import Problem

#: The checks that have a rule of their own, in the order of the reference page.
CHECKS: tuple[ModuleType, ...] = (
    unbound_name,
    unknown_task,
    arity,
    wrong_type,
    missing_input,
    unknown_input,
    unknown_field,
    unused_binding,
    hides_name,
    hides_global,
    redefinition,
    unreachable_branch,
    constant_test,
    load_cycle,
    unknown_reference,
    unused_ignore,
    duplicate_task,
    ref_cycle,
    unknown_model,
)

#: Checks whose findings are of rules that stand elsewhere.
_FURTHER: tuple[ModuleType, ...] = (undeclared_placeholder, inherited_parts)

ExpressionCheck = Callable[[core.Expression, NamesOfFile], Iterator[Problem]]
ChecksByKind = Mapping[type[core.Expression], tuple[ExpressionCheck, ...]]

WORKFLOW_CHECKS: tuple[Callable[[Environment], Iterator[Problem]], ...] = tuple(
    module.check_workflow for module in (*CHECKS, *_FURTHER) if hasattr(module, "check_workflow")
)
TEMPLATE_CHECKS: tuple[Callable[[Document, Snapshot], Iterator[Problem]], ...] = tuple(
    module.check_templates for module in (*CHECKS, *_FURTHER) if hasattr(module, "check_templates")
)


@lru_cache(maxsize=8)
def expression_checks(off: frozenset[str]) -> ChecksByKind:
    """The checks of each kind of expression, without those of the rules in `off`."""
    found: dict[type[core.Expression], tuple[ExpressionCheck, ...]] = {}
    for module in CHECKS:
        if module.RULE.code not in off:
            for kind in getattr(module, "EXPRESSIONS", ()):
                found[kind] = (*found.get(kind, ()), module.check_expression)
    return found


def switched_off(severities: Mapping[str, str]) -> frozenset[str]:
    """The codes of rules that are off, by themselves or by the configuration."""
    return frozenset(m.RULE.code for m in CHECKS if severities.get(m.RULE.code, m.RULE.severity) == "off")
