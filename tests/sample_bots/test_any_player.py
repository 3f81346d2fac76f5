"""What every Python sample bot has in common."""

import tomllib
from typing import NamedTuple

import pytest
from referee_bot.v1 import bot_pb2 as pb

from referee.core import seeds
from referee.core.game import Decide, Over, Roll, Shuffle
from referee.wire.agent_avenue import entry
from tests.sample_bots.bots import NAMES, PYTHON_BOTS, SENTINEL, decision, legal_actions, new_player, position


def test_the_loop_is_the_same_in_every_bot() -> None:
    loops = {(PYTHON_BOTS / name / "bot.py").read_bytes() for name in NAMES}

    assert len(loops) == 1


@pytest.mark.parametrize("name", NAMES)
def test_bot_toml_has_exactly_the_keys_that_there_are(name: str) -> None:
    about = tomllib.loads((PYTHON_BOTS / name / "bot.toml").read_text())

    assert set(about) == {"name", "version", "author", "games", "run"}
    assert about["name"] == name
    assert about["run"] == ["{python}", "bot.py", "{address}"]


@pytest.mark.parametrize("name", NAMES)
def test_no_bot_imports_the_referee(name: str) -> None:
    lines = [line.split() for file in (PYTHON_BOTS / name).glob("*.py") for line in file.read_text().splitlines()]
    imported = {words[1].split(".")[0] for words in lines if words[:1] in (["import"], ["from"])}

    assert "referee_bot" in imported
    assert imported.isdisjoint({"referee", "tournaments"})


@pytest.mark.parametrize("name", NAMES)
def test_a_forced_choice_is_made(name: str) -> None:
    player = new_player(name)
    view = position(hand=(SENTINEL,) * 4)
    only_play = legal_actions(view, discards=False)

    assert player.choose(decision(view, only_play)) == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_same_match_brings_the_same_choices(name: str) -> None:
    assert play_match((name, "random"), 3) == play_match((name, "random"), 3)


@pytest.mark.parametrize(("better", "worse"), [("greedy", "random"), ("counter", "random"), ("counter", "greedy")])
def test_the_better_bot_wins_most_of_the_same_deals_from_both_seats(better: str, worse: str) -> None:
    first = sum(play_match((better, worse), deal).winner == 0 for deal in range(60))
    second = sum(play_match((worse, better), deal).winner == 1 for deal in range(60))

    # The deals are fixed, so this is no matter of luck; over many deals it is 68, 93 and 89 %.
    assert first + second > 0.6 * 120


class Played(NamedTuple):
    """A match that is over."""

    choices: list[int]
    winner: int


def play_match(names: tuple[str, str], deal: int) -> Played:
    """Plays a match through the codec's bytes; fails on a choice that is not legal."""
    game, codec = entry.game, entry.codec
    players = [new_player(name, seeds.from_text(f"{deal}/{seat}")[:16]) for seat, name in enumerate(names)]
    state = game.setup(game.options_type(), 2)
    choices: list[int] = []
    while not isinstance(awaited := game.awaiting(state), Over):
        if isinstance(awaited, Decide):
            (seat,) = awaited.seats
            legal = game.legal(state, seat)
            asked = pb.Decision(view=codec.view(game.view(state, seat)), legal=[codec.action(a) for a in legal])
            index = players[seat].choose(asked)
            assert 0 <= index < len(legal)
            choices.append(index)
            state, _ = game.apply(state, {seat: legal[index]})
        else:
            state, _ = game.luck(state, draw(awaited, seeds.from_text(f"{deal}/{awaited.label}")))
    return Played(choices, awaited.outcome.places.index(1))


def draw(awaited: Shuffle | Roll, seed: bytes) -> tuple[int, ...]:
    """The luck that a game asks for."""
    if isinstance(awaited, Shuffle):
        return seeds.permutation(seed, awaited.count)
    return seeds.rolls(seed, awaited.faces, awaited.count)
