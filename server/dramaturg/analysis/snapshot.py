"""What does the workspace hold at one moment? Immutable: an edit makes another snapshot.

A snapshot knows texts, not editors: open buffers and files on disk look the same,
the buffers winning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from dramaturg.analysis.facts import Definition, assigned, facts
from dramaturg.language.template import Template
from dramaturg.language.template_file import PlacedTemplate, TemplateFile, read_templates
from dramaturg.syntax.workflow import Form, Reading, read, reread
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
        before = self.__dict__.pop("lines_before", None)
        return LineIndex(self.text) if before is None else LineIndex.edited(before, self.text)

    def edited(self, text: str) -> Document:
        """The document with another text; a workflow is read from what this one was read to be."""
        after = Document(self.path, self.language, text)
        if "reading" in self.__dict__:
            after.__dict__["before"] = self.reading
        if "lines" in self.__dict__:
            after.__dict__["lines_before"] = self.lines
        return after

    @cached_property
    def reading(self) -> Reading:
        """The forms of a workflow."""
        before = self.__dict__.pop("before", None)
        return read(self.text) if before is None else reread(before, self.text)

    @cached_property
    def templates(self) -> TemplateFile:
        """The tasks of a template file."""
        return read_templates(self.text)

    @cached_property
    def definitions(self) -> list[tuple[Form, Definition]]:
        """The top-level definitions of a workflow, in order."""
        found: list[tuple[Form, Definition]] = []
        for form in self.reading.forms:
            known = form.tree.notes.get("facts") or facts(form.tree)
            found += [(form, item) for item in known.definitions]
        return found

    @cached_property
    def exports(self) -> tuple[object, ...]:
        """What other forms and files see of a workflow: as long as it is equal, names mean the same."""
        return [item for _, item in self.definitions], self.assigned, [path for path, _ in self.loads]

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that a workflow defines."""
        return frozenset([item.name for _, item in self.definitions])

    @cached_property
    def assigned(self) -> frozenset[str]:
        """Names that some form may change by `set!`."""
        if "set!" not in self.text:
            return frozenset()
        return frozenset().union(*(assigned(form.tree) for form in self.reading.forms if "set!" in form.text))

    @cached_property
    def loads(self) -> list[tuple[str, Span]]:
        """The paths that a workflow loads, with their places in the file."""
        if "load" not in self.text:
            return []
        return [(path, span.shift(form.start)) for form in self.reading.forms for path, span in facts(form.tree).loads]


@dataclass(frozen=True)
class TaskPlace:
    """Where a task is defined in a template file."""

    path: str
    placed: PlacedTemplate

    @property
    def template(self) -> Template:
        """The template; its spans count from its unit's start."""
        return self.placed.template

    @property
    def name_span(self) -> Span:
        """The name's span in the file."""
        return self.placed.name_span


@dataclass(frozen=True)
class Snapshot:
    """The workspace's documents; `read_file` gives the text of one that is not among them, or None."""

    root: Path | None
    documents: Mapping[str, Document] = field(default_factory=dict)
    read_file: Callable[[Path], str | None] = lambda path: None
    severities: Mapping[str, str] = field(default_factory=dict)
    models: tuple[str, ...] = ()
    schema_modules: tuple[str, ...] = ()
    exists: Callable[[Path], bool] = Path.exists

    def with_document(self, document: Document) -> Snapshot:
        """The snapshot with a document added or replaced; what does not hang on it is kept."""
        after = replace(self, documents={**self.documents, document.path: document})
        after.__dict__["epochs"] = self.epochs
        before = self.documents.get(document.path)
        are_workflows = document.language == "workflow" and (before is None or before.language == "workflow")
        if are_workflows and "tasks" in self.__dict__:
            after.__dict__["tasks"] = self.tasks
        return after

    @cached_property
    def epochs(self) -> dict[str, Any]:
        """By path, what names meant around the last state of a document (`environment`)."""
        return {}

    @cached_property
    def around(self) -> dict[str, Any]:
        """What was made of this snapshot's documents, by path (`environment_of`)."""
        return {}

    def document(self, path: str) -> Document | None:
        """The document of a path: one of the snapshot's, or a workflow file that is read for it."""
        known = self.documents.get(path)
        language = language_of(path)
        if known is not None or language is None:
            return known
        text = self.read_file(Path(path))
        return Document(path, language, text) if text is not None else None

    def schema_text(self, name: str, source: str) -> str | None:
        """The text of the JSON Schema file that a template at `source` names: beside it, or from the root."""
        for folder in (Path(source).parent, self.root):
            if folder is not None and name.endswith(".json"):
                text = self.read_file(folder / name)
                if text is not None:
                    return text
        return None

    @cached_property
    def tasks(self) -> dict[str, list[TaskPlace]]:
        """Every task of a template file, by name; more than one place where the name is not unique."""
        found: dict[str, list[TaskPlace]] = {}
        for path, document in sorted(self.documents.items()):
            if document.language == "template":
                for placed in document.templates.templates:
                    if placed.template.name:
                        found.setdefault(placed.template.name, []).append(TaskPlace(path, placed))
        return found

    def loaded_path(self, document: Document, relative: str) -> str:
        """The path that a `load` in a document names."""
        return str((Path(document.path).parent / relative).resolve())

    def way_back(self, document: Document, path: str) -> list[str]:
        """The files from `path` on that load one another back to `document`, itself last; empty where none do."""
        before: dict[str, str] = {path: ""}
        waiting = [path]
        while waiting:
            current = self.document(waiting.pop(0))
            for relative, _ in current.loads if current is not None else ():
                assert current is not None
                step = self.loaded_path(current, relative)
                if step == document.path:
                    way = [step, current.path]
                    while before[way[-1]]:
                        way.append(before[way[-1]])
                    return way[::-1]
                if step not in before:
                    before[step] = current.path
                    waiting.append(step)
        return []

    def loaded(self, document: Document) -> list[Document]:
        """The files that a workflow loads, directly or through others, each once."""
        found: dict[str, Document] = {}
        waiting = [document]
        while waiting:
            current = waiting.pop()
            for relative, _ in current.loads:
                path = self.loaded_path(current, relative)
                if path not in found and path != document.path:
                    other = self.document(path)
                    if other is not None:
                        found[path] = other
                        waiting.append(other)
        return list(found.values())
