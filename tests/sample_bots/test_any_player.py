"""What every Python sample bot has in common."""

import tomllib

import pytest

from referee.games.agent_avenue.state import Options
from referee.wire.agent_avenue import entry
from tests.sample_bots.bots import (
    ALL_NAMES,
    NAMES,
    PYTHON_BOTS,
    SENTINEL,
    decision,
    legal_actions,
    new_player,
    position,
)
from tests.sample_bots.matches import Played, bot_seed, play

SIMPLE = [Options(), Options(line_up="2v2"), Options(line_up="2v1")]
ADVANCED = [
    Options(mode="advanced"),
    Options(mode="advanced", line_up="2v2"),
    Options(mode="advanced", line_up="2v1"),
    Options(mode="advanced", ceasefire=True),
]


def spelled(options: Options) -> str:
    return f"{options.mode} {options.line_up}{' with ceasefire' * options.ceasefire}"


def test_the_loop_is_the_same_in_every_bot() -> None:
    loops = {(PYTHON_BOTS / name / "bot.py").read_bytes() for name in ALL_NAMES}

    assert len(loops) == 1


@pytest.mark.parametrize("name", ALL_NAMES)
def test_bot_toml_has_exactly_the_keys_that_there_are(name: str) -> None:
    about = tomllib.loads((PYTHON_BOTS / name / "bot.toml").read_text())

    assert set(about) == {"name", "version", "author", "games", "run"}
    assert about["name"] == name
    assert about["run"] == ["{python}", "bot.py"]


@pytest.mark.parametrize("name", ALL_NAMES)
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


@pytest.mark.parametrize("options", [*SIMPLE, *ADVANCED], ids=spelled)
@pytest.mark.parametrize("name", NAMES)
def test_every_choice_is_legal_and_the_same_match_brings_the_same_choices(name: str, options: Options) -> None:
    for names in ((name, "random"), ("random", name)):
        matches = [play_match(names, deal, options) for deal in range(3)]
        again = [play_match(names, deal, options) for deal in reversed(range(3))]

        # In another order, with players of the same process. Nothing may be carried over from match to match.
        assert matches == again[::-1]


@pytest.mark.slow
@pytest.mark.parametrize("options", [*SIMPLE, *ADVANCED], ids=spelled)
@pytest.mark.parametrize(
    ("better", "worse", "bound", "deals"),
    # The deals are fixed, so chance plays no part. Over many deals it is at least 70, 93 and 86 %, on either side.
    [("greedy", "random", 0.5, 24), ("counter", "random", 0.7, 10), ("counter", "greedy", 0.7, 24)],
)
def test_the_better_bot_wins_most_of_the_same_deals_from_both_sides(
    better: str, worse: str, bound: float, deals: int, options: Options
) -> None:
    first = sum(winner(play_match((better, worse), deal, options)) == 0 for deal in range(deals))
    second = sum(winner(play_match((worse, better), deal, options)) == 1 for deal in range(deals))
    assert min(first, second) > bound * deals


def play_match(names: tuple[str, str], deal: int, options: Options) -> Played:
    """A match of one side against the other."""
    (seats,) = entry.game.seats(options)
    return play(entry, options, [new_player(names[seat % 2], bot_seed(deal, seat)) for seat in range(seats)], deal)


def winner(match: Played) -> int:
    return match.outcome.places.index(1) % 2
