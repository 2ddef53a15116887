"""What is known of a form is kept by its tree and by what it asked of the names around it.

An edit elsewhere that changes none of the answers costs a look at them and no more.
What is kept stands on the tree itself, so that it goes when the tree does: a cache of
its own held 190 MB after 5,000 edits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from dramaturg.analysis.environment import Environment, Epoch
from dramaturg.analysis.shapes import Shape
from dramaturg.language.expand.core import Binding
from dramaturg.language.names import Meaning, TaskShape
from dramaturg.syntax.workflow import Form

T = TypeVar("T")
C = TypeVar("C")


class Asking:
    """The names around a form (`NamesOfFile`), remembering what was asked."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self.asked: dict[str, Meaning | None] = {}
        self.tasks: dict[str, TaskShape | None] = {}
        self.values: dict[str, Shape | None] = {}
        self.answers: dict[str, Shape | None] = {}
        self.parameters: dict[Binding, Shape] = {}
        self.suggests = False

    def meaning(self, name: str) -> Meaning | None:
        found = self.asked[name] = self.environment.meaning(name)
        return found

    def task_named(self, name: str) -> TaskShape | None:
        found = self.tasks[name] = self.environment.task_named(name)
        return found

    def value_shape(self, name: str) -> Shape | None:
        found = self.values[name] = self.environment.value_shape(name)
        return found

    def answer_shape(self, task: str) -> Shape | None:
        found = self.answers[task] = self.environment.answer_shape(task)
        return found

    def known_names(self) -> list[str]:
        self.suggests = True
        return self.environment.known_names()

    def task_names(self) -> list[str]:
        self.suggests = True
        return self.environment.task_names()


@dataclass(slots=True)
class Entry(Generic[T]):
    """A result with what it hangs on: it holds as long as these answers are the same."""

    epoch: Epoch
    generation: int
    condition: object
    value: T
    asked: tuple[tuple[str, Meaning | None], ...]
    tasks: tuple[tuple[str, TaskShape | None], ...]
    values: tuple[tuple[str, Shape | None], ...]
    answers: tuple[tuple[str, Shape | None], ...]

    def holds(self, environment: Environment) -> bool:
        """Whether every answer is still the same; in the epoch of the answers they are."""
        if self.epoch is not environment.epoch:
            if not self._same(environment):
                return False
            self.epoch = environment.epoch
        return not self.values or all(environment.value_shape(name) == value for name, value in self.values)

    def _same(self, environment: Environment) -> bool:
        meaning = environment.meaning
        for name, known in self.asked:
            now = meaning(name)
            if now is not known and now != known:
                return False
        for name, shape in self.tasks:
            if environment.task_named(name) != shape:
                return False
        return all(environment.answer_shape(name) == answer for name, answer in self.answers)


class Kept(Generic[T, C]):
    """Results of one computation by form, noted on the form's tree under `name`, and gone with it.

    Suggestions depend on every name, so what made some is not kept.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._generation = 0

    def clear(self) -> None:
        """Forgets everything, as a server that was just started knows nothing."""
        self._generation += 1

    def get(self, form: Form, environment: Environment, compute: Callable[[Form, Asking, C], T], condition: C) -> T:
        """The kept result where it still holds (for the same `condition`), else a new one."""
        notes = form.tree.notes
        entry: Entry[T] | None = notes.get(self.name)
        is_like = entry is not None and entry.generation == self._generation and entry.condition is condition
        if entry is not None and is_like and entry.holds(environment):
            return entry.value
        asking = Asking(environment)
        value = compute(form, asking, condition)
        if asking.suggests:
            notes.pop(self.name, None)
            return value
        notes[self.name] = Entry(
            environment.epoch,
            self._generation,
            condition,
            value,
            tuple(asking.asked.items()),
            tuple(asking.tasks.items()),
            tuple(asking.values.items()),
            tuple(asking.answers.items()),
        )
        return value
