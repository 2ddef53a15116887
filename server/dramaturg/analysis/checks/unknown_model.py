"""Does anybody know the model that a template names?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.language.nearest import did_you_mean, nearest
from dramaturg.language.problem import Problem
from dramaturg.language.rule import Rule
from dramaturg.language.template_checks import text_span

RULE = Rule(
    "unknown-model",
    "hint",
    "A model that neither the configuration nor the provider lists.",
    "It may be misspelt; `templates.models` in dramaturg.toml adds names.",
    '<task name="a" type="atomic"><description>d</description><instructions>i</instructions>'
    "<model>‸claude-sonet‸</model></task>",
    "template",
)


def check_templates(document: Document, snapshot: Snapshot) -> Iterator[Problem]:
    """Models that are not among the snapshot's, where it has any."""
    if not snapshot.models:
        return
    for placed in document.templates.templates:
        name = placed.template.plain.get("model", "")
        element = placed.template.element.child("model")
        if name and element is not None and name not in snapshot.models:
            near = nearest(name, snapshot.models, 1)
            message = f"no model `{name}` is known{did_you_mean(name, snapshot.models)}"
            data = (("replacement", near[0]),) if near else ()
            yield Problem(RULE.code, text_span(element).shift(placed.start), message, data=data)
