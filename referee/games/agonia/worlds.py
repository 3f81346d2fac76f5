"""Other positions that a seat cannot tell from the one it is in: other orders of the deck and of the pile (AG-26)."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from msgspec.structs import replace

from referee.core.game import Decide, Information, RandomNumbers, Roll, Shuffle
from referee.core.outcome import Seat
from referee.core.seeds import shuffled
from referee.games.agonia.box.cards import Cards, HeldCard, turn_ends
from referee.games.agonia.box.characters import Character
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.position.agenda import Cast, Deal, Pile, Reshuffle, Restock
from referee.games.agonia.position.events import (
    Acted,
    Cleared,
    Dealt,
    Drew,
    Event,
    Reshuffled,
    Restocked,
    Rolled,
    RolledForFirst,
    RolledToKindle,
    Spawned,
    WasCast,
)
from referee.games.agonia.position.state import State
from referee.games.agonia.rounds import setup
from referee.games.agonia.rules import apply, awaiting, luck


def resample(state: State, seat: Seat, rng: RandomNumbers) -> State:  # noqa: ARG001 - all seats know the same
    """Shuffle the deck and the pile, if they have been shuffled. Every whole position that fits is equally likely."""
    waiting = {type(step) for step in state.agenda}
    deck = state.deck if Deal in waiting else tuple(shuffled(state.deck, rng))
    pile = state.pile if Pile in waiting else tuple(shuffled(state.pile, rng))
    return replace(state, deck=deck, pile=pile)


def reconstruct(information: Information) -> State:
    """A position that fits. Everybody hears all but the two orders, so the match can be played again."""
    reader = _EventReader(information.events)
    state = setup(information.options, information.seats)
    while True:
        awaited = awaiting(state)
        if isinstance(awaited, Decide):
            if reader.is_at_its_end:
                return state
            acted = reader.next_action()
            state, events = apply(reader.with_next_on_top(state), {acted.seat: acted.action})
        elif isinstance(awaited, Shuffle | Roll):
            drawn = reader.order(state, awaited) if isinstance(awaited, Shuffle) else reader.dice(awaited)
            state, events = luck(reader.with_next_on_top(state), drawn)
        else:
            raise ValueError("the events lead to the end of the match, where nobody is told anything")
        reader.skip(events)


class _EventReader:
    """The events of a match, as far as they have not happened again yet."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events
        self._at = 0

    @property
    def is_at_its_end(self) -> bool:
        """Whether all events have happened again."""
        return self._at == len(self._events)

    def next_action(self) -> Acted:
        """The action that caused the next events."""
        acted = self._events[self._at]
        if not isinstance(acted, Acted):
            raise ValueError(f"a seat must choose, but the next event is {acted}")
        return acted

    def skip(self, events: Sequence[Event]) -> None:
        """These events have happened."""
        end = self._at + len(events)
        if tuple(self._events[self._at : end]) != tuple(events):
            raise ValueError(f"the events do not follow from one another: {events}")
        self._at = end

    def dice(self, awaited: Roll) -> tuple[int, ...]:
        """The numbers that were rolled next."""
        rolled = (die - 1 for at in range(self._at, len(self._events)) for die in _dice(self._events[at]))
        return tuple(islice(rolled, awaited.count))

    def order(self, state: State, awaited: Shuffle) -> tuple[int, ...]:
        """An order with what is seen of it on top."""
        match state.agenda[0]:
            case Cast():
                cast = [event.characters for event in self._ahead() if isinstance(event, WasCast)]
                first = [list(Character).index(character) for character in chain.from_iterable(cast)]
            case Deal():
                first = self._opening_hands(state.deck)
            case Reshuffle():
                first = self._drawn(state.discards)
            case Restock():
                first = self._spawned(state.dead)
            case _:
                first = []
        return _completed(first, awaited.count)

    def with_next_on_top(self, state: State) -> State:
        """The position with the cards and tokens on top that are taken up to the next action or shuffle."""
        deck, pile = _completed(self._drawn(state.deck), len(state.deck)), self._spawned(state.pile)
        return replace(
            state,
            deck=tuple(map(state.deck.__getitem__, deck)),
            pile=tuple(map(state.pile.__getitem__, _completed(pile, len(state.pile)))),
        )

    def _drawn(self, cards: Cards) -> list[int]:
        """The places of the cards that are drawn next. Jam marks may fall off before they are drawn (AG-56)."""
        places, cleared = list[int](), list[Seat]()
        for event in self._ahead():
            if isinstance(event, Cleared):
                cleared.append(event.seat)
            if isinstance(event, Drew) and len(places) < len(cards):
                drawn = (at for at, it in enumerate(cards) if at not in places and _is(it, event.card, cleared))
                places.append(next(drawn))
        return places

    def _spawned(self, tokens: Sequence[EnemyKind]) -> list[int]:
        """The places of the tokens that are put on the board next."""
        kinds = [event.kind for event in self._ahead() if isinstance(event, Spawned)]
        return _places(kinds[: len(tokens)], tokens)

    def _opening_hands(self, cards: Cards) -> list[int]:
        """The places of the cards of all hands. The last card of a hand ends it, so its events come before."""
        dealt = [event for event in self._ahead() if isinstance(event, Dealt)]
        return _places([card for event in dealt for card in (*event.events, *event.cards)], cards)

    def _ahead(self) -> Iterator[Event]:
        """The next events, up to the next action or shuffle; the first event may be one itself."""
        for at in range(self._at, len(self._events)):
            event = self._events[at]
            if at > self._at and isinstance(event, Acted | Reshuffled | Restocked):
                return
            yield event


def _places(values: Sequence[int], items: Sequence[int]) -> list[int]:
    """The place of each among the items; equal ones have different places."""
    places = list[int]()
    for each in values:
        places.append(next(at for at, it in enumerate(items) if at not in places and it == each))
    return places


def _completed(first: Sequence[int], count: int) -> tuple[int, ...]:
    """An order of `count` places that begins with some of them."""
    return (*first, *(at for at in range(count) if at not in first))


def _dice(event: Event) -> tuple[int, ...]:
    """The dice that an event reports, 1 to 6."""
    match event:
        case RolledForFirst():
            return event.dice
        case Rolled() | RolledToKindle() | Spawned():
            return (event.die,)
    return ()


def _is(held_card: HeldCard, card: HeldCard, cleared: Sequence[Seat]) -> bool:
    """Whether `held_card` is the drawn card, once the jam marks of these seats are gone (AG-56)."""
    for seat in cleared:
        held_card = turn_ends(held_card, seat)
    return held_card == card
