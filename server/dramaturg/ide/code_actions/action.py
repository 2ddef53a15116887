"""What is a code action, as plain data?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dramaturg.language.problem import Problem
from dramaturg.text import Span

ActionKind = Literal["quickfix", "source.fixAll", "refactor.extract", "refactor.inline", "refactor.rewrite"]


@dataclass(frozen=True, slots=True)
class FileEdit:
    """A span of the file that the action was asked for, and the text that takes its place."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Action:
    """Edits of the file, and perhaps a new file; `preferred` where there is no other sensible fix."""

    title: str
    kind: ActionKind
    edits: tuple[FileEdit, ...]
    problem: Problem | None = None
    preferred: bool = False
    creates: tuple[str, str] | None = None


def combined(title: str, kind: ActionKind, actions: list[Action]) -> Action:
    """One action of many; of edits that touch one another the first is taken."""
    edits = sorted({edit for action in actions for edit in action.edits}, key=lambda edit: edit.span)
    kept: list[FileEdit] = []
    for edit in edits:
        if not kept or edit.span.start >= kept[-1].span.end:
            kept.append(edit)
    return Action(title, kind, tuple(kept))


def applied(text: str, edits: tuple[FileEdit, ...]) -> str:
    """The text with the edits made."""
    for edit in sorted(edits, key=lambda item: item.span, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text
