"""What a game's other worlds (`referee.core.game.Worlds`) must keep of the true position, in words."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from referee.check.random_play import ChoiceStep, Choose, walk
from referee.core.errors import WrongUse
from referee.core.game import AnyGame, Decide, Information, Over, RandomNumbers
from referee.core.outcome import Seat


class InformedPosition(NamedTuple):
    """A position of a match, with what the seats that must choose have been told so far."""

    state: Any
    informed: Mapping[Seat, Information]


def positions(game: AnyGame, options: Any, seats: int, choose: Choose, rng: Random) -> Iterator[InformedPosition]:
    """The positions of a random match, also those in which luck is awaited."""
    past: list[tuple[Any, ...]] = [()] * seats
    heard: list[list[Any]] = [[] for _ in range(seats)]
    for step in walk(game, options, seats, choose, rng):
        asked = list(step.choices) if isinstance(step, ChoiceStep) else []
        informed = {seat: _information(game, options, seats, seat, step.before, past, heard) for seat in asked}
        yield InformedPosition(step.before, informed)
        if isinstance(step, ChoiceStep):
            for seat, action in step.choices.items():
                past[seat] = (*past[seat], (tuple(heard[seat]), action))
                heard[seat] = []
        for seat in range(seats):
            heard[seat] += [part for event in step.events if (part := game.heard(event, seat)) is not None]
        if isinstance(game.awaiting(step.after), Over):
            yield InformedPosition(step.after, {})


def _information(
    game: AnyGame, options: Any, seats: int, seat: Seat, state: Any, past: list[Any], heard: list[list[Any]]
) -> Information:
    view, legal = game.view(state, seat), game.legal(state, seat)
    return Information(options, seats, seat, past[seat], tuple(heard[seat]), view, legal)


def world_of(game: Any, state: Any, seat: Seat, rng: RandomNumbers) -> Any:
    """Another world of this position; None if the game says that it has none here."""
    try:
        return game.resample(state, seat, rng)
    except WrongUse:
        return None


def differences(game: Any, position: InformedPosition, seat: Seat, rng: Random) -> Iterator[str]:
    """In words, how another world of this position shows that it is another one, or shows which one is true."""
    state = position.state
    one, other = rng.getrandbits(32), rng.getrandbits(32)
    world = world_of(game, state, seat, Random(one))
    if world is None:
        return
    if not game.is_whole(world):
        yield "something is missing, or there twice"
    if game.view(world, seat) != game.view(state, seat):
        yield "the view differs"
    yield from _awaited_differences(game, state, world, seat)
    again = game.resample(state, seat, Random(other))
    if game.resample(world, seat, Random(other)) != again:
        yield "the true position has an effect"
    if seat in position.informed and hasattr(game, "reconstruct"):
        fitting = game.reconstruct(position.informed[seat])
        if game.resample(fitting, seat, Random(other)) != again:
            yield "what the seat was told leads elsewhere"


def _awaited_differences(game: Any, state: Any, world: Any, seat: Seat) -> Iterator[str]:
    awaited = game.awaiting(state)
    if game.awaiting(world) != awaited:
        yield "what is awaited differs"
    elif isinstance(awaited, Decide):
        if seat in awaited.seats and game.legal(world, seat) != game.legal(state, seat):
            yield "the legal actions differ"
        if not all(game.legal(world, mover) for mover in awaited.seats):
            yield "somebody has no legal action"
