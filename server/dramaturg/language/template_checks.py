"""Does an element of a template keep to the table: its place, attributes, values and children?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.language import elements
from dramaturg.language.elements import Attribute, Element
from dramaturg.language.nearest import did_you_mean, nearest
from dramaturg.language.problem import Problem, Related
from dramaturg.syntax.xml import XmlAttribute, XmlElement
from dramaturg.text import Span


def check_element(item: XmlElement, parent: str) -> Iterator[Problem]:
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
        yield from check_element(child, item.name)
    if item.name == "task" and not item.attribute("ref"):
        for required in elements.children_of("task"):
            if required.name == "instructions" and "call" in seen:
                continue
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
    span = text_span(item)
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


def text_span(item: XmlElement) -> Span:
    spans = [span for text, span in item.pieces if text.strip()]
    return Span(spans[0].start, spans[-1].end) if spans else item.name_span
