"""The command `referee`."""

import contextlib
import signal
import sys
from collections.abc import Iterator

import typer

from referee.cli import authoring, check, games, league, play, transcripts
from referee.cli.console import plain_errors

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A referee for bots that play board games with hidden information.",
)
app.command("games")(games.list_games)
app.command("play")(play.play)
app.command("check")(check.check)
app.command("new")(authoring.new)
app.command("build")(authoring.build)
app.command("replay")(transcripts.replay)
app.command("verify")(transcripts.verify)
app.command("rerun")(transcripts.rerun)
app.add_typer(league.app, name="league")


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
