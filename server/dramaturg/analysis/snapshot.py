"""What does the workspace hold at one moment? Immutable: an edit makes another snapshot.

A snapshot knows texts, not editors: open buffers and files on disk look the same,
the buffers winning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from dramaturg.analysis.facts import Definition, assigned, facts
from dramaturg.language.template import Template, TemplateFile, read_templates
from dramaturg.syntax.workflow import Form, Reading, read
from dramaturg.text import LineIndex, Span

Language = Literal["workflow", "template"]


def language_of(path: str) -> Language | None:
    """The language of a file by its name, or None for files that are none of ours."""
    if path.endswith(".wf"):
        return "workflow"
    return "template" if path.endswith(".task.xml") else None


@dataclass(frozen=True)
class Document:
    """A file's text and what follows from it alone."""

    path: str
    language: Language
    text: str

    @cached_property
    def lines(self) -> LineIndex:
        """The text's lines."""
        return LineIndex(self.text)

    @cached_property
    def reading(self) -> Reading:
        """The forms of a workflow."""
        return read(self.text)

    @cached_property
    def templates(self) -> TemplateFile:
        """The tasks of a template file."""
        return read_templates(self.text)

    @cached_property
    def definitions(self) -> list[tuple[Form, Definition]]:
        """The top-level definitions of a workflow, in order."""
        return [(form, item) for form in self.reading.forms for item in facts(form.tree).definitions]

    @cached_property
    def assigned(self) -> frozenset[str]:
        """Names that some form may change by `set!`."""
        return frozenset().union(*(assigned(form.tree) for form in self.reading.forms if "set!" in form.text))

    @cached_property
    def loads(self) -> list[tuple[str, Span]]:
        """The paths that a workflow loads, with their places in the file."""
        return [(path, span.shift(form.start)) for form in self.reading.forms for path, span in facts(form.tree).loads]


@dataclass(frozen=True)
class TaskPlace:
    """Where a task is defined in a template file."""

    path: str
    template: Template


@dataclass(frozen=True)
class Snapshot:
    """The workspace's documents; `read_file` gives the text of one that is not among them, or None."""

    root: Path | None
    documents: Mapping[str, Document] = field(default_factory=dict)
    read_file: Callable[[Path], str | None] = lambda path: None
    severities: Mapping[str, str] = field(default_factory=dict)
    models: tuple[str, ...] = ()

    def document(self, path: str) -> Document | None:
        """The document of a path: one of the snapshot's, or a workflow file that is read for it."""
        known = self.documents.get(path)
        language = language_of(path)
        if known is not None or language is None:
            return known
        text = self.read_file(Path(path))
        return Document(path, language, text) if text is not None else None

    @cached_property
    def tasks(self) -> dict[str, list[TaskPlace]]:
        """Every task of a template file, by name; more than one place where the name is not unique."""
        found: dict[str, list[TaskPlace]] = {}
        for path, document in sorted(self.documents.items()):
            if document.language == "template":
                for template in document.templates.templates:
                    if template.name:
                        found.setdefault(template.name, []).append(TaskPlace(path, template))
        return found

    def loaded(self, document: Document) -> list[Document]:
        """The files that a workflow loads, directly or through others, each once."""
        found: dict[str, Document] = {}
        waiting = [document]
        while waiting:
            current = waiting.pop()
            for relative, _ in current.loads:
                path = str((Path(current.path).parent / relative).resolve())
                if path not in found and path != document.path:
                    other = self.document(path)
                    if other is not None:
                        found[path] = other
                        waiting.append(other)
        return list(found.values())
