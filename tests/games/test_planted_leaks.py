"""The two-worlds test finds leaks: games that tell too much, one way each, are all caught."""

from random import Random

import pytest
from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.agent_avenue.game import AgentAvenue
from referee.games.agent_avenue.moves import Action, Discarded, Drew, Event, Played
from referee.games.agent_avenue.state import Options, State
from referee.games.agent_avenue.view import View
from referee.wire.agent_avenue import AgentAvenueCodec
from referee.wire.codec import GameEntry
from tests.games.agent_avenue.kit import AgentAvenueKit
from tests.games.two_worlds import leaks
from tests.games.walks import anyhow, walk

GAME = AgentAvenue()


class TellsTheFaceDownCard(AgentAvenue):
    def heard(self, event: Event, seat: Seat) -> Event | None:
        return event if isinstance(event, Played) else GAME.heard(event, seat)


class TellsDraws(AgentAvenue):
    def heard(self, event: Event, seat: Seat) -> Event | None:
        return event if isinstance(event, Drew) else GAME.heard(event, seat)


class TellsDiscards(AgentAvenue):
    def heard(self, event: Event, seat: Seat) -> Event | None:
        return event if isinstance(event, Discarded) else GAME.heard(event, seat)


class ShowsTheFaceDownCard(AgentAvenue):
    def view(self, state: State, seat: Seat) -> View:
        return replace(GAME.view(state, seat), own_face_down=state.face_down)


class ShowsDiscards(AgentAvenue):
    def view(self, state: State, seat: Seat) -> View:
        return replace(GAME.view(state, seat), own_discards=state.seats[0].discards)


class CountsByTheTopOfTheDeck(AgentAvenue):
    def view(self, state: State, seat: Seat) -> View:
        return replace(GAME.view(state, seat), deck_count=100 * len(state.deck) + sum(state.deck[:1]))


class ShowsTheHandOfTheActiveSeat(AgentAvenue):
    def view(self, state: State, seat: Seat) -> View:
        return replace(GAME.view(state, seat), hand=state.seats[state.active].hand)


class OrdersActionsByTheDeck(AgentAvenue):
    def legal(self, state: State, seat: Seat) -> tuple[Action, ...]:
        legal = GAME.legal(state, seat)
        return legal[::-1] if sum(state.deck[:1]) % 2 else legal


class OffersSlotsByTheFaceDownCard(AgentAvenue):
    def legal(self, state: State, seat: Seat) -> tuple[Action, ...]:
        legal = GAME.legal(state, seat)
        return legal[::-1] if (state.face_down or 0) % 2 else legal


def found(game: AgentAvenue) -> set[str]:
    """The leaks of ten random matches, without the seats."""
    rng = Random(1)
    entry = GameEntry(game=game, codec=AgentAvenueCodec())
    said = set[str]()
    for _ in range(10):
        for step in walk(game, Options(), 2, anyhow, rng):
            said.update(leak.split(": ")[1] for leak in leaks(entry, AgentAvenueKit(), step, 2, rng))
    return said


def test_the_game_itself_leaks_nothing() -> None:
    assert found(AgentAvenue()) == set()


@pytest.mark.parametrize(
    ("leaky", "leak"),
    [
        (TellsTheFaceDownCard, "events differ"),
        (TellsDraws, "events differ"),
        (TellsDraws, "events of luck differ"),
        (TellsDiscards, "events differ"),
        (ShowsTheFaceDownCard, "view differs"),
        (ShowsDiscards, "view differs"),
        (CountsByTheTopOfTheDeck, "view differs"),
        (ShowsTheHandOfTheActiveSeat, "view differs"),
        (ShowsTheHandOfTheActiveSeat, "view after luck differs"),
        (OrdersActionsByTheDeck, "legal actions differ"),
        (OffersSlotsByTheFaceDownCard, "legal actions differ"),
    ],
)
def test_a_planted_leak_is_found(leaky: type[AgentAvenue], leak: str) -> None:
    assert leak in found(leaky())
