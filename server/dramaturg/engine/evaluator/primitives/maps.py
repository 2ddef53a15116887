"""What do the primitives on maps, records and association lists do?"""

from __future__ import annotations

from typing import Any

from dramaturg.engine.evaluator.primitives.registry import a_key, a_list, primitive
from dramaturg.engine.evaluator.runtime import ArgumentError, OperationError
from dramaturg.engine.evaluator.values import Symbol, Value
from dramaturg.engine.types.model import Interface

_MISSING = object()


def fields(value: Value, place: int = 1) -> dict[str, Value]:
    """The fields of a map, of a record under its documented names, or of an association list."""
    if type(value) is dict:
        return value
    if isinstance(value, Interface):
        return record_fields(value)
    if type(value) is list and all(_is_pair(item) for item in value):
        found: dict[str, Value] = {}
        for item in value:
            found.setdefault(a_key(item[0], place), item[1] if len(item) == 2 else item[1:])
        return found
    raise ArgumentError(place, "a map, a record or an association list", value)


def _is_pair(item: Value) -> bool:
    return type(item) is list and len(item) >= 2 and type(item[0]) in (str, Symbol)


def record_fields(record: Interface) -> dict[str, Value]:
    """A record as a map: enumerations as their values, nested records as they are, unset fields nil."""
    found: dict[str, Value] = {}
    for name, field in type(record).model_fields.items():
        found[field.alias or name] = _plain(getattr(record, name))
    for name, value in (record.__pydantic_extra__ or {}).items():
        found[name] = _plain(value)
    return found


def _plain(value: Any) -> Value:
    if isinstance(value, str):
        return str(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return value


@primitive("keys")
def keys(value: Value) -> list[str]:
    """`keys`."""
    return list(fields(value))


@primitive("values")
def values(value: Value) -> list[Any]:
    """`values`."""
    return list(fields(value).values())


@primitive("get-field")
def get_field(value: Value, key: Value) -> Value:
    """`get-field`: nil of nil and of a missing field."""
    if value is None:
        return None
    return fields(value).get(a_key(key, 2))


@primitive("get-in")
def get_in(value: Value, path: Value) -> Value:
    """`get-field` along a path; an integer takes a member of a list."""
    for key in a_list(path, 2):
        if value is None:
            return None
        if type(key) is int:
            members = a_list(value, 1)
            value = members[key] if 0 <= key < len(members) else None
        else:
            value = fields(value).get(a_key(key, 2))
    return value


@primitive("set-field")
def set_field(value: Value, key: Value, new: Value) -> dict[str, Any]:
    """`set-field`: a new map."""
    return {**fields(value), a_key(key, 2): new}


@primitive("has-field?")
def has_field(value: Value, key: Value) -> bool:
    """`has-field?`."""
    if value is None:
        return False
    found = fields(value).get(a_key(key, 2), _MISSING)
    if isinstance(value, Interface):
        return found is not _MISSING and found is not None
    return found is not _MISSING


@primitive("json-parse")
def json_parse(text: Value) -> Value:
    """`json-parse`; depth is bounded, so that hostile text costs an error and no more."""
    import json

    if type(text) is not str:
        raise ArgumentError(1, "a string", text)
    try:
        return json.loads(text, parse_constant=_no_constant, parse_int=_parse_int)
    except RecursionError:
        raise OperationError("the JSON text is nested too deeply") from None
    except ValueError as error:
        raise OperationError(f"not JSON: {error}") from None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _parse_int(text: str) -> int:
    from dramaturg.syntax.literals import read_integer

    return read_integer(text)
