"""What does a template file define, and what in it breaks the element table?

From the tolerant tree to plain data with the place of every part; the editor's
checks and the engine's loader both read this, and neither reads the tree again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from dramaturg.language import elements
from dramaturg.language.names import InputShape, TaskShape
from dramaturg.language.nearest import did_you_mean, nearest
from dramaturg.language.placeholders import Placeholder, Scan, scan
from dramaturg.language.problem import Problem, Related
from dramaturg.language.template_checks import check_element, text_span
from dramaturg.syntax.xml import XmlElement, XmlReading, read_xml
from dramaturg.text import Span


@dataclass(frozen=True, slots=True)
class Part:
    """A text of a template and where it stands."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class TemplateInput:
    """An input that a template declares."""

    shape: InputShape
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class FilePaths:
    """Where a template's files come from."""

    source: str = "literal"
    paths: tuple[str, ...] = ()
    command: str = ""
    description: str = ""
    context_query: str = ""


@dataclass(frozen=True, slots=True)
class TemplateCall:
    """`<call template="…"><arg>…</arg></call>`: another template's prompt, its parameters by position."""

    template: str
    span: Span
    arguments: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class FileReference:
    """A file that a template names: a schema, or a path of its own."""

    kind: str
    name: str
    span: Span


@dataclass
class Template:
    """One task as a template file defines it; `texts` are the parts that take placeholders."""

    name: str
    name_span: Span
    span: Span
    element: XmlElement
    subtype: str = "standard"
    ref: str = ""
    ref_span: Span = Span(0, 0)
    texts: dict[str, Part] = field(default_factory=dict)
    plain: dict[str, str] = field(default_factory=dict)
    inputs: list[TemplateInput] = field(default_factory=list)
    output_type: str = "text"
    output_schema: str = ""
    context: dict[str, str] = field(default_factory=dict)
    file_paths: FilePaths | None = None
    relevance: dict[str, bool] = field(default_factory=dict)
    assembly: dict[str, str] = field(default_factory=dict)
    limits: dict[str, str] = field(default_factory=dict)
    call: TemplateCall | None = None
    positional: bool = False
    placeholders: list[Placeholder] = field(default_factory=list)
    references: list[FileReference] = field(default_factory=list)

    def shape(self, path: str = "") -> TaskShape:
        """What a call must know of the task."""
        description = self.texts.get("description")
        inputs = tuple(item.shape for item in self.inputs)
        text = " ".join(description.text.split()) if description else ""
        return TaskShape(self.name, inputs, text, self.output_schema or None, self.positional, path)


@dataclass(frozen=True, eq=False)
class UnitReading:
    """One unit of a file, read: its elements, templates and problems, spans from the unit's start."""

    text: str
    xml: XmlReading
    templates: tuple[Template, ...]
    problems: tuple[Problem, ...]
    notes: dict[str, Any] = field(default_factory=dict)


#: Elements that a task may stand in.
HOLDERS = ("tasks", "template")


@lru_cache(maxsize=1024)
def read_unit(text: str, parent: str = elements.ROOT) -> UnitReading:
    """The templates of a text that stands below `parent`, with every problem that it alone shows."""
    reading = read_xml(text)
    problems = [Problem("not-well-formed", item.span, item.message) for item in reading.problems[:20]]
    templates: list[Template] = []
    for root in reading.roots:
        problems.extend(check_element(root, parent))
        tasks = [item for item in root.walk() if item.name == "task"]
        templates += [_template(item, problems) for item in tasks if item.parent is None or item.parent.name in HOLDERS]
    return UnitReading(text, reading, tuple(templates), tuple(problems))


def _template(item: XmlElement, problems: list[Problem]) -> Template:
    wrapper = item.parent if item.parent is not None and item.parent.name == "template" else None
    named = item.attribute("name") or (wrapper.attribute("name") if wrapper else None)
    name_span = named.value_span if named and named.value else item.name_span
    template = Template(named.value if named else "", name_span, item.span, item, positional=wrapper is not None)
    subtype, ref = item.attribute("subtype"), item.attribute("ref")
    template.subtype = subtype.value if subtype and subtype.value in elements.SUBTYPES else "standard"
    if ref is not None:
        template.ref, template.ref_span = ref.value, ref.value_span
    for child in item.children:
        definition = elements.element(child.name, "task")
        if definition is None:
            continue
        if definition.content == "prompt":
            template.texts.setdefault(child.name, Part(child.text, text_span(child)))
        elif definition.content in ("text", "boolean"):
            template.plain.setdefault(child.name, child.text.strip())
        else:
            _PARTS.get(child.name, _ignore)(template, child, problems)
    if wrapper is not None:
        _wrapper_inputs(template, wrapper)
    _placeholders(template, item, problems)
    return template


def _ignore(template: Template, item: XmlElement, problems: list[Problem]) -> None:
    """An element that this reading does not keep."""


def _inputs(template: Template, item: XmlElement, problems: list[Problem]) -> None:
    first: dict[str, Span] = {}
    for child in item.children:
        named = child.attribute("name")
        if child.name != "input" or named is None or not named.value:
            continue
        if named.value in first:
            related = (Related(first[named.value], "declared here first"),)
            problems.append(
                Problem("repeated-input", named.value_span, f"the input `{named.value}` is declared twice", related)
            )
            continue
        first[named.value] = named.value_span
        required, default, type_ = (child.attribute(name) for name in ("required", "default", "type"))
        optional = default is not None or (required is not None and required.value == "false")
        doc = " ".join(child.text.split())
        shape = InputShape(
            named.value, not optional, type_.value if type_ else "any", doc, default.value if default else None
        )
        template.inputs.append(TemplateInput(shape, child.span, named.value_span))


def _wrapper_inputs(template: Template, wrapper: XmlElement) -> None:
    params = wrapper.attribute("params")
    known = {item.shape.name for item in template.inputs}
    position = params.value_span.start if params else 0
    for raw in params.value.split(",") if params else []:
        name = raw.strip()
        start = position + len(raw) - len(raw.lstrip())
        position += len(raw) + 1
        if name and name not in known:
            span = Span(start, start + len(name))
            template.inputs.append(TemplateInput(InputShape(name), span, span))


def _output(template: Template, item: XmlElement, problems: list[Problem]) -> None:
    type_, schema = item.attribute("type"), item.attribute("schema")
    template.output_type = type_.value if type_ else ("json" if schema else "text")
    template.output_schema = schema.value if schema else ""
    if schema is not None and schema.value:
        template.references.append(FileReference("schema", schema.value, schema.value_span))


def _context(template: Template, item: XmlElement, problems: list[Problem]) -> None:
    for child in item.children:
        definition = elements.element(child.name, "context_management")
        if definition is not None and child.text.strip() in definition.values:
            template.context.setdefault(child.name, child.text.strip())
    conflict = elements.context_conflict(template.context)
    if conflict:
        fresh = item.child("fresh_context") or item
        problems.append(Problem("context-conflict", text_span(fresh), conflict))


def _file_paths(template: Template, item: XmlElement, problems: list[Problem]) -> None:
    source = item.attribute("source")
    kind = source.value if source else "literal"
    texts = {child.name: child.text.strip() for child in item.children}
    template.file_paths = FilePaths(
        kind,
        tuple(child.text.strip() for child in item.children if child.name == "path" and child.text.strip()),
        texts.get("command", ""),
        texts.get("description", ""),
        texts.get("context_query", ""),
    )
    template.references += [
        FileReference("path", child.text.strip(), text_span(child))
        for child in item.children
        if child.name == "path" and child.text.strip()
    ]
    fitting = {
        "literal": "path",
        "command": "command",
        "description": "description",
        "context_description": "context_query",
    }
    wanted = fitting.get(kind)
    for child in item.children:
        if wanted and child.name in fitting.values() and child.name != wanted:
            message = f"`<{child.name}>` does not fit the source `{kind}`: expected `<{wanted}>`"
            problems.append(Problem("bad-value", child.name_span, message))
    if wanted and not any(child.name == wanted for child in item.children):
        problems.append(Problem("missing-element", item.name_span, f"the source `{kind}` needs `<{wanted}>`"))


def _relevance(template: Template, item: XmlElement, problems: list[Problem]) -> None:
    for child in item.children:
        named, include = child.attribute("name"), child.attribute("include")
        if named is not None:
            template.relevance[named.value] = include is None or include.value == "true"


def _assembly(template: Template, item: XmlElement, problems: list[Problem]) -> None:
    template.assembly.update({child.name: child.text.strip() for child in item.children})


def _limits(template: Template, item: XmlElement, problems: list[Problem]) -> None:
    template.limits.update({child.name: child.text.strip() for child in item.children})


def _call(template: Template, item: XmlElement, problems: list[Problem]) -> None:
    named = item.attribute("template")
    if named is not None:
        arguments = tuple(Part(child.text, text_span(child)) for child in item.children if child.name == "arg")
        template.call = TemplateCall(named.value, named.value_span, arguments)


_PARTS = {
    "call": _call,
    "inputs": _inputs,
    "output_format": _output,
    "context_management": _context,
    "file_paths": _file_paths,
    "context_relevance": _relevance,
    "context_assembly": _assembly,
    "limits": _limits,
}

#: Elements whose text takes placeholders, wherever they stand.
PROMPTS = ("description", "instructions", "system", "command", "context_query", "arg")


def prompt_scans(item: XmlElement) -> Iterator[tuple[XmlElement, Scan]]:
    """The placeholder scans of the prompts in a task's element, with spans in the file."""
    for child in item.walk():
        if child.name in PROMPTS:
            for text, span in child.pieces:
                yield child, scan(text, span.start)


def _placeholders(template: Template, item: XmlElement, problems: list[Problem]) -> None:
    declared = [entry.shape.name for entry in template.inputs]
    used: set[str] = set()
    for _, found in prompt_scans(item):
        problems.extend(Problem("bad-placeholder", broken.span, broken.message) for broken in found.broken)
        for placeholder in found.placeholders:
            template.placeholders.append(placeholder)
            used.add(placeholder.name)
            if placeholder.name not in declared and not template.ref:
                problems.append(undeclared(placeholder.name, placeholder.name_span, declared))
    for entry in template.inputs:
        if entry.shape.name not in used and ("instructions" in template.texts or template.call) and not template.ref:
            message = f"the input `{entry.shape.name}` is used in no prompt of this task"
            problems.append(Problem("unused-input", entry.name_span, message))


def undeclared(name: str, span: Span, declared: list[str]) -> Problem:
    """The problem of a placeholder that no input declares."""
    near = nearest(name, declared, 1)
    message = f"`{name}` is not declared as an input{did_you_mean(name, declared)}"
    return Problem("undeclared-placeholder", span, message, data=(("replacement", near[0]),) if near else ())
