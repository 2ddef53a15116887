"""Which tools can a workflow or a model call, and what does each need before it may?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dramaturg.config import LimitSettings
from dramaturg.engine.errors import EngineError, failure
from dramaturg.engine.executors.scripts import ScriptLimits, run_script
from dramaturg.engine.executors.system_executors import ContextSource, execute_get_context, execute_read_files
from dramaturg.engine.handler.file_access import FileAccessManager
from dramaturg.engine.recordings.outside import Outside
from dramaturg.engine.types import ScriptTaskResult, TaskResult
from dramaturg.language.names import TOOLS


@dataclass(frozen=True)
class DirectTools:
    """The tools of one workspace; scripts run only where it is trusted."""

    root: Path
    limits: LimitSettings
    files: FileAccessManager
    context: ContextSource
    trusted: bool
    outside: Outside

    async def run(self, name: str, inputs: dict[str, Any]) -> TaskResult:
        """A tool's result; raises EngineError where it does not exist, may not run, or lacks an input."""
        shape = TOOLS.get(name)
        if shape is None:
            raise EngineError(failure("tool_execution_error", f"there is no tool `{name}`"))
        unknown = [key for key in inputs if shape.input(key) is None]
        if unknown:
            raise EngineError(failure("input_validation_failure", f"`{name}` has no input `{unknown[0]}`"))
        if name == "system:get_context":
            return TaskResult.model_validate(await execute_get_context(inputs, self.context))
        if name == "system:read_files":
            return TaskResult.model_validate(execute_read_files(inputs, self.files))
        return await self.run_script(inputs)

    async def run_script(self, inputs: dict[str, Any]) -> ScriptTaskResult:
        """A script's result; raises EngineError."""
        return await self.outside.script(inputs, self._run_script)

    async def _run_script(self, inputs: dict[str, Any]) -> ScriptTaskResult:
        """A real script's result, after trust and inputs were looked at."""
        if not self.trusted:
            message = "scripts run only in a trusted workspace: pass `--trust`, or trust it in the editor"
            raise EngineError(failure("tool_execution_error", message))
        command = inputs.get("command")
        if not isinstance(command, str | list):
            raise EngineError(
                failure("input_validation_failure", "`command` is missing: expected a string or a list of words")
            )
        limits = self.limits
        timeout = inputs.get("timeout")
        seconds = float(timeout) if isinstance(timeout, int | float) and timeout > 0 else float(limits.script_timeout)
        cwd = self.files.resolve(str(inputs["cwd"])) if inputs.get("cwd") else self.root
        standard_input = inputs.get("input")
        text = (
            None
            if standard_input is None
            else standard_input
            if isinstance(standard_input, str)
            else str(standard_input)
        )
        return await run_script(command, cwd, ScriptLimits(seconds, limits.script_output), text)
