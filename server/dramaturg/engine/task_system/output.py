"""Is an answer what the template asked for?"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
from jsonschema.exceptions import SchemaError

from dramaturg.engine.errors import EngineError
from dramaturg.engine.handler.file_access import FileAccessManager
from dramaturg.engine.types import ValidationFailure

_FENCE = re.compile(r"^```(?:json)?\s*\n(.*?)\n?```$", re.DOTALL)

#: Schemas that a template may name shortly.
SHORT_SCHEMAS: dict[str, dict[str, Any]] = {
    "object": {"type": "object"},
    "array[]": {"type": "array"},
    "string[]": {"type": "array", "items": {"type": "string"}},
    "number[]": {"type": "array", "items": {"type": "number"}},
    "string": {"type": "string"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
}


def output_schema(name: str | None, files: FileAccessManager, source: str | None) -> dict[str, Any] | None:
    """The JSON Schema that a template's `schema` means; VALIDATION_ERROR where there is none such."""
    if name is None:
        return None
    if name in SHORT_SCHEMAS:
        return SHORT_SCHEMAS[name]
    beside = Path(source).parent / name if source else None
    for path in (beside, Path(name)):
        text = files.read_file(path) if path is not None else None
        if text is None:
            continue
        try:
            schema = json.loads(text)
            jsonschema.validators.validator_for(schema).check_schema(schema)
        except (ValueError, RecursionError, SchemaError) as error:
            message = f"the schema {name} is no JSON Schema: {getattr(error, 'message', error)}"
            raise EngineError(ValidationFailure(message=message, path=source)) from None
        if isinstance(schema, dict):
            return schema
    expected = ", ".join(SHORT_SCHEMAS)
    message = f"the schema `{name}` is not known: expected one of {expected}, or a JSON Schema file in the workspace"
    raise EngineError(ValidationFailure(message=message, path=source))


def parse_output(content: str, schema: dict[str, Any] | None) -> tuple[Any, list[str]]:
    """The answer's JSON value and what is wrong with it; the value counts only where nothing is."""
    text = content.strip()
    fenced = _FENCE.match(text)
    try:
        value = json.loads(fenced.group(1) if fenced else text)
    except (ValueError, RecursionError) as error:
        return None, [f"not JSON: {error}"]
    if schema is None:
        return value, []
    validator = jsonschema.validators.validator_for(schema)(schema)
    errors = sorted(validator.iter_errors(value), key=lambda error: list(map(str, error.path)))
    return value, [f"{error.json_path}: {error.message}" for error in errors[:10]]
