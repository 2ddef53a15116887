"""What does a form mean among the names around it, and what is wrong with it?

Kept by the form's tree and by what it asked of those names: an edit elsewhere
that changes none of the answers costs a look at them and no more.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from dramaturg.analysis.checks import EXPRESSION_CHECKS
from dramaturg.analysis.environment import Environment
from dramaturg.language.expand import Expander, core
from dramaturg.language.expand.walk import walk
from dramaturg.language.names import Meaning, TaskShape
from dramaturg.language.problem import Problem
from dramaturg.syntax.workflow import Form, Tree

_LIMIT = 8192


@dataclass(frozen=True, slots=True)
class FormAnalysis:
    """A form's problems, spans from the form's start; what it asked, with the answers."""

    problems: tuple[Problem, ...]
    asked: tuple[tuple[str, Meaning | None], ...]
    tasks: tuple[tuple[str, TaskShape | None], ...]
    suggests: bool


_known: OrderedDict[int, tuple[Tree, FormAnalysis]] = OrderedDict()


def forget() -> None:
    """Drops every kept analysis, as a server that was just started has none."""
    _known.clear()


class _Asking:
    """The names around a form, remembering what was asked."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self.asked: dict[str, Meaning | None] = {}
        self.tasks: dict[str, TaskShape | None] = {}
        self.suggests = False

    def meaning(self, name: str) -> Meaning | None:
        found = self.asked[name] = self.environment.meaning(name)
        return found

    def task_named(self, name: str) -> TaskShape | None:
        found = self.tasks[name] = self.environment.task_named(name)
        return found

    def known_names(self) -> list[str]:
        self.suggests = True
        return self.environment.known_names()

    def task_names(self) -> list[str]:
        self.suggests = True
        return self.environment.task_names()


def analyse(form: Form, environment: Environment) -> FormAnalysis:
    """The analysis of a form in an environment."""
    key = id(form.tree)
    kept = _known.get(key)
    if kept is not None and kept[0] is form.tree and _still_holds(kept[1], environment):
        _known.move_to_end(key)
        return kept[1]
    asking = _Asking(environment)
    problems = [Problem("syntax", item.span, item.message) for item in form.tree.problems]
    if form.root is not None:
        expander = Expander(asking)
        expression = expander.top_level(form.root)
        problems.extend(expander.problems)
        for node in walk(expression):
            for check in EXPRESSION_CHECKS.get(type(node), ()):
                problems.extend(check(node, asking))
    found = FormAnalysis(tuple(problems), tuple(asking.asked.items()), tuple(asking.tasks.items()), asking.suggests)
    _known[key] = (form.tree, found)
    if len(_known) > _LIMIT:
        _known.popitem(last=False)
    return found


def _still_holds(analysis: FormAnalysis, environment: Environment) -> bool:
    if analysis.suggests:
        return False
    meaning, task_named = environment.meaning, environment.task_named
    for name, found in analysis.asked:
        now = meaning(name)
        if now is not found and now != found:
            return False
    return all(task_named(name) == found for name, found in analysis.tasks)


def expression_of(form: Form, environment: Environment) -> core.Expression | None:
    """The core of a form, for features that look inside one."""
    return Expander(environment).top_level(form.root) if form.root is not None else None
