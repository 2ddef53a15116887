"""What do the global names of one file mean: its own, those it loads, the workspace's tasks?"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from dramaturg.analysis.effective import effective
from dramaturg.analysis.facts import Definition
from dramaturg.analysis.shapes import SHORT_SCHEMAS, Shape, from_schema_text
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.language.expand.core import Binding, Expression
from dramaturg.language.names import PRIMITIVE_MEANINGS, TOOLS, Meaning, TaskShape
from dramaturg.language.table import DYNAMIC_NAMES, PRIMITIVE_TABLE, SPECIAL_FORMS
from dramaturg.syntax.workflow import Form, Tree
from dramaturg.text import Span


@dataclass(frozen=True, slots=True)
class DefinitionPlace:
    """A top-level definition and its place in a file."""

    definition: Definition
    path: str
    form: Form

    @property
    def span(self) -> Span:
        """The name's span in the file."""
        return self.definition.span.shift(self.form.start)


@dataclass(eq=False)
class Epoch:
    """Answers about names that hold as long as the definitions and tasks around a file are the same."""

    key: object
    tasks: object
    meanings: dict[str, Meaning | None] = field(default_factory=dict)
    shapes: dict[str, TaskShape | None] = field(default_factory=dict)
    answers: dict[str, Shape | None] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Environment:
    """The names that a workflow file sees (`Names`)."""

    snapshot: Snapshot
    document: Document

    @cached_property
    def definitions(self) -> dict[str, list[DefinitionPlace]]:
        """Top-level definitions by name, the file's own first."""
        found: dict[str, list[DefinitionPlace]] = {}
        for document in (self.document, *self.snapshot.loaded(self.document)):
            for form, item in document.definitions:
                if item.kind != "test":
                    place = DefinitionPlace(item, document.path, form)
                    found.setdefault(item.name, []).append(place)
        return found

    @cached_property
    def cores(self) -> dict[int, tuple[Tree, Expression | None]]:
        """The cores of forms that features looked into, by the tree's identity."""
        return {}

    @cached_property
    def parameters(self) -> dict[Binding, Shape]:
        """What is known of parameters in the cores that features looked into."""
        return {}

    @cached_property
    def _assigned(self) -> frozenset[str]:
        documents = (self.document, *self.snapshot.loaded(self.document))
        return frozenset().union(*(document.assigned for document in documents))

    @cached_property
    def epoch(self) -> Epoch:
        """What names mean here: the same object as before as long as nothing that they hang on changed."""
        loaded = [(item.path, item.exports) for item in self.snapshot.loaded(self.document)]
        key = (self.document.exports, loaded)
        kept: Epoch | None = self.snapshot.epochs.get(self.document.path)
        if kept is None or kept.tasks is not self.snapshot.tasks or kept.key != key:
            kept = self.snapshot.epochs[self.document.path] = Epoch(key, self.snapshot.tasks)
        return kept

    def meaning(self, name: str) -> Meaning | None:
        """The meaning of a global name, in the contract's order."""
        meanings = self.epoch.meanings
        try:
            return meanings[name]
        except KeyError:
            found = meanings[name] = self._meaning(name)
            return found

    def _meaning(self, name: str) -> Meaning | None:
        places = self.definitions.get(name, [])
        value = next((place.definition for place in places if place.definition.kind != "task"), None)
        if value is not None:
            unique = sum(place.definition.kind != "task" for place in places) == 1 and name not in self._assigned
            is_function = value.kind == "function"
            return Meaning("top-level", None, None, value.arity if unique and is_function else None, is_function)
        primitive = PRIMITIVE_MEANINGS.get(name)
        if primitive is not None:
            return primitive
        shape = self.task_named(name)
        if shape is not None:
            return Meaning("tool" if name in TOOLS else "task", None, shape)
        return None

    def task_named(self, name: str) -> TaskShape | None:
        """The task or tool of a name; a `defatom` wins over a template file."""
        shapes = self.epoch.shapes
        if name not in shapes:
            shapes[name] = self._task_named(name)
        return shapes[name]

    def _task_named(self, name: str) -> TaskShape | None:
        for place in self.definitions.get(name, ()):
            if place.definition.task is not None:
                return place.definition.task
        places = self.snapshot.tasks.get(name)
        if places:
            return effective(places[0].template, self.snapshot).shape(places[0].path)
        return TOOLS.get(name)

    def value_shape(self, name: str) -> Shape | None:
        """What is known of the value of a top-level name that is defined once and never changed."""
        from dramaturg.analysis.values import definition_shape

        try:
            return self._shapes[name]
        except KeyError:
            self._shapes[name] = None  # What a definition says of itself is not known while it is asked.
            places = self.definitions.get(name, [])
            if len(places) == 1 and name not in self._assigned:
                self._shapes[name] = definition_shape(places[0], self)
            return self._shapes[name]

    @cached_property
    def _shapes(self) -> dict[str, Shape | None]:
        return {}

    def answer_shape(self, task: str) -> Shape | None:
        """What is known of a task's parsed answer, by its output schema."""
        answers = self.epoch.answers
        if task not in answers:
            shape = self.task_named(task)
            answers[task] = self._schema(shape) if shape is not None else None
        return answers[task]

    def _schema(self, shape: TaskShape) -> Shape | None:
        name = shape.output_schema
        if not isinstance(name, str):
            return None
        if name in SHORT_SCHEMAS:
            return SHORT_SCHEMAS[name]
        text = self.snapshot.schema_text(name, shape.path or self.document.path)
        return from_schema_text(text, f"the answer of `{shape.name}`") if text is not None else None

    def known_names(self) -> list[str]:
        """Every global name that can be called, for suggestions."""
        return [*self.definitions, *SPECIAL_FORMS, *PRIMITIVE_TABLE, *self.task_names(), *DYNAMIC_NAMES]

    def task_names(self) -> list[str]:
        """Every task and tool by name."""
        atoms = [name for name, places in self.definitions.items() if places[0].definition.kind == "task"]
        return list(dict.fromkeys([*atoms, *self.snapshot.tasks, *TOOLS]))


def environment_of(snapshot: Snapshot, document: Document) -> Environment:
    """The environment of a document; the same one for every question to a snapshot."""
    known = snapshot.around.get(document.path)
    if not isinstance(known, Environment) or known.document is not document:
        known = snapshot.around[document.path] = Environment(snapshot, document)
    return known
