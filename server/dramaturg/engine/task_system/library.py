"""Which tasks are there by name?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.engine.errors import EngineError, failure
from dramaturg.engine.types import ValidationFailure
from dramaturg.engine.types.templates import TaskTemplate
from dramaturg.language.nearest import nearest


class TaskLibrary:
    """Templates by their unique names. (type document 002, TaskLibrary)"""

    def __init__(self) -> None:
        self._tasks: dict[str, TaskTemplate] = {}

    def register_task(self, template: TaskTemplate) -> None:
        """Adds a template; VALIDATION_ERROR where the name is taken already."""
        other = self._tasks.get(template.name)
        if other is not None:
            places = " and ".join(source for source in (other.source, template.source) if source)
            where = f" ({places})" if places else ""
            message = f"task `{template.name}` is already registered{where}: rename one of the two"
            raise EngineError(ValidationFailure(message=message, path=template.source))
        self._tasks[template.name] = template

    def replace_task(self, template: TaskTemplate) -> None:
        """Adds a template, or puts it in the place of the one of its name."""
        self._tasks[template.name] = template

    def get_task(self, name: str) -> TaskTemplate:
        """The template of that name; template_not_found with the nearest names where there is none."""
        template = self._tasks.get(name)
        if template is None:
            near = nearest(name, self._tasks)
            hint = f"; did you mean {' or '.join(f'`{item}`' for item in near)}?" if near else ""
            raise EngineError(failure("template_not_found", f"task `{name}` not found{hint}"))
        return template

    def find(self, name: str) -> TaskTemplate | None:
        """The template of that name, or None."""
        return self._tasks.get(name)

    def copy(self) -> TaskLibrary:
        """A library with the same templates, changed apart from this one."""
        other = TaskLibrary()
        other._tasks = dict(self._tasks)
        return other

    def __iter__(self) -> Iterator[TaskTemplate]:
        return iter(self._tasks.values())

    def __len__(self) -> int:
        return len(self._tasks)
