"""Which tools may a model use, and how are they described to it?"""

from __future__ import annotations

from typing import Any

from dramaturg.engine.handler.providers.protocol import ToolDefinition
from dramaturg.language.names import TOOLS

_TYPES: dict[str, dict[str, Any]] = {
    "string": {"type": "string"},
    "number": {"type": "number"},
    "list": {"type": "array", "items": {"type": "string"}},
}


def tool_definitions(names: list[str]) -> tuple[ToolDefinition, ...]:
    """The definitions of the named tools, from the same table that workflows are checked against."""
    return tuple(_definition(name) for name in names if name in TOOLS)


def _definition(name: str) -> ToolDefinition:
    shape = TOOLS[name]
    properties = {item.name: {**_TYPES[item.type], "description": item.doc} for item in shape.inputs}
    required = [item.name for item in shape.inputs if item.required]
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return ToolDefinition(name, shape.description, schema)
