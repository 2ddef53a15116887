"""The command `dramaturg`."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command line; Ctrl-C ends it with 130."""
    from dramaturg.cli.main import cli

    try:
        cli.main(prog_name="dramaturg", standalone_mode=True)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
