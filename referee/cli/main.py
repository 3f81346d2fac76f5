"""The command `referee`."""

import contextlib
import signal
import sys
from collections.abc import Iterator

import typer

from referee.cli.commands import Commands
from referee.cli.console import plain_errors

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A referee for bots that play board games with hidden information.",
)


@app.callback()
def _referee() -> None:
    """Give the group a callback; there are no options before a command."""


def main() -> None:
    """Run the command line."""
    with plain_errors(), _ending_on_sigterm():
        app()


@contextlib.contextmanager
def _ending_on_sigterm() -> Iterator[None]:
    """Let SIGTERM end a command as SIGINT does: with its bots ended and its temporary files removed."""
    before = signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


if __name__ == "__main__":
    main()
