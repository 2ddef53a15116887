"""Which refactorings fit the template under the cursor?"""

from __future__ import annotations

from pathlib import Path

from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.ide.code_actions.action import Action
from dramaturg.language.template import Template
from dramaturg.syntax.literals import write_string
from dramaturg.text import Span


def template_refactorings(document: Document, snapshot: Snapshot, span: Span) -> list[Action]:
    """A template as a `defatom`, in a workflow file of its own."""
    unit = document.templates.unit_at(span.start)
    local = span.start - unit.start
    found: list[Action] = []
    for template in unit.reading.templates:
        path = Path(document.path).parent / f"{template.name.replace(':', '-')}.wf"
        inside = template.span.start <= local <= template.span.end
        if (
            inside
            and template.name
            and not template.ref
            and "instructions" in template.texts
            and not snapshot.exists(path)
        ):
            title = f"Copy as a `defatom` to {path.name}, for workflows that load it"
            found.append(Action(title, "refactor.rewrite", (), creates=(str(path), atom_text(template))))
    return found


def atom_text(template: Template) -> str:
    """The `defatom` that says what a template says."""
    parameters = []
    for entry in template.inputs:
        shape = entry.shape
        words = [shape.name, *([] if shape.required else ["optional"]), *([] if shape.type == "any" else [shape.type])]
        parameters.append(f"({' '.join(words)})" if len(words) > 1 else shape.name)
    lines = [f"(defatom {template.name}", "  " + " ".join(["(params", *parameters]) + ")"]
    prompts = {name: part.text.strip() for name, part in template.texts.items()}
    texts = {**prompts, **template.plain}
    written = ("instructions", "system", "description", "model", "provider")
    lines += [f"  ({name} {write_string(texts[name])})" for name in written if texts.get(name)]
    if template.subtype != "standard":
        lines.append(f"  (subtype {write_string(template.subtype)})")
    if template.output_schema or template.output_type != "text":
        schema = f" (schema {write_string(template.output_schema)})" if template.output_schema else ""
        lines.append(f"  (output_format (type {write_string(template.output_type)}){schema})")
    if template.context:
        pairs = " ".join(f"({name} {value})" for name, value in template.context.items())
        lines.append(f"  (context_management {pairs})")
    if template.limits:
        pairs = " ".join(f"({name} {value})" for name, value in template.limits.items())
        lines.append(f"  (limits {pairs})")
    if template.file_paths is not None and template.file_paths.paths:
        lines.append(f"  (files {' '.join(write_string(path) for path in template.file_paths.paths)})")
    return "\n".join(lines) + ")\n"
