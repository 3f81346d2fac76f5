from types import SimpleNamespace
from typing import Annotated, Any, Literal, cast

import msgspec
import pytest

from referee.core.game import AnyGame
from referee.files.options import KnownOption, OptionsError, known_options, read_options, seats_of
from referee.match.narrator import tell_option
from referee.wire.registry import games
from tests.tournaments.leagues import Options, game


class Described(msgspec.Struct, frozen=True):
    """An option whose values cannot be listed, with a description."""

    letters: Annotated[str, msgspec.Meta(description="any of a, b and c")] = "a"


class Ranged(msgspec.Struct, frozen=True):
    """An option with a range that may be left out, and one with a description."""

    length: Annotated[int, msgspec.Meta(ge=2, le=5)] | None = None
    names: Annotated[str, msgspec.Meta(description="any name, or none")] = ""


class Item(msgspec.Struct, frozen=True):
    """A part of an option."""

    name: str
    size: float = 1.0


class Anything(msgspec.Struct, frozen=True):
    """Options of many types."""

    hands: int = 3
    least: Annotated[int, msgspec.Meta(ge=1)] = 1
    share: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.5
    word: str = "x"
    cards: tuple[int, ...] = (1, 2)
    pair: tuple[int, str] = (1, "a")
    suits: tuple[Literal["red", "black"], ...] = ()
    item: Item = Item("it")
    weights: dict[str, int] = {}
    either: int | str = 1


ANYTHING = cast("AnyGame", SimpleNamespace(options_type=Anything))
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
        "--option rounds: 'many' is not allowed; allowed: a whole number",
        "--option blind: 'maybe' is not allowed; allowed: true, false",
        "--option colour: is not known; known here: mode, rounds, blind",
    )


def test_options_of_every_type_are_said_in_words_and_read_from_text() -> None:
    assert {option.name: option.allowed for option in known_options(ANYTHING)} == {
        "hands": "a whole number",
        "least": "a whole number from 1",
        "share": "0 to 1",
        "word": "a text",
        "cards": "a list, each of it a whole number",
        "pair": "a list of 2: a whole number, a text",
        "suits": "a list, each of it one of black, red",
        "item": "an object with name, size",
        "weights": "an object",
        "either": "a whole number or a text",
    }
    given = {
        "hands": "5", "share": "0.25", "word": "[1]", "cards": "[3, 4]", "pair": '[2, "b"]', "suits": '["red"]',
        "item": '{"name": "that"}', "weights": '{"a": 1}',
    }  # fmt: skip
    assert read_options(ANYTHING, given, "") == Anything(
        5, 1, 0.25, "[1]", (3, 4), (2, "b"), ("red",), Item("that"), {"a": 1}
    )
    assert tell_option(msgspec.to_builtins(Anything())["pair"]) == '[1,"a"]'


@pytest.mark.parametrize("text", ["[1", "[1, true]", "1", "{}", "\udcff", "[\udcff"])
def test_a_text_that_is_no_such_list_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(OptionsError) as caught:
        read_options(ANYTHING, {"cards": text}, "--option ")
    assert len(caught.value.problems) == 1


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
