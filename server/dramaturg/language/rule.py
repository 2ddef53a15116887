"""What is a kind of finding, as data?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dramaturg.language.problem import Severity


@dataclass(frozen=True)
class Rule:
    """A kind of finding: what it says, why it matters, and an example with the finding between the two `‸`.

    `severity` is the one in force unless the configuration names another;
    `unnecessary` and `deprecated` are the tags that editors fade or strike through.
    """

    code: str
    severity: Severity
    summary: str
    why: str
    example: str
    language: Literal["workflow", "template"] = "workflow"
    tag: Literal["", "unnecessary", "deprecated"] = ""
