"""What does one run look like as a page? Self-contained HTML: no network, light and dark, by keyboard too."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from dramaturg.engine.runs.history import Run


def page(run: Run) -> str:
    """The page of a run."""
    from jinja2 import Environment, FileSystemLoader

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    started = datetime.fromtimestamp(run.row["started"]).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    return environment.get_template("run.html.j2").render(run=run, total=max(run.seconds, 0.001), started=started)
