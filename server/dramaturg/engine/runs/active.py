"""How is a run written down while it goes on, and what does it take from what was written down before?"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
from dataclasses import dataclass, field

from dramaturg.config import Settings
from dramaturg.engine import events
from dramaturg.engine.handler.providers.protocol import Provider
from dramaturg.engine.handler.providers.recording import RecordingProvider
from dramaturg.engine.recordings.entries import Recordings
from dramaturg.engine.recordings.outside import Outside, Recorded
from dramaturg.engine.runs.answering import Resumed, Taken, TakingProvider
from dramaturg.engine.runs.journal import Journal, RunLog
from dramaturg.engine.runs.usage import Usage

log = logging.getLogger(__name__)


@dataclass
class ActiveRun:
    """One run's log, its usage, and the answers of the run that it resumes; without a journal it does nothing."""

    settings: Settings
    journal: Journal | None = None
    log: RunLog | None = None
    resumed: Recordings | None = None
    rerun_scripts: bool = False
    usage: Usage = field(default_factory=Usage)

    def start(self, kind: str, name: str, resume: str) -> str:
        """Opens the log; what went wrong, where it cannot be written: that costs the log alone."""
        if self.journal is None:
            return ""
        try:
            if resume:
                self.resumed = self.journal.recordings(resume)
            kept = self.settings.runs
            self.journal.prune(kept.days, kept.most, kept.megabytes)
            self.log = self.journal.start(kind, name, resume)
        except (OSError, sqlite3.Error) as error:
            log.warning("this run is not logged: %s", error)
            return f"this run is not logged: {self.journal.path}: {error}"
        return ""

    def outside(self, inner: Outside) -> Outside:
        """Matches and scripts as the run uses them."""
        if self.resumed is not None:
            inner = Resumed(self.resumed, inner, self.rerun_scripts)
        return Recorded(self.log, inner) if self.log is not None else inner

    def provider(self, inner: Provider) -> Provider:
        """The provider as the run uses it: what is written down already is taken from there."""
        if self.log is None:
            return inner
        cache = self.journal if self.settings.runs.cache else None
        if self.resumed is not None or cache is not None:
            inner = TakingProvider(Taken(self.resumed, cache), inner)
        return RecordingProvider(inner, self.log)

    def event(self, event: events.Event) -> None:
        """Writes an event, and counts what a task call used."""
        if isinstance(event, events.TaskFinished):
            self.usage.add(event.result, self.settings.models)
        if self.log is not None:
            try:
                self.log.event(event)
            except sqlite3.Error as error:
                log.warning("an event was not logged: %s", error)

    def end(self, status: str) -> None:
        """Writes how the run ended, and closes the journal."""
        run_log, self.log = self.log, None
        if run_log is not None:
            with contextlib.suppress(sqlite3.Error):
                run_log.end(status, (self.usage.input_tokens, self.usage.output_tokens), self.usage.cost)
                run_log.journal.close()
