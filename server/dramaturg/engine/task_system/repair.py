"""What happens to an answer that does not fit: it is asked for again, and fails in the end?"""

from __future__ import annotations

from typing import Any

from dramaturg.engine.errors import failed
from dramaturg.engine.handler.base_handler import Answer
from dramaturg.engine.handler.providers.protocol import CompletionRequest
from dramaturg.engine.types import TaskFailure, TaskFailureDetails, TaskFailureReason, TaskResult


def repaired(request: CompletionRequest, content: str, violations: list[str]) -> CompletionRequest:
    """The request again, with the answer and what is wrong with it."""
    listed = "\n".join(f"- {violation}" for violation in violations)
    asked = f"That answer does not fit what was asked for:\n{listed}\nAnswer again, with the corrected JSON alone."
    messages = (
        *request.messages,
        {"role": "assistant", "content": content or "(empty)"},
        {"role": "user", "content": asked},
    )
    return CompletionRequest(
        request.model, request.system, messages, request.max_tokens, request.tools, request.output_schema
    )


def joined(first: Answer, second: Answer) -> Answer:
    """The second answer, with the tokens and retries of both."""
    second.retries += first.retries + 1
    for name in ("input_tokens", "output_tokens"):
        before, after = getattr(first, name), getattr(second, name)
        setattr(second, name, after if before is None else before + (after or 0))
    return second


def unfit(content: str, violations: list[str], notes: dict[str, Any]) -> TaskResult:
    """The FAILED result of an answer that never fitted; the raw content is kept."""
    error = TaskFailure(
        reason=TaskFailureReason.OUTPUT_FORMAT_FAILURE,
        message=f"the answer is not what the template asks for: {violations[0]}",
        details=TaskFailureDetails(violations=violations),
    )
    return failed(error, content, parse_error=violations[0], **notes)
