"""The two-worlds test finds leaks. It catches every game that reveals too much in one way."""

from collections.abc import Iterator, Mapping

import pytest
from msgspec.structs import replace

from referee.check.random_play import anyhow
from referee.core.outcome import Seat
from referee.games.agent_avenue.game import AgentAvenue
from referee.games.agent_avenue.marks import Kind, Sighting
from referee.games.agent_avenue.moves import Action, Answered, Discard, Discarded, Drew, Event, Laid, Play, Played
from referee.games.agent_avenue.pieces import Agent
from referee.games.agent_avenue.state import Options, State
from referee.games.agent_avenue.view import View
from referee.wire.agent_avenue import AgentAvenueCodec
from referee.wire.codec import GameEntry
from tests.games.agent_avenue.kit import AgentAvenueKit
from tests.games.two_worlds import kinds_of_leaks

GAME = AgentAvenue()
SIMPLE = Options()
ADVANCED = Options(mode="advanced")
TEAMS = Options(mode="advanced", line_up="2v2")


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


class ShowsThePile(AgentAvenue):
    def view(self, state: State, seat: Seat) -> View:
        return replace(GAME.view(state, seat), deck_count=100 * len(state.deck) + sum(state.pile[:1]))


class OrdersTakesByTheHandOfTheOther(AgentAvenue):
    def legal(self, state: State, seat: Seat) -> tuple[Action, ...]:
        legal = GAME.legal(state, seat)
        return legal[::-1] if state.phase == "market" and sum(state.seats[seat - 1].hand) % 2 else legal


class MarksFallWhenTheirCardIsDiscarded(AgentAvenue):
    def apply(self, state: State, choices: Mapping[Seat, Action]) -> tuple[State, tuple[Event, ...]]:
        after, events = GAME.apply(state, choices)
        ((seat, action), *_) = choices.items()
        return (_unmarked(after, seat, action.agent), events) if isinstance(action, Discard) else (after, events)


class MarksFallWhenTheirCardIsPlayedFaceDown(AgentAvenue):
    def apply(self, state: State, choices: Mapping[Seat, Action]) -> tuple[State, tuple[Event, ...]]:
        after, events = GAME.apply(state, choices)
        ((seat, action), *_) = choices.items()
        return (_unmarked(after, seat, action.face_down), events) if isinstance(action, Play) else (after, events)


def _unmarked(state: State, seat: Seat, agent: Agent) -> State:
    seats = list(state.seats)
    own = seats[seat].sightings
    seats[seat] = replace(seats[seat], sightings=own and (*own, Sighting(Kind.LEFT, (agent,), 5)))
    return replace(state, seats=tuple(seats))


class TellsTheCardLaidFaceDown(AgentAvenue):
    def heard(self, event: Event, seat: Seat) -> Event | None:
        return event if isinstance(event, Laid) else GAME.heard(event, seat)


class TellsTheCardLaidFaceDownToThePartner(AgentAvenue):
    def heard(self, event: Event, seat: Seat) -> Event | None:
        partner = isinstance(event, Laid) and event.seat % 2 == seat % 2
        return event if partner else GAME.heard(event, seat)


class ShowsTheFaceDownCardToThePartner(AgentAvenue):
    def view(self, state: State, seat: Seat) -> View:
        view = GAME.view(state, seat)
        return replace(view, own_face_down=state.face_down) if seat % 2 == state.active % 2 else view


class TellsAnswersToBothSides(AgentAvenue):
    def heard(self, event: Event, seat: Seat) -> Event | None:
        return event if isinstance(event, Answered) else GAME.heard(event, seat)


class ShowsThePartnersHand(AgentAvenue):
    def view(self, state: State, seat: Seat) -> View:
        held = state.seats[(seat + 2) % 4 if len(state.seats) == 4 else seat].hand
        return replace(GAME.view(state, seat), own_discards=held)


def found(game: AgentAvenue, options: Options = SIMPLE, matches: int = 10) -> Iterator[str]:
    (seats,) = game.seats(options)
    return kinds_of_leaks(GameEntry(game, AgentAvenueCodec()), AgentAvenueKit(), [(options, seats, anyhow)] * matches)


@pytest.mark.parametrize("options", [SIMPLE, ADVANCED, TEAMS], ids=["simple", "advanced", "teams"])
def test_the_game_itself_leaks_nothing(options: Options) -> None:
    assert list(found(AgentAvenue(), options)) == []


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


@pytest.mark.parametrize(
    ("leaky", "leak"),
    [
        (ShowsThePile, "view differs"),
        (ShowsThePile, "view after luck differs"),
        (OrdersTakesByTheHandOfTheOther, "legal actions differ"),
        (MarksFallWhenTheirCardIsDiscarded, "view after the choice differs"),
        (MarksFallWhenTheirCardIsPlayedFaceDown, "view after the choice differs"),
    ],
)
def test_a_leak_planted_in_the_market_is_found(leaky: type[AgentAvenue], leak: str) -> None:
    assert leak in found(leaky(), ADVANCED, matches=100)


@pytest.mark.parametrize(
    ("leaky", "leak"),
    [
        (TellsTheCardLaidFaceDown, "events differ"),
        (TellsTheCardLaidFaceDownToThePartner, "events differ"),
        (ShowsTheFaceDownCardToThePartner, "view differs"),
        (TellsAnswersToBothSides, "events differ"),
        (ShowsThePartnersHand, "view differs"),
    ],
)
def test_a_leak_planted_in_teams_is_found(leaky: type[AgentAvenue], leak: str) -> None:
    assert leak in found(leaky(), TEAMS)
