"""What is known of a value without running: its kind, and the fields or members that it has.

Nothing is guessed: what is not known is None, and a map of unknown fields has
`fields` None. Shapes compare by value.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from dramaturg.language.records import RECORDS

_DEEPEST = 12


@dataclass(frozen=True, slots=True)
class Shape:
    """A value's kind in the words of signatures; `item` is a list's member, `result` a function's."""

    kind: str
    name: str = ""
    fields: tuple[tuple[str, Shape | None], ...] | None = None
    item: Shape | None = None
    result: Shape | None = None

    def field(self, name: str) -> Shape | None:
        """What is known of a field."""
        return next((shape for key, shape in self.fields or () if key == name), None)

    def with_field(self, name: str, value: Shape | None) -> Shape:
        """The map with a field set."""
        if self.fields is None:
            return Shape("map")
        kept = tuple(pair for pair in self.fields if pair[0] != name)
        return Shape("map", "", (*kept, (name, value)))

    @property
    def label(self) -> str:
        """The shape as a reader would write it down."""
        return _label(self, 0)


def _label(shape: Shape | None, depth: int) -> str:
    if shape is None:
        return "any"
    if shape.kind == "record":
        parsed = shape.field("parsedContent")
        return shape.name + (f" of {_label(parsed, depth + 1)}" if parsed is not None and depth < 2 else "")
    if shape.kind == "list":
        return f"list of {_label(shape.item, depth + 1)}" if shape.item is not None else "list"
    if shape.kind == "map" and shape.fields is not None and depth < 3:
        return "{" + ", ".join(f"{key}: {_label(value, depth + 1)}" for key, value in shape.fields) + "}"
    return shape.kind


def record(name: str, **fields: Shape | None) -> Shape:
    """The shape of a documented record, with what is known better of some fields."""
    shapes = {key: _of_type(type_) for key, type_ in RECORDS[name].items()}
    return Shape("record", name, tuple({**shapes, **fields}.items()))


def _of_type(type_: str) -> Shape | None:
    if type_.endswith("[]"):
        return Shape("list", item=_of_type(type_[:-2]))
    if type_ in RECORDS:
        return record(type_)
    return None if type_ == "any" else Shape(type_)


#: A caught error; other kinds of error have further fields, so the list stays open.
ERROR = Shape("map")

#: Output schemas by their short names (template contract, Elements).
SHORT_SCHEMAS: dict[str, Shape] = {
    "object": Shape("map"),
    "array[]": Shape("list"),
    "string[]": Shape("list", item=Shape("string")),
    "number[]": Shape("list", item=Shape("number")),
    "string": Shape("string"),
    "number": Shape("number"),
    "boolean": Shape("boolean"),
}


@lru_cache(maxsize=256)
def from_schema_text(text: str, title: str) -> Shape | None:
    """What a JSON Schema file says of the values that it admits; None where it says nothing that is understood."""
    try:
        schema = json.loads(text)
    except (ValueError, RecursionError):
        return None
    shape = from_schema(schema, schema, 0)
    return replace(shape, name=title) if shape is not None and shape.kind == "map" else shape


def from_schema(schema: Any, whole: Any, depth: int) -> Shape | None:
    """The shape of one schema inside `whole`, to which its `$ref`s point."""
    if not isinstance(schema, Mapping) or depth > _DEEPEST:
        return None
    if isinstance(schema.get("$ref"), str):
        return from_schema(_pointed(schema["$ref"], whole), whole, depth + 1)
    type_ = schema.get("type")
    properties = schema.get("properties")
    if type_ == "object" or (type_ is None and isinstance(properties, Mapping)):
        if any(key in schema for key in ("allOf", "anyOf", "oneOf", "patternProperties", "if")):
            return Shape("map")
        open_ended = schema.get("additionalProperties") not in (None, False)
        if open_ended or not isinstance(properties, Mapping):
            return Shape("map")
        fields = tuple((str(key), from_schema(value, whole, depth + 1)) for key, value in properties.items())
        return Shape("map", "", fields)
    if type_ == "array":
        return Shape("list", item=from_schema(schema.get("items"), whole, depth + 1))
    kinds = {"string": "string", "number": "number", "integer": "integer", "boolean": "boolean", "null": "nil"}
    return Shape(kinds[type_]) if isinstance(type_, str) and type_ in kinds else None


def _pointed(reference: str, whole: Any) -> Any:
    if not reference.startswith("#"):
        return None
    found = whole
    for part in reference[1:].strip("/").split("/") if reference != "#" else []:
        part = part.replace("~1", "/").replace("~0", "~")
        found = found.get(part) if isinstance(found, Mapping) else None
    return found
