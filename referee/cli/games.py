"""`referee games`."""

from typing import Annotated

import typer

from referee.api.words import rules as rules_in_words
from referee.cli.console import AsJson, fail, print_json, say
from referee.core.errors import Exit
from referee.core.game import AnyGame
from referee.files.options import known_options, seats_of
from referee.match.narrator import tell_option
from referee.wire.json_codec import JsonCodec
from referee.wire.registry import game_entry, games, missing_games


def list_games(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="List only this game.")] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON schema of what bots read in lines, with each field.")
    ] = False,
    rules: Annotated[bool, typer.Option("--rules", help="Print how the game is played, in words.")] = False,
    space: Annotated[
        bool, typer.Option("--space", help="List the numbers of its views and the ids of its actions (referee.space).")
    ] = False,
    json: AsJson = False,
) -> None:
    """List the installed games and their options."""
    if rules:
        game = game_entry(_one(name, "--rules")).game
        say(rules_in_words(game.name, min(seats_of(game))))
        return
    if schema:
        print_json(JsonCodec(game_entry(_one(name, "--schema")).game).schema())
        return
    if space:
        _list_space(_one(name, "--space"))
        return
    installed = [entry.game for entry in (games().values() if name is None else [game_entry(name)])]
    if json:
        print_json([_described(game) for game in installed])
        return
    for game in installed:
        players = " or ".join(map(str, seats_of(game)))
        say(f"{game.name}: {players} players, rules version {game.rules_version}")
        for option in known_options(game):
            say(f"  {option.name}: {option.allowed} (default {tell_option(option.default)})")
    for missing, what in missing_games().items() if name is None else ():
        say(f"{missing}: {what}")


def _one(name: str | None, option: str) -> str:
    if name is None:
        fail(Exit.WRONG_USE, f"{option} is for one game; give its name: referee games NAME {option}")
    return name


def _list_space(name: str) -> None:
    from referee.api.spaces import space  # noqa: PLC0415 - numpy takes a while

    found = space(name)
    say(f"{name} for {found.seats}: a view is {found.size} numbers, each with its bounds:")
    for place, (words, low, high) in enumerate(zip(found.entry_words, found.low, found.high, strict=True)):
        say(f"  {place}: {words} ({low:g} to {high:g})")
    say(f"{found.actions} actions, by their ids:")
    for number, words in enumerate(found.action_words):
        say(f"  {number}: {words}")


def _described(game: AnyGame) -> dict[str, object]:
    return {
        "name": game.name,
        "rules_version": game.rules_version,
        "seats": seats_of(game),
        "endings": game.endings,
        "options": known_options(game),
    }
