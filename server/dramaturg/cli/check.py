"""What does `dramaturg check` find and print?"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any

from dramaturg.analysis.snapshot import Document, language_of
from dramaturg.cli.output import DONE, FOUND, cannot, out, print_json, workspace
from dramaturg.engine.errors import EngineError
from dramaturg.engine.task_system.loader import template_files
from dramaturg.ide.diagnostics import Diagnostic, diagnostics
from dramaturg.workspace import snapshot_of


def check_paths(paths: list[Path], root: Path | None, as_json: bool) -> int:
    """Checks files, and the files of ours in folders."""
    for path in paths:
        if not path.exists():
            return cannot(f"{path}: no such file or folder")
    found_root, loaded = workspace(root, paths[0])
    files: list[Path] = []
    for path in paths:
        files.extend(files_in(path) if path.is_dir() else [path])
    documents: dict[str, Document] = {}
    for path in files:
        text = read_source(path)
        if isinstance(text, int):
            return text
        language = language_of(path.name) or ("template" if path.suffix == ".xml" else "workflow")
        documents[str(path.resolve())] = Document(str(path.resolve()), language, text)
    shown = list(documents)
    documents = {**workspace_documents(found_root, loaded.settings.templates.include), **documents}
    snapshot = snapshot_of(found_root, documents, read_or_none, loaded.settings)
    found = [(documents[path], diagnostics(documents[path], snapshot)) for path in shown]
    if as_json:
        print_json([_json(item, document) for document, items in found for item in items])
    else:
        _print(found)
    grave = any(item.severity in ("error", "warning") for _, items in found for item in items)
    return FOUND if grave else DONE


def files_in(folder: Path) -> list[Path]:
    """The workflows and templates of a folder, at any depth."""
    found: list[Path] = []
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        found.extend(Path(parent) / name for name in sorted(names) if language_of(name))
    return found


def read_source(path: Path) -> str | int:
    """A file's text, or the exit code after saying why there is none."""
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        return cannot(f"{path}: not UTF-8 at byte {error.start}: save the file as UTF-8")
    except OSError as error:
        return cannot(f"{path}: cannot be read: {error.strerror}")


def read_or_none(path: Path) -> str | None:
    """A file's text, or None."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def workspace_documents(root: Path, patterns: tuple[str, ...]) -> dict[str, Document]:
    """The workspace's templates, so that calls are checked against them."""
    try:
        paths = template_files(root, patterns)
    except EngineError:
        return {}
    texts = ((str(path.resolve()), read_or_none(path)) for path in paths)
    return {name: Document(name, "template", text) for name, text in texts if text is not None}


def _json(item: Diagnostic, document: Document) -> dict[str, Any]:
    start, end = (document.lines.position(offset, "utf-16") for offset in item.problem.span)
    return {
        "path": document.path,
        "range": {
            "start": {"line": start.line, "character": start.column},
            "end": {"line": end.line, "character": end.column},
        },
        "severity": item.severity,
        "code": item.problem.code,
        "message": item.problem.message,
    }


def _print(found: list[tuple[Document, list[Diagnostic]]]) -> None:
    counts: Counter[str] = Counter()
    for document, items in found:
        for item in items:
            counts[item.severity] += 1
            _print_one(item, document)
    total = len(found)
    files = f"{total} file{'' if total == 1 else 's'}"
    if not counts:
        out.print(f"[good]no findings[/] in {files}")
        return
    words = [f"{count} {name}{'' if count == 1 else 's'}" for name, count in counts.items()]
    out.print(f"{', '.join(words)} in {files}")


def _print_one(item: Diagnostic, document: Document) -> None:
    place = document.lines.place(_shown(document.path), item.problem.span)
    out.print(f"{place}: ", end="", markup=False)
    out.print(f"[{item.severity}]{item.severity}[/]: ", end="")
    out.print(f"{item.problem.message} [{item.problem.code}]", markup=False)
    line = document.lines.line(place.line - 1)
    if not line.strip():
        return
    left = max(0, place.column - 80)
    width = max(
        1, min(item.problem.span.end, document.lines.starts[place.line - 1] + len(line)) - item.problem.span.start
    )
    gutter = f"{place.line:>5} │ "
    out.print(f"[dim]{gutter}[/]", end="")
    out.print(line[left : left + 120], markup=False)
    padding = "".join("\t" if character == "\t" else " " for character in line[left : place.column - 1])
    out.print(f"[dim]{' ' * 5} │ [/]{padding}[{item.severity}]{'^' * min(width, 120)}[/]")


def _shown(path: str) -> str:
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return path
