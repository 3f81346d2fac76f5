"""The sample bots that play Agonía: what they know of the rules, and how well they play together."""

import pytest
from referee_bot.v1 import agonia_pb2

from referee.games.agonia.position.options import Options
from referee.wire.agonia import entry
from tests.games.agonia.table import Player, seated
from tests.sample_bots.bots import load_module, new_player
from tests.sample_bots.matches import Played, bot_seed, play

CODEC = entry.codec

LIA, FAR = Player("lia", (0, 9)), Player("ismael", (7, 9))


@pytest.mark.parametrize("token", "=2BOT~")
def test_the_defender_knows_that_no_enemy_steps_aside_onto_a_token(token: str) -> None:
    """AG-59: an enemy goes round a token on its left. Between two tokens it is stuck."""
    assert advances(f"4 .{token}c.....\n5 ..=.....") == 5
    assert advances(f"4 .{token}c{token}....\n5 ..=.....") == load_module("defender", "threat").STUCK


def advances(street: str) -> int:
    """How many advances the defender believes that the only enemy needs to the entrance."""
    threat, board = (load_module("defender", name) for name in ("threat", "board"))
    view = agonia_pb2.View.FromString(CODEC.view(seated(LIA, FAR, street=street).view(0)))
    (foe,) = threat.foes_of(view, board.board_of("main"), threat.tokens_of(view))
    found: int = foe.advances
    return found


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
