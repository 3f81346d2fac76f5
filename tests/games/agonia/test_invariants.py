"""Facts that hold in every position of every match."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, groupby
from random import Random
from typing import Any

import pytest

from referee.check.random_play import anyhow, walk
from referee.core.game import AnyGame, Decide, Over, Roll, Shuffle
from referee.core.outcome import Seat
from referee.games.agonia.box.board import NOWHERE
from referee.games.agonia.box.cards import HeldCard
from referee.games.agonia.box.enemies import PRINTS
from referee.games.agonia.box.tokens import BARRICADES, TokenKind
from referee.games.agonia.box.tokens import PRINTS as TOKENS
from referee.games.agonia.game import Agonia
from referee.games.agonia.players.searching import is_over_limit
from referee.games.agonia.position.actions import END_TURN, SEARCH
from referee.games.agonia.position.agenda import SecondShot, Turn
from referee.games.agonia.position.options import Options
from referee.games.agonia.position.state import State, board_of
from tests.games.agonia.defending import defending

GAME = Agonia()
TABLES = (Options(), Options(board="secondary", rounds=6))
MATCHES = 8


def mixed(game: AnyGame, state: Any, seats: tuple[Seat, ...], rng: Random) -> Mapping[Seat, Any]:
    """Most choices are sensible, so that matches are long. Some are not, so that odd positions come up."""
    return (defending if rng.random() < 0.8 else anyhow)(game, state, seats, rng)


def searching(game: AnyGame, state: Any, seats: tuple[Seat, ...], rng: Random) -> Mapping[Seat, Any]:
    """As `mixed`, but half of the time everybody searches, so that the deck runs out."""
    if rng.random() < 0.5 and SEARCH in game.legal(state, seats[0]):
        return {seats[0]: SEARCH}
    return mixed(game, state, seats, rng)


@cache
def positions() -> tuple[tuple[State, ...], ...]:
    """The positions of some matches for each board and number of players."""
    return tuple(
        tuple(step.after for step in walk(GAME, options, seats, choose, Random(seed)))
        for choose in (mixed, searching)
        for options in TABLES
        for seats in (2, 3, 4, 5)
        for seed in range(MATCHES)
    )


def every() -> Iterator[State]:
    return (state for match in positions() for state in match)


def decisions() -> Iterator[tuple[State, Seat]]:
    for state in every():
        awaited = GAME.awaiting(state)
        if isinstance(awaited, Decide):
            yield state, awaited.seats[0]


def test_matches_here_are_long_and_use_what_there_is() -> None:
    """Otherwise the tests below would show little."""
    assert max(state.round for state in every()) >= 10
    assert {token.kind for state in every() for token in state.tokens} == set(TokenKind)
    steps = {type(state.agenda[0]).__name__ for state, _ in decisions()}
    assert steps >= {"Start", "Turn", "Search", "SecondShot", "Answer", "Trim"}
    assert any(state.jams for state in every())
    assert any(state.shuffles for state in every())


def test_no_two_enemies_and_no_two_players_share_a_cell() -> None:
    for state in every():
        enemies = [enemy.cell for enemy in state.enemies]
        players = [own.cell for own in state.seats if own.cell != NOWHERE]
        assert len(set(enemies)) == len(enemies)
        assert len(set(players)) == len(players)


def test_everybody_stands_where_they_may() -> None:
    for state in every():
        board = board_of(state)
        assert all(board.ground >> enemy.cell & 1 for enemy in state.enemies)
        standing = [own.cell for own in state.seats if own.cell != NOWHERE]
        assert len(standing) == len(state.seats) or state.round == 0
        assert all(board.players >> cell & 1 for cell in standing)


def test_ag_30_enemies_are_kept_in_the_order_in_which_they_would_move() -> None:
    for state in every():
        ranks = [board_of(state).rank[enemy.cell] for enemy in state.enemies]
        assert ranks == sorted(ranks)
        assert all(0 < enemy.life <= PRINTS[enemy.kind].life for enemy in state.enemies)


def test_ag_27_one_token_a_cell_no_more_than_there_are_and_barricades_apart() -> None:
    for state in every():
        cells = [cell for token in state.tokens for cell in token.cells]
        assert len(set(cells)) == len(cells)
        counts = Counter(token.kind for token in state.tokens)
        assert all(counts[kind] <= TOKENS[kind].tokens for kind in TokenKind)
        barricades = [token for token in state.tokens if token.kind in BARRICADES]
        around = board_of(state).around
        for one, other in combinations(barricades, 2):
            assert not any(around[cell] >> to & 1 for cell in one.cells for to in other.cells)


def test_nobody_stands_on_what_blocks_and_the_trapped_stand_on_traps() -> None:
    for state in every():
        at = {cell: token for token in state.tokens for cell in token.cells}
        for enemy in state.enemies:
            token = at.get(enemy.cell)
            assert token is None or token.fire or token.kind not in {*BARRICADES, TokenKind.BARRIL}
            assert not enemy.held or (token is not None and token.kind is TokenKind.CEPO)


def test_ag_25_nobody_begins_a_turn_with_too_many_cards() -> None:
    for state, _ in decisions():
        if isinstance(state.agenda[0], Turn | SecondShot):
            assert not any(map(is_over_limit, state.seats))


def test_ag_25_where_a_seat_chooses_the_deck_is_not_empty_beside_discards() -> None:
    assert all(state.deck or not state.discards for state, _ in decisions())


def test_ag_56_the_position_knows_of_all_jammed_cards() -> None:
    for state in every():
        marks = 0
        for held in _everywhere(state):
            marks |= held & ~31
        assert state.jams == marks


def _everywhere(state: State) -> Iterator[HeldCard]:
    yield from (*state.deck, *state.discards)
    for own in state.seats:
        yield from own.hand
        yield own.weapon or 0


def test_hands_discards_and_tokens_are_kept_sorted() -> None:
    for state in every():
        assert list(state.tokens) == sorted(state.tokens)
        for cards in (state.discards, *(own.hand for own in state.seats)):
            assert list(cards) == sorted(cards)


def test_labels_of_luck_are_unique_in_a_match() -> None:
    for match in positions():
        awaited = map(GAME.awaiting, match)
        labels = [it.label for it in awaited if isinstance(it, Roll | Shuffle)]
        assert len(set(labels)) == len(labels)


def test_legal_actions_come_by_kind_without_any_twice() -> None:
    for state, seat in decisions():
        legal = GAME.legal(state, seat)
        assert len(set(legal)) == len(legal)
        kinds = [kind for kind, _ in groupby(map(type, legal))]
        assert len(set(kinds)) == len(kinds)


def test_ag_44_a_turn_can_always_be_ended() -> None:
    for state, seat in decisions():
        if isinstance(state.agenda[0], Turn):
            assert GAME.legal(state, seat)[-1] is END_TURN


@pytest.mark.parametrize("seats", [2, 5])
def test_every_legal_action_can_be_carried_out(seats: int) -> None:
    """Tried in some positions. After each action the game waits for something, or is over."""
    some = [(state, seat) for state, seat in decisions() if len(state.seats) == seats][::20]
    for state, seat in some:
        for action in GAME.legal(state, seat):
            after, events = GAME.apply(state, {seat: action})
            assert events
            assert isinstance(GAME.awaiting(after), Decide | Roll | Shuffle | Over)
