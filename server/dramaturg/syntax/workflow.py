"""What tree does a workflow's text have, and what in it cannot be read?

The one parser of workflow files: tree-sitter over the chunks of `chunks.cut`,
one form at a time, kept by its text. Never raises; a tree always comes out.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from tree_sitter import Language, Node, Parser

from dramaturg.syntax._workflow_grammar import language
from dramaturg.syntax.chunks import MAX_LOOKAHEADS, Chunk, SyntaxProblem, cut
from dramaturg.syntax.datum import Datum, Kind
from dramaturg.syntax.literals import LiteralError, read_number, read_string
from dramaturg.text import Span, code_points, common_prefix, common_suffix

_parser = Parser(Language(language()))

_ATOMS = frozenset(("symbol", "string", "number", "boolean", "nil", "malformed_number", "reserved_bracket"))
_NESTS: dict[str, Kind] = {
    "list": "list",
    "quote": "quote",
    "quasiquote": "quasiquote",
    "unquote": "unquote",
    "unquote_splicing": "unquote-splicing",
}
_COMMENTS = frozenset(("comment", "block_comment", "datum_comment"))


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """One form's tree; spans and problems count from the form's start.

    `notes` is for what others work out of the tree alone, each under a key of its own.
    """

    root: Datum | None
    problems: tuple[SyntaxProblem, ...]
    comments: tuple[Span, ...]
    notes: dict[str, Any] = field(default_factory=dict)


class Form(NamedTuple):
    """A top-level form of a file: its place, its text, its tree.

    `root` is absent where nothing could be read, as in a stray parenthesis.
    """

    start: int
    text: str
    tree: Tree

    @property
    def root(self) -> Datum | None:
        """The form's datum."""
        return self.tree.root

    @property
    def span(self) -> Span:
        """The form's span in the file."""
        return Span(self.start, self.start + len(self.text))


@dataclass(frozen=True, slots=True)
class Reading:
    """A file read: its forms in order."""

    text: str
    forms: tuple[Form, ...]

    @property
    def problems(self) -> list[SyntaxProblem]:
        """Every syntax problem, with spans in the file."""
        return [
            SyntaxProblem(problem.span.shift(form.start), problem.message)
            for form in self.forms
            for problem in form.tree.problems
        ]


def read(text: str) -> Reading:
    """The forms of a workflow's text; a broken form has problems, never an exception."""
    chunks, _ = cut(text)
    return Reading(text, tuple([Form(chunk.start, chunk.text, _tree(chunk)) for chunk in chunks]))


def reread(before: Reading, text: str) -> Reading:
    """The forms of a text that comes of another one by an edit: what `read` gives, at the cost of the edit.

    Forms before the edit stay, unless one of them is broken: how far that one goes
    depends on all that follows. Behind the edit the old forms hold again from the
    first `(` in column 0 at which both cuttings begin a form.
    """
    old, forms = before.text, before.forms
    prefix = common_prefix(old, text)
    suffix = common_suffix(old, text, min(len(old), len(text)) - prefix)
    shift = len(text) - len(old)
    broken = next((index for index, form in enumerate(forms) if form.tree.problems), len(forms))
    first = min(bisect_left(forms, prefix, key=_start) - 1, broken)
    while first > 0 and old[forms[first].start - 1 : forms[first].start + 1] != "\n(":
        first -= 1
    kept = max(first, 0)
    position = forms[kept].start if kept else 0
    behind = max(len(text) - suffix, position)
    many = sum(1 for form in forms if form.tree.problems) >= MAX_LOOKAHEADS // 2

    def known(start: int) -> bool:
        # One character of the common end stands before it, so that it was in column 0 before too.
        index = bisect_left(forms, start - shift, key=_start)
        return start > behind and not many and index < len(forms) and forms[index].start == start - shift

    chunks, end = cut(text, position, known)
    # Where much is cut anew, as behind a form that is broken, most of it is what it was.
    trees = {form.text: form.tree for form in forms if not form.tree.problems} if len(chunks) > _FEW else {}
    changed = [
        Form(chunk.start, chunk.text, (not chunk.problems and trees.get(chunk.text)) or _tree(chunk))
        for chunk in chunks
    ]
    rest = forms[bisect_left(forms, end - shift, key=_start) :] if end < len(text) else ()
    if shift:
        rest = tuple([Form(start + shift, form_text, tree) for start, form_text, tree in rest])
    return Reading(text, (*forms[:kept], *changed, *rest))


#: So many forms are parsed again without a look at the old ones.
_FEW = 8


def _start(form: Form) -> int:
    return form.start


def forget() -> None:
    """Drops every kept tree."""
    _whole_tree.cache_clear()
    _broken_tree.cache_clear()


def _tree(chunk: Chunk) -> Tree:
    if not chunk.problems:
        return _whole_tree(chunk.text)
    return _broken_tree(chunk.text, chunk.closers, chunk.problems, chunk.readable)


@lru_cache(maxsize=64)
def _whole_tree(text: str) -> Tree:
    return _Builder(text, "").build(())


@lru_cache(maxsize=64)
def _broken_tree(text: str, closers: str, problems: tuple[SyntaxProblem, ...], readable: bool) -> Tree:
    if not readable:
        return Tree(None, problems, ())
    return _Builder(text, closers).build(problems)


class _Builder:
    """One walk over a tree-sitter tree; deep trees cost memory here, never the stack."""

    def __init__(self, text: str, closers: str) -> None:
        self.text = text
        self.source = (text + closers).encode("utf-8", "surrogatepass")
        self.offsets = None if text.isascii() else code_points(text + closers)
        self.problems: list[SyntaxProblem] = []
        self.comments: list[Span] = []

    def build(self, problems: tuple[SyntaxProblem, ...]) -> Tree:
        self.problems.extend(problems)
        cursor = _parser.parse(self.source).walk()
        levels: list[list[Datum]] = [[]]
        nodes: list[Node] = []
        descend = True
        while True:
            node = cursor.node
            assert node is not None
            if descend:
                kind = node.type
                if kind in _ATOMS:
                    levels[-1].append(self.atom(node, kind))
                elif kind in _COMMENTS:
                    self.comments.append(self.span(node))
                elif kind == "ERROR" and not node.named_child_count:
                    self.unreadable(node)
                elif cursor.goto_first_child():
                    levels.append([])
                    nodes.append(node)
                    continue
                elif node.is_missing:
                    self.missing(node, levels[-1])
            if cursor.goto_next_sibling():
                descend = True
                continue
            if not cursor.goto_parent():
                break
            items, node = levels.pop(), nodes.pop()
            self.nest(node, items, levels[-1])
            descend = False
        roots = levels[0]
        return Tree(roots[0] if roots else None, tuple(self.problems), tuple(self.comments))

    def nest(self, node: Node, items: list[Datum], into: list[Datum]) -> None:
        kind = _NESTS.get(node.type)
        if kind is None:
            if node.type == "ERROR":
                self.unreadable(node)
            into.extend(items)
            return
        start, end = self.span(node)
        into.append(Datum(kind, start, end, None, tuple(items)))

    def atom(self, node: Node, kind: str) -> Datum:
        start, end = self.span(node)
        if node.is_missing:
            return Datum("error", start, end)
        text = self.source[node.start_byte : node.end_byte].decode("utf-8", "surrogatepass")
        if kind == "symbol":
            return Datum("symbol", start, end, text)
        if kind == "string":
            value, errors = read_string(text)
            self.literal_errors(start, errors)
            return Datum("string", start, end, value)
        if kind == "number":
            number = read_number(text)
            if isinstance(number, LiteralError):
                self.literal_errors(start, [number])
                return Datum("error", start, end, text)
            return Datum("number", start, end, number)
        if kind == "boolean":
            return Datum("boolean", start, end, text in ("true", "#t"))
        if kind == "nil":
            return Datum("nil", start, end)
        if kind == "reserved_bracket":
            self.problem(start, end, f"`{text}` is reserved: write lists with `(` and `)`")
        else:
            self.problem(
                start,
                end,
                f"`{_short(text)}` begins like a number and is none: a name must not begin with a digit",
            )
        return Datum("error", start, end, text)

    def missing(self, node: Node, into: list[Datum]) -> None:
        """A place-holder that the parser put in; its parent's prefix had nothing after it."""
        start, end = self.span(node)
        if node.type not in (")", '"'):
            into.append(Datum("error", start, end))
        self.prefix_alone(start)

    def unreadable(self, node: Node) -> None:
        start, end = self.span(node)
        text = self.text[start:end].strip()
        if text in ("'", "`", ",", ",@", "#;"):
            self.prefix_alone(end)
        elif start < len(self.text):
            self.problem(start, max(end, start + 1), "this cannot be read: expected a datum")

    def prefix_alone(self, before: int) -> None:
        head = self.text[:before].rstrip()
        prefix = next((mark for mark in (",@", "#;", "'", "`", ",") if head.endswith(mark)), "")
        start = len(head) - len(prefix)
        self.problem(start, len(head), f"nothing follows `{prefix}`: expected a datum")

    def literal_errors(self, start: int, errors: list[LiteralError]) -> None:
        for error in errors:
            self.problem(start + error.span.start, start + error.span.end, error.message)

    def problem(self, start: int, end: int, message: str) -> None:
        problem = SyntaxProblem(Span(start, end), message)
        if problem not in self.problems:
            self.problems.append(problem)

    def span(self, node: Node) -> Span:
        start, end = node.start_byte, node.end_byte
        if self.offsets is not None:
            start, end = self.offsets[start], self.offsets[end]
        length = len(self.text)
        return Span(min(start, length), min(end, length))


def _short(text: str) -> str:
    return text if len(text) <= 24 else text[:20] + "…"
