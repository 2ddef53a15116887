"""What do the primitives on lists do?"""

from __future__ import annotations

from typing import Any

from dramaturg.engine.evaluator.primitives.registry import a_function, a_key, a_list, an_integer, primitive
from dramaturg.engine.evaluator.runtime import ArgumentError, OperationError, Runtime
from dramaturg.engine.evaluator.values import Symbol, Value, equal

#: The longest list that `range` makes.
MAX_RANGE = 10_000_000


@primitive("list")
def list_(*members: Value) -> list[Any]:
    """`list`."""
    return list(members)


@primitive("cons")
def cons(member: Value, members: Value) -> list[Any]:
    """`cons`."""
    return [member, *a_list(members, 2)]


@primitive("first")
def first(members: Value) -> Value:
    """`first`, `car`."""
    if not a_list(members, 1):
        raise OperationError("the list is empty")
    return members[0]


@primitive("rest")
def rest(members: Value) -> list[Any]:
    """`rest`, `cdr`."""
    if not a_list(members, 1):
        raise OperationError("the list is empty")
    return members[1:]  # type: ignore[no-any-return]


@primitive("nth")
def nth(members: Value, place: Value) -> Value:
    """`nth`, from 0."""
    found, index = a_list(members, 1), an_integer(place, 2)
    if not 0 <= index < len(found):
        raise OperationError(f"place {index} is outside of a list of {len(found)}")
    return found[index]


@primitive("length")
def length(value: Value) -> int:
    """`length` of a list, a string or a map."""
    if type(value) in (list, str, dict):
        return len(value)
    raise ArgumentError(1, "a list, a string or a map", value)


@primitive("append")
def append(*lists: Value) -> list[Any]:
    """`append`."""
    joined: list[Any] = []
    for place, members in enumerate(lists, 1):
        joined.extend(a_list(members, place))
    return joined


@primitive("reverse")
def reverse(members: Value) -> list[Any]:
    """`reverse`."""
    return a_list(members, 1)[::-1]


@primitive("range")
def range_(first_or_end: Value, end: Value = None, step: Value = 1) -> list[int]:
    """`range`."""
    start, stop = (0, an_integer(first_or_end, 1)) if end is None else (an_integer(first_or_end, 1), an_integer(end, 2))
    if an_integer(step, 3) == 0:
        raise OperationError("the step of a range must not be 0")
    numbers = range(start, stop, step)
    if max(0, (stop - start) // step) > MAX_RANGE:
        raise OperationError(f"the range is longer than {MAX_RANGE}")
    return list(numbers)


@primitive("map", needs_runtime=True)
def map_(runtime: Runtime, function: Value, *lists: Value) -> list[Any]:
    """`map`, over one list or several side by side."""
    a_function(function, 1)
    call = runtime.call
    if len(lists) == 1:
        return [call(function, [member]) for member in a_list(lists[0], 2)]
    members = [a_list(each, place) for place, each in enumerate(lists, 2)]
    if len({len(each) for each in members}) > 1:
        raise OperationError("the lists are of different lengths")
    return [call(function, list(arguments)) for arguments in zip(*members, strict=True)]


@primitive("filter", needs_runtime=True)
def filter_(runtime: Runtime, function: Value, members: Value) -> list[Any]:
    """`filter`."""
    a_function(function, 1)
    return [member for member in a_list(members, 2) if runtime.call(function, [member])]


@primitive("reduce", needs_runtime=True)
def reduce_(runtime: Runtime, function: Value, initial: Value, members: Value) -> Value:
    """`reduce`: the function takes the value so far and a member."""
    a_function(function, 1)
    value = initial
    for member in a_list(members, 3):
        value = runtime.call(function, [value, member])
    return value


@primitive("for-each", needs_runtime=True)
def for_each(runtime: Runtime, function: Value, members: Value) -> None:
    """`for-each`."""
    a_function(function, 1)
    for member in a_list(members, 2):
        runtime.call(function, [member])


@primitive("apply", needs_runtime=True)
def apply_(runtime: Runtime, function: Value, arguments: Value) -> Value:
    """`apply`."""
    return runtime.call(a_function(function, 1), list(a_list(arguments, 2)))


@primitive("sort", needs_runtime=True)
def sort(runtime: Runtime, members: Value, key_function: Value = None) -> list[Any]:
    """`sort`, stable; numbers with numbers, strings with strings."""
    items = a_list(members, 1)
    if key_function is None:
        keys = items
    else:
        a_function(key_function, 2)
        keys = [runtime.call(key_function, [item]) for item in items]
    kinds = {"number" if type(key) in (int, float) else type(key).__name__ for key in keys}
    if not kinds <= {"number"} and not kinds <= {"str"}:
        odd = (
            next(key for key in keys if type(key) not in (int, float) and type(key) is not str)
            if kinds
            - {
                "number",
                "str",
            }
            else None
        )
        if odd is not None or kinds - {"number", "str"}:
            raise ArgumentError(1, "numbers alone or strings alone", odd)
        raise OperationError("numbers and strings cannot be sorted together")
    order = sorted(range(len(items)), key=keys.__getitem__)
    return [items[index] for index in order]


@primitive("assoc")
def assoc(key: Value, pairs: Value) -> Value:
    """`assoc`: keys compare by text where both have one."""
    wanted = a_key(key, 1) if type(key) in (str, Symbol) else None
    for pair in a_list(pairs, 2):
        if type(pair) is list and pair:
            found = pair[0]
            if wanted is not None:
                if type(found) in (str, Symbol) and a_key(found, 1) == wanted:
                    return pair
            elif equal(found, key):
                return pair
    return None


@primitive("member?")
def member(value: Value, members: Value) -> bool:
    """`member?`, by value."""
    return any(equal(value, each) for each in a_list(members, 2))
