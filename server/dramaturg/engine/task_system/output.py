"""Is an answer what the template asked for?"""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema

_FENCE = re.compile(r"^```(?:json)?\s*\n(.*?)\n?```$", re.DOTALL)


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
