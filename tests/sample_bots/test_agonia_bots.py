"""The sample bots that play Agonía: how well they play together."""

import pytest

from referee.games.agonia.position.options import Options
from referee.wire.agonia import entry
from tests.sample_bots.bots import new_player
from tests.sample_bots.matches import Played, bot_seed, play


def match_of(names: tuple[str, ...], deal: int, options: Options) -> Played:
    """A match with the bot of each seat."""
    return play(entry, options, [new_player(name, bot_seed(deal, seat)) for seat, name in enumerate(names)], deal)


def wins(names: tuple[str, ...], deals: int, options: Options) -> int:
    return sum(match_of(names, deal, options).outcome.ending == "victory" for deal in range(deals))


@pytest.mark.slow
@pytest.mark.parametrize(("board", "deals"), [("main", 5), ("secondary", 10)])
def test_the_defender_wins_most_often_and_random_hardly_ever(board: str, deals: int) -> None:
    """The deals are fixed, so chance plays no part. On the main board few of them show it."""
    options = Options(board=board, rounds=6)  # type: ignore[arg-type]  # one of the two
    defender, shooter, random = (wins((name,) * 3, deals, options) for name in ("defender", "shooter", "random"))
    assert defender >= 0.7 * deals
    assert defender > shooter >= random
    assert random == 0


@pytest.mark.slow
@pytest.mark.parametrize("names", [("defender", "random", "shooter"), ("shooter", "defender", "random", "defender")])
def test_bots_that_do_not_know_each_other_play_together_and_choose_alike_every_time(names: tuple[str, ...]) -> None:
    matches = [match_of(names, deal, Options(board="secondary", rounds=4)) for deal in range(2)]
    again = [match_of(names, deal, Options(board="secondary", rounds=4)) for deal in (1, 0)]
    assert matches == again[::-1]
