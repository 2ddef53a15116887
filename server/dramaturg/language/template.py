"""What does a template file define, and what in it breaks the element table?

From the tolerant tree to plain data with the place of every part; the editor's
checks and the engine's loader both read this, and neither reads the tree again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from dramaturg.language import elements
from dramaturg.language.elements import Attribute, Element
from dramaturg.language.names import InputShape, TaskShape
from dramaturg.language.nearest import did_you_mean, nearest
from dramaturg.language.placeholders import Placeholder, Scan, scan
from dramaturg.language.problem import Problem, Related
from dramaturg.syntax.xml import XmlAttribute, XmlElement, XmlReading, read_xml
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


@dataclass
class Template:
    """One task as a template file defines it; `texts` are the parts that take placeholders."""

    name: str
    name_span: Span
    span: Span
    element: XmlElement
    subtype: str = "standard"
    ref: str = ""
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
    positional: bool = False
    placeholders: list[Placeholder] = field(default_factory=list)

    def shape(self, path: str = "") -> TaskShape:
        """What a call must know of the task."""
        description = self.texts.get("description")
        inputs = tuple(item.shape for item in self.inputs)
        text = " ".join(description.text.split()) if description else ""
        return TaskShape(self.name, inputs, text, self.output_schema or None, self.positional, path)


@dataclass(frozen=True)
class TemplateFile:
    """A file's templates and what is wrong with them; problems of form come first."""

    reading: XmlReading
    templates: tuple[Template, ...]
    problems: tuple[Problem, ...]


@lru_cache(maxsize=256)
def read_templates(text: str) -> TemplateFile:
    """The templates of a file's text, with every problem that the file alone shows."""
    reading = read_xml(text)
    problems = [Problem("not-well-formed", item.span, item.message) for item in reading.problems[:20]]
    templates: list[Template] = []
    for root in reading.roots:
        problems.extend(_check(root, elements.ROOT))
        for item in root.walk():
            if item.name == "task" and (item.parent is None or item.parent.name in ("tasks", "template")):
                template = _template(item, problems)
                templates.append(template)
    if not reading.roots and not reading.problems:
        problems.append(Problem("missing-element", Span(0, 0), "expected a `<task>`, or several under `<tasks>`"))
    return TemplateFile(reading, tuple(templates), tuple(problems))


def _check(item: XmlElement, parent: str) -> Iterator[Problem]:
    """Names, attributes and values against the table, for an element and all below it."""
    definition = elements.element(item.name, parent)
    if definition is None:
        yield _unknown_element(item, parent)
        return
    if definition.deprecated:
        yield Problem("deprecated", item.name_span, f"`<{item.name}>` is deprecated: {definition.deprecated}")
    yield from _check_attributes(item, definition)
    yield from _check_content(item, definition)
    seen: dict[str, XmlElement] = {}
    for child in item.children:
        known = elements.element(child.name, item.name)
        if known is not None and not known.repeats and child.name in seen:
            related = (Related(seen[child.name].name_span, "the first one"),)
            yield Problem("bad-value", child.name_span, f"`<{child.name}>` stands twice in `<{item.name}>`", related)
        seen.setdefault(child.name, child)
        yield from _check(child, item.name)
    if item.name == "task" and not item.attribute("ref"):
        for required in elements.children_of("task"):
            if required.required and required.name not in seen:
                message = f"`<task>` needs `<{required.name}>`"
                yield Problem("missing-element", item.name_span, message, data=(("missing", required.name),))


def _unknown_element(item: XmlElement, parent: str) -> Problem:
    names = [known.name for known in elements.children_of(parent)]
    where = f"in `<{parent}>`" if parent else "at the top of the file"
    if item.name in elements.NAMES:
        message = f"`<{item.name}>` may not stand {where}"
    else:
        message = f"unknown element `<{item.name}>` {where}{did_you_mean(item.name, names)}"
    near = nearest(item.name, names, 1)
    return Problem("unknown-element", item.name_span, message, data=(("replacement", near[0]),) if near else ())


def _check_attributes(item: XmlElement, definition: Element) -> Iterator[Problem]:
    for given in item.attributes:
        known = definition.attribute(given.name)
        names = [attribute.name for attribute in definition.attributes]
        if known is None:
            message = f"unknown attribute `{given.name}` of `<{item.name}>`{did_you_mean(given.name, names)}"
            near = nearest(given.name, names, 1)
            yield Problem(
                "unknown-attribute", given.name_span, message, data=(("replacement", near[0]),) if near else ()
            )
        else:
            yield from _check_value(given, known)
    for attribute in definition.attributes:
        if attribute.required and item.attribute(attribute.name) is None:
            message = f"`<{item.name}>` needs the attribute `{attribute.name}`"
            yield Problem("missing-attribute", item.name_span, message, data=(("missing", attribute.name),))


def _check_value(given: XmlAttribute, known: Attribute) -> Iterator[Problem]:
    span = given.value_span if given.value else given.name_span
    if known.required and not given.value.strip():
        yield Problem("bad-value", span, f"`{given.name}` must not be empty")
    elif known.values and given.value not in known.values:
        message = f"`{given.name}`: expected one of {', '.join(known.values)}, found `{given.value}`"
        yield Problem("bad-value", span, message + did_you_mean(given.value, known.values))


def _check_content(item: XmlElement, definition: Element) -> Iterator[Problem]:
    text = item.text.strip()
    span = _text_span(item)
    if definition.content in ("children", "empty"):
        if text:
            yield Problem("bad-value", span, f"`<{item.name}>` takes no text of its own")
        return
    if definition.values and text not in definition.values:
        yield Problem(
            "bad-value", span, f"`<{item.name}>`: expected one of {', '.join(definition.values)}, found `{text}`"
        )
    elif definition.content == "integer" and not (text.isdigit() and int(text) > 0):
        yield Problem("bad-value", span, f"`<{item.name}>`: expected a positive integer, found `{text}`")
    elif definition.content == "number" and not _is_share(text):
        yield Problem("bad-value", span, f"`<{item.name}>`: expected a number from 0 to 1, found `{text}`")
    elif definition.required and not text and item.close_span is not None:
        yield Problem("missing-element", item.name_span, f"`<{item.name}>` must not be empty")


def _is_share(text: str) -> bool:
    try:
        return 0.0 <= float(text) <= 1.0
    except ValueError:
        return False


def _text_span(item: XmlElement) -> Span:
    spans = [span for text, span in item.pieces if text.strip()]
    return Span(spans[0].start, spans[-1].end) if spans else item.name_span


def _template(item: XmlElement, problems: list[Problem]) -> Template:
    wrapper = item.parent if item.parent is not None and item.parent.name == "template" else None
    named = item.attribute("name") or (wrapper.attribute("name") if wrapper else None)
    name_span = named.value_span if named and named.value else item.name_span
    template = Template(named.value if named else "", name_span, item.span, item, positional=wrapper is not None)
    subtype, ref = item.attribute("subtype"), item.attribute("ref")
    template.subtype = subtype.value if subtype and subtype.value in elements.SUBTYPES else "standard"
    template.ref = ref.value if ref else ""
    for child in item.children:
        definition = elements.element(child.name, "task")
        if definition is None:
            continue
        if definition.content == "prompt":
            template.texts.setdefault(child.name, Part(child.text, _text_span(child)))
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


def _context(template: Template, item: XmlElement, problems: list[Problem]) -> None:
    for child in item.children:
        definition = elements.element(child.name, "context_management")
        if definition is not None and child.text.strip() in definition.values:
            template.context.setdefault(child.name, child.text.strip())
    conflict = elements.context_conflict(template.context)
    if conflict:
        fresh = item.child("fresh_context") or item
        problems.append(Problem("context-conflict", _text_span(fresh), conflict))


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


_PARTS = {
    "inputs": _inputs,
    "output_format": _output,
    "context_management": _context,
    "file_paths": _file_paths,
    "context_relevance": _relevance,
    "context_assembly": _assembly,
    "limits": _limits,
}

#: Elements whose text takes placeholders, wherever they stand.
PROMPTS = ("description", "instructions", "system", "command", "context_query")


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
        if entry.shape.name not in used and "instructions" in template.texts and not template.ref:
            message = f"the input `{entry.shape.name}` is used in no prompt of this task"
            problems.append(Problem("unused-input", entry.name_span, message))


def undeclared(name: str, span: Span, declared: list[str]) -> Problem:
    """The problem of a placeholder that no input declares."""
    near = nearest(name, declared, 1)
    message = f"`{name}` is not declared as an input{did_you_mean(name, declared)}"
    return Problem("undeclared-placeholder", span, message, data=(("replacement", near[0]),) if near else ())
