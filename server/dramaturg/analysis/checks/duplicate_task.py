"""Has every task a name of its own?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.language.problem import Problem, Related
from dramaturg.language.rule import Rule
from dramaturg.text import Span

_TASK = '<task name="{}" type="atomic"><description>d</description><instructions>i</instructions></task>'

RULE = Rule(
    "duplicate-task",
    "error",
    "Two tasks of one name.",
    "A call could mean either.",
    "<tasks>" + _TASK.format("a") + _TASK.format("‸a‸") + "</tasks>",
    "template",
)


def check_templates(document: Document, snapshot: Snapshot) -> Iterator[Problem]:
    """Tasks of a name that another one has: the later in one file, both in two."""
    first: dict[str, Span] = {}
    for placed in document.templates.templates:
        template = placed.template
        if not template.name:
            continue
        others = [place for place in snapshot.tasks.get(template.name, ()) if place.path != document.path]
        message = f"another task is named `{template.name}`"
        if template.name in first:
            yield Problem(RULE.code, placed.name_span, message, (Related(first[template.name], "the first one"),))
        elif others:
            other = others[0]
            related = (Related(other.name_span, "the other one", other.path),)
            yield Problem(RULE.code, placed.name_span, f"{message}, in {Path(other.path).name}", related)
        first.setdefault(template.name, placed.name_span)
