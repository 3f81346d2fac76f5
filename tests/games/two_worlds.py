"""The two-worlds test: if only things change that a seat cannot know, it must get the same bytes."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from referee.check.hidden_information import choosable, sent_events, sent_view
from referee.check.random_play import ChoiceStep, Choose, LuckStep, walk
from referee.core.outcome import Seat
from referee.wire.codec import GameEntry
from tests.games.kits import Kit


def leaks(entry: GameEntry, kit: Kit, step: LuckStep | ChoiceStep, seats: int, rng: Random) -> list[str]:
    """In words, what some seat could learn at this step but must not."""
    found = _leaks_of_luck if isinstance(step, LuckStep) else _leaks_of_choices
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
    if sent_events(entry, step.events, seat) != sent_events(entry, events, seat):
        yield "events of luck differ"
    if sent_view(entry, step.after, seat) != sent_view(entry, other, seat):
        yield "view after luck differs"


def _leaks_of_choices(entry: GameEntry, kit: Kit, step: Any, seat: Seat, rng: Random) -> Iterator[str]:
    game = entry.game
    world = kit.redeal(step.before, seat, rng)
    if sent_view(entry, step.before, seat) != sent_view(entry, world, seat):
        yield "view differs"
    if game.awaiting(step.before) != game.awaiting(world):
        yield "who must choose differs"
    if choosable(entry, step.before, seat) != choosable(entry, world, seat):
        yield "legal actions differ"
    world, choices = kit.elsewhere(step.before, seat, step.choices, rng)
    after, events = game.apply(world, choices)
    if sent_events(entry, step.events, seat) != sent_events(entry, events, seat):
        yield "events differ"
    if sent_view(entry, step.after, seat) != sent_view(entry, after, seat):
        yield "view after the choice differs"
