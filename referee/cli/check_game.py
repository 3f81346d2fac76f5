"""`referee check-game`."""

from functools import partial
from typing import Annotated

import typer

from referee.check.game_check import MATCHES, check_game
from referee.check.run_check import SIGNS
from referee.cli.console import AsJson, print_json, say
from referee.core.errors import Exit
from referee.core.printable import one_line
from referee.wire.registry import game_entry


def check_rules(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of an installed game.")],
    matches: Annotated[
        int, typer.Option(min=1, max=100_000, help="How many matches to play with each variety and number of players.")
    ] = MATCHES,
    json: AsJson = False,
) -> None:
    """Test the rules of a game in random matches, point by point."""
    findings = check_game(partial(game_entry, name), matches)
    if json:
        print_json({"game": name, "findings": findings})
    else:
        say(f"{name}:")
        for finding in findings:
            say(f"  {SIGNS[finding.kept]}  {finding.point}: {one_line(finding.text)}")
    if any(finding.kept is False for finding in findings):
        raise typer.Exit(Exit.DOES_NOT_HOLD)
