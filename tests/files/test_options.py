from types import SimpleNamespace
from typing import Annotated, Any, cast

import msgspec
import pytest

from referee.core.game import AnyGame
from referee.files.options import KnownOption, OptionsError, known_options, read_options, seats_of
from referee.wire.registry import games
from tests.tournaments.leagues import Options, game


class Described(msgspec.Struct, frozen=True):
    """An option whose values cannot be listed, with a description."""

    letters: Annotated[str, msgspec.Meta(description="any of a, b and c")] = "a"


class Ranged(msgspec.Struct, frozen=True):
    """An option with a range that may be left out, and one with a description."""

    length: Annotated[int, msgspec.Meta(ge=2, le=5)] | None = None
    names: Annotated[str, msgspec.Meta(description="any name, or none")] = ""


RANGED = cast("AnyGame", SimpleNamespace(options_type=Ranged))


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


def test_an_option_without_a_list_of_values_is_told_by_the_description_of_its_type() -> None:
    described = cast("AnyGame", SimpleNamespace(options_type=Described))
    assert known_options(described) == (KnownOption("letters", "a", "any of a, b and c", ()),)
    with pytest.raises(OptionsError, match="letters: 3 is not allowed; allowed: any of a, b and c"):
        read_options(described, {"letters": 3}, "")


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
