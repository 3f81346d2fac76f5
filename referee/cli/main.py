"""The command `referee`. Nothing that takes a while is imported before signals are heard."""

from referee.cli.output import readers_may_leave
from referee.cli.signals import ending_on_signals


def main() -> None:
    """Run the command line."""
    with ending_on_signals(), readers_may_leave():
        from referee.cli.commands import run  # noqa: PLC0415 - it takes a while, and Ctrl-C is heard meanwhile

        run()


if __name__ == "__main__":
    main()
