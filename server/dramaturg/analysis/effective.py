"""What does a template say once its `ref` has filled in what it leaves out?

The engine fills templates in the same way before it runs them
(`task_system.find_template`): a part that is written at all is kept whole.
"""

from __future__ import annotations

from dataclasses import replace

from dramaturg.analysis.snapshot import Snapshot
from dramaturg.language.template import Template


def effective(template: Template, snapshot: Snapshot) -> Template:
    """The template with what it does not write taken from the templates that its `ref`s lead to."""
    seen = {template.name}
    ref = template.ref
    while ref and ref not in seen:
        seen.add(ref)
        places = snapshot.tasks.get(ref)
        if not places:
            break
        other = places[0].template
        template = _filled(template, other)
        ref = other.ref
    return template


def _filled(template: Template, other: Template) -> Template:
    schema = template.output_schema or other.output_schema
    return replace(
        template,
        texts={**other.texts, **template.texts},
        plain={**other.plain, **template.plain},
        inputs=template.inputs or other.inputs,
        output_type=template.output_type if template.output_schema else other.output_type,
        output_schema=schema,
        context=template.context or other.context,
        file_paths=template.file_paths or other.file_paths,
        call=template.call or other.call,
        positional=template.positional or other.positional,
    )


def ref_cycle(template: Template, snapshot: Snapshot) -> list[str]:
    """The names along a cycle of `ref`s through the template, itself first and last; empty where there is none."""
    way = [template.name]
    ref = template.ref
    while ref and ref not in way:
        way.append(ref)
        places = snapshot.tasks.get(ref)
        ref = places[0].template.ref if places else ""
    return [*way, ref] if ref == template.name else []
