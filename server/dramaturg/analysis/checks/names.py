"""Is every name bound, and every task that is called known?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from dramaturg.language.expand import core
from dramaturg.language.names import Names
from dramaturg.language.nearest import did_you_mean, nearest
from dramaturg.language.problem import Problem
from dramaturg.language.table import DYNAMIC_NAMES


class NamesOfFile(Names, Protocol):
    """The names around a form, with those that may be suggested."""

    def known_names(self) -> list[str]:
        """Every global name."""
        ...

    def task_names(self) -> list[str]:
        """Every task and tool."""
        ...


def check_reference(node: core.Expression, names: NamesOfFile) -> Iterator[Problem]:
    """`unbound-name`."""
    if isinstance(node, core.GlobalReference) and node.meaning is None and node.name not in DYNAMIC_NAMES:
        known = names.known_names()
        near = nearest(node.name, known, 1)
        yield Problem(
            "unbound-name",
            node.datum.span,
            f"`{node.name}` is not bound{did_you_mean(node.name, known)}",
            data=(("replacement", near[0]),) if near else (),
        )


def check_unknown_task(node: core.Expression, names: NamesOfFile) -> Iterator[Problem]:
    """`unknown-task`."""
    if not isinstance(node, core.TaskCall) or node.computed is not None or node.meaning is not None:
        return
    datum = node.datum.items[0] if node.datum.head == node.name else node.datum.items[1]
    known = names.task_names()
    near = nearest(node.name, known, 1)
    functions = did_you_mean(node.name, known) or did_you_mean(node.name, names.known_names())
    yield Problem(
        "unknown-task",
        datum.span,
        f"no task or tool is named `{node.name}`{functions}",
        data=(("replacement", near[0]),) if near else (),
    )
