"""What is known of a model: its window, its longest answer, its price?

From a data file beside this module, and the workspace's settings over it; an
unknown figure is None, never a guess.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

_DATA = Path(__file__).with_name("models.toml")


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """Tokens of the window and of the longest answer; US dollars for a million tokens in and out."""

    context_window: int | None = None
    max_output: int | None = None
    input_price: float | None = None
    output_price: float | None = None

    def cost(self, input_tokens: int | None, output_tokens: int | None) -> float | None:
        """The price of a call in US dollars; None where a figure is not known."""
        if None in (self.input_price, self.output_price, input_tokens, output_tokens):
            return None
        assert self.input_price is not None and self.output_price is not None
        return (self.input_price * (input_tokens or 0) + self.output_price * (output_tokens or 0)) / 1_000_000


@lru_cache(maxsize=1)
def _data() -> dict[str, dict[str, Any]]:
    return tomllib.loads(_DATA.read_text(encoding="utf-8"))


def known_models() -> list[str]:
    """The models that the data file names."""
    return list(_data())


def model_facts(name: str, configured: Mapping[str, Mapping[str, Any]]) -> ModelFacts:
    """What is known of a model; `configured` is the settings' `[models]`."""
    facts = {**_data().get(name, {}), **configured.get(name, {})}
    return ModelFacts(**{field.name: facts[field.name] for field in fields(ModelFacts) if field.name in facts})
