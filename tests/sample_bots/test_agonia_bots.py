"""The sample bots that play Agonía: what they choose, and how well they play together."""

import pytest
from referee_bot.v1 import agonia_pb2
from referee_bot.v1 import bot_pb2 as pb

from referee.games.agonia.position.options import Options
from referee.wire.agonia import entry
from tests.games.agonia.table import Player, Table, said, seated
from tests.sample_bots.bots import load_module, new_player
from tests.sample_bots.matches import Played, bot_seed, play

GAME, CODEC = entry.game, entry.codec
BOTS = ("defender", "planner", "shooter")


def chosen(name: str, table: Table) -> str:
    """What a bot does if it is in the seat that is asked."""
    legal = table.actions
    view = CODEC.view(table.view(table.asked))
    index = new_player(name).choose(pb.Decision(view=view, legal=[CODEC.action(action) for action in legal]))
    return said(legal[index])


LIA, FAR = Player("lia", (0, 9)), Player("ismael", (7, 9))


def by_the_street(*hand: str, character: str = "vera", weapon: str | None = None) -> Player:
    return Player(character, (0, 6), hand, weapon)


@pytest.mark.parametrize("name", BOTS)
def test_they_shoot_the_nearest_threat(name: str) -> None:
    table = seated(by_the_street(weapon="pistola"), FAR, street="4 .c......\n7 ..c.....\n6 ...c....")
    nearest = table.enemies[0]
    assert chosen(name, table) == f"shoot {nearest}"


@pytest.mark.parametrize(
    ("name", "street"),
    [
        ("defender", "5 .cc.....\n6 ..c....."),
        ("planner", "6 .cc.....\n7 ..c....."),
        ("shooter", "5 .cc.....\n6 ..c....."),
    ],
)
def test_they_throw_where_several_stand(name: str, street: str) -> None:
    """The planner searches until they are a turn nearer."""
    table = seated(by_the_street("granada"), FAR, street=street)
    assert chosen(name, table).startswith("throw granada")


@pytest.mark.parametrize("name", BOTS)
def test_they_equip_what_is_better(name: str) -> None:
    hand = ("rifle_de_caza", "escopeta", "escopeta")
    table = seated(by_the_street(*hand, character="lia", weapon="pistola"), FAR)
    assert chosen(name, table) == "equip rifle_de_caza"


@pytest.mark.parametrize("name", BOTS)
def test_they_keep_the_weapons_that_reach_farther(name: str) -> None:
    table = seated(by_the_street("foso", "escopeta", "rifle_de_caza", weapon="ballesta"), FAR, deck=["foso"] * 2)
    assert chosen(name, table.does("search")) not in {"discard rifle_de_caza"}


def test_the_defender_digs_a_pit_before_whoever_is_about_to_enter() -> None:
    table = seated(by_the_street("foso"), FAR, street="6 ..c.....")
    assert chosen("defender", table) == "place foso 2,7"


def test_the_defender_blocks_a_lane_where_that_costs_no_action() -> None:
    table = seated(by_the_street(*["barricada"] * 3, character="marta"), FAR, street="5 ..c.....")
    assert chosen("defender", table) == "place barricada 2,6"


def test_the_defender_saves_its_barricades_where_nobody_comes() -> None:
    table = seated(by_the_street("barricada", character="marta"), FAR, street="2 ......c.")
    assert not chosen("defender", table).startswith("place")


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


def test_the_defender_walks_to_where_its_weapon_is_of_use() -> None:
    at_the_back = Player("vera", (7, 9), ["pistola"] * 4, "pistola")
    assert chosen("defender", seated(at_the_back, LIA, street="3 ......c.")).startswith("go ")


def test_the_defender_gives_cards_to_whoever_can_use_them_better() -> None:
    full = Player("ismael", (3, 9), ["granada"] * 3, "rifle_de_caza")
    bruno = Player("bruno", (4, 9), [], "revolver")
    table = seated(full, bruno)
    assert chosen("defender", table) == "offer 1 granada for -"
    assert chosen("defender", table.does("offer 1 granada for -")) == "yes"


def test_the_defender_refuses_to_give_away_what_it_can_use_better_itself() -> None:
    bruno = Player("bruno", (4, 9), ["granada"], "revolver")
    table = seated(Player("ismael", (3, 9), ["foso"] * 3, "rifle_de_caza"), bruno)
    assert chosen("defender", table.does("offer 1 - for granada")) == "no"


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
