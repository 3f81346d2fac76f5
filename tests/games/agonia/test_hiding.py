"""Nobody learns the order of the deck or of the token pile (AG-26). The test of two worlds finds planted leaks."""

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from referee.check.random_play import ChoiceStep, Choose, anyhow, walk
from referee.core.outcome import Seat
from referee.games.agonia.game import Agonia
from referee.games.agonia.position.actions import Action, SearchDeck
from referee.games.agonia.position.events import Drew, Event, Reshuffled, Restocked
from referee.games.agonia.position.options import Options
from referee.games.agonia.position.state import State
from referee.games.agonia.view import View
from referee.wire.agonia import AgoniaCodec
from referee.wire.codec import GameEntry
from tests.games.agonia.defending import defending
from tests.games.agonia.kit import AgoniaKit
from tests.games.agonia.searching import searching
from tests.games.two_worlds import kinds_of_leaks, leaks

GAME, KIT = Agonia(), AgoniaKit()

ASKED = {"Start": 30, "Turn": 300, "Trim": 100, "Answer": 10, "Search": 10, "SecondShot": 5}
DRAWN = {
    "Cast": 5,
    "Deal": 5,
    "Pile": 5,
    "First": 5,
    "Strike": 100,
    "Kindle": 3,
    "Columns": 50,
    "Reshuffle": 3,
    "Restock": 3,
}
LEAST = ASKED | DRAWN
SECONDARY, MAIN = Options(board="secondary", rounds=12), Options(board="main", rounds=12)


WAYS: list[tuple[Options, int, Choose]] = [
    (SECONDARY, 5, defending),
    (SECONDARY, 5, searching),
    (MAIN, 4, defending),
    (SECONDARY, 3, anyhow),
]


@pytest.mark.slow
def test_ag_26_a_seat_is_sent_the_same_in_any_world_it_cannot_tell_apart_whatever_is_done() -> None:
    rng, met, elsewhere = Random(7), Counter[str](), Counter[str]()
    entry = GameEntry(game=GAME, codec=AgoniaCodec())
    for options, seats, choose in WAYS * 3:
        for step in walk(GAME, options, seats, choose, rng):
            assert leaks(entry, KIT, step, seats, rng) == []
            what = type(step.before.agenda[0]).__name__
            met[what] += 1
            elsewhere[what] += isinstance(step, ChoiceStep) and KIT.redeal(step.before, 0, rng) != step.before
    assert met.keys() == LEAST.keys()
    assert {what: met[what] for what, least in LEAST.items() if met[what] < least} == {}
    assert {what: elsewhere[what] for what, least in ASKED.items() if elsewhere[what] < least} == {}


# Leaks, one way each


class CountsByTheTopOfTheDeck(Agonia):
    def view(self, state: State, seat: Seat) -> View:
        return replace(GAME.view(state, seat), deck_count=100 * len(state.deck) + sum(state.deck[:1]))


class CountsByTheTopOfThePile(Agonia):
    def view(self, state: State, seat: Seat) -> View:
        return replace(GAME.view(state, seat), pile_count=100 * len(state.pile) + sum(state.pile[:1]))


class ShowsTheNextCardAsADiscard(Agonia):
    def view(self, state: State, seat: Seat) -> View:
        return replace(GAME.view(state, seat), discards=tuple(sorted((*state.discards, *state.deck[-1:]))))


class OrdersActionsByTheDeck(Agonia):
    def legal(self, state: State, seat: Seat) -> tuple[Action, ...]:
        legal = GAME.legal(state, seat)
        return legal[::-1] if sum(state.deck[-1:]) % 2 else legal


class OffersASearchOnlyIfItBringsNoEvent(Agonia):
    def legal(self, state: State, seat: Seat) -> tuple[Action, ...]:
        legal = GAME.legal(state, seat)
        unlucky = any(card >= 23 for card in state.deck[:2])
        return tuple(action for action in legal if not (unlucky and isinstance(action, SearchDeck)))


class TellsWhatTheNewDeckBegins(Agonia):
    def luck(self, state: State, drawn: tuple[int, ...]) -> tuple[State, tuple[Event, ...]]:
        after, events = GAME.luck(state, drawn)
        return after, tuple(_told(event, after.deck) if isinstance(event, Reshuffled) else event for event in events)


class TellsHowTheNewPileBegins(Agonia):
    def luck(self, state: State, drawn: tuple[int, ...]) -> tuple[State, tuple[Event, ...]]:
        after, events = GAME.luck(state, drawn)
        first = sum(after.pile[:1])
        return after, tuple(Restocked(first) if isinstance(event, Restocked) else event for event in events)


class TellsTheNextCardToo(Agonia):
    def apply(self, state: State, choices: Mapping[Seat, Action]) -> tuple[State, tuple[Event, ...]]:
        after, events = GAME.apply(state, choices)
        more = [Drew(event.seat, card) for event in events if isinstance(event, Drew) for card in after.deck[:1]]
        return after, (*events, *more)


class SortsTheDeadByThePile(Agonia):
    def view(self, state: State, seat: Seat) -> View:
        view = GAME.view(state, seat)
        return replace(view, dead=view.dead[::-1]) if sum(state.pile[:1]) % 2 else view


def _told(event: Reshuffled, deck: tuple[int, ...]) -> Reshuffled:
    return Reshuffled(event.cards + 100 * sum(deck[-1:]))


@pytest.mark.parametrize(
    ("leaky", "leak"),
    [
        (CountsByTheTopOfTheDeck, "view differs"),
        (CountsByTheTopOfTheDeck, "view after luck differs"),
        (CountsByTheTopOfTheDeck, "view after the choice differs"),
        (CountsByTheTopOfThePile, "view differs"),
        (CountsByTheTopOfThePile, "view after luck differs"),
        (ShowsTheNextCardAsADiscard, "view differs"),
        (OrdersActionsByTheDeck, "legal actions differ"),
        (OffersASearchOnlyIfItBringsNoEvent, "legal actions differ"),
        (TellsWhatTheNewDeckBegins, "events of luck differ"),
        (TellsHowTheNewPileBegins, "events of luck differ"),
        (TellsTheNextCardToo, "events differ"),
        (SortsTheDeadByThePile, "view differs"),
    ],
)
def test_a_planted_leak_is_found(leaky: type[Any], leak: str) -> None:
    assert leak in kinds_of_leaks(GameEntry(leaky(), AgoniaCodec()), KIT, WAYS[:3])
