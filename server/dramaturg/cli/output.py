"""How does the shell print: data, messages, errors?"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.theme import Theme

from dramaturg.config import LoadedSettings, find_root, load_settings

_THEME = Theme(
    {
        "error": "bold red",
        "warning": "yellow",
        "information": "blue",
        "hint": "cyan",
        "dim": "bright_black",
        "name": "bold",
        "good": "green",
    }
)

out = Console(theme=_THEME, highlight=False, soft_wrap=True)
err = Console(theme=_THEME, highlight=False, soft_wrap=True, stderr=True)

DONE, FOUND, CANNOT = 0, 1, 2

_WARNINGS = 5


def print_json(data: Any) -> None:
    """Data as JSON, one document."""
    sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")


def cannot(message: str) -> int:
    """Says why nothing could be done; the exit code for it."""
    err.print("[error]error[/]:", end=" ")
    err.print(message, markup=False)
    return CANNOT


def warn_of(warnings: list[str]) -> None:
    """The first few warnings on standard error, and how many more there are."""
    for warning in warnings[:_WARNINGS]:
        err.print("[warning]warning[/]:", end=" ")
        err.print(warning, markup=False)
    if len(warnings) > _WARNINGS:
        err.print(f"… and {len(warnings) - _WARNINGS} more", style="dim")


def workspace(root: Path | None, start: Path | None = None) -> tuple[Path, LoadedSettings]:
    """The workspace and its settings; warnings about them go to standard error."""
    found = root.resolve() if root is not None else find_root((start or Path.cwd()).resolve())
    loaded = load_settings(found)
    warn_of(list(loaded.warnings))
    return found, loaded


def parse_inputs(inputs: tuple[str, ...]) -> dict[str, Any]:
    """`NAME=VALUE` pairs; a value that reads as JSON is JSON. ValueError names a bad pair."""
    found: dict[str, Any] = {}
    for pair in inputs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise ValueError(f"--input {pair}: expected NAME=VALUE")
        try:
            found[name] = json.loads(text)
        except (ValueError, RecursionError):
            found[name] = text
    return found
