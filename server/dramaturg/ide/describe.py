"""How are constructs, tasks and bindings described to a reader, in Markdown?"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from dramaturg.analysis.shapes import Shape
from dramaturg.language.construct import Construct
from dramaturg.language.elements import Attribute, Element, effective_context
from dramaturg.language.expand import core
from dramaturg.language.names import TaskShape
from dramaturg.language.template import Template
from dramaturg.syntax.datum import write

_FENCE = "```dramaturg-workflow\n{}\n```"


@lru_cache(maxsize=512)
def construct(item: Construct) -> str:
    """A form or a primitive: signatures, doc, clauses, example."""
    signatures = "\n".join(
        signature.label + ("" if signature.result == ("any",) else f"  → {' or '.join(signature.result)}")
        for signature in item.signatures
    )
    parts = [_FENCE.format(signatures), item.doc]
    if item.clauses:
        parts.append(
            "\n".join(f"- `{c.signature.label}`{'' if c.required else ' *(optional)*'} {c.doc}" for c in item.clauses)
        )
    example, _, value = item.example.rpartition(" => ")
    parts.append("Example: " + (f"`{example}` → `{value}`" if example else f"`{item.example}`"))
    if item.aliases:
        parts.append("Also written " + ", ".join(f"`{alias}`" for alias in item.aliases) + ".")
    return "\n\n".join(parts)


def task(shape: TaskShape, kind: str, template: Template | None = None) -> str:
    """A task or a tool: description, inputs, model, settings, file."""
    call = f"({shape.name}{''.join(f' ({item.name} …)' for item in shape.inputs)})"
    parts = [_FENCE.format(call), f"*{kind}* {shape.description}".strip()]
    if shape.inputs:
        rows = []
        for item in shape.inputs:
            note = "" if item.required else (f" = `{item.default}`" if item.default is not None else " *(optional)*")
            rows.append(f"- `{item.name}`: {item.type}{note}{' — ' + item.doc if item.doc else ''}")
        parts.append("\n".join(rows))
    if template is not None:
        facts = []
        if template.plain.get("model"):
            facts.append(f"model `{template.plain['model']}`")
        if template.output_type == "json":
            facts.append("answers with JSON" + (f" (`{template.output_schema}`)" if template.output_schema else ""))
        if facts:
            parts.append(", ".join(facts))
        parts.append(settings(template))
    if shape.path:
        parts.append(f"Defined in {Path(shape.path).name}")
    return "\n\n".join(parts)


def settings(template: Template) -> str:
    """A template's context settings in force."""
    context = effective_context(template.subtype, template.context)
    return "Context: " + ", ".join(f"{name} `{value}`" for name, value in context.items())


_KINDS = {
    "parameter": "parameter",
    "let": "local binding",
    "define": "local definition",
    "catch": "caught error: a map with `type`, `reason`, `message` and `details`",
    "step": "step's value",
    "loop": "named let's function",
}


def binding(item: core.Binding, shape: Shape | None = None) -> str:
    """A local binding, with the expression that it is bound to and what is known of its value."""
    value = ""
    if isinstance(item.value, core.Lambda):
        value = (
            "("
            + " ".join([item.name, *(p.name for p in item.value.parameters)])
            + (f" . {item.value.rest.name}" if item.value.rest else "")
            + ")"
        )
    elif item.value is not None:
        text = " ".join(write(item.value.datum).split())
        value = f"{item.name} = {text if len(text) <= 200 else text[:196] + ' …'}"
    parts = [_FENCE.format(value or item.name), f"*{_KINDS[item.kind]}*"]
    return "\n\n".join(parts + ([known(shape)] if shape is not None and shape.kind != "function" else []))


def known(shape: Shape) -> str:
    """What is known of a value."""
    return f"Value: `{shape.label}`"


def element(item: Element) -> str:
    """An element of a template."""
    parts = [f"```xml\n<{item.name}>\n```", item.doc]
    if item.values:
        parts.append(_one_of(item.values, item.default))
    if item.attributes:
        parts.append("\n".join(f"- `{a.name}`{' (required)' if a.required else ''}: {a.doc}" for a in item.attributes))
    if item.deprecated:
        parts.append(f"**Deprecated**: {item.deprecated}.")
    return "\n\n".join(parts)


def attribute(owner: Element, item: Attribute) -> str:
    """An attribute of an element."""
    parts = [f'```xml\n<{owner.name} {item.name}="…">\n```', item.doc]
    if item.values:
        parts.append(_one_of(item.values, item.default))
    return "\n\n".join(parts)


def _one_of(values: tuple[str, ...], default: str) -> str:
    listed = ", ".join(f"`{value}`" for value in values)
    return f"One of {listed}" + (f"; default `{default}`." if default else ".")
