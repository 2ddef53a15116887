"""The seeds' types: their fields under the documents' names, read in either spelling."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from dramaturg.engine.types import (
    SUBTASK_CONTEXT_DEFAULTS,
    TASK_ERROR,
    AssociativeMatchResult,
    ContextGenerationInput,
    EvaluationResult,
    HandlerConfig,
    MatchTuple,
    ResourceMetrics,
    ScriptTaskResult,
    SubtaskRequest,
    TaskFailureReason,
    TaskResult,
)


def test_a_result_keeps_the_documents_field_names() -> None:
    data = {
        "content": "x",
        "status": "COMPLETE",
        "parsedContent": {"a": 1},
        "notes": {"dataUsage": "1 kB", "mine": True},
    }
    result = TaskResult.model_validate(data)
    assert result.parsed_content == {"a": 1}
    assert result.as_dict() == data
    assert (
        TaskResult.model_validate({"content": "x", "status": "COMPLETE", "parsed_content": 1}).as_dict()[
            "parsedContent"
        ]
        == 1
    )


def test_unknown_keys_are_kept_only_where_the_document_allows() -> None:
    with pytest.raises(ValidationError):
        MatchTuple.model_validate({"path": "/a", "relevance": 0.5, "score": 1})


@pytest.mark.parametrize("relevance", [-0.1, 1.1])
def test_relevance_lies_between_0_and_1(relevance: float) -> None:
    with pytest.raises(ValidationError):
        MatchTuple(path="/a", relevance=relevance)


def test_errors_are_told_apart_by_their_type() -> None:
    error = TASK_ERROR.validate_python(
        {
            "type": "TASK_FAILURE",
            "reason": "llm_error",
            "message": "m",
            "details": {"subtaskError": {"type": "INVALID_OUTPUT", "message": "n"}},
        }
    )
    assert error.as_dict()["details"] == {"subtaskError": {"type": "INVALID_OUTPUT", "message": "n"}}
    with pytest.raises(ValidationError):
        TASK_ERROR.validate_python({"type": "TASK_FAILURE", "reason": "boredom", "message": "m"})


def test_every_reason_of_the_document_is_there() -> None:
    assert [str(reason) for reason in TaskFailureReason] == [
        "context_retrieval_failure", "context_matching_failure", "context_parsing_failure", "xml_validation_failure",
        "output_format_failure", "execution_timeout", "execution_halted", "subtask_failure", "input_validation_failure",
        "template_not_found", "tool_execution_error", "llm_error", "unexpected_error",
    ]  # fmt: skip


def test_subtask_defaults() -> None:
    assert SUBTASK_CONTEXT_DEFAULTS.as_dict() == {
        "inheritContext": "subset",
        "accumulateData": False,
        "accumulationFormat": "notes_only",
        "freshContext": "enabled",
    }


def test_specialised_results() -> None:
    script = ScriptTaskResult(content="", status="COMPLETE", stdout="o", stderr="e", exit_code=1)  # type: ignore[arg-type]
    assert script.as_dict()["exitCode"] == 1
    evaluation = EvaluationResult.model_validate(
        {"content": "", "status": "COMPLETE", "notes": {"success": True, "feedback": "fine"}}
    )
    assert evaluation.notes.success


def test_requests_and_resources() -> None:
    assert SubtaskRequest(name="a").as_dict() == {"type": "atomic", "name": "a", "inputs": {}}
    assert ContextGenerationInput.model_validate({"templateDescription": "d"}).template_description == "d"
    assert AssociativeMatchResult(context_summary="").matches == []
    config = HandlerConfig.model_validate(
        {"provider": "p", "maxTurns": 1, "maxContextWindowFraction": 0.5, "systemPrompt": ""}
    )
    assert config.max_turns == 1
    metrics = ResourceMetrics.model_validate(
        {"turns": {"used": 0, "limit": 1}, "context": {"used": 0, "limit": 9, "peakUsage": 0}}
    )
    assert metrics.as_dict()["context"] == {"used": 0, "limit": 9, "peakUsage": 0}
