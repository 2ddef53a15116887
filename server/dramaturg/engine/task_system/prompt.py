"""What exactly is sent to the model for a task?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dramaturg.config import Settings
from dramaturg.engine.errors import EngineError
from dramaturg.engine.types import ValidationFailure
from dramaturg.engine.types.templates import TaskTemplate
from dramaturg.language.placeholders import render


@dataclass
class PromptParts:
    """The parts of a user message beside the instructions."""

    inherited_context: str = ""
    previous_outputs: str = ""
    context_summary: str = ""
    files: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Prompts:
    """A task's own texts with the values in their places."""

    system: str
    instructions: str


def prompts(template: TaskTemplate, inputs: dict[str, Any], find: Callable[[str], TaskTemplate]) -> Prompts:
    """The texts of a template, or of the function template that it calls; EngineError where the call is wrong."""
    system = render(template.system_prompt, inputs)
    if template.call is None:
        return Prompts(system, render(template.task_prompt, inputs))
    target = find(template.call.template)
    names = list(target.inputs)
    if not target.positional or len(names) != len(template.call.arguments):
        expected = f"{len(names)} arguments" if target.positional else "a function template (`<template params=…>`)"
        message = f"`{template.name}` calls `{target.name}`: expected {expected}"
        message += f", found {len(template.call.arguments)}" if target.positional else ""
        raise EngineError(ValidationFailure(message=message, path=template.source))
    values = {name: render(text, inputs) for name, text in zip(names, template.call.arguments, strict=True)}
    return Prompts(system or render(target.system_prompt, values), render(target.task_prompt, values))


def system_prompt(own: str, settings: Settings) -> str:
    """The configuration's base prompt, then the template's own."""
    return "\n\n".join(part for part in (settings.system_prompt, own) if part.strip())


def user_message(instructions: str, parts: PromptParts, settings: Settings) -> str:
    """Context parts under their headings, files, then the instructions."""
    headings = settings.headings
    sections: list[str] = []
    for heading, text in (
        (headings.inherited_context, parts.inherited_context),
        (headings.previous_outputs, parts.previous_outputs),
        (headings.fresh_context, parts.context_summary),
    ):
        if text.strip():
            sections.append(f"{heading}\n\n{text.strip()}")
    if parts.files:
        listed = "\n".join(f'<file path="{path}">\n{text.rstrip()}\n</file>' for path, text in parts.files)
        sections.append(f"{headings.files}\n\n{listed}")
    sections.append(f"{headings.task_text}\n\n{instructions}" if sections else instructions)
    return "\n\n".join(sections)


def relative(path: str, roots: list[Path]) -> str:
    """A path as prompts and pages show it: relative to the workspace where it lies inside."""
    for root in roots:
        try:
            return Path(path).relative_to(root).as_posix()
        except ValueError:
            continue
    return path
