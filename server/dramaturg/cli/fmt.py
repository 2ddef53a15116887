"""What does `dramaturg fmt` change?"""

from __future__ import annotations

from pathlib import Path

from dramaturg.cli.check import files_in, read_source
from dramaturg.cli.output import DONE, FOUND, cannot, err, out, print_json
from dramaturg.ide.format import format_workflow


def format_paths(paths: list[Path], only_check: bool, width: int, as_json: bool) -> int:
    """Lays out the workflows among the paths; with `only_check` says which would change."""
    files: list[Path] = []
    for path in paths:
        if not path.exists():
            return cannot(f"{path}: no such file or folder")
        found = files_in(path) if path.is_dir() else [path]
        files.extend(file for file in found if file.suffix == ".wf")
    changed: list[Path] = []
    unreadable = 0
    for file in files:
        text = read_source(file)
        if isinstance(text, int):
            return text
        laid_out = format_workflow(text, width)
        if laid_out is None:
            unreadable += 1
            err.print("[warning]left alone[/]:", end=" ")
            err.print(f"{file} has syntax errors: see `dramaturg check {file}`", markup=False)
        elif laid_out != text:
            changed.append(file)
            if not only_check:
                file.write_bytes(laid_out.encode("utf-8"))
    if as_json:
        print_json([str(file) for file in changed])
    else:
        for file in changed:
            out.print(f"{'would change' if only_check else 'changed'} {file}", markup=False)
    return FOUND if unreadable or (only_check and changed) else DONE
