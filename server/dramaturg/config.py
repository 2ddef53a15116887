"""Which settings are in force for a workspace, and where does each come from?

`dramaturg.toml` at the workspace root, over the defaults here; command-line flags
and editor settings go over both. An unknown key or a value of the wrong type is a
warning, never an exception, and leaves the default in force.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields, is_dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

FILE_NAME = "dramaturg.toml"


@dataclass(frozen=True)
class LimitSettings:
    """`[limits]`: what a task call or a run may use; times in seconds, windows in tokens."""

    max_turns: int = 10
    max_context_window: int = 200_000
    max_context_window_fraction: float = 1.0
    warning_threshold: float = 0.8
    timeout: int = 600
    max_output_tokens: int = 8192
    depth: int = 10_000
    max_iterations: int = 10_000
    concurrency: int = 8
    script_timeout: int = 120
    script_output: int = 1_000_000


@dataclass(frozen=True)
class IndexSettings:
    """`[index]`: which files are indexed, by glob; sizes in bytes."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_file_size: int = 1_000_000


@dataclass(frozen=True)
class MatchingSettings:
    """`[matching]`: how many matches a query gives, and how many files a task receives."""

    limit: int = 20
    task_files: int = 5


@dataclass(frozen=True)
class TemplateSettings:
    """`[templates]`: where templates are found, further models, modules whose pydantic models may be schemas."""

    include: tuple[str, ...] = ("**/*.task.xml",)
    models: tuple[str, ...] = ()
    schema_modules: tuple[str, ...] = ()


@dataclass(frozen=True)
class RunSettings:
    """`[runs]`: whether runs are logged; days, number and size they are kept to; whether answers are re-used."""

    log: bool = True
    days: int = 90
    most: int = 10_000
    megabytes: int = 500
    cache: bool = False


@dataclass(frozen=True)
class HeadingSettings:
    """`[headings]`: what leads each part of a prompt's context."""

    inherited_context: str = "## Inherited context"
    previous_outputs: str = "## Outputs of earlier steps"
    fresh_context: str = "## Context"
    files: str = "## Files"
    task_text: str = "## Task"


@dataclass(frozen=True)
class Settings:
    """All settings of a workspace."""

    provider: str = ""
    model: str = "claude-sonnet-5-5"
    base_url: str = ""
    system_prompt: str = ""
    output_retries: int = 1
    tools: tuple[str, ...] = ()
    limits: LimitSettings = field(default_factory=LimitSettings)
    index: IndexSettings = field(default_factory=IndexSettings)
    matching: MatchingSettings = field(default_factory=MatchingSettings)
    templates: TemplateSettings = field(default_factory=TemplateSettings)
    headings: HeadingSettings = field(default_factory=HeadingSettings)
    runs: RunSettings = field(default_factory=RunSettings)
    severities: dict[str, str] = field(default_factory=dict)
    models: dict[str, dict[str, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class LoadedSettings:
    """Settings, the file they come from if there is one, and what was wrong with it."""

    settings: Settings
    path: Path | None = None
    warnings: tuple[str, ...] = ()


def load_settings(root: Path | None) -> LoadedSettings:
    """The settings of the workspace at `root`; the defaults where it has no file."""
    path = root / FILE_NAME if root is not None else None
    if path is None or not path.is_file():
        return LoadedSettings(Settings())
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return LoadedSettings(Settings(), path, (f"{path}: cannot be read, so the defaults hold: {error}",))
    warnings: list[str] = []
    settings = _merge(Settings(), data, "", warnings)
    return LoadedSettings(settings, path, tuple(f"{path}: {warning}" for warning in warnings))


def _merge(base: Any, data: dict[str, Any], prefix: str, warnings: list[str]) -> Any:
    known = {item.name: item for item in fields(base)}
    hints = get_type_hints(type(base))
    changes: dict[str, Any] = {}
    for key, value in data.items():
        name = key.replace("-", "_")
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"; did you mean `{prefix}{near[0]}`?" if near else ""
            warnings.append(f"unknown key `{prefix}{key}`{hint}")
            continue
        current = getattr(base, name)
        if is_dataclass(current):
            if isinstance(value, dict):
                changes[name] = _merge(current, value, f"{prefix}{key}.", warnings)
            else:
                warnings.append(f"`{prefix}{key}`: expected a table")
            continue
        fitting = _fit(value, hints[name])
        if fitting is None:
            expected = _expected(hints[name])
            warnings.append(f"`{prefix}{key}`: expected {expected}, found {value!r}")
        else:
            changes[name] = fitting
    return replace(base, **changes)


def _fit(value: Any, hint: Any) -> Any:
    """The value as the setting's type, or None where it does not fit."""
    if get_origin(hint) is tuple:
        fits = isinstance(value, list) and all(isinstance(item, str) for item in value)
        return tuple(value) if fits else None
    if get_origin(hint) is dict:
        of = get_args(hint)[1]
        if not isinstance(value, dict):
            return None
        return value if all(_fit(item, of) is not None for item in value.values()) else None
    if hint is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if value >= 0 else None
    if hint is int:
        return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
    return value if isinstance(value, hint) else None


def _expected(hint: Any) -> str:
    if get_origin(hint) is tuple:
        return "a list of strings"
    if get_origin(hint) is dict:
        of = get_args(hint)[1]
        return "a table of tables" if get_origin(of) is dict else f"a table of {of.__name__} values"
    return {int: "a whole number, 0 or more", float: "a number, 0 or more", str: "a string", bool: "true or false"}[
        hint
    ]


def is_workspace(folder: Path) -> bool:
    """Whether a folder is marked as a workspace, by its settings or by git."""
    return (folder / FILE_NAME).exists() or (folder / ".git").exists()


def find_root(start: Path) -> Path:
    """The workspace that holds `start`: the nearest folder with `dramaturg.toml`, else with `.git`, else its own."""
    folder = start if start.is_dir() else start.parent
    folders = [folder, *folder.parents]
    for marker in (FILE_NAME, ".git"):
        for candidate in folders:
            if (candidate / marker).exists():
                return candidate
    return folder
