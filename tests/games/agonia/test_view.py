"""What seats see and hear."""

from random import Random

import pytest
from msgspec.structs import replace

from referee.check.random_play import anyhow, walk
from referee.core.game import Decide
from referee.games.agonia.box.enemies import PILE
from referee.games.agonia.game import Agonia
from referee.games.agonia.position.agenda import Turn
from referee.games.agonia.position.options import Options
from referee.games.agonia.position.state import State
from referee.games.agonia.view import View, heard, view

GAME = Agonia()


def states(players: int = 3) -> list[State]:
    """The positions of a random match in which somebody must choose."""
    steps = walk(GAME, Options(), players, anyhow, Random(3))
    return [step.after for step in steps if isinstance(GAME.awaiting(step.after), Decide)]


def test_ag_26_hands_and_tables_are_open_to_all() -> None:
    for state in states():
        assert all(view(state, seat).players == state.seats for seat in range(3))


def test_ag_26_all_seats_see_the_same() -> None:
    for state in states():
        seen = {replace(view(state, seat), seat=0) for seat in range(3)}
        assert len(seen) == 1


def test_ag_26_of_deck_and_pile_only_the_size_is_seen() -> None:
    rng = Random(1)
    for state in states():
        other = replace(state, deck=_shuffled(state.deck, rng), pile=_shuffled(state.pile, rng))
        assert view(other, 0) == view(state, 0)
        assert view(state, 0).deck_count == len(state.deck)
        assert view(state, 0).pile_count == len(state.pile) == len(PILE) - len(state.enemies) - len(state.dead)


def _shuffled(cards: tuple, rng: Random) -> tuple:  # type: ignore[type-arg]  # of whatever
    return tuple(rng.sample(cards, len(cards)))


def test_no_field_of_a_view_holds_a_deck_or_a_pile() -> None:
    assert not {"deck", "pile", "agenda"} & set(View.__struct_fields__)


def test_the_view_says_whose_turn_it_is_and_what_is_asked() -> None:
    for state in states():
        seen = view(state, 0)
        awaited = GAME.awaiting(state)
        assert isinstance(awaited, Decide)
        assert seen.asked == state.agenda[0]
        if isinstance(seen.asked, Turn):
            assert (seen.active,) == awaited.seats


def test_ag_41_all_seats_see_how_many_rounds_began_on_the_last_cell_of_the_counter() -> None:
    for clock in (0, 1, 30):
        state = replace(states()[0], rounds_on_last=clock)
        assert [view(state, seat).rounds_on_last for seat in range(3)] == [clock] * 3


def test_ag_26_everybody_hears_everything() -> None:
    for step in walk(GAME, Options(), 2, anyhow, Random(4)):
        assert all(heard(event, seat) is event for event in step.events for seat in range(2))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_nothing_of_the_setup_is_seen_before_it_is_there(seats: int) -> None:
    seen = view(GAME.setup(Options(), seats), 0)
    assert (seen.players, seen.round, seen.asked, seen.active) == ((), 0, None, None)
