"""Other worlds of every game: they keep what a seat knows, and follow from nothing else."""

from collections.abc import Callable
from random import Random
from typing import Any, cast

import pytest
from msgspec.structs import replace

from referee.check.hidden_information import differences, positions
from referee.check.random_play import Choose, anyhow, evenly, prolonging
from referee.core.game import Decide, Worlds
from referee.core.outcome import Seat
from referee.games.agent_avenue.game import AgentAvenue
from referee.games.agent_avenue.state import Options, State
from referee.games.agonia.box.cards import Card, jammed_by, turn_begins
from referee.games.agonia.position.actions import END_TURN
from referee.games.agonia.position.events import Acted, Cleared, Drew
from referee.games.agonia.position.options import Options as AgoniaOptions
from referee.games.agonia.rounds import setup
from referee.games.agonia.worlds import _EventReader
from referee.games.inside_job.game import InsideJob
from referee.wire.registry import games
from tests.games.agonia.besieging import besieging
from tests.games.agonia.defending import defending

TABLES = [
    pytest.param(entry.game, options, seats, id=f"{name}-{number}-{seats}")
    for name, entry in games().items()
    for number, options in enumerate(entry.game.varieties)
    for seats in entry.game.seats(options)
]


def found(game: Any, options: Any, seats: int, choose: Choose, matches: int, every: int = 1) -> set[str]:
    """What is wrong with the other worlds of some random matches, looked at in every so many positions."""
    rng = Random(f"{game.name}/{options}/{seats}")
    return {
        difference
        for _ in range(matches)
        for number, position in enumerate(positions(game, options, seats, choose, rng))
        if number % every == 0
        for seat in range(seats)
        for difference in differences(game, position, seat, rng)
    }


@pytest.mark.parametrize(("game", "options", "seats"), TABLES)
def test_another_world_of_any_position_keeps_what_the_seat_knows_and_follows_from_it_alone(
    game: Any, options: Any, seats: int
) -> None:
    assert isinstance(game, Worlds)
    assert found(game, options, seats, anyhow, 1, every=3) == set()


@pytest.mark.slow
@pytest.mark.parametrize("choose", [anyhow, prolonging])
@pytest.mark.parametrize(("game", "options", "seats"), TABLES)
def test_another_world_of_every_position_of_many_matches_keeps_what_the_seat_knows(
    game: Any, options: Any, seats: int, choose: Choose
) -> None:
    assert found(game, options, seats, choose, {"agonia": 4, "inside-job": 3}.get(game.name, 20)) == set()


@pytest.mark.slow
@pytest.mark.parametrize("choose", [besieging, defending])
def test_in_long_matches_of_agonia_the_deck_and_the_pile_are_shuffled_again_and_worlds_still_fit(
    choose: Choose,
) -> None:
    game = games()["agonia"].game
    for seats, options in ((2, AgoniaOptions()), (5, AgoniaOptions(rounds=30))):
        assert found(game, options, seats, choose, 3, every=40) == set()


@pytest.mark.parametrize(("game", "options", "seats"), TABLES[:: len(TABLES) // 12])
def test_other_worlds_are_nearly_always_others(game: Any, options: Any, seats: int) -> None:
    rng, same = Random(9), []
    for position in positions(game, options, seats, anyhow, rng):
        if position.informed:
            same += [game.resample(position.state, seat, rng) == position.state for seat in range(seats)]
    assert sum(same) < 0.1 * len(same)


@pytest.mark.parametrize(("game", "options", "seats"), TABLES[:: len(TABLES) // 12])
def test_before_the_first_shuffle_nothing_is_hidden(game: Any, options: Any, seats: int) -> None:
    state = game.setup(options, seats)
    assert game.resample(state, 0, Random(1)) == state


@pytest.mark.parametrize(
    ("name", "label", "deck"),
    [("agonia", "cards", "deck"), ("agonia", "tokens", "pile"), ("inside-job", "missions", "missions")],
)
def test_a_deck_that_is_not_shuffled_yet_keeps_its_order(name: str, label: str, deck: str) -> None:
    rng, game = Random(1), cast("Any", games()[name].game)
    state = game.setup(game.varieties[0], 4)
    while getattr(awaited := game.awaiting(state), "label", None) != label:
        if isinstance(awaited, Decide):
            state, _ = game.apply(state, anyhow(game, state, awaited.seats, rng))
        else:
            state, _ = game.luck(state, evenly(awaited, rng))
    assert getattr(game.resample(state, 0, rng), deck) == getattr(state, deck) != ()


def test_a_weapon_whose_jam_mark_fell_off_before_it_was_drawn_is_found_in_the_deck() -> None:
    """AG-56. That takes a shuffle of the discards in the one round in which the weapon is jammed."""
    weapon = turn_begins(jammed_by(int(Card.PISTOLA), 0), 0)
    state = replace(setup(AgoniaOptions(), 2), deck=(int(Card.REVOLVER), weapon))
    told = _EventReader([Acted(0, END_TURN), Cleared(0), Drew(1, int(Card.PISTOLA))])
    assert told.with_next_on_top(state).deck[0] == weapon


# Planted leaks


class KeepsTheTopCard(AgentAvenue):
    """It favours the truth."""

    def resample(self, state: State, seat: Seat, rng: Random) -> State:  # type: ignore[override]
        world = AgentAvenue.resample(state, seat, rng)
        if not state.deck or state.deck[0] not in world.deck:
            return world
        deck = list(world.deck)
        deck.remove(state.deck[0])
        return replace(world, deck=(state.deck[0], *deck))


class IsTrueNowAndThen(AgentAvenue):
    """It favours the truth."""

    def resample(self, state: State, seat: Seat, rng: Random) -> State:  # type: ignore[override]
        return state if rng.random() < 0.05 else AgentAvenue.resample(state, seat, rng)


class DoesNotSort(AgentAvenue):
    """It favours nothing, but the true order has an effect, and with it the truth can be found again."""

    def resample(self, state: State, seat: Seat, rng: Random) -> State:  # type: ignore[override]
        world = AgentAvenue.resample(state, seat, rng)
        deck = list(state.deck)
        rng.shuffle(deck)
        return replace(world, deck=tuple(deck)) if sorted(deck) == sorted(world.deck) else world


class ForgetsOwnDiscards(AgentAvenue):
    """It changes what the seat knows."""

    def resample(self, state: State, seat: Seat, rng: Random) -> State:  # type: ignore[override]
        world = AgentAvenue.resample(state, seat, rng)
        own, seats = world.seats[seat], list(world.seats)
        seats[seat] = replace(own, discards=own.discards[::-1])
        return replace(world, seats=tuple(seats))


class LosesACard(AgentAvenue):
    def resample(self, state: State, seat: Seat, rng: Random) -> State:  # type: ignore[override]
        world = AgentAvenue.resample(state, seat, rng)
        return replace(world, deck=world.deck[1:])


class DealsTheOwnHandToo(AgentAvenue):
    """It changes what the seat may choose."""

    def resample(self, state: State, seat: Seat, rng: Random) -> State:  # type: ignore[override]
        return AgentAvenue.resample(AgentAvenue.resample(state, 1 - seat, rng), seat, rng)


@pytest.mark.parametrize(
    ("planted", "words"),
    [
        (KeepsTheTopCard, "the true position has an effect"),
        (IsTrueNowAndThen, "the true position has an effect"),
        (DoesNotSort, "the true position has an effect"),
        (ForgetsOwnDiscards, "the view differs"),
        (LosesACard, "something is missing, or there twice"),
        (DealsTheOwnHandToo, "the legal actions differ"),
    ],
)
def test_a_planted_leak_is_found(planted: Callable[[], Any], words: str) -> None:
    assert words in found(planted(), Options(), 2, anyhow, 10)


class ForgetsWhatWasPlayed(InsideJob):
    """A player who reconstructs without the first trick."""

    def reconstruct(self, information: Any) -> Any:
        state = InsideJob.reconstruct(information)
        return replace(state, played=(), led=state.led[-1:], unseen=tuple(sorted((*state.unseen, *state.played))))


def test_a_planted_gap_in_what_is_reconstructed_is_found() -> None:
    game = ForgetsWhatWasPlayed()
    assert "what the seat was told leads elsewhere" in found(game, game.varieties[0], 4, anyhow, 1)
