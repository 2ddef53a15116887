"""What may the editor show inside of a line: inputs given by position, results, token estimates?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from dramaturg.analysis.environment import environment_of
from dramaturg.analysis.infer import Inference
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.ide.target import core_of
from dramaturg.language.expand import core
from dramaturg.language.expand.walk import scopes, walk
from dramaturg.language.template import Template
from dramaturg.text import Span

HintKind = Literal["inputs", "results", "tokens"]
KINDS: tuple[HintKind, ...] = ("inputs", "results", "tokens")

#: Characters a token, as the engine's offline estimate has it.
_CHARACTERS = 4


@dataclass(frozen=True)
class InlayHint:
    """A label before or behind an offset."""

    offset: int
    label: str
    kind: HintKind
    tooltip: str = ""


def inlay_hints(
    document: Document, snapshot: Snapshot, span: Span, kinds: tuple[HintKind, ...] = KINDS
) -> list[InlayHint]:
    """The hints of a part of a file, of the kinds that are switched on."""
    found = _template(document, span) if document.language == "template" else _workflow(document, snapshot, span)
    return [item for item in found if item.kind in kinds]


def _template(document: Document, span: Span) -> Iterator[InlayHint]:
    for placed in document.templates.templates:
        if span.start <= placed.name_span.start <= span.end:
            tokens = token_estimate(placed.template)
            tooltip = "The prompt without inputs, files and context, by an offline estimate."
            yield InlayHint(placed.name_span.end + 1, f"about {tokens} tokens", "tokens", tooltip)


def token_estimate(template: Template) -> int:
    """About how many tokens the texts of a template have."""
    return (
        sum(len(template.texts[name].text) for name in ("system", "instructions") if name in template.texts)
        // _CHARACTERS
    )


def _workflow(document: Document, snapshot: Snapshot, span: Span) -> Iterator[InlayHint]:
    environment = environment_of(snapshot, document)
    for form in document.reading.forms:
        if form.span.end < span.start or form.start > span.end:
            continue
        expression = core_of(form, environment)
        inference = Inference(environment)
        for node in walk(expression) if expression is not None else ():
            inference.learn(node)
            for hint in _of_node(node, inference):
                at = hint.offset + form.start
                if span.start <= at <= span.end:
                    yield InlayHint(at, hint.label, hint.kind, hint.tooltip)


def _of_node(node: core.Expression, inference: Inference) -> Iterator[InlayHint]:
    if isinstance(node, core.TaskCall):
        for item in node.inputs:
            if item.name_datum is item.datum:
                yield InlayHint(item.datum.start, f"{item.name}:", "inputs", f"input of {node.name}")
    for scope in scopes(node):
        for binding in scope.bindings:
            if binding.kind not in ("let", "step") or not isinstance(binding.value, core.TaskCall | core.ClauseCall):
                continue
            shape = inference.binding(binding)
            if shape is not None:
                yield InlayHint(binding.datum.end, f": {shape.label}", "results")
