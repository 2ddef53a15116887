"""Who may know whom: the architecture as absences, read from the imports."""

from __future__ import annotations

import ast
from pathlib import Path

from conftest import ROOT

PACKAGE = ROOT / "server" / "dramaturg"

#: What each layer may import of the others, beside itself.
ALLOWED = {
    "text": set[str](),
    "config": set[str](),
    "syntax": {"text"},
    "language": {"text", "syntax"},
    "analysis": {"text", "syntax", "language"},
    "ide": {"text", "syntax", "language", "analysis"},
    "engine": {"text", "syntax", "language", "config"},
    "workspace": {"config", "analysis", "engine"},
    "lsp": {"text", "config", "syntax", "language", "analysis", "ide", "engine", "workspace"},
    "cli": {"text", "config", "syntax", "language", "analysis", "ide", "engine", "lsp", "workspace"},
    "__main__": {"cli", "lsp"},
    "__init__": set[str](),
}

#: Libraries that one place alone may import.
CONFINED = {
    "anthropic": "engine/handler/providers/anthropic.py",
    "git": "engine/memory/",
    "pygls": "lsp/",
    "lsprotocol": "lsp/",
    "lxml": "syntax/xml.py",
    "tree_sitter": "syntax/",
    "tree_sitter_xml": "syntax/",
    "rich": "cli/",
    "click": "cli/",
}


def imports(path: Path) -> list[tuple[int, str]]:
    """Every module that a file imports, with the line."""
    found: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append((node.lineno, node.module))
    return found


def test_every_import_keeps_to_the_layers() -> None:
    broken: list[str] = []
    for path in sorted(PACKAGE.rglob("*.py")):
        relative = path.relative_to(PACKAGE)
        layer = relative.parts[0].removesuffix(".py")
        for line, module in imports(path):
            parts = module.split(".")
            where = f"{relative}:{line}"
            if parts[0] == "dramaturg" and len(parts) > 1 and parts[1] not in (layer, "__version__", *ALLOWED[layer]):
                broken.append(f"{where}: `{layer}` must not know `{parts[1]}`")
            place = CONFINED.get(parts[0])
            if place is not None and not str(relative).startswith(place):
                broken.append(f"{where}: `{parts[0]}` is imported in {place} alone")
    assert not broken, "\n".join(broken)


def test_nothing_of_the_sdk_is_loaded_before_a_model_is_called() -> None:
    import subprocess
    import sys

    code = "import dramaturg.cli.main, dramaturg.cli.run, sys; print('anthropic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
