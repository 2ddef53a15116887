"""Makes the example's recordings anew from its hand-written answers.

Recordings answer the exact request, so they must be made again whenever the
example, or what a prompt is built from, changes: `make recordings`.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from dramaturg.config import load_settings
from dramaturg.engine.handler.providers.protocol import Completed, CompletionRequest, ProviderEvent, TextDelta
from dramaturg.engine.handler.providers.recording import RecordingProvider
from dramaturg.engine.recordings.entries import Recorder
from dramaturg.engine.session import Session

sys.path.insert(0, str(Path(__file__).parent))
from workspace import make_repository

EXAMPLE = Path(__file__).parent.parent / "examples" / "bug-hunt"


class Written:
    """Gives hand-written answers in order."""

    name = "written-by-hand"

    def __init__(self, answers: list[str]) -> None:
        self.answers = answers

    async def complete(self, request: CompletionRequest) -> AsyncIterator[ProviderEvent]:
        yield TextDelta(self.answers.pop(0))
        yield Completed("end_turn")

    async def close(self) -> None:
        """Nothing is held."""


def main() -> None:
    answers = json.loads((EXAMPLE / "answers.json").read_text(encoding="utf-8"))
    for name in ("find-and-plan.wf", "fix-until-green.wf"):
        with tempfile.TemporaryDirectory() as folder:
            root = make_repository(Path(folder) / "bug-hunt")
            recording = root / "new.jsonl"
            recorder = Recorder(recording, root, answers["note"].split(". ")[0])
            provider = RecordingProvider(Written(list(answers[name])), recorder)
            session = Session(root, load_settings(root).settings, True, provider)
            session.load_templates()
            path = root / name
            result = asyncio.run(session.run_workflow(path.read_text(encoding="utf-8"), str(path)))
            print(name, result.status, result.content)  # noqa: T201
            if result.status == "FAILED":
                sys.exit(1)
            shutil.copy(recording, EXAMPLE / "recordings" / f"{path.stem}.jsonl")


if __name__ == "__main__":
    main()
