"""A real Neovim 0.11, headless, through the plugin's own commands: `make neovim`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT
from workspace import make_repository

PLUGIN = ROOT / "client-nvim"


def neovim() -> str | None:
    """Neovim 0.11 or later: the one that the Makefile installed, or one on the PATH."""
    found = os.environ.get("DRAMATURG_NVIM") or shutil.which("nvim")
    if found is None:
        return None
    first = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    major, minor = first.removeprefix("NVIM v").split(".")[:2]
    return found if (int(major), int(minor)) >= (0, 11) else None


@pytest.mark.skipif(neovim() is None, reason="no Neovim 0.11 here: `make neovim` installs one")
def test_the_plugin_in_a_real_neovim(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "bug-hunt")
    command = neovim()
    assert command is not None
    setup = (
        f"lua vim.g.dramaturg_command = {{ '{sys.executable}', '-m', 'dramaturg', 'lsp' }}; "
        "vim.g.dramaturg_replay = { 'recordings/find-and-plan.jsonl' }"
    )
    home = tmp_path / "home"
    home.mkdir()
    environment = {
        **os.environ,
        "HOME": str(home),
        **{f"XDG_{name}_HOME": str(home / name.lower()) for name in ("DATA", "STATE", "CONFIG", "CACHE")},
        "DRAMATURG_PLUGIN": str(PLUGIN),
    }
    script = Path(__file__).with_name("neovim.lua")
    done = subprocess.run(
        [command, "--clean", "--headless", "--cmd", f"set rtp^={PLUGIN}", "--cmd", setup, "-S", str(script)],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "FAIL" not in done.stderr
