"""How is a workflow laid out in the way Lisps are?

Line breaks are the author's, but where a line is too long or clauses share one;
indentation is the formatter's: bodies by two, arguments under the first one,
members of data under each other. Comments stay, and at most one blank line.
Formatting twice changes nothing, and never the meaning; text that cannot be read
whole is left alone.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from dramaturg.language.table import PRIMITIVE_TABLE, SPECIAL_FORMS
from dramaturg.syntax.datum import QUOTES, Datum
from dramaturg.syntax.workflow import Form, read
from dramaturg.text import Span

WIDTH = 100

_PREFIX = {"quote": 1, "quasiquote": 1, "unquote": 1, "unquote-splicing": 2}


def format_workflow(text: str, width: int = WIDTH) -> str | None:
    """The text laid out; None where it has syntax errors."""
    reading = read(text)
    if reading.problems:
        return None
    newline = "\r\n" if "\r\n" in text else "\n"
    body = text.removeprefix("\ufeff")
    out: list[str] = []
    for piece in _pieces(text, reading.forms):
        if piece.form is None:
            lead = "  " if piece.trailing else ""
            out.append(lead + text[piece.span.start : piece.span.end].rstrip())
        else:
            out.append(_Layout(piece.form, width, newline).text())
        separator = newline if not piece.joined else ""
        out.append(separator + (newline if piece.blank_after else ""))
    return text[: len(text) - len(body)] + "".join(out)


@dataclass(frozen=True)
class _Piece:
    """A top-level form or comment; `joined` where a comment follows on its line."""

    span: Span
    form: Form | None
    trailing: bool
    joined: bool
    blank_after: bool


def _pieces(text: str, forms: tuple[Form, ...]) -> Iterator[_Piece]:
    spans: list[tuple[Span, Form | None]] = []
    position = 0
    for form in forms:
        spans += [(span, None) for span in _comments(text, position, form.start)]
        spans.append((form.span, form if form.root is not None else None))
        position = form.span.end
    spans += [(span, None) for span in _comments(text, position, len(text))]
    for index, (span, piece) in enumerate(spans):
        before = text[spans[index - 1][0].end : span.start] if index else "\n"
        after = text[span.end : spans[index + 1][0].start] if index + 1 < len(spans) else ""
        follows = index + 1 < len(spans) and spans[index + 1][1] is None and _is_line_comment(text, spans[index + 1][0])
        trailing = piece is None and "\n" not in before and _is_line_comment(text, span)
        yield _Piece(span, piece, trailing, follows and "\n" not in after, after.count("\n") > 1)


def _is_line_comment(text: str, span: Span) -> bool:
    return text.startswith(";", span.start)


def _comments(text: str, start: int, end: int) -> Iterator[Span]:
    """The comments in a gap between top-level forms, which holds nothing else."""
    position = start
    while position < end:
        if text.startswith(";", position):
            stop = min((found for found in (text.find("\n", position), end) if found >= 0), default=end)
            yield Span(position, position + len(text[position:stop].rstrip("\r")))
            position = stop
        elif text.startswith("#|", position):
            depth, stop = 1, position + 2
            while depth and stop < end:
                edge = text[stop : stop + 2]
                depth += {"#|": 1, "|#": -1}.get(edge, 0)
                stop += 2 if edge in ("#|", "|#") else 1
            yield Span(position, stop)
            position = stop
        else:
            position += 1


@dataclass(frozen=True)
class _Member:
    """A datum or a comment in a list, with what stood before it in the source."""

    start: int
    end: int
    datum: Datum | None
    breaks: bool
    blank: bool
    is_line_comment: bool


class _Layout:
    """The layout of one form, written from its first to its last character."""

    def __init__(self, form: Form, width: int, newline: str) -> None:
        self.source = form.text
        self.root = form.root
        self.comments = sorted(form.tree.comments)
        self.width = width
        self.newline = newline
        self.parts: list[str] = []
        self.column = 0

    def text(self) -> str:
        """The form laid out from column 0."""
        assert self.root is not None
        self.write(self.root, 0)
        return "".join(self.parts)

    def put(self, text: str) -> None:
        self.parts.append(text)
        last = text.rfind("\n")
        self.column = self.column + len(text) if last < 0 else len(text) - last - 1

    def line(self, indent: int, blank: bool) -> None:
        self.put(self.newline * (2 if blank else 1))
        self.put(" " * indent)

    def write(self, datum: Datum, closing: int) -> None:
        """Writes a datum; `closing` parentheses will follow on its last line."""
        if datum.kind in QUOTES and datum.items and self.source[datum.start] != "(":
            inner = datum.items[0]
            prefix = _PREFIX[datum.kind]
            if inner.start == datum.start + prefix or not self.source[datum.start + prefix : inner.start].strip():
                self.put(self.source[datum.start : datum.start + prefix])
                self.write(inner, closing)
                return
            self.put(self.source[datum.start : datum.end])
            return
        flat = self.flat(datum)
        one_line = flat is not None and "\n" not in self.source[datum.start : datum.end]
        if datum.kind != "list" or not self.members(datum):
            self.put(flat if flat is not None else self.source[datum.start : datum.end])
        elif flat is not None and one_line and self.column + len(flat) + closing <= self.width:
            self.put(flat)
        else:
            self.broken(datum, closing, one_line)

    def broken(self, datum: Datum, closing: int, all_break: bool) -> None:
        """Writes a list over several lines."""
        members = self.members(datum)
        self.put("(")
        opening = self.column
        first_argument = -1
        style = _style(datum)
        after_comment = False
        count = 0
        for index, member in enumerate(members):
            is_last = index == len(members) - 1
            stays = count <= max(style.on_first_line, 1) if all_break else not member.breaks
            if style.clauses and count >= 1:
                stays = False
            if index and stays and not member.is_line_comment and not after_comment:
                needed = self.length(member) + (closing + 1 if is_last else 0)
                stays = (first_argument < 0 and count == 1) or self.column + 1 + needed <= self.width
            if member.is_line_comment and not member.breaks and index:
                self.put("  " if self.parts[-1] != "(" else "")
            elif index and (after_comment or not stays):
                self.line(_indent(style, opening, first_argument, count), member.blank)
            elif index:
                self.put(" ")
            if member.datum is None:
                self.put(self.source[member.start : member.end].rstrip())
            else:
                if count == 1 and first_argument < 0 and not self._just_broke():
                    first_argument = self.column
                self.write(member.datum, closing + 1 if is_last else 0)
                count += 1
            after_comment = member.is_line_comment
        if after_comment:
            self.line(_indent(style, opening, first_argument, max(count, 1)), False)
        self.put(")")

    def length(self, member: _Member) -> int:
        """The length of a member on one line, 0 where it has several."""
        raw = self.source[member.start : member.end]
        text = self.flat(member.datum) if member.datum is not None else raw
        return len(text) if text is not None and "\n" not in text else 0

    def _just_broke(self) -> bool:
        return len(self.parts) > 1 and self.parts[-2].endswith("\n") and not self.parts[-1].strip(" ")

    def members(self, datum: Datum) -> list[_Member]:
        """The items of a list and the comments directly in it, in order."""
        found: list[tuple[int, int, Datum | None]] = [(item.start, item.end, item) for item in datum.items]
        index = bisect_left(self.comments, (datum.start, 0))
        for span in self.comments[index:]:
            if span.start >= datum.end:
                break
            if not any(item.start <= span.start < item.end for item in datum.items):
                found.append((span.start, span.end, None))
        found.sort(key=lambda entry: entry[0])
        members: list[_Member] = []
        position = datum.start + 1
        for start, end, item in found:
            if item is None and any(m.datum is None and m.start <= start < m.end for m in members):
                continue
            gap = self.source[position:start]
            is_line = item is None and self.source[start] == ";"
            members.append(_Member(start, end, item, "\n" in gap, gap.count("\n") > 1 and bool(members), is_line))
            position = end
        return members

    def flat(self, datum: Datum) -> str | None:
        """The datum on one line, or None where it cannot be."""
        if datum.kind in QUOTES and datum.items and self.source[datum.start] != "(":
            inner = self.flat(datum.items[0])
            prefix = self.source[datum.start : datum.start + _PREFIX[datum.kind]]
            gap = self.source[datum.start + len(prefix) : datum.items[0].start]
            return prefix + inner if inner is not None and not gap.strip() else None
        if datum.kind != "list":
            raw = self.source[datum.start : datum.end]
            return raw if "\n" not in raw else None
        if self.source[datum.start] != "(":
            return None
        parts: list[str] = []
        for member in self.members(datum):
            part = self.flat(member.datum) if member.datum else self.source[member.start : member.end]
            if part is None or member.is_line_comment or "\n" in part:
                return None
            parts.append(part)
        return "(" + " ".join(parts) + ")"


@dataclass(frozen=True)
class _Style:
    """How a list's members are indented: `body` arguments before the body, or -1; `data` has no head."""

    body: int = -1
    clauses: bool = False
    data: bool = False
    on_first_line: int = 1


def _style(datum: Datum) -> _Style:
    head = datum.head
    if not head:
        return _Style(data=True)
    construct = SPECIAL_FORMS.get(head) or PRIMITIVE_TABLE.get(head)
    if construct is None or construct.body < 0:
        return _Style()
    body = construct.body
    if construct.name == "let" and len(datum.items) > 1 and datum.items[1].name:
        body = 2
    clauses = construct.group == "composition" and construct.kind == "form" and bool(construct.clauses)
    return _Style(body, clauses, False, body)


def _indent(style: _Style, opening: int, first_argument: int, count: int) -> int:
    """The column of the member after `count` others, in a list whose first member stands at `opening`."""
    if style.data:
        return opening
    if style.body == 0 and first_argument >= 0:
        return first_argument
    if style.body >= 0:
        return opening + 1 if count > style.body else opening + 3
    return first_argument if first_argument >= 0 else opening
