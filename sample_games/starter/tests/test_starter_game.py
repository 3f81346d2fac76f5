"""The rules, and the contract of every game."""

from starter_game.rules import Chose, Dealt, Options, Out, Shown, StarterGame, State, Stay, Won

from referee.check.game_check import require_sound_game

GAME = StarterGame()


def test_the_game_keeps_the_contract_of_every_game() -> None:
    require_sound_game(GAME)


def test_the_highest_card_that_stayed_takes_all_chips() -> None:
    state = State(Options(), (0, 0, 0), cards=(2, 5, 6), stays=(True, True))
    after, events = GAME.apply(state, {2: Out()})
    assert events == (Chose(2, False), Shown(0, 2), Shown(1, 5), Won(1, 5))
    assert after.chips == (-2, 3, -1)


def test_if_nobody_stays_nobody_pays() -> None:
    state = State(Options(), (0, 0), cards=(2, 5), stays=(False,))
    after, events = GAME.apply(state, {1: Out()})
    assert (after.chips, after.round, events) == ((0, 0), 1, (Chose(1, False),))


def test_only_the_player_hears_the_own_card() -> None:
    assert GAME.heard(Dealt(0, 3), 0) == Dealt(0, 3)
    assert GAME.heard(Dealt(0, 3), 1) is None


def test_the_beginner_changes_every_round() -> None:
    state = State(Options(), (0, 0), cards=(2, 5), stays=(True,))
    after, _ = GAME.apply(state, {1: Stay()})
    assert (state.order, after.order) == ((0, 1), (1, 0))
