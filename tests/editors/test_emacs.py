"""A real Emacs in batch, through eglot."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT
from workspace import make_repository


def has_eglot() -> bool:
    """Whether an Emacs with eglot is here."""
    if shutil.which("emacs") is None:
        return False
    command = ["emacs", "-q", "--batch", "--eval", "(require 'eglot)"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not has_eglot(), reason="no Emacs with eglot here")
def test_eglot_in_a_real_emacs(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "bug-hunt")
    environment = {**os.environ, "HOME": str(tmp_path), "DRAMATURG_PYTHON": sys.executable}
    script = Path(__file__).with_name("emacs.el")
    command = ["emacs", "-q", "--batch", "-L", str(ROOT / "client-emacs"), "-l", str(script)]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
