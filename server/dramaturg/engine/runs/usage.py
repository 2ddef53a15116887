"""How many tokens did a run use, and what did they cost?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dramaturg.engine.handler.models import model_facts


@dataclass
class Usage:
    """Tokens of a run so far, and US dollars; None once a call's price is not known."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0

    def add(self, result: Mapping[str, Any], models: Mapping[str, Mapping[str, Any]]) -> None:
        """Adds a task call's usage, from its result's notes."""
        notes = result.get("notes") or {}
        tokens = notes.get("tokens")
        if not isinstance(tokens, Mapping):
            return
        self.input_tokens += tokens.get("input") or 0
        self.output_tokens += tokens.get("output") or 0
        cost = model_facts(str(notes.get("model", "")), models).cost(tokens.get("input"), tokens.get("output"))
        self.cost = self.cost + cost if self.cost is not None and cost is not None else None
