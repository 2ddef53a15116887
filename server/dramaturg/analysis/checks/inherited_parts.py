"""Does what a template writes fit what its `ref` fills in? (`undeclared-placeholder`, `unused-input`)

Templates without a `ref` are checked where they are read.
"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.effective import effective
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.language.placeholders import scan
from dramaturg.language.problem import Problem
from dramaturg.language.template import Template, undeclared


def check_templates(document: Document, snapshot: Snapshot) -> Iterator[Problem]:
    """Placeholders without an input, and inputs without a placeholder, over both templates' parts."""
    for placed in document.templates.templates:
        if placed.template.ref and placed.template.ref in snapshot.tasks:
            for problem in _check(placed.template, effective(placed.template, snapshot)):
                yield problem.shift(placed.start)


def _check(template: Template, whole: Template) -> Iterator[Problem]:
    declared = [entry.shape.name for entry in whole.inputs]
    used = set()
    for placeholder in template.placeholders:
        used.add(placeholder.name)
        if placeholder.name not in declared:
            yield undeclared(placeholder.name, placeholder.name_span, declared)
    for element, part in whole.texts.items():
        if element in template.texts:
            continue
        for placeholder in scan(part.text).placeholders:
            used.add(placeholder.name)
            if placeholder.name not in declared:
                message = f"`{element}` of `{template.ref}` needs the input `{placeholder.name}`, which is not declared"
                yield Problem("undeclared-placeholder", template.ref_span, message)
    for entry in template.inputs:
        if entry.shape.name not in used and ("instructions" in whole.texts or whole.call):
            message = f"the input `{entry.shape.name}` is used in no prompt of this task"
            yield Problem("unused-input", entry.name_span, message)
