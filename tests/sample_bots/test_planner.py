"""The bot `planner`: its model of the enemies' turn follows the rules, and it chooses alike every time."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

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
from tests.sample_bots.bots import load_module, new_player
from tests.sample_bots.matches import Played, bot_seed, play


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
