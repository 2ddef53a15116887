"""Which commands does the shell have? Each does its work in a module of its own, imported when it is used."""

from __future__ import annotations

import re
from pathlib import Path

import click

from dramaturg import __version__

JSON = click.option("--json", "as_json", is_flag=True, help="Print data as JSON.")
ROOT = click.option(
    "--root", type=click.Path(path_type=Path), default=None, help="The workspace; found from the working folder else."
)
TRUST = click.option("--trust", is_flag=True, help="Let this run call models and run scripts.")
REPLAY = click.option("--replay", type=click.Path(path_type=Path), multiple=True, help="Answer from recordings.")
INPUT = click.option(
    "--input", "inputs", multiple=True, metavar="NAME=VALUE", help="An input; JSON where it reads as JSON."
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dramaturg")
def cli() -> None:
    """LLM workflows as S-expressions: check, run, and find the files that matter.

    Exit codes: 0 done, 1 findings or a failed run, 2 could not run.
    """


@cli.command()
@click.option("--tcp", metavar="HOST:PORT", help="Listen on a loopback port in place of standard input and output.")
def lsp(tcp: str | None) -> None:
    """Speak the Language Server Protocol."""
    from dramaturg.lsp.server import serve

    if tcp is not None and not re.fullmatch(r"(localhost|127\.[0-9.]+|\[::1\])?:[0-9]{1,5}", tcp):
        raise click.BadParameter("expected a loopback address such as 127.0.0.1:8765", param_hint="--tcp")
    serve(tcp)


@cli.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@ROOT
@JSON
def check(paths: tuple[Path, ...], root: Path | None, as_json: bool) -> None:
    """Find what is wrong with workflows and task templates."""
    from dramaturg.cli.check import check_paths

    raise SystemExit(check_paths(list(paths), root, as_json))


@cli.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--check", "only_check", is_flag=True, help="Change nothing; exit with 1 where something would change.")
@click.option("--width", type=click.IntRange(20), default=100, show_default=True, help="The longest line.")
@JSON
def fmt(paths: tuple[Path, ...], only_check: bool, width: int, as_json: bool) -> None:
    """Lay out workflows."""
    from dramaturg.cli.fmt import format_paths

    raise SystemExit(format_paths(list(paths), only_check, width, as_json))


@cli.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("-e", "expression", help="Evaluate an expression in place of a file.")
@click.option("--task", help="Run one task of the workspace in place of a workflow.")
@INPUT
@click.option("--provider", help="The provider, in place of the configuration's.")
@click.option("--model", help="The model, in place of the configuration's.")
@TRUST
@REPLAY
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    help="Append what models, matching and scripts answer to a file of recordings.",
)
@click.option("--resume", metavar="RUN", help="Take what a run before had answered, and go on from there.")
@click.option("--rerun-scripts", is_flag=True, help="With --resume: run scripts again that had ended.")
@click.option("--cache", is_flag=True, help="Take answers to identical requests from earlier runs.")
@ROOT
@JSON
def run(
    file: Path | None,
    expression: str | None,
    task: str | None,
    inputs: tuple[str, ...],
    provider: str | None,
    model: str | None,
    trust: bool,
    replay: tuple[Path, ...],
    record: Path | None,
    resume: str | None,
    rerun_scripts: bool,
    cache: bool,
    root: Path | None,
    as_json: bool,
) -> None:
    """Run a workflow, an expression or a task."""
    from dramaturg.cli.run import Options, run_program

    options = Options(
        file,
        expression,
        task,
        inputs,
        provider,
        model,
        trust,
        list(replay),
        record,
        resume,
        rerun_scripts,
        cache,
        root,
        as_json,
    )
    raise SystemExit(run_program(options))


@cli.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@ROOT
@TRUST
@click.option("--record", is_flag=True, help="Run for real, and write NAME.recordings.jsonl anew.")
@click.option("--junit", type=click.Path(path_type=Path), help="Write the outcomes as JUnit XML too.")
@JSON
def test(
    paths: tuple[Path, ...], root: Path | None, trust: bool, record: bool, junit: Path | None, as_json: bool
) -> None:
    """Run the tests of workflows.

    Model calls, context matches and scripts are answered from NAME.recordings.jsonl beside NAME.wf.
    """
    from dramaturg.cli.test import test_paths

    raise SystemExit(test_paths(list(paths) or [Path()], root, trust, record, junit, as_json))


@cli.command()
@click.argument("query")
@ROOT
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="How many matches.")
@click.option("--strategy", type=click.Choice(["content", "metadata"]), help="What of the files is matched.")
@click.option("--explain", is_flag=True, help="Show each match's signals.")
@JSON
def context(query: str, root: Path | None, limit: int, strategy: str | None, explain: bool, as_json: bool) -> None:
    """Find the files of the repository that matter for a query."""
    from dramaturg.cli.context import show_context

    raise SystemExit(show_context(query, root, limit, strategy, explain, as_json))


@cli.command()
@ROOT
@click.option("--force", is_flag=True, help="Read every file again.")
@JSON
def index(root: Path | None, force: bool, as_json: bool) -> None:
    """Index the repository."""
    from dramaturg.cli.context import show_index

    raise SystemExit(show_index(root, force, as_json))


@cli.command()
@click.argument("name", required=False)
@click.option(
    "--schema", type=click.Choice(["rng", "xsd"]), help="Print the schema of templates for other XML editors."
)
def docs(name: str | None, schema: str | None) -> None:
    """Show what the reference says of a form, primitive, element, tool or finding; without a name, all names."""
    from dramaturg.cli.docs import show_docs, show_schema

    raise SystemExit(show_schema(schema) if schema else show_docs(name))


@cli.command()
@ROOT
@JSON
def tasks(root: Path | None, as_json: bool) -> None:
    """List the workspace's tasks."""
    from dramaturg.cli.tasks import show_tasks

    raise SystemExit(show_tasks(root, as_json))


@cli.command()
@click.argument("name")
@INPUT
@ROOT
@JSON
def preview(name: str, inputs: tuple[str, ...], root: Path | None, as_json: bool) -> None:
    """Show the exact request of a task, without sending it; NAME may be FILE:LINE."""
    from dramaturg.cli.tasks import show_preview

    raise SystemExit(show_preview(name, inputs, root, as_json))


@cli.group()
def runs() -> None:
    """Look at the runs that this workspace's journal holds; RUN may be the beginning of an id, or `last`."""


@runs.command("list")
@ROOT
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="How many runs.")
@JSON
def runs_list(root: Path | None, limit: int, as_json: bool) -> None:
    """The last runs."""
    from dramaturg.cli.runs import list_runs

    raise SystemExit(list_runs(root, limit, as_json))


@runs.command("show")
@click.argument("run", default="last")
@ROOT
@JSON
def runs_show(run: str, root: Path | None, as_json: bool) -> None:
    """One run as a tree of steps, with times and tokens."""
    from dramaturg.cli.runs import show_run

    raise SystemExit(show_run(run, root, as_json))


@runs.command("diff")
@click.argument("left")
@click.argument("right")
@ROOT
@JSON
def runs_diff(left: str, right: str, root: Path | None, as_json: bool) -> None:
    """Where two runs differ; exit 1 where they do."""
    from dramaturg.cli.runs import diff_runs

    raise SystemExit(diff_runs(left, right, root, as_json))


@runs.command("export")
@click.argument("run", default="last")
@click.option("--html", type=click.Path(path_type=Path), help="Write the run as a page.")
@click.option("--recordings", type=click.Path(path_type=Path), help="Write what was answered, for --replay.")
@ROOT
def runs_export(run: str, html: Path | None, recordings: Path | None, root: Path | None) -> None:
    """Write a run as a page, or its answers as recordings."""
    from dramaturg.cli.runs import export_run

    raise SystemExit(export_run(run, html, recordings, root))
