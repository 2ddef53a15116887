"""Which JSON Schema does a template's `schema` mean?

A short name, a JSON Schema file of the workspace, or a pydantic model of a module
that the settings allow. Such a model is asked for in a process of its own: the
workspace's code never runs inside of the engine, and not at all where the
workspace is not trusted.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema
from jsonschema.exceptions import SchemaError

from dramaturg.engine.errors import EngineError
from dramaturg.engine.executors.scripts import ScriptLimits, run_script
from dramaturg.engine.handler.file_access import FileAccessManager
from dramaturg.engine.types import ValidationFailure

SHORT_SCHEMAS: dict[str, dict[str, Any]] = {
    "object": {"type": "object"},
    "array[]": {"type": "array"},
    "string[]": {"type": "array", "items": {"type": "string"}},
    "number[]": {"type": "array", "items": {"type": "number"}},
    "string": {"type": "string"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
}

_PRINT_SCHEMA = """
import importlib, json, sys
sys.path.insert(0, sys.argv[1])
model = getattr(importlib.import_module(sys.argv[2]), sys.argv[3])
print(json.dumps(model.model_json_schema()))
"""
_LIMITS = ScriptLimits(timeout=30.0, output=4_000_000)


@dataclass
class OutputSchemas:
    """The schemas of a workspace; `modules` are those whose models may be used, empty without trust."""

    files: FileAccessManager
    modules: tuple[str, ...] = ()
    _models: dict[str, dict[str, Any]] = field(default_factory=dict)
    _asking: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def find(self, name: str | None, source: str | None) -> dict[str, Any] | None:
        """The schema of that name for a template at `source`; VALIDATION_ERROR where there is none such."""
        if name is None:
            return None
        if name in SHORT_SCHEMAS:
            return SHORT_SCHEMAS[name]
        module, _, model = name.rpartition(".")
        if module in self.modules and model.isidentifier():
            async with self._asking:
                if name not in self._models:
                    self._models[name] = await self._of_model(module, model, source)
            return self._models[name]
        return self._of_file(name, source)

    def _of_file(self, name: str, source: str | None) -> dict[str, Any]:
        beside = Path(source).parent / name if source else None
        for path in (beside, Path(name)):
            text = self.files.read_file(path) if path is not None else None
            if text is not None:
                return _checked(text, name, source)
        expected = ", ".join(SHORT_SCHEMAS)
        message = (
            f"the schema `{name}` is not known: expected one of {expected}, a JSON Schema file in the workspace, "
            "or a pydantic model of a module in `templates.schema_modules` (in a trusted workspace)"
        )
        raise EngineError(ValidationFailure(message=message, path=source))

    async def _of_model(self, module: str, model: str, source: str | None) -> dict[str, Any]:
        root = self.files.roots[0]
        command = [sys.executable, "-c", _PRINT_SCHEMA, str(root), module, model]
        result = await run_script(command, root, _LIMITS)
        if result.exit_code != 0:
            why = (result.stderr.strip().splitlines() or ["no output"])[-1]
            message = f"the schema of `{module}.{model}` cannot be had: {why}"
            raise EngineError(ValidationFailure(message=message, path=source))
        return _checked(result.stdout, f"{module}.{model}", source)


def _checked(text: str, name: str, source: str | None) -> dict[str, Any]:
    try:
        schema = json.loads(text)
        jsonschema.validators.validator_for(schema).check_schema(schema)
    except (ValueError, RecursionError, SchemaError) as error:
        message = f"the schema {name} is no JSON Schema: {getattr(error, 'message', error)}"
        raise EngineError(ValidationFailure(message=message, path=source)) from None
    if not isinstance(schema, dict):
        message = f"the schema {name} is no JSON Schema: expected an object"
        raise EngineError(ValidationFailure(message=message, path=source))
    return schema
