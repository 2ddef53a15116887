"""Is everything there that a file refers to: loaded workflows, templates of `ref` and `call`, schemas, paths?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dramaturg.analysis.environment import Environment
from dramaturg.analysis.shapes import SHORT_SCHEMAS
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.language.nearest import did_you_mean, nearest
from dramaturg.language.problem import Problem
from dramaturg.language.rule import Rule
from dramaturg.language.template import FileReference, Template

RULE = Rule(
    "unknown-reference",
    "error",
    "A file, a template or a schema that is not there.",
    "A run would stop where it is needed.",
    '(load ‸"no-such.wf"‸)',
)


def check_workflow(environment: Environment) -> Iterator[Problem]:
    """Loaded files that are missing or outside of the workspace."""
    document, snapshot = environment.document, environment.snapshot
    for relative, span in document.loads:
        path = snapshot.loaded_path(document, relative)
        if path == document.path:
            continue
        if snapshot.root is not None and not Path(path).is_relative_to(snapshot.root):
            yield Problem(RULE.code, span, f"{relative} lies outside of the workspace")
        elif snapshot.document(path) is None:
            yield Problem(RULE.code, span, f"there is no workflow file {relative}")


def check_templates(document: Document, snapshot: Snapshot) -> Iterator[Problem]:
    """Templates of `ref` and `call`, schemas and paths that are not there."""
    for placed in document.templates.templates:
        template = placed.template
        found = [*_templates(template, snapshot)]
        for reference in template.references:
            found += _file(reference, document, snapshot)
        for problem in found:
            yield problem.shift(placed.start)


def _templates(template: Template, snapshot: Snapshot) -> Iterator[Problem]:
    called = template.call.template if template.call is not None else ""
    spans = {template.ref: template.ref_span, called: template.call.span if template.call is not None else None}
    for name, span in spans.items():
        if name and span is not None and name not in snapshot.tasks:
            near = nearest(name, snapshot.tasks, 1)
            message = f"no task is named `{name}`{did_you_mean(name, snapshot.tasks)}"
            yield Problem(RULE.code, span, message, data=(("replacement", near[0]),) if near else ())
    if template.call is None or not snapshot.tasks.get(called):
        return
    target = snapshot.tasks[called][0].template
    if not target.positional:
        message = f"`{called}` is no function template: only a `<template>` with `params` is called by position"
        yield Problem(RULE.code, template.call.span, message)
    elif len(target.inputs) != len(template.call.arguments):
        message = f"`{called}` has {len(target.inputs)} parameters, found {len(template.call.arguments)} of `<arg>`"
        yield Problem("bad-value", template.call.span, message)


def _file(reference: FileReference, document: Document, snapshot: Snapshot) -> Iterator[Problem]:
    name = reference.name
    if reference.kind == "path":
        if snapshot.root is not None and "{{" not in name and not snapshot.exists(snapshot.root / name):
            yield Problem(RULE.code, reference.span, f"there is no file {name} in the workspace")
        return
    if name in SHORT_SCHEMAS or snapshot.schema_text(name, document.path) is not None:
        return
    module, _, model = name.rpartition(".")
    if module in snapshot.schema_modules and model.isidentifier():
        return
    known = ", ".join(SHORT_SCHEMAS)
    if name.endswith(".json") or "/" in name:
        message = f"there is no schema file {name}, neither beside the template nor at the workspace's root"
    elif module and all(part.isidentifier() for part in name.split(".")):
        message = f"the module `{module}` is not among `templates.schema_modules` of dramaturg.toml"
    else:
        message = f"the schema `{name}` is not known: expected one of {known}, or a JSON Schema file"
    yield Problem(RULE.code, reference.span, message + did_you_mean(name, SHORT_SCHEMAS))
