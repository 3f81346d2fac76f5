from typing import Any

import pytest

from referee.core.errors import GameBug
from referee.core.game import Decide
from referee.core.outcome import first_places
from referee.match.replay import Difference
from referee.match.transcript import Draw, Transcript
from referee.match.turning_points import Swing, swings, turning_points
from tests.auction import Auction, State
from tests.match.test_match import chaos, play
from tests.match.test_replay import changed


class Foreseen(Auction):
    """The auction, where a seat's outlook is its share of the rounds won, and in the end whether it is first."""

    def outlook(self, state: State) -> tuple[float, ...]:
        if state.played == state.rounds and not state.bids:
            return tuple(float(place == 1) for place in self._places(state))
        return tuple((won + 0.5) / (sum(state.won) + 1) for won in state.won)


def found(transcript: Transcript) -> list[Swing]:
    return swings(Foreseen(), transcript)


def test_every_draw_and_every_decision_is_a_move_from_the_position_before_it_to_the_next() -> None:
    transcript = play(rounds=3)
    moves = [swing.move for swing in found(transcript)]
    assert [move.before for move in moves[1:]] == [move.after for move in moves[:-1]]
    assert moves[0].before == Auction().setup(Auction.options_type(rounds=3), 2)
    assert [move.cause for move in moves if isinstance(move.cause, Draw)] == list(transcript.record.luck)
    chosen = [(seat, bid) for move in moves if isinstance(move.cause, dict) for seat, bid in move.cause.items()]
    assert chosen == [(choice.seat, choice.index) for choice in transcript.record.choices]


def test_the_outlook_goes_on_from_move_to_move_and_ends_with_the_places() -> None:
    transcript = play(rounds=3)
    all_swings = found(transcript)
    assert [swing.before for swing in all_swings[1:]] == [swing.after for swing in all_swings[:-1]]
    assert all_swings[0].before == (0.5, 0.5)
    assert all_swings[-1].after == first_places(transcript.record.outcome)


def test_decisions_have_numbers_and_luck_has_none() -> None:
    all_swings = found(play(rounds=3))
    assert [swing.number for swing in all_swings] == list(range(1, len(all_swings) + 1))
    assert [swing.decision for swing in all_swings if swing.decision] == [1, 2, 3]
    for swing in all_swings:
        decided = isinstance(Auction().awaiting(swing.move.before), Decide)
        assert decided == isinstance(swing.move.cause, dict) == (swing.decision is not None)


def test_a_decision_that_a_fault_cut_short_is_no_move() -> None:
    cut_short = next(each for seed in range(100) if (each := play(chaos(seed, 0.3), rounds=3)).record.faults)
    assert sum(swing.decision is not None for swing in found(cut_short)) <= len(cut_short.record.choices)


def test_turning_points_are_the_largest_changes_and_of_equal_ones_the_earlier() -> None:
    move = luck()
    small, large, equal = (
        Swing(number, None, move, (0.5, 0.5), after)
        for number, after in enumerate([(0.6, 0.4), (0.2, 0.5), (0.8, 0.2)])
    )
    assert turning_points([small, equal, large], 2) == [equal, large]
    assert turning_points([small, large, equal], 5) == [large, equal, small]


def test_the_seat_of_a_swing_is_the_one_that_changed_most_and_of_equal_ones_that_which_chose() -> None:
    chose: Any = play_of(1)
    assert Swing(1, 1, chose, (0.5, 0.5), (0.7, 0.3)).seat == 1
    assert Swing(1, 1, chose, (0.5, 0.5), (0.8, 0.3)).seat == 0
    assert Swing(1, None, luck(), (0.5, 0.5), (0.7, 0.3)).seat == 0


def play_of(seat: int) -> Any:
    return next(swing.move._replace(cause={seat: 0}) for swing in found(play()) if swing.decision)


def luck() -> Any:
    return next(swing.move for swing in found(play()) if not swing.decision)


def test_a_game_without_an_outlook_has_no_swings() -> None:
    assert swings(Auction(), play()) == []


def test_a_record_that_departs_from_the_rules_is_found_out() -> None:
    transcript = play()
    with pytest.raises(Difference, match="the record ends before"):
        found(changed(transcript, choices=transcript.record.choices[:-1]))


def test_an_outlook_that_raises_is_a_bug_of_the_game() -> None:
    class Fails(Foreseen):
        def outlook(self, state: State) -> tuple[float, ...]:
            raise ZeroDivisionError(state.played)

    with pytest.raises(GameBug, match="ZeroDivisionError"):
        swings(Fails(), play())
