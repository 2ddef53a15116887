"""Which templates does a file hold? Read unit by unit, so that an edit costs the task that it is in.

A file of several tasks is cut behind each `</task>` or `</template>` that stands
below the root; a unit is kept by its text. Where every unit is well-formed and
what is around them too, so is the file; where one is not, libxml2 is asked about
the whole file: if it takes that, the cut was wrong (an end tag inside of a comment),
and the file is read as one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from dramaturg.language import elements
from dramaturg.language.problem import Problem
from dramaturg.language.template import Template, UnitReading, read_unit
from dramaturg.syntax.xml import well_formedness
from dramaturg.text import Span

_OPENING = re.compile(
    r"\ufeff?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<tasks\b(?![^>]*\bxmlns)[^>]*[^>/]?>", re.DOTALL
)
_END = re.compile(r"</template\s*>|</task\s*>(?!\s*</template)")
_CLOSING = re.compile(r"\s*(?:<!--(?:(?!-->).)*-->\s*)*</tasks\s*>\s*\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit and where it starts in the file."""

    start: int
    reading: UnitReading


@dataclass(frozen=True, slots=True)
class PlacedTemplate:
    """A template and where its unit starts; the template's own spans count from there."""

    template: Template
    start: int

    @property
    def name_span(self) -> Span:
        """The name's span in the file."""
        return self.template.name_span.shift(self.start)


@dataclass(frozen=True)
class TemplateFile:
    """A file's units in order; `around` is what is wrong outside of them."""

    text: str
    units: tuple[Unit, ...]
    around: tuple[Problem, ...] = ()

    @cached_property
    def problems(self) -> list[Problem]:
        """Every problem that the file alone shows."""
        return [*self.around, *(item.shift(unit.start) for unit in self.units for item in unit.reading.problems)]

    @cached_property
    def templates(self) -> list[PlacedTemplate]:
        """The templates in order."""
        return list(self._templates())

    def _templates(self) -> Iterator[PlacedTemplate]:
        for unit in self.units:
            for template in unit.reading.templates:
                yield PlacedTemplate(template, unit.start)

    def unit_at(self, offset: int) -> Unit:
        """The unit that holds an offset, or the one before it; the first where there is none before."""
        index = bisect_right(self.units, offset, key=lambda unit: unit.start) - 1
        return self.units[max(index, 0)]


@lru_cache(maxsize=16)
def read_templates(text: str) -> TemplateFile:
    """The templates of a file's text, with every problem that the file alone shows."""
    opening = _OPENING.match(text)
    ends = [match.end() for match in _END.finditer(text, opening.end())] if opening else []
    if opening is None or len(ends) < 2:
        return _as_one(text)
    closing = _CLOSING.match(text, ends[-1])
    frame = text[: opening.end()] + (closing.group() if closing else "")
    around = read_unit(frame)
    if closing is None or around.xml.problems or "<!DOCTYPE" in text:
        return _as_one(text)
    starts = [opening.end(), *ends[:-1]]
    units = tuple(Unit(start, read_unit(text[start:end], "tasks")) for start, end in zip(starts, ends, strict=True))
    broken = [unit for unit in units if unit.reading.xml.problems]
    if broken and well_formedness(text) is None:
        return _as_one(text)
    # A task cut in two by an end tag that is not its own would be reported twice: only whole elements are units.
    if any(len(unit.reading.xml.roots) != 1 for unit in units if unit not in broken):
        return _as_one(text)
    return TemplateFile(text, units, around.problems)


def _as_one(text: str) -> TemplateFile:
    reading = read_unit(text, elements.ROOT)
    around: tuple[Problem, ...] = ()
    if not reading.xml.roots and not reading.xml.problems:
        around = (Problem("missing-element", Span(0, 0), "expected a `<task>`, or several under `<tasks>`"),)
    return TemplateFile(text, (Unit(0, reading),), around)
