"""Does a game hide what it must? What a seat sees and hears in other worlds (`referee.core.game.Worlds`) is compared.

A game says by `resample` what a seat cannot know: two positions are the same to a seat if `resample` makes the same
position of both by the same random numbers. So whatever leads to two such positions must look the same to the seat. And
a world must keep what the seat knows of the true position.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, TypeAlias

from referee.check.random_play import ChoiceStep, Choose, LuckStep, walk
from referee.core.errors import WrongUse
from referee.core.game import AnyGame, Decide, Information, Over, RandomNumbers, Roll
from referee.core.outcome import Seat
from referee.wire.codec import GameEntry


class InformedPosition(NamedTuple):
    """A position of a match, with what the seats that must choose have learned so far."""

    state: Any
    informed: Mapping[Seat, Information]


def positions(game: AnyGame, options: Any, seats: int, choose: Choose, rng: Random) -> Iterator[InformedPosition]:
    """The positions of a random match, also those in which luck is awaited."""
    past: list[tuple[Any, ...]] = [()] * seats
    events: list[list[Any]] = [[] for _ in range(seats)]
    for step in walk(game, options, seats, choose, rng):
        movers = list(step.choices) if isinstance(step, ChoiceStep) else []
        informed = {seat: _information(game, options, seats, seat, step.before, past, events) for seat in movers}
        yield InformedPosition(step.before, informed)
        if isinstance(step, ChoiceStep):
            for seat, action in step.choices.items():
                past[seat] = (*past[seat], (tuple(events[seat]), action))
                events[seat] = []
        for seat in range(seats):
            events[seat] += [part for event in step.events if (part := game.heard(event, seat)) is not None]
        if isinstance(game.awaiting(step.after), Over):
            yield InformedPosition(step.after, {})


def _information(
    game: AnyGame, options: Any, seats: int, seat: Seat, state: Any, past: list[Any], events: list[list[Any]]
) -> Information:
    view, legal = game.view(state, seat), game.legal(state, seat)
    return Information(options, seats, seat, past[seat], tuple(events[seat]), view, legal)


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


_SWAPS = 6
"""So many other results of a shuffle or of a roll are tried at a time, each with one change."""

_WORLDS = 6
"""So many other worlds are tried for what follows from a choice."""

_COMPARED = 1000
"""In a match about so many worlds are compared with the position as it is, spread evenly over positions and seats."""

Move: TypeAlias = tuple[int, ...] | Mapping[Seat, Any]
"""The result of luck, or the choices."""


class MatchTrace(NamedTuple):
    """What a move leads to."""

    after: Any
    events: tuple[bytes, ...]


def leaks(entry: GameEntry, step: LuckStep | ChoiceStep, seats: int, rng: Random) -> Iterator[str]:
    """In words, what some seat could learn at this step but must not. The game has `resample`."""
    if not isinstance(entry.game.awaiting(step.after), Over):  # then all may be shown
        for seat in range(seats):
            yield from (f"seat {seat}: {leak}" for leak in _leaks_of(entry, step, seat, rng))


def open_leaks(entry: GameEntry, match: Sequence[LuckStep | ChoiceStep], seats: int, rng: Random) -> Iterator[str]:
    """In words, what the positions of a whole match show some seat but must not. The game has `resample`.

    Each position is compared with freshly dealt worlds: a field may depend on a hidden thing only once in many worlds.
    """
    worlds = _COMPARED / len(match) / seats
    for step in match:
        for seat in range(seats):
            for _ in range(int(worlds + rng.random())):
                yield from (f"seat {seat}: {leak}" for leak in _leaks_before(entry, step, seat, rng))


def sent_view(entry: GameEntry, state: Any, seat: Seat) -> bytes:
    """The view of `seat` as bytes."""
    return entry.codec.view(entry.game.view(state, seat))


def sent_events(entry: GameEntry, events: tuple[Any, ...], seat: Seat) -> tuple[bytes, ...]:
    """What `seat` hears of these events as bytes, in order."""
    parts = (entry.game.heard(event, seat) for event in events)
    return tuple(entry.codec.event(part) for part in parts if part is not None)


def choosable(entry: GameEntry, state: Any, seat: Seat) -> tuple[bytes, ...]:
    """The legal actions of `seat` as bytes, in order. There are none if the seat is not asked."""
    awaited = entry.game.awaiting(state)
    if not isinstance(awaited, Decide) or seat not in awaited.seats:
        return ()
    return tuple(entry.codec.action(action) for action in entry.game.legal(state, seat))


def _leaks_before(entry: GameEntry, step: LuckStep | ChoiceStep, seat: Seat, rng: Random) -> Iterator[str]:
    """What the position itself shows."""
    game: Any = entry.game
    state = step.before
    world = world_of(game, state, seat, rng)
    if world is None:
        return
    if sent_view(entry, state, seat) != sent_view(entry, world, seat):
        yield "the view differs"
    if game.describe_view(game.view(state, seat)) != game.describe_view(game.view(world, seat)):
        yield "the words for the view differ"
    if game.awaiting(state) != game.awaiting(world):
        yield "who must choose differs, or which luck is awaited"
    own, other = choosable(entry, state, seat), choosable(entry, world, seat)
    if own != other:
        yield "the legal actions differ" if sorted(own) != sorted(other) else "the order of the legal actions differs"


def _leaks_of(entry: GameEntry, step: LuckStep | ChoiceStep, seat: Seat, rng: Random) -> Iterator[str]:
    """What the seat is sent because of the step, and must not depend on what it cannot know afterwards."""
    game: Any = entry.game
    same, chance = rng.getrandbits(32), "luck" if isinstance(step, LuckStep) else "a choice"
    true = MatchTrace(step.after, sent_events(entry, step.events, seat))
    known = world_of(game, step.after, seat, Random(same))
    if known is None:
        return

    def alike(state: Any, move: Move) -> MatchTrace | None:
        """What another move leads to, if it is another position, and the same to the seat."""
        after, events = game.apply(state, move) if isinstance(move, Mapping) else game.luck(state, move)
        if after == step.after or isinstance(game.awaiting(after), Over):
            return None
        return (
            MatchTrace(after, sent_events(entry, events, seat))
            if world_of(game, after, seat, Random(same)) == known
            else None
        )

    for move in _changed(entry, step, seat, rng):
        course = alike(step.before, move)
        if course is not None:
            yield from _between(entry, true, course, seat, chance)
    worlds = [world_of(game, step.before, seat, rng) for _ in range(_WORLDS)]
    moves = [(world, _fitting(entry, step, world, seat, rng)) for world in worlds if world is not None]
    courses = [course for world, move in moves if move is not None and (course := alike(world, move))]
    # An event may show something that is of no use any more: then one position follows from different events.
    pairs = {(course.events, repr(course.after)) for course in courses}
    if len({after for _, after in pairs}) == len(pairs):
        for course in courses:
            yield from _between(entry, _unordered(true), _unordered(course), seat, chance)


def _unordered(course: MatchTrace) -> MatchTrace:
    """The same with events of no order: the order in which cards were drawn is of no use once they are in a hand."""
    return course._replace(events=(bytes(sorted(b"".join(course.events))),))


def _between(entry: GameEntry, true: MatchTrace, other: MatchTrace, seat: Seat, chance: str) -> Iterator[str]:
    game = entry.game
    if true.events != other.events:
        yield f"the events of {chance} differ"
    if sent_view(entry, true.after, seat) != sent_view(entry, other.after, seat):
        yield f"the view after {chance} differs"
    if game.awaiting(true.after) != game.awaiting(other.after):
        yield f"who must choose after {chance} differs, or which luck is awaited"


def _changed(entry: GameEntry, step: LuckStep | ChoiceStep, seat: Seat, rng: Random) -> Iterator[Move]:
    """The move with one change, which `seat` does not make itself."""
    if isinstance(step, ChoiceStep):
        for mover, chosen in step.choices.items():
            for action in entry.game.legal(step.before, mover) if mover != seat else ():
                if action != chosen:
                    yield {**step.choices, mover: action}
        return
    awaited = entry.game.awaiting(step.before)
    for _ in range(_SWAPS):
        drawn = list(step.drawn)
        one, other = rng.randrange(len(drawn)), rng.randrange(len(drawn))
        if isinstance(awaited, Roll):
            drawn[one] = rng.randrange(awaited.faces)
        else:
            drawn[one], drawn[other] = drawn[other], drawn[one]
        yield tuple(drawn)


def _fitting(entry: GameEntry, step: LuckStep | ChoiceStep, world: Any, seat: Seat, rng: Random) -> Move | None:
    """The same move in another world. A seat that cannot choose the same there chooses anything legal."""
    game = entry.game
    if game.awaiting(world) != game.awaiting(step.before):
        return None
    if isinstance(step, LuckStep):
        return step.drawn
    choices: dict[Seat, Any] = {}
    for mover, action in step.choices.items():
        legal = game.legal(world, mover)
        if action not in legal and mover == seat:
            return None
        choices[mover] = action if action in legal else rng.choice(legal)
    return choices
