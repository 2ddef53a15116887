"""Which edits mend a finding?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from dramaturg.analysis.environment import environment_of
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.ide.code_actions.action import Action, FileEdit
from dramaturg.ide.code_actions.template_fixes import TEMPLATE_FIXES
from dramaturg.ide.target import Target, target_at
from dramaturg.language.problem import Problem
from dramaturg.language.table import SPECIAL_FORMS
from dramaturg.syntax.datum import Datum
from dramaturg.syntax.xml import quoted
from dramaturg.text import Span

Fix = Callable[[Problem, Document, Snapshot], Iterator[Action]]


def fixes_of(problem: Problem, document: Document, snapshot: Snapshot) -> list[Action]:
    """The fixes of a finding, the likeliest first."""
    found: list[Action] = []
    data = dict(problem.data)
    if "replacement" in data:
        found.append(_replacement(problem, document, data["replacement"]))
    if document.language == "template":
        found += TEMPLATE_FIXES.get(problem.code, _nothing)(problem, document, snapshot)
        return found
    found += _FIXES.get(problem.code, _nothing)(problem, document, snapshot)
    if problem.code not in ("syntax", "unused-ignore"):
        found.append(_silence(problem, document))
    return found


def _nothing(problem: Problem, document: Document, snapshot: Snapshot) -> Iterator[Action]:
    yield from ()


def _replacement(problem: Problem, document: Document, name: str) -> Action:
    text = document.text[problem.span.start : problem.span.end]
    new = f'"{name}"' if text.startswith('"') else name
    return Action(f"Change to `{name}`", "quickfix", (FileEdit(problem.span, new),), problem, preferred=True)


def _silence(problem: Problem, document: Document) -> Action:
    line = document.lines.position(problem.span.start).line
    starts = document.lines.starts
    end = starts[line + 1] if line + 1 < len(starts) else len(document.text)
    text = document.text[starts[line] : end].rstrip("\r\n")
    at = starts[line] + len(text)
    edit = FileEdit(Span(at, at), f"  ; dramaturg: ignore[{problem.code}]")
    return Action(f"Silence `{problem.code}` on this line", "quickfix", (edit,), problem)


def _list_at(document: Document, offset: int) -> tuple[Target, Datum] | None:
    """The innermost list whose parts hold an offset."""
    target = target_at(document, offset)
    lists = [item for item in target.chain if item.kind == "list" and item.items] if target is not None else []
    return (target, lists[-1]) if target is not None and lists else None


def _missing_input(problem: Problem, document: Document, snapshot: Snapshot) -> Iterator[Action]:
    found = _list_at(document, problem.span.start)
    if found is None:
        return
    target, call = found
    names = dict(problem.data)["missing"].split()
    at = target.span(call).end - 1
    shape = environment_of(snapshot, document).task_named(str(call.items[0].value))
    empty = {"string": '""', "number": "0", "integer": "0", "boolean": "false", "list": "(list)", "map": "(dict)"}
    types = {item.name: item.type for item in shape.inputs} if shape is not None else {}
    text = "".join(f" ({name} {empty.get(types.get(name, 'string'), 'nil')})" for name in names)
    plural = "s" if len(names) > 1 else ""
    title = f"Add the input{plural} {', '.join(f'`{name}`' for name in names)}"
    yield Action(title, "quickfix", (FileEdit(Span(at, at), text),), problem, preferred=True)


def _missing_clause(problem: Problem, document: Document, snapshot: Snapshot) -> Iterator[Action]:
    data = dict(problem.data)
    found = _list_at(document, problem.span.start) if "missing" in data else None
    if found is None:
        return
    target, form = found
    at = target.span(form).end - 1
    indent = " " * (document.lines.position(target.span(form).start).column + 2)
    construct = SPECIAL_FORMS.get(form.head)
    clauses = {clause.name: clause.start for clause in construct.clauses} if construct is not None else {}
    text = "".join(f"\n{indent}({name} {clauses.get(name, 'nil')})" for name in data["missing"].split())
    yield Action("Add the missing clauses", "quickfix", (FileEdit(Span(at, at), text),), problem)


def _remove_part(problem: Problem, document: Document, snapshot: Snapshot) -> Iterator[Action]:
    found = _list_at(document, problem.span.start)
    if found is None:
        return
    target, part = found
    span = target.span(part)
    start = span.start
    while start > 0 and document.text[start - 1] in " \t\n":
        start -= 1
    name = document.text[problem.span.start : problem.span.end]
    yield Action(f"Remove the input `{name}`", "quickfix", (FileEdit(Span(start, span.end), ""),), problem)


def _unused_binding(problem: Problem, document: Document, snapshot: Snapshot) -> Iterator[Action]:
    name = document.text[problem.span.start : problem.span.end]
    edit = FileEdit(Span(problem.span.start, problem.span.start), "_")
    yield Action(f"Rename to `_{name}`, as meant to be unused", "quickfix", (edit,), problem)


def _unused_ignore(problem: Problem, document: Document, snapshot: Snapshot) -> Iterator[Action]:
    start, end = problem.span
    while start > 0 and document.text[start - 1] in " \t":
        start -= 1
    if (start == 0 or document.text[start - 1] == "\n") and document.text[end : end + 1] == "\n":
        end += 1
    edit = FileEdit(Span(start, end), "")
    yield Action("Remove the comment", "quickfix", (edit,), problem, preferred=True)


def _unknown_task(problem: Problem, document: Document, snapshot: Snapshot) -> Iterator[Action]:
    found = _list_at(document, problem.span.start)
    name = document.text[problem.span.start : problem.span.end].strip('"')
    if found is None or not re.fullmatch(r"[\w:.-]+", name):
        return
    inputs = [item.head for item in found[1].items[1:] if item.head and len(item.items) == 2]
    rows = "".join(f"    <input name={quoted(item)}></input>\n" for item in inputs)
    listed = f"  <inputs>\n{rows}  </inputs>\n" if rows else ""
    uses = "".join(f"{{{{{item}}}}}\n" for item in inputs) or "\n"
    text = (
        f'<task name={quoted(name)} type="atomic">\n  <description>{name}</description>\n'
        f"  <instructions>\n{uses}  </instructions>\n{listed}</task>\n"
    )
    path = Path(document.path).parent / f"{name.replace(':', '-')}.task.xml"
    if not snapshot.exists(path):
        yield Action(f"Create the template {path.name}", "quickfix", (), problem, creates=(str(path), text))


def _undeclared_placeholder(problem: Problem, document: Document, snapshot: Snapshot) -> Iterator[Action]:
    target = target_at(document, problem.span.start)
    root = target.form.root if target is not None else None
    name = document.text[problem.span.start : problem.span.end]
    params = next((item for item in root.items if item.head == "params"), None) if root is not None else None
    if target is not None and params is not None:
        at = target.span(params).end - 1
        edit = FileEdit(Span(at, at), f" {name}")
        yield Action(f"Declare the input `{name}`", "quickfix", (edit,), problem)


def _not_a_value(problem: Problem, document: Document, snapshot: Snapshot) -> Iterator[Action]:
    name = document.text[problem.span.start : problem.span.end]
    shape = environment_of(snapshot, document).task_named(name)
    if shape is not None and len(shape.inputs) >= 1:
        first = shape.inputs[0].name
        edit = FileEdit(problem.span, f"(lambda ({first}) ({name} ({first} {first})))")
        yield Action("Wrap the call in a lambda", "quickfix", (edit,), problem)


_FIXES: dict[str, Fix] = {
    "missing-input": _missing_input,
    "bad-clause": _missing_clause,
    "unknown-input": _remove_part,
    "repeated-input": _remove_part,
    "unused-binding": _unused_binding,
    "unused-ignore": _unused_ignore,
    "unknown-task": _unknown_task,
    "undeclared-placeholder": _undeclared_placeholder,
    "not-a-value": _not_a_value,
}
