"""Do a call's inputs fit what the template declares?"""

from __future__ import annotations

import json
from typing import Any

from dramaturg.engine.errors import EngineError, failure
from dramaturg.engine.types.templates import InputDefinition, TaskTemplate
from dramaturg.language.nearest import did_you_mean

_CHECKS = {
    "string": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "list": lambda value: isinstance(value, list),
    "map": lambda value: isinstance(value, dict),
}


def checked_inputs(template: TaskTemplate, given: dict[str, Any]) -> dict[str, Any]:
    """The inputs with defaults filled in; `input_validation_failure` names what does not fit."""
    for name in given:
        if name not in template.inputs:
            hint = did_you_mean(name, template.inputs)
            raise EngineError(failure("input_validation_failure", f"`{template.name}` has no input `{name}`{hint}"))
    missing = [item.name for item in template.inputs.values() if item.required and given.get(item.name) is None]
    if missing:
        names = ", ".join(f"`{name}`" for name in missing)
        raise EngineError(
            failure(
                "input_validation_failure",
                f"`{template.name}` needs the input{'s' if len(missing) > 1 else ''} {names}",
            )
        )
    values: dict[str, Any] = {}
    for item in template.inputs.values():
        value = given.get(item.name)
        values[item.name] = _default(item) if value is None else _fit(template.name, item, value)
    return values


def _default(item: InputDefinition) -> Any:
    if item.default is None:
        return ""
    if item.type in ("number", "integer", "boolean", "list", "map"):
        try:
            return json.loads(item.default)
        except ValueError:
            return item.default
    return item.default


def _fit(task: str, item: InputDefinition, value: Any) -> Any:
    check = _CHECKS.get(item.type)
    if check is None or check(value):
        return value
    found = json.dumps(value, ensure_ascii=False)[:80]
    message = f"`{task}`: the input `{item.name}` must be of type {item.type}, found {found}"
    raise EngineError(failure("input_validation_failure", message))
