"""What every Python sample bot has in common."""

import random
import tomllib

import pytest
from referee_bot.v1 import bot_pb2 as pb

from referee.core import seeds
from referee.core.game import Decide, Over, Shuffle
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
def test_every_choice_is_legal_and_forced_choices_are_made(name: str) -> None:
    player = new_player(name)
    view = position(hand=(SENTINEL,) * 4)
    only_play = legal_actions(view, discards=False)

    assert player.choose(decision(view, only_play)) == 0


@pytest.mark.parametrize("name", NAMES)
def test_whole_matches_end_with_legal_choices_only(name: str) -> None:
    for deal in range(8):
        assert play_match((name, name), deal)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_match_brings_the_same_choices(name: str) -> None:
    assert play_match((name, "random"), 3) == play_match((name, "random"), 3)


def play_match(names: tuple[str, str], deal: int) -> list[int]:
    """Plays a match through the codec's bytes. Returns all choices; fails on one that is not legal."""
    game, codec = entry.game, entry.codec
    luck = random.Random(deal)
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
        elif isinstance(awaited, Shuffle):
            state, _ = game.luck(state, tuple(luck.sample(range(awaited.count), awaited.count)))
        else:
            state, _ = game.luck(state, tuple(luck.randrange(awaited.faces) for _ in range(awaited.count)))
    return choices
