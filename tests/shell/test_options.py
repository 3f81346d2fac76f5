from types import SimpleNamespace
from typing import Annotated, Any, cast

import msgspec
import pytest

from referee.core.game import AnyGame
from referee.shell.options import OptionsError, known_options, read_options, seats_of
from referee.wire.registry import games
from tests.tournaments.leagues import Options, game


def problems(given: dict[str, Any]) -> tuple[str, ...]:
    with pytest.raises(OptionsError) as caught:
        read_options(game(), given, "--option ")
    return caught.value.problems


def test_options_not_given_keep_their_defaults() -> None:
    assert read_options(game(), {"rounds": 5}, "") == Options(rounds=5)


def test_text_from_a_command_line_is_read_as_what_the_option_is() -> None:
    given = {"mode": "fancy", "rounds": "5", "blind": "true"}
    assert read_options(game(), given, "") == Options("fancy", 5, blind=True)


def test_all_wrong_options_are_named_at_once_with_what_is_allowed() -> None:
    assert problems({"mode": "plane", "rounds": "many", "blind": "maybe", "colour": 1}) == (
        "--option mode: 'plane' is not allowed; allowed: fancy, plain",
        "--option rounds: Expected `int`, got `str`",
        "--option blind: 'maybe' is not allowed; allowed: true, false",
        "--option colour: is not known; known here: mode, rounds, blind",
    )


def test_options_that_do_not_go_together_are_refused_in_the_game_s_words() -> None:
    assert problems({"blind": True}) == ("--option: blind goes with mode = fancy only",)


def test_the_numbers_of_players_are_those_of_all_options_together() -> None:
    assert seats_of(games()["agent-avenue"].game) == (2, 3, 4)


class Ranged(msgspec.Struct, frozen=True):
    length: Annotated[int, msgspec.Meta(ge=2, le=5)] | None = None
    names: Annotated[str, msgspec.Meta(description="any name, or none")] = ""


RANGED = cast("AnyGame", SimpleNamespace(name="ranged", options_type=Ranged))


def test_a_range_is_told_and_so_is_what_a_type_says_of_itself() -> None:
    assert read_options(RANGED, {"length": "4"}, "") == Ranged(4)
    with pytest.raises(OptionsError) as caught:
        read_options(RANGED, {"length": "6", "names": 1}, "--option ")
    assert caught.value.problems == (
        "--option length: '6' is not allowed; allowed: 2 to 5",
        "--option names: 1 is not allowed; allowed: any name, or none",
    )
    assert [(option.allowed, option.default) for option in known_options(RANGED)] == [
        ("2 to 5", None),
        ("any name, or none", ""),
    ]
