"""A copy of the example as a git repository of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

EXAMPLE = Path(__file__).parent.parent / "examples" / "bug-hunt"


def make_repository(target: Path) -> Path:
    """Copies the example to `target` and commits it, whatever git's own settings on this machine are."""
    shutil.copytree(EXAMPLE, target, ignore=shutil.ignore_patterns("__pycache__", ".dramaturg"))
    environment = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
        "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
    }
    for arguments in (
        ("init", "--quiet", "--initial-branch=main"),
        ("add", "--all"),
        (
            "-c",
            "user.name=Demo",
            "-c",
            "user.email=demo@example.invalid",
            "commit",
            "--quiet",
            "-m",
            "A small catalogue",
        ),
    ):
        subprocess.run(["git", *arguments], cwd=target, check=True, env=environment)
    return target
