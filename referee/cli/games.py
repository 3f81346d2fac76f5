"""`referee games`."""

from referee.cli.console import AsJson, print_json, say
from referee.core.game import AnyGame
from referee.files.options import KnownOption, known_options, seats_of
from referee.match.narrator import tell_option
from referee.wire.registry import games


def list_games(json: AsJson = False) -> None:
    """List the installed games and their options."""
    installed = [entry.game for entry in games().values()]
    if json:
        print_json([_described(game) for game in installed])
        return
    for game in installed:
        say(f"{game.name}: {_players(game)} players, rules version {game.rules_version}")
        for option in known_options(game):
            say(_option(option))


def _described(game: AnyGame) -> dict[str, object]:
    return {
        "name": game.name,
        "rules_version": game.rules_version,
        "seats": seats_of(game),
        "endings": game.endings,
        "options": known_options(game),
    }


def _players(game: AnyGame) -> str:
    return " or ".join(map(str, seats_of(game)))


def _option(option: KnownOption) -> str:
    return f"  {option.name}: {option.allowed} (default {tell_option(option.default)})"
