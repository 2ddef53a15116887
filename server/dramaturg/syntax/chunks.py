"""Where does one top-level form end and the next begin, in text that may be half written?

The text is cut by balanced lexing. Where a chunk does not balance, `(` in
column 0 starts the next one, so that a lost parenthesis or quote harms one form
(language contract, section 1). Nothing here builds a tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from dramaturg.text import Span

#: How deep lists and quotations may nest before a form is refused.
MAX_NESTING = 500

#: How many unbalanced chunks a file may have before `(` in column 0 always ends a chunk;
#: it bounds the work on text that is no workflow at all.
MAX_LOOKAHEADS = 64

#: How many unclosed lists of one form are reported.
MAX_UNCLOSED = 10

WHITE_SPACE = " \t\r\n\f\v\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

_TOKEN = re.compile(
    rf"""
    [{WHITE_SPACE}]++
    | ;[^\r\n]*+
    | "(?:[^"\\]++|\\.)*+"?+
    | \#\|
    | \#;
    | [()]
    | ,@ | ['`,\[\]{{}}]
    | [^{WHITE_SPACE}()'";`,\[\]{{}}]++
    | .
    """,
    re.VERBOSE | re.DOTALL,
)
_BLOCK_EDGE = re.compile(r"#\||\|#")
_NEXT_FORM = re.compile(r"^\(", re.MULTILINE)
_PREFIXES = frozenset(("'", "`", ",", ",@", "#;"))
_SPACE_FIRST = frozenset(" \t\r\n\f\v\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff") | {
    chr(code) for code in range(0x2000, 0x200B)
}


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """Text that cannot be read: where, and why."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """The text of one top-level form; `closers` is what it lacks to balance.

    Problems count from the chunk's start. A chunk that is not `readable` has no
    tree: a stray parenthesis, or lists nested too deep.
    """

    start: int
    text: str
    closers: str = ""
    problems: tuple[SyntaxProblem, ...] = ()
    readable: bool = True

    @property
    def span(self) -> Span:
        """The chunk's span in the file."""
        return Span(self.start, self.start + len(self.text))


@dataclass(slots=True)
class _Scan:
    """How far one balanced lexing came: `end` is -1 where nothing but space and comments was left."""

    start: int = -1
    end: int = -1
    opens: list[int] | None = None
    unclosed: tuple[int, str] | None = None
    too_deep: int = -1
    balanced: bool = False


#: Asked before each form in column 0, with its start: whether the rest is known already.
Known = Callable[[int], bool]


def cut(text: str, position: int = 0, known: Known | None = None) -> tuple[list[Chunk], int]:
    """The top-level chunks of a workflow's text from `position` on, and where the cutting ended.

    `position` is 0 or a `(` in column 0 at which a cutting from 0 begins a chunk.
    """
    chunks: list[Chunk] = []
    lookaheads = 0
    while position < len(text):
        if text[position] == "(" and (position == 0 or text[position - 1] == "\n"):
            if known is not None and lookaheads < MAX_LOOKAHEADS // 2 and known(position):
                return chunks, position
            # From one `(` in column 0 to the next: kept by its text where it balances by itself.
            end = _next_start(text, position)
            lengths = _balanced(text[position:end])
            if lengths is not None:
                for start, stop in lengths:
                    chunks.append(Chunk(position + start, text[position + start : position + stop]))
                position = end
                continue
        scan = _scan(text, position, len(text) if lookaheads < MAX_LOOKAHEADS else None)
        if scan.start < 0:
            break
        if not scan.balanced:
            lookaheads += 1
            following = _NEXT_FORM.search(text, scan.start + 1)
            if following and following.start() < scan.end:
                scan = _scan(text, scan.start, following.start())
        if text[scan.start] == ")":
            problem = SyntaxProblem(Span(0, 1), "this `)` closes nothing")
            chunks.append(Chunk(scan.start, ")", problems=(problem,), readable=False))
        else:
            chunks.append(_chunk(text, scan))
        position = max(scan.end, scan.start + 1)
    return chunks, len(text)


def _next_start(text: str, position: int) -> int:
    """Where the next `(` in column 0 stands, or the end of the text."""
    following = text.find("\n(", position)
    return following + 1 if following >= 0 else len(text)


@lru_cache(maxsize=2048)
def _balanced(segment: str) -> tuple[tuple[int, int], ...] | None:
    """Where the chunks of a segment lie, where all of them balance and nothing is left open at its end."""
    found: list[tuple[int, int]] = []
    position = 0
    while position < len(segment):
        scan = _scan(segment, position, len(segment))
        if scan.start < 0:
            break
        if not scan.balanced or scan.too_deep >= 0 or segment[scan.start] != "(":
            return None
        found.append((scan.start, scan.end))
        position = scan.end
    return tuple(found)


def _chunk(text: str, scan: _Scan) -> Chunk:
    content = text[scan.start : scan.end]
    if scan.too_deep >= 0:
        span = Span(scan.too_deep - scan.start, scan.too_deep - scan.start + 1)
        problem = SyntaxProblem(span, f"lists are nested deeper than {MAX_NESTING}")
        return Chunk(scan.start, content, problems=(problem,), readable=False)
    if scan.balanced:
        return Chunk(scan.start, content)
    opens = scan.opens or []
    closers = ")" * len(opens)
    if scan.unclosed is None:
        problems = tuple(
            SyntaxProblem(Span(at - scan.start, at - scan.start + 1), "this list is never closed: expected `)`")
            for at in opens[:MAX_UNCLOSED]
        )
        return Chunk(scan.start, content, closers, problems)
    at, closer = scan.unclosed
    what, shown = ("string", '"') if closer == '"' else ("block comment", "|#")
    span = Span(at - scan.start, at - scan.start + (1 if closer == '"' else 2))
    if closer == '"' and _ends_escaping(content):
        closer = '\\"'
    problem = SyntaxProblem(span, f"this {what} is never closed: expected `{shown}`")
    return Chunk(scan.start, content, closer + closers, (problem,))


def _ends_escaping(text: str) -> bool:
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1


def _scan(text: str, position: int, limit: int | None) -> _Scan:
    """Lexes from `position` until a datum is complete, the text ends, or `limit` is reached.

    With no limit `(` in column 0 ends the chunk.
    """
    if limit is None:
        following = _NEXT_FORM.search(text, _skip_space(text, position) + 1)
        limit = following.start() if following else len(text)
    scan = _Scan(opens=[])
    opens = scan.opens or []
    scan.opens = opens
    prefixes = 0
    match = _TOKEN.match
    while position < limit:
        found = match(text, position, limit)
        if found is None:
            break
        start, position = position, found.end()
        first = text[start]
        if first in _SPACE_FIRST:
            continue
        if first == ";":
            continue
        token = found.group()
        if token == "#|":
            end = _block_end(text, position, limit)
            if end < 0:
                scan.start = start if scan.start < 0 else scan.start
                scan.end, scan.unclosed = limit, (start, "|#")
                return scan
            position = end
            continue
        if scan.start < 0:
            scan.start = start
        if token == "(":
            opens.append(start)
            if len(opens) + prefixes > MAX_NESTING and scan.too_deep < 0:
                scan.too_deep = start
            continue
        if token in _PREFIXES:
            prefixes += 1
            if len(opens) + prefixes > MAX_NESTING and scan.too_deep < 0:
                scan.too_deep = start
            scan.end = position
            continue
        if token == ")":
            if opens:
                opens.pop()
        elif first == '"' and (len(token) < 2 or token[-1] != '"' or _ends_escaping(token[1:-1])):
            scan.end, scan.unclosed = limit, (start, '"')
            return scan
        scan.end = position
        prefixes = 0
        if not opens:
            scan.balanced = True
            return scan
    if scan.start >= 0:
        scan.end = max(scan.end, opens[-1] + 1 if opens else scan.start + 1)
        scan.balanced = not opens
    return scan


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position] in _SPACE_FIRST:
        position += 1
    return position


def _block_end(text: str, position: int, limit: int) -> int:
    depth = 1
    for edge in _BLOCK_EDGE.finditer(text, position, limit):
        depth += 1 if edge.group() == "#|" else -1
        if depth == 0:
            return edge.end()
    return -1
