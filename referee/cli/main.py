"""The command `referee`. It handles signals before it imports anything slow."""

from referee.cli.output import readers_may_leave
from referee.cli.signals import ending_on_signals


def main() -> None:
    """Run the command line."""
    with ending_on_signals(), readers_may_leave():
        from referee.cli.commands import run  # noqa: PLC0415 - it takes a while, and Ctrl-C works meanwhile

        run()


if __name__ == "__main__":
    main()
