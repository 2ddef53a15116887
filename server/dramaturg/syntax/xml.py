"""What tree does a template's text have, however broken, and is it well-formed?

libxml2 (through lxml, with no network, no DTD and no entities) alone judges
well-formedness. The tree is built from tree-sitter-xml's tokens with recovery of
its own: a half-typed tag, a lost quote or a missing end tag costs that element
only. Never raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import tree_sitter_xml
from lxml import etree
from tree_sitter import Language, Node, Parser

from dramaturg.syntax.chunks import SyntaxProblem
from dramaturg.text import LineIndex, Span, code_points

#: The largest template file, in characters, and the deepest nesting of elements.
MAX_SIZE = 4_000_000
MAX_NESTING = 200

_parser = Parser(Language(tree_sitter_xml.language_xml()))
_DOCTYPE = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|(?P<doctype><!DOCTYPE)", re.DOTALL)
_WHOLE = frozenset(
    ("CharData", "CDSect", "EntityRef", "CharRef", "Comment", "AttValue", "PI", "XMLDecl", "doctypedecl")
)
_REFERENCE = re.compile(r"&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(lt|gt|amp|quot|apos));")
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}


@dataclass(slots=True)
class XmlAttribute:
    """An attribute; the value's span lies between the quotes."""

    name: str
    name_span: Span
    value: str = ""
    value_span: Span = Span(0, 0)


@dataclass(slots=True)
class XmlElement:
    """An element: `open_span` is its start tag, `close_span` its end tag where it has one."""

    name: str
    name_span: Span
    open_span: Span
    attributes: list[XmlAttribute] = field(default_factory=list)
    children: list[XmlElement] = field(default_factory=list)
    pieces: list[tuple[str, Span]] = field(default_factory=list)
    close_span: Span | None = None
    close_name_span: Span | None = None
    parent: XmlElement | None = None
    open_ended: bool = False

    @property
    def span(self) -> Span:
        """From the start tag's first to the end tag's last character, or as far as the content goes."""
        end = self.close_span.end if self.close_span else self.open_span.end
        ends = [end, *(child.span.end for child in self.children), *(span.end for _, span in self.pieces)]
        return Span(self.open_span.start, max(ends))

    @property
    def text(self) -> str:
        """The element's own text, entities decoded."""
        return "".join(text for text, _ in self.pieces)

    def attribute(self, name: str) -> XmlAttribute | None:
        """The attribute of that name."""
        return next((attribute for attribute in self.attributes if attribute.name == name), None)

    def child(self, name: str) -> XmlElement | None:
        """The first child of that name."""
        return next((child for child in self.children if child.name == name), None)

    def walk(self) -> Iterator[XmlElement]:
        """The element and all below it, in order."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(reversed(element.children))


@dataclass(frozen=True, slots=True)
class XmlReading:
    """A template file read: its root elements, what is not well-formed, its comments."""

    text: str
    roots: tuple[XmlElement, ...]
    problems: tuple[SyntaxProblem, ...]
    comments: tuple[Span, ...]

    def walk(self) -> Iterator[XmlElement]:
        """Every element, in order."""
        for root in self.roots:
            yield from root.walk()

    def element_at(self, offset: int) -> XmlElement | None:
        """The innermost element that holds `offset`."""
        best: XmlElement | None = None
        for element in self.walk():
            span = element.span
            if span.start < offset and (offset < span.end or (element.close_span is None and offset <= span.end)):
                best = element
        return best


@lru_cache(maxsize=64)
def read_xml(text: str) -> XmlReading:
    """The elements of a template's text, and whether libxml2 takes it."""
    if len(text) > MAX_SIZE:
        message = f"the file is larger than {MAX_SIZE} characters"
        return XmlReading(text, (), (SyntaxProblem(Span(0, 1), message),), ())
    doctype = next((match for match in _DOCTYPE.finditer(text) if match.group("doctype")), None)
    if doctype is not None:
        problem = SyntaxProblem(Span(doctype.start(), doctype.end()), "document type declarations are not allowed")
        return XmlReading(text, (), (problem,), ())
    builder = _Builder(text)
    builder.build()
    problems: tuple[SyntaxProblem, ...] = ()
    fault = well_formedness(text)
    if fault is not None:
        problems = tuple(builder.problems) or (fault,)
    return XmlReading(text, tuple(builder.roots), problems, tuple(builder.comments))


def well_formedness(text: str) -> SyntaxProblem | None:
    """What libxml2 finds wrong with the text first, or None."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False
    )
    source = re.sub(r"^(\ufeff?<\?xml[^>]*?)\s+encoding\s*=\s*(\"[^\"]*\"|'[^']*')", r"\1", text)
    try:
        etree.fromstring(source.lstrip("\ufeff").encode("utf-8", "surrogatepass"), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        line, column = getattr(error, "position", (1, 1))
        offset = LineIndex(text).offset(max(line - 1, 0), max(column - 1, 0)) if text else 0
        message = re.sub(r", line \d+, column \d+.*", "", str(error.msg if hasattr(error, "msg") else error))
        start = min(offset, max(len(text) - 1, 0))
        return SyntaxProblem(Span(start, min(start + 1, len(text))), f"not well-formed: {_lower(message)}")
    return None


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:] if message[1:2].islower() else message


def decode(text: str) -> str:
    """The text with character references and the five predefined entities replaced."""
    return _REFERENCE.sub(_referred, text) if "&" in text else text


def escaped(text: str) -> str:
    """Text as the content of an element."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def quoted(text: str) -> str:
    """Text as the value of an attribute, with its quotes."""
    return '"' + escaped(text).replace('"', "&quot;") + '"'


def _referred(match: re.Match[str]) -> str:
    hexadecimal, decimal, name = match.groups()
    if name:
        return _ENTITIES[name]
    code = int(hexadecimal, 16) if hexadecimal else int(decimal)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


class _Builder:
    """Elements from the stream of tokens; `problems` are worded for where libxml2 says no."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.roots: list[XmlElement] = []
        self.problems: list[SyntaxProblem] = []
        self.comments: list[Span] = []
        self.stack: list[XmlElement] = []
        self.tag: XmlElement | None = None
        self.ending = False
        self.attribute: XmlAttribute | None = None

    def build(self) -> None:
        source = self.text.encode("utf-8", "surrogatepass")
        offsets = None if self.text.isascii() else code_points(self.text)
        for node in _tokens(_parser.parse(source).root_node):
            start, end = node.start_byte, node.end_byte
            span = Span(start, end) if offsets is None else Span(offsets[start], offsets[end])
            self.token(node.type, span)
        self.finish_tag(len(self.text))
        for element in self.stack:
            self.unclosed(element)

    def token(self, kind: str, span: Span) -> None:
        text = self.text[span.start : span.end]
        if kind in ("<", "</"):
            self.finish_tag(span.start)
            self.ending = kind == "</" or self.text[span.end : span.end + 1] == "/"
            self.tag = XmlElement("", Span(span.end, span.end), span)
        elif kind == "Comment":
            self.comments.append(span)
        elif kind == "Name" and self.tag is not None:
            self.name(text, span)
        elif kind == "AttValue" and self.attribute is not None:
            self.attribute.value = decode(text[1:-1])
            self.attribute.value_span = Span(span.start + 1, span.end - 1)
            self.attribute = None
        elif kind in (">", "/>") and self.tag is not None:
            self.end_tag(span, kind == "/>")
        elif kind in ("CharData", "EntityRef", "CharRef", "CDSect") and self.stack and self.tag is None:
            piece = (text[9:-3], Span(span.start + 9, span.end - 3)) if kind == "CDSect" else (decode(text), span)
            self.stack[-1].pieces.append(piece)

    def name(self, text: str, span: Span) -> None:
        tag = self.tag
        assert tag is not None
        if not tag.name:
            tag.name, tag.name_span = text, span
            return
        self.attribute = XmlAttribute(text, span, "", Span(span.end, span.end))
        tag.attributes.append(self.attribute)

    def end_tag(self, span: Span, empty: bool) -> None:
        tag = self.tag
        assert tag is not None
        tag.open_span = Span(tag.open_span.start, span.end)
        self.tag = self.attribute = None
        if self.ending:
            self.close(tag)
            return
        self.open(tag)
        if empty and self.stack and self.stack[-1] is tag:
            tag.close_span = tag.open_span
            self.stack.pop()

    def finish_tag(self, end: int) -> None:
        """Ends a tag that has no `>`: it counts as an element that is not closed."""
        tag = self.tag
        if tag is None:
            return
        self.tag = self.attribute = None
        tag.open_span = Span(tag.open_span.start, max(end, tag.open_span.end))
        self.problem(tag.open_span, f"this tag is never ended: expected `>` after `{tag.name or '<'}`")
        if self.ending:
            self.close(tag)
        elif tag.name:
            tag.open_ended = True
            self.open(tag)
            if self.stack and self.stack[-1] is tag:
                self.stack.pop()

    def open(self, tag: XmlElement) -> None:
        if len(self.stack) >= MAX_NESTING:
            self.problem(tag.open_span, f"elements are nested deeper than {MAX_NESTING}")
            return
        if self.stack:
            tag.parent = self.stack[-1]
            self.stack[-1].children.append(tag)
        else:
            self.roots.append(tag)
        self.stack.append(tag)

    def close(self, tag: XmlElement) -> None:
        depth = next((index for index in range(len(self.stack) - 1, -1, -1) if self.stack[index].name == tag.name), -1)
        if depth < 0:
            self.problem(tag.open_span, f"this end tag closes nothing: no `<{tag.name}>` is open")
            return
        while len(self.stack) > depth + 1:
            self.unclosed(self.stack.pop())
        element = self.stack.pop()
        element.close_span, element.close_name_span = tag.open_span, tag.name_span

    def unclosed(self, element: XmlElement) -> None:
        if element.children and element.parent is not None:
            first = element.children[0].open_span.start
            own = [piece for piece in element.pieces if piece[1].start < first]
            if any(text.strip() for text, _ in own):
                # It holds text, so what follows its text was meant to stand beside it.
                for child in element.children:
                    child.parent = element.parent
                element.parent.children.extend(element.children)
                element.pieces, element.children = own, []
        self.problem(element.name_span, f"`<{element.name}>` is never closed: expected `</{element.name}>`")

    def problem(self, span: Span, message: str) -> None:
        self.problems.append(SyntaxProblem(span, message))


def _tokens(root: Node) -> Iterator[Node]:
    """The tree's tokens in order; nodes whose inside does not matter count as one."""
    cursor = root.walk()
    while True:
        node = cursor.node
        assert node is not None
        if node.type not in _WHOLE and cursor.goto_first_child():
            continue
        if not node.is_missing:
            yield node
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
