"""What exactly is sent to the model for a task?"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dramaturg.config import Settings
from dramaturg.engine.types.templates import TaskTemplate
from dramaturg.language.placeholders import render


@dataclass
class PromptParts:
    """The parts of a user message beside the instructions."""

    inherited_context: str = ""
    previous_outputs: str = ""
    context_summary: str = ""
    files: list[tuple[str, str]] = field(default_factory=list)


def system_prompt(template: TaskTemplate, inputs: dict[str, Any], settings: Settings) -> str:
    """The configuration's base prompt, then the template's own."""
    own = render(template.system_prompt, inputs)
    return "\n\n".join(part for part in (settings.system_prompt, own) if part.strip())


def user_message(template: TaskTemplate, inputs: dict[str, Any], parts: PromptParts, settings: Settings) -> str:
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
    instructions = render(template.task_prompt, inputs)
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
