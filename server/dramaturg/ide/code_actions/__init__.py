"""What can the editor change at a place: fixes of findings, and refactorings?"""

from __future__ import annotations

from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.ide.code_actions.action import Action, FileEdit, combined
from dramaturg.ide.code_actions.fixes import fixes_of
from dramaturg.ide.code_actions.refactorings import refactorings
from dramaturg.ide.code_actions.template_refactorings import template_refactorings
from dramaturg.ide.diagnostics import diagnostics
from dramaturg.text import Span

__all__ = ["Action", "FileEdit", "code_actions"]


def code_actions(document: Document, snapshot: Snapshot, span: Span) -> list[Action]:
    """The actions of a part of a file: fixes of what is found there, fix-all, refactorings."""
    found = [item.problem for item in diagnostics(document, snapshot)]
    here = [item for item in found if item.span.start <= span.end and span.start <= item.span.end]
    actions = [action for problem in here for action in fixes_of(problem, document, snapshot)]
    safe = [action for problem in found for action in fixes_of(problem, document, snapshot) if action.preferred]
    if safe:
        actions.append(combined("Fix all that can be fixed safely", "source.fixAll", safe))
    if document.language == "template":
        return actions + template_refactorings(document, snapshot, span)
    return actions + refactorings(document, snapshot, span)
