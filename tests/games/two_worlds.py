"""The two-worlds test: if only things change that a seat cannot know, it must get the same bytes."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from referee.core.game import Decide
from referee.core.outcome import Seat
from referee.wire.codec import GameEntry
from tests.games.kits import Kit
from tests.games.walks import Choose, Chosen, Drawn, walk


def leaks(entry: GameEntry, kit: Kit, step: Drawn | Chosen, seats: int, rng: Random) -> list[str]:
    """In words, what some seat could learn at this step but must not."""
    found = _leaks_of_luck if isinstance(step, Drawn) else _leaks_of_choices
    return [f"seat {seat}: {leak}" for seat in range(seats) for leak in found(entry, kit, step, seat, rng)]


def kinds_of_leaks(entry: GameEntry, kit: Kit, matches: Iterable[tuple[Any, int, Choose]]) -> Iterator[str]:
    """The leaks of random matches, without the seats. A match is given by its options, seats and way of choosing.

    They are played as leaks are asked for. A test that looks for one leak stops when it has found it.
    """
    rng = Random(1)
    for options, seats, choose in matches:
        for step in walk(entry.game, options, seats, choose, rng):
            for leak in leaks(entry, kit, step, seats, rng):
                yield leak.split(": ")[1]


def _leaks_of_luck(entry: GameEntry, kit: Kit, step: Any, seat: Seat, rng: Random) -> Iterator[str]:
    other, events = entry.game.luck(step.before, kit.redraw(step.before, seat, step.drawn, rng))
    if heard(entry, step.events, seat) != heard(entry, events, seat):
        yield "events of luck differ"
    if seen(entry, step.after, seat) != seen(entry, other, seat):
        yield "view after luck differs"


def _leaks_of_choices(entry: GameEntry, kit: Kit, step: Any, seat: Seat, rng: Random) -> Iterator[str]:
    game = entry.game
    world = kit.redeal(step.before, seat, rng)
    if seen(entry, step.before, seat) != seen(entry, world, seat):
        yield "view differs"
    if game.awaiting(step.before) != game.awaiting(world):
        yield "who must choose differs"
    if choosable(entry, step.before, seat) != choosable(entry, world, seat):
        yield "legal actions differ"
    world, choices = kit.elsewhere(step.before, seat, step.choices, rng)
    after, events = game.apply(world, choices)
    if heard(entry, step.events, seat) != heard(entry, events, seat):
        yield "events differ"
    if seen(entry, step.after, seat) != seen(entry, after, seat):
        yield "view after the choice differs"


def seen(entry: GameEntry, state: Any, seat: Seat) -> bytes:
    """The view of `seat` as bytes."""
    return entry.codec.view(entry.game.view(state, seat))


def heard(entry: GameEntry, events: tuple[Any, ...], seat: Seat) -> list[bytes]:
    """What `seat` hears of these events as bytes, in order."""
    parts = (entry.game.heard(event, seat) for event in events)
    return [entry.codec.event(part) for part in parts if part is not None]


def choosable(entry: GameEntry, state: Any, seat: Seat) -> list[bytes]:
    """The legal actions of `seat` as bytes, in order. The list is empty if the seat is not asked."""
    awaited = entry.game.awaiting(state)
    if not isinstance(awaited, Decide) or seat not in awaited.seats:
        return []
    return [entry.codec.action(action) for action in entry.game.legal(state, seat)]
