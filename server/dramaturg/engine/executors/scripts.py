"""How does a script run: no shell, bounded in time and output, its whole process group killed at the end?"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
from dataclasses import dataclass
from pathlib import Path

from dramaturg.engine.errors import EngineError, failure
from dramaturg.engine.secrets import is_secret_name
from dramaturg.engine.types import Notes, ReturnStatus, ScriptTaskResult


@dataclass(frozen=True)
class ScriptLimits:
    """Seconds until a script is stopped, and bytes of output kept of each stream."""

    timeout: float = 120.0
    output: int = 1_000_000


def cleaned_environment() -> dict[str, str]:
    """The environment without variables whose names say that they hold secrets."""
    return {name: value for name, value in os.environ.items() if not is_secret_name(name)}


async def run_script(
    command: str | list[str], cwd: Path, limits: ScriptLimits, standard_input: str | None = None
) -> ScriptTaskResult:
    """The script's output and exit code; a non-zero code is a result, not a failure.

    Raises EngineError: `tool_execution_error` where it cannot be started,
    `execution_timeout` where it takes too long, with what it wrote so far.
    """
    words = _words(command)
    try:
        process = await asyncio.create_subprocess_exec(
            *words,
            cwd=cwd,
            env=cleaned_environment(),
            stdin=asyncio.subprocess.PIPE if standard_input is not None else asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise EngineError(failure("tool_execution_error", f"`{words[0]}` cannot be started: {error}")) from None
    assert process.stdout is not None and process.stderr is not None
    stdout, stderr = bytearray(), bytearray()
    try:
        async with asyncio.timeout(limits.timeout):
            await asyncio.gather(
                _feed(process, standard_input),
                _drain(process.stdout, stdout, limits.output),
                _drain(process.stderr, stderr, limits.output),
            )
            await process.wait()
    except TimeoutError:
        raise EngineError(
            failure(
                "execution_timeout",
                f"the script took longer than {limits.timeout:g} s",
                script_stdout=_text(stdout),
                script_stderr=_text(stderr),
            )
        ) from None
    finally:
        await _kill_group(process)
    code = process.returncode or 0
    return ScriptTaskResult(
        content=_text(stdout),
        status=ReturnStatus.COMPLETE,
        notes=Notes(),
        stdout=_text(stdout),
        stderr=_text(stderr),
        exit_code=code,
    )


def _words(command: str | list[str]) -> list[str]:
    try:
        words = shlex.split(command) if isinstance(command, str) else [str(word) for word in command]
    except ValueError as error:
        raise EngineError(failure("input_validation_failure", f"the command cannot be split: {error}")) from None
    if not words:
        raise EngineError(failure("input_validation_failure", "the command is empty"))
    return words


async def _feed(process: asyncio.subprocess.Process, text: str | None) -> None:
    if process.stdin is None:
        return
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write((text or "").encode())
        await process.stdin.drain()
    process.stdin.close()


async def _drain(stream: asyncio.StreamReader, into: bytearray, limit: int) -> None:
    while data := await stream.read(65536):
        into.extend(data[: max(0, limit - len(into))])


async def _kill_group(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        await asyncio.shield(process.wait())


def _text(data: bytearray) -> str:
    return data.decode("utf-8", "replace")
