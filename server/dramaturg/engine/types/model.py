"""How do the type documents' interfaces become models?

Models serialise under the documents' own field names and read either spelling.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Interface(BaseModel):
    """A type of the seeds: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, serialize_by_alias=True, validate_default=True)

    def as_dict(self) -> dict[str, object]:
        """The interface as JSON data, without fields that are not set."""
        return self.model_dump(mode="json", exclude_none=True)


class OpenInterface(Interface):
    """A type of the seeds that allows further keys."""

    model_config = ConfigDict(extra="allow")
