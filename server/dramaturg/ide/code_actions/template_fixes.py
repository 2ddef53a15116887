"""Which edits mend a finding in a template?"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.ide.code_actions.action import Action, FileEdit
from dramaturg.language import elements
from dramaturg.language.problem import Problem
from dramaturg.syntax.xml import XmlElement
from dramaturg.text import Span

Fix = Callable[[Problem, Document, Snapshot], Iterator[Action]]


def _at(problem: Problem, document: Document) -> tuple[int, XmlElement | None]:
    """The start of the unit that a problem is in, and the innermost element there."""
    unit = document.templates.unit_at(problem.span.start)
    local = problem.span.start - unit.start
    best: XmlElement | None = None
    for element in unit.reading.xml.walk():
        if element.span.start <= local < element.span.end:
            best = element
    return unit.start, best


def _task_of(element: XmlElement | None) -> XmlElement | None:
    while element is not None and element.name != "task":
        element = element.parent
    return element


def _indent(document: Document, offset: int) -> str:
    line = document.lines.position(offset).line
    text = document.lines.line(line)
    return text[: len(text) - len(text.lstrip())]


def insert_child(document: Document, start: int, parent: XmlElement, text: str) -> FileEdit:
    """An edit that puts a child at the end of an element, on a line of its own."""
    inside = parent.close_span.start if parent.close_span is not None else parent.span.end
    if parent.close_span == parent.open_span:
        at = start + parent.open_span.end - 2
        indent = _indent(document, start + parent.open_span.start)
        lead = document.text[:at].rstrip()
        span = Span(len(lead), start + parent.open_span.end)
        return FileEdit(span, f">\n{indent}  {text}\n{indent}</{parent.name}>")
    indent = _indent(document, start + parent.open_span.start)
    before = document.text[: start + inside]
    stripped = len(before.rstrip())
    return FileEdit(Span(stripped, start + inside), f"\n{indent}  {text}\n{indent}")


def _declare_input(problem: Problem, document: Document, snapshot: Snapshot) -> Iterator[Action]:
    start, element = _at(problem, document)
    task = _task_of(element)
    name = document.text[problem.span.start : problem.span.end]
    if task is None or element is None or element.name == "task":
        return
    inputs = task.child("inputs")
    text = f'<input name="{name}"></input>'
    if inputs is not None:
        edit = insert_child(document, start, inputs, text)
    else:
        indent = _indent(document, start + task.open_span.start)
        edit = insert_child(document, start, task, f"<inputs>\n{indent}    {text}\n{indent}  </inputs>")
    yield Action(f"Declare the input `{name}`", "quickfix", (edit,), problem)


def _remove_element(problem: Problem, document: Document, snapshot: Snapshot) -> Iterator[Action]:
    start, element = _at(problem, document)
    if element is not None:
        name = document.text[problem.span.start : problem.span.end]
        span = Span(start + element.span.start, start + element.span.end)
        edit = FileEdit(_with_line(document, span), "")
        yield Action(f"Remove `{name}`", "quickfix", (edit,), problem)


def _remove_attribute(problem: Problem, document: Document, snapshot: Snapshot) -> Iterator[Action]:
    start, element = _at(problem, document)
    for attribute in element.attributes if element is not None else ():
        if attribute.name_span.shift(start) == problem.span:
            begin = problem.span.start
            while document.text[begin - 1] in " \t\n":
                begin -= 1
            edit = FileEdit(Span(begin, start + attribute.value_span.end + 1), "")
            yield Action(f"Remove the attribute `{attribute.name}`", "quickfix", (edit,), problem)


def _with_line(document: Document, span: Span) -> Span:
    """The span with its line's white space and end, where nothing else stands on the line."""
    start, end = span
    while start > 0 and document.text[start - 1] in " \t":
        start -= 1
    if (start == 0 or document.text[start - 1] == "\n") and document.text[end : end + 1] == "\n":
        return Span(start, end + 1)
    return span


def _add_element(problem: Problem, document: Document, snapshot: Snapshot) -> Iterator[Action]:
    missing = dict(problem.data).get("missing")
    start, element = _at(problem, document)
    if missing and element is not None:
        edit = insert_child(document, start, element, f"<{missing}></{missing}>")
        yield Action(f"Add `<{missing}>`", "quickfix", (edit,), problem, preferred=True)


def _add_attribute(problem: Problem, document: Document, snapshot: Snapshot) -> Iterator[Action]:
    missing = dict(problem.data).get("missing")
    _, element = _at(problem, document)
    if not missing or element is None:
        return
    known = elements.element(element.name, element.parent.name if element.parent is not None else elements.ROOT)
    attribute = known.attribute(missing) if known is not None else None
    value = attribute.values[0] if attribute is not None and len(attribute.values) == 1 else ""
    edit = FileEdit(Span(problem.span.end, problem.span.end), f' {missing}="{value}"')
    yield Action(f"Add the attribute `{missing}`", "quickfix", (edit,), problem, preferred=True)


def _context_conflict(problem: Problem, document: Document, snapshot: Snapshot) -> Iterator[Action]:
    start, element = _at(problem, document)
    settings = element.parent if element is not None else None
    for name, value in (("fresh_context", "disabled"), ("inherit_context", "none")):
        child = settings.child(name) if settings is not None else None
        if child is not None and child.pieces:
            span = Span(child.pieces[0][1].start, child.pieces[-1][1].end).shift(start)
            title = f"Set `{name}` to {value}, which changes what the task is given"
            yield Action(title, "quickfix", (FileEdit(span, value),), problem)


def _rename_duplicate(problem: Problem, document: Document, snapshot: Snapshot) -> Iterator[Action]:
    name = document.text[problem.span.start : problem.span.end]
    number = 2
    while f"{name}-{number}" in snapshot.tasks:
        number += 1
    new = f"{name}-{number}"
    yield Action(f"Rename this one to `{new}`", "quickfix", (FileEdit(problem.span, new),), problem)


def _unknown_element(problem: Problem, document: Document, snapshot: Snapshot) -> Iterator[Action]:
    start, element = _at(problem, document)
    replacement = dict(problem.data).get("replacement")
    if element is None:
        return
    if replacement and element.close_name_span is not None and element.close_span != element.open_span:
        edits = (FileEdit(problem.span, replacement), FileEdit(element.close_name_span.shift(start), replacement))
        yield Action(f"Change both tags to `{replacement}`", "quickfix", edits, problem)
    yield from _remove_element(problem, document, snapshot)


TEMPLATE_FIXES: dict[str, Fix] = {
    "undeclared-placeholder": _declare_input,
    "unused-input": _remove_element,
    "repeated-input": _remove_element,
    "deprecated": _remove_element,
    "unknown-element": _unknown_element,
    "unknown-attribute": _remove_attribute,
    "missing-element": _add_element,
    "missing-attribute": _add_attribute,
    "context-conflict": _context_conflict,
    "duplicate-task": _rename_duplicate,
}
