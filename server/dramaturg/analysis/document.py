"""What is wrong with one file of the workspace?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from dramaturg.analysis.environment import Environment
from dramaturg.analysis.facts import Definition
from dramaturg.analysis.forms import analyse
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.language.names import TOOLS
from dramaturg.language.nearest import did_you_mean
from dramaturg.language.placeholders import scan
from dramaturg.language.problem import Problem, Related
from dramaturg.language.table import PRIMITIVE_TABLE
from dramaturg.language.template import undeclared
from dramaturg.syntax.datum import Datum
from dramaturg.syntax.workflow import Form
from dramaturg.text import Span

_IGNORE = re.compile(r";+\s*dramaturg:\s*ignore\[([^\]\n]*)\]")


def problems(document: Document, snapshot: Snapshot) -> list[Problem]:
    """Every finding of a document, in the order of the text, silenced ones left out."""
    if document.language == "template":
        found = [*document.templates.problems, *_template_names(document, snapshot)]
        return sorted(found, key=lambda item: (item.span, item.code))
    environment = Environment(snapshot, document)
    found = [
        problem.shift(form.start) for form in document.reading.forms for problem in analyse(form, environment).problems
    ]
    found += _top_level(document, environment)
    found += _loads(document, snapshot)
    found += _atom_placeholders(document)
    return sorted(_silenced(document, found), key=lambda item: (item.span, item.code))


def _template_names(document: Document, snapshot: Snapshot) -> Iterator[Problem]:
    first: dict[str, Span] = {}
    for template in document.templates.templates:
        if not template.name:
            continue
        others = [place for place in snapshot.tasks.get(template.name, ()) if place.path != document.path]
        if template.name in first:
            related = (Related(first[template.name], "the first one"),)
            yield Problem("duplicate-task", template.name_span, f"another task is named `{template.name}`", related)
        elif others:
            related = (Related(others[0].template.name_span, "the other one", others[0].path),)
            where = Path(others[0].path).name
            yield Problem(
                "duplicate-task", template.name_span, f"another task is named `{template.name}`, in {where}", related
            )
        first.setdefault(template.name, template.name_span)
        if template.ref and template.ref not in snapshot.tasks:
            attribute = template.element.attribute("ref")
            span = attribute.value_span if attribute else template.name_span
            hint = did_you_mean(template.ref, snapshot.tasks)
            yield Problem("unknown-reference", span, f"no task is named `{template.ref}`{hint}")


def _top_level(document: Document, environment: Environment) -> Iterator[Problem]:
    first: dict[tuple[str, bool], tuple[Form, Definition]] = {}
    for entry in document.definitions:
        form, item = entry
        key = (item.name, item.kind == "test")
        earlier = first.setdefault(key, entry)
        if earlier is not entry:
            related = (Related(earlier[1].span.shift(earlier[0].start), "defined here first"),)
            yield Problem("redefinition", item.span.shift(form.start), f"`{item.name}` is defined again", related)
        if item.kind == "test":
            continue
        hidden = ""
        if item.name in PRIMITIVE_TABLE and item.kind != "task":
            hidden = "primitive"
        elif item.kind == "task" and item.name in environment.snapshot.tasks:
            hidden = "task of a template file"
        elif item.kind != "task" and environment.task_named(item.name) is not None:
            hidden = "tool" if item.name in TOOLS else "task"
        if hidden:
            span = item.span.shift(form.start)
            yield Problem("hides-name", span, f"`{item.name}` hides the {hidden} of that name")


def _loads(document: Document, snapshot: Snapshot) -> Iterator[Problem]:
    for relative, span in document.loads:
        path = str((Path(document.path).parent / relative).resolve())
        if path == document.path:
            yield Problem("load-cycle", span, "this file loads itself")
            continue
        if snapshot.root is not None and not Path(path).is_relative_to(snapshot.root):
            yield Problem("unknown-reference", span, f"{relative} lies outside of the workspace")
            continue
        other = snapshot.document(path)
        if other is None:
            yield Problem("unknown-reference", span, f"there is no workflow file {relative}")
        elif any(deep.path == document.path for deep in snapshot.loaded(other)):
            name = Path(document.path).name
            yield Problem("load-cycle", span, f"{relative} loads {name} again: neither could be evaluated first")


def _atom_placeholders(document: Document) -> Iterator[Problem]:
    for form, item in document.definitions:
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


def _silenced(document: Document, found: list[Problem]) -> list[Problem]:
    """The findings that no comment silences, and a warning for each comment that silences nothing."""
    comments = list(_IGNORE.finditer(document.text)) if "dramaturg:" in document.text else []
    if not comments:
        return found
    left = list(found)
    lines = document.lines
    for comment in comments:
        codes = {code.strip() for code in comment.group(1).split(",")}
        line = lines.position(comment.start()).line
        alone = not lines.line(line)[: comment.start() - lines.starts[line]].strip()
        span = _next_form(document, comment.end()) if alone else None
        silenced = [
            item
            for item in left
            if item.code in codes
            and (span.start <= item.span.start < span.end if span else lines.position(item.span.start).line == line)
        ]
        if silenced:
            left = [item for item in left if item not in silenced]
        else:
            left.append(Problem("unused-ignore", Span(*comment.span()), "this comment silences nothing"))
    return left


def _next_form(document: Document, offset: int) -> Span:
    """The innermost datum that begins after `offset` and on whose level the comment stands."""
    for form in document.reading.forms:
        if form.start >= offset:
            return form.span
        if form.span.end > offset and form.root is not None:
            inner = [d for d in form.root.walk() if d.start + form.start >= offset]
            return inner[0].span.shift(form.start) if inner else form.span
    return Span(len(document.text), len(document.text))
