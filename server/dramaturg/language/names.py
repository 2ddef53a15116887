"""What can a name mean that no local scope binds?

The language is looked up through one small protocol, so that the editor (over
what is written) and the engine (over what is registered) give the same answers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from dramaturg.language.construct import Construct
from dramaturg.language.table import PRIMITIVE_TABLE

MeaningKind = Literal["top-level", "primitive", "dynamic", "task", "tool"]


@dataclass(frozen=True, slots=True)
class InputShape:
    """One input of a task or a tool."""

    name: str
    required: bool = True
    type: str = "any"
    doc: str = ""
    default: str | None = None


@dataclass(frozen=True)
class TaskShape:
    """What a call of a task or a tool must know: its inputs, and the schema of its output if it has one."""

    name: str
    inputs: tuple[InputShape, ...] = ()
    description: str = ""
    output_schema: Any = field(default=None, compare=False, hash=False)
    positional: bool = False
    path: str = ""

    def input(self, name: str) -> InputShape | None:
        """The input of that name."""
        return next((shape for shape in self.inputs if shape.name == name), None)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a global name stands for; `arity` is of a top-level function that nothing changes."""

    kind: MeaningKind
    construct: Construct | None = None
    task: TaskShape | None = None
    arity: tuple[int, int | None] | None = None
    is_function: bool = False


#: The meanings of primitives, made once.
PRIMITIVE_MEANINGS = {name: Meaning("primitive", construct) for name, construct in PRIMITIVE_TABLE.items()}


class Names(Protocol):
    """Whoever knows the global names."""

    def meaning(self, name: str) -> Meaning | None:
        """The meaning of a name, by the order of the language contract, section 3; None where it has none."""
        ...

    def task_named(self, name: str) -> TaskShape | None:
        """The task or tool of that name, whatever else the name may mean."""
        ...


#: Names in a task call that are settings of the call, not inputs of the task.
RESERVED_INPUTS = {
    "files": "Paths of the files that the prompt contains.",
    "context": "Context settings of this call, over the template's.",
    "history_config": "How much of the conversation this call keeps.",
    "model": "The model for this call.",
    "max_depth": "How deep subtasks of this call may nest.",
    "template_hints": "Hints for the choice of a template.",
}

#: Tools that a workflow can call, with their inputs.
TOOLS = {
    shape.name: shape
    for shape in (
        TaskShape(
            "system:get_context",
            (
                InputShape("query", True, "string", "What to look for."),
                InputShape("history", False, "string", "The conversation so far."),
                InputShape("target_files", False, "list", "Files that are likely to matter."),
            ),
            "The paths of the files that matter for a query, as JSON.",
        ),
        TaskShape(
            "system:read_files",
            (InputShape("file_paths", True, "list", "The files to read."),),
            "The content of files, each led by its path.",
        ),
        TaskShape(
            "system:run_script",
            (
                InputShape("command", True, "string", "The command; it is split into words, no shell reads it."),
                InputShape("input", False, "string", "What the command reads on standard input."),
                InputShape("timeout", False, "number", "Seconds until the command is stopped."),
                InputShape("cwd", False, "string", "The folder that the command runs in, inside the workspace."),
            ),
            "Runs a command; its result has `stdout`, `stderr` and `exitCode`.",
        ),
    )
}
