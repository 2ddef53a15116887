"""What does a form mean among the names around it, and what is wrong with it?"""

from __future__ import annotations

from dramaturg.analysis.checks.registry import ChecksByKind
from dramaturg.analysis.environment import Environment
from dramaturg.analysis.kept import Asking, Kept
from dramaturg.language.expand import Expander, core
from dramaturg.language.expand.walk import walk
from dramaturg.language.problem import Problem
from dramaturg.syntax.workflow import Form

_problems: Kept[tuple[Problem, ...], ChecksByKind] = Kept("findings")


def forget() -> None:
    """Drops every kept analysis."""
    _problems.clear()


def form_problems(form: Form, environment: Environment, checks: ChecksByKind) -> tuple[Problem, ...]:
    """A form's findings, spans from the form's start."""
    return _problems.get(form, environment, _compute, checks)


def _compute(form: Form, asking: Asking, checks: ChecksByKind) -> tuple[Problem, ...]:
    problems = [Problem("syntax", item.span, item.message) for item in form.tree.problems]
    if form.root is None:
        return tuple(problems)
    expander = Expander(asking)
    expression = expander.top_level(form.root)
    problems.extend(expander.problems)
    for node in walk(expression):
        for check in checks.get(type(node), ()):
            problems.extend(check(node, asking))
    return tuple(problems)


def expression_of(form: Form, environment: Environment) -> core.Expression | None:
    """The core of a form, for features that look inside one."""
    return Expander(environment).top_level(form.root) if form.root is not None else None
