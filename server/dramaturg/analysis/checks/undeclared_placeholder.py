"""Do the prompts of a `defatom` name declared inputs only? (Those of templates are checked where they are read.)"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.environment import Environment
from dramaturg.language.placeholders import scan
from dramaturg.language.problem import Problem
from dramaturg.language.template import undeclared
from dramaturg.syntax.datum import Datum


def check_workflow(environment: Environment) -> Iterator[Problem]:
    """`undeclared-placeholder` and `bad-placeholder` in instructions, system and description."""
    for form, item in environment.document.definitions:
        if item.task is None or form.root is None:
            continue
        declared = [shape.name for shape in item.task.inputs]
        for clause in form.root.items[2:]:
            if clause.head in ("instructions", "system", "description") and len(clause.items) == 2:
                yield from _prompt(clause.items[1], form.text, form.start, declared)


def _prompt(datum: Datum, text: str, base: int, declared: list[str]) -> Iterator[Problem]:
    if datum.kind != "string":
        return
    found = scan(text[datum.start : datum.end], base + datum.start)
    for broken in found.broken:
        yield Problem("bad-placeholder", broken.span, broken.message)
    for placeholder in found.placeholders:
        if placeholder.name not in declared:
            yield undeclared(placeholder.name, placeholder.name_span, declared)
