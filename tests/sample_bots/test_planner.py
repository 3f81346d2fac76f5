"""The bot `planner`: its model of the enemies' turn follows the rules, and its choices are sound."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from referee_bot.v1 import agonia_pb2
from referee_bot.v1 import bot_pb2 as pb

from referee.core.game import Roll
from referee.games.agonia import rules
from referee.games.agonia.box.board import BOARDS, Board, BoardName, Facing, cells_in
from referee.games.agonia.box.enemies import PRINTS, EnemyKind
from referee.games.agonia.box.tokens import BARRICADES, TokenKind
from referee.games.agonia.position.agenda import BeginAdvance, Turn
from referee.games.agonia.position.events import Rolled
from referee.games.agonia.position.options import Options
from referee.games.agonia.position.state import Enemy, State, Token
from referee.wire.agonia import entry
from tests.games.agonia.scene import drawn
from tests.games.agonia.table import Player, Table, said, seated
from tests.sample_bots.bots import load_module, new_player
from tests.sample_bots.matches import Played, bot_seed, play

CODEC = entry.codec


def random_position(luck: Random, board: BoardName) -> State:
    """Some enemies and tokens on any cells of the street."""
    it = BOARDS[board]
    free = cells_in(it.street | it.spawns)
    cells = luck.sample(list(free), k=22)
    kinds = luck.sample(list(EnemyKind), k=8) + luck.choices(list(EnemyKind), k=6)
    enemies = [
        _enemy(luck, it, number, kind, cells.pop()) for number, kind in enumerate(kinds[: luck.randint(3, 14)], 1)
    ]
    tokens = [_token(luck, cells.pop()) for _ in range(luck.randint(0, 7))]
    tokens += [Token((enemy.cell,), TokenKind.CEPO) for enemy in enemies if enemy.held]
    scene = drawn("", board=board)
    return replace(
        scene.state,
        enemies=tuple(sorted(enemies, key=lambda enemy: it.rank[enemy.cell])),
        tokens=tuple(sorted(tokens)),
        stampedes=luck.randrange(2),
    )


def _enemy(luck: Random, board: Board, number: int, kind: EnemyKind, cell: int) -> Enemy:
    ways = [way for way in Facing if board.arrow[cell] in {None, way}]
    life = luck.randint(1, PRINTS[kind].life)
    facing = luck.choice(ways)
    return Enemy(number, kind, cell, life, facing, held=luck.random() < 0.1, aside=luck.randrange(3))


def _token(luck: Random, cell: int) -> Token:
    kind = luck.choice([kind for kind in TokenKind if kind is not TokenKind.BARRICADA_DOBLE])
    return Token((cell,), kind, luck.randrange(3) if kind in BARRICADES else 0)


def advanced(state: State, luck: Random) -> tuple[State, list[bool]]:
    """The position after the enemies' turn by the rules, and which fires hit."""
    after, events = rules.settled(replace(state, agenda=(BeginAdvance(), Turn(0))), ())
    while after.outcome is None and isinstance(awaited := rules.awaiting(after), Roll):
        after, told = rules.luck(after, (luck.randrange(awaited.faces),))
        events += told
    hits: list[bool] = []
    for event in events:
        if isinstance(event, Rolled):
            hits[-1 if event.again else len(hits) :] = [event.die >= event.needed]
    return after, hits


def model_of(state: State, hits: Iterator[bool]) -> Any:
    """The bot's model of a position."""
    street, board = (load_module("planner", name) for name in ("street", "board"))
    walkers = [street.Walker(*(int(field) for field in _fields(enemy))) for enemy in state.enemies]
    tokens = [street.Token(int(token.kind), token.cells, token.fire) for token in state.tokens]
    return street.Street(board.board_of(state.options.board), walkers, tokens, lambda _: next(hits, False))


def _fields(enemy: Enemy) -> tuple[int, ...]:
    return enemy.number, enemy.kind, enemy.cell, enemy.life, enemy.facing, enemy.held, enemy.aside


@pytest.mark.slow
@pytest.mark.parametrize("board", ["main", "secondary"])
def test_its_model_moves_the_enemies_as_the_rules_do(board: BoardName) -> None:
    lost = 0
    for seed in range(600):
        luck = Random(seed)
        state = random_position(luck, board)
        after, hits = advanced(state, luck)
        model = model_of(state, iter(hits))
        model.advance(state.stampedes)
        if after.outcome is not None and after.outcome.ending == "entrance":
            assert model.arrived
            lost += 1
            continue
        assert not model.arrived
        walkers = [(it.number, it.kind, it.cell, it.life, it.facing, it.held, it.aside) for it in model.at.values()]
        assert sorted(walkers) == sorted(map(_fields, after.enemies))
        tokens = {(int(token.kind), token.cells, token.fire) for token in after.tokens}
        assert {(token.kind, token.cells, token.fire) for token in model.tokens.values()} == tokens
    assert 30 < lost < 500


# What it chooses


def test_an_enemy_frees_itself_although_the_trap_that_holds_it_was_sprung_by_another() -> None:
    """On the paths of the model each enemy walks alone."""
    street, board = load_module("planner", "street"), load_module("planner", "board").board_of("main")
    walker = street.Walker(1, agonia_pb2.ENEMY_KIND_COMUN, board.spawn[0], 1, agonia_pb2.FACING_DOWN, True, 0)
    street.Street(board, [walker], [], lambda _: False).move(walker)
    assert not walker.held


def armed(*hand: str, character: str = "vera", at: tuple[int, int] = (0, 6)) -> Player:
    return Player(character, at, hand, "rifle_de_caza")


PARTNER = Player("ismael", (7, 6), (), "rifle_de_caza")


@pytest.mark.parametrize("token", "=B")
def test_it_knows_that_an_enemy_between_tokens_is_stuck(token: str) -> None:
    view = view_of(seated(armed(), PARTNER, street=f"4 .Oc{token}....\n5 ..=....."))
    assert table_of(view).layouts[0].now.arrivals.tolist() == [load_module("planner", "paths").NEVER]


def test_it_shoots_at_an_enemy_that_is_stuck_because_the_match_is_lost_if_one_stays() -> None:
    """AG-41. An enemy that never comes in is no danger, but the team has not won while it stands there."""
    table = at_the_end(seated(armed(), PARTNER, street="4 .Oc=....\n5 ..=....."))
    assert chosen(table) == f"shoot {table.enemies[0]}"


def at_the_end(table: Table) -> Table:
    """The same with the counter on its last cell."""
    return Table(replace(table.state, counter=table.state.last))


def test_it_shoots_at_whoever_is_about_to_enter_and_not_at_others() -> None:
    table = seated(armed(), PARTNER, street="3 ..cc....\n7 .c......")
    assert chosen(table) == f"shoot {table.enemies[0]}"


def test_it_digs_a_pit_where_a_shot_is_not_enough() -> None:
    table = seated(armed("foso"), Player("lia", (7, 9)), street="6 ..d.....")
    assert chosen(table) == "place foso 2,7"


def test_it_does_not_place_what_nobody_will_meet() -> None:
    table = seated(armed("barricada", character="marta"), PARTNER, street="1 ......c.")
    assert not chosen(table).startswith("place")


def test_it_keeps_the_weapon_that_reaches_farther() -> None:
    hand = ("foso", "escopeta", "rifle_de_francotirador")
    table = seated(Player("vera", (0, 6), hand, "ballesta"), PARTNER, deck=["foso"] * 2)
    assert chosen(table.does("search")) != "discard rifle_de_francotirador"


def chosen(table: Table) -> str:
    """What the bot does if it is in the seat that is asked."""
    legal = [CODEC.action(action) for action in table.actions]
    return said(table.actions[new_player("planner").choose(pb.Decision(number=1, view=view_of(table), legal=legal))])


def view_of(table: Table) -> bytes:
    return CODEC.view(table.view(table.asked))


def table_of(view: bytes) -> Any:
    return load_module("planner", "table").Table(agonia_pb2.View.FromString(view), Random(1))


# Its forecast


def test_its_futures_spread_the_enemies_evenly_over_the_columns() -> None:
    table = table_of(view_of(seated(armed(), PARTNER)))
    for enemy in range(table.coming.columns.shape[1]):
        assert sorted(table.coming.columns[:, enemy]) == list(range(6))


def test_a_hit_makes_the_team_more_likely_to_hold_out() -> None:
    table = table_of(view_of(seated(armed(), PARTNER, street="6 .cc.cc..\n7 ..f.C...")))
    plans = [table.plan(), table.plan(hits=((0, 0.5),)), table.plan(hits=((0, 1.0),))]
    missed, wounded, killed = table.forecast.chances(table.layouts, plans)
    assert 0 < missed < wounded < killed < 1


def test_more_cards_and_more_turns_make_the_team_more_likely_to_hold_out() -> None:
    table = table_of(view_of(seated(armed(), PARTNER, street="6 .cc.cc..\n7 ..f.C...")))
    plain = table.plan()
    more = [plain._replace(stock=plain.stock + 1), plain._replace(turns=(1.0, 1.0))]
    before, *after = table.forecast.chances(table.layouts, [plain, *more])
    assert min(after) > before


# Matches


def match_of(names: tuple[str, ...], deal: int, options: Options) -> Played:
    players = [new_player(name, bot_seed(deal, seat)) for seat, name in enumerate(names)]
    return play(entry, options, players, deal)


@pytest.mark.slow
@pytest.mark.parametrize("board", ["main", "secondary"])
@pytest.mark.parametrize("names", [("planner", "random", "shooter"), ("defender", "planner")])
def test_it_plays_with_anybody_and_chooses_alike_every_time(names: tuple[str, ...], board: BoardName) -> None:
    matches = [match_of(names, deal, Options(board=board, rounds=4)) for deal in range(2)]
    again = [match_of(names, deal, Options(board=board, rounds=4)) for deal in (1, 0)]
    assert matches == again[::-1]
