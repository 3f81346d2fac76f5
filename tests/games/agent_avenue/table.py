"""A small language to play Agent Avenue in tests: cards by their names, sides and seats by number."""

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from referee.core.game import Decide, Over
from referee.core.outcome import Outcome, Seat
from referee.games.agent_avenue.describe import NAMES
from referee.games.agent_avenue.game import AgentAvenue
from referee.games.agent_avenue.moves import Action, Discard, Event, Play, Recruit, Slot
from referee.games.agent_avenue.pieces import DECK, Cards
from referee.games.agent_avenue.state import Options, SeatState, SideState, State, lead
from referee.games.agent_avenue.view import View

GAME = AgentAvenue()
_BY_NAME = {name: agent for agent, name in NAMES.items()}
_SLOTS = {"face up": Slot.FACE_UP, "face down": Slot.FACE_DOWN}


def cards(*names: str) -> Cards:
    return tuple(_BY_NAME[name] for name in names)


def named(agents: Cards) -> list[str]:
    return [NAMES[agent] for agent in agents]


def order_of(*first: str) -> tuple[int, ...]:
    """A shuffle that brings these cards to the top, in this order."""
    rest = list(range(len(DECK)))
    top = []
    for agent in cards(*first):
        at = next(card for card in rest if DECK[card] == agent)
        rest.remove(at)
        top.append(at)
    return (*top, *rest)


class Table:
    """A game in progress. What happened last is in `events`."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: tuple[Event, ...] = ()

    @classmethod
    def dealt(cls, *first: str, begins: int = 0) -> "Table":
        """A game from its start, the named cards on top of the shuffled deck."""
        table = cls(GAME.setup(Options(), 2))
        table.luck(*order_of(*first))
        table.luck(begins)
        return table

    @classmethod
    def arranged(
        cls,
        *,
        hands: Sequence[Sequence[str]],
        deck: Sequence[str] | None = None,
        recruited: Sequence[Sequence[str]] = ((), ()),
        progress: Sequence[int] = (0, 0),
        active: int = 0,
        discards: Sequence[Sequence[str]] = ((), ()),
    ) -> "Table":
        """A game in its midst, the active player to choose. Without a `deck`, it is what lies nowhere else."""
        seats = [
            SeatState(tuple(sorted(cards(*hand))), cards(*away)) for hand, away in zip(hands, discards, strict=True)
        ]
        sides = [
            SideState(walked, tuple(sorted(cards(*agents)))) for walked, agents in zip(progress, recruited, strict=True)
        ]
        used = [agent for seat in seats for agent in seat.hand + seat.discards]
        used += [agent for side in sides for agent in side.recruited]
        rest = tuple((Counter(DECK) - Counter(used)).elements())
        return cls(
            State(
                options=Options(),
                phase="play",
                turn=1,
                active=active,
                deck=rest if deck is None else cards(*deck),
                seats=tuple(seats),
                sides=tuple(sides),
            )
        )

    def luck(self, *drawn: int) -> None:
        self.state, self.events = GAME.luck(self.state, drawn)

    def discards(self, name: str) -> None:
        self._chooses(Discard(_BY_NAME[name]))

    def plays(self, *, up: str, down: str) -> None:
        self._chooses(Play(_BY_NAME[up], _BY_NAME[down]))

    def recruits(self, slot: str) -> None:
        self._chooses(Recruit(_SLOTS[slot]))

    def turn(self, *, active: str, other: str) -> None:
        """A whole turn in which the sides recruit these cards."""
        self.plays(up=other, down=active)
        self.recruits("face up")

    def goes_on(self, **changes: object) -> "Table":
        """The same game with some parts of its state put otherwise."""
        return Table(replace(self.state, **changes))

    @property
    def asked(self) -> tuple[Seat, ...]:
        """Who must choose."""
        awaited = GAME.awaiting(self.state)
        assert isinstance(awaited, Decide)
        return awaited.seats

    @property
    def legal(self) -> list[str]:
        return [GAME.describe_action(action) for action in GAME.legal(self.state, self.asked[0])]

    @property
    def outcome(self) -> Outcome | None:
        awaited = GAME.awaiting(self.state)
        return awaited.outcome if isinstance(awaited, Over) else None

    @property
    def result(self) -> tuple[str, int] | None:
        """The ending and the side that won; None while the game goes on."""
        if self.outcome is None:
            return None
        return str(self.outcome.ending), self.outcome.places.index(1)

    @property
    def told(self) -> list[str]:
        """What happened last, in words."""
        return [GAME.describe(event) for event in self.events]

    def heard(self, seat: Seat) -> list[str]:
        """What a seat heard of it, in words."""
        return [GAME.describe(GAME.heard(event, seat)) for event in self.events]

    def hand(self, seat: Seat) -> list[str]:
        return named(self.state.seats[seat].hand)

    def recruited(self, side: int) -> list[str]:
        return named(self.state.sides[side].recruited)

    def progress(self, side: int) -> int:
        return self.state.sides[side].progress

    def lead(self, side: int) -> int:
        return lead(self.state.sides, side)

    def view(self, seat: Seat) -> View:
        return GAME.view(self.state, seat)

    def _chooses(self, action: Action) -> None:
        (seat,) = self.asked
        legal = GAME.legal(self.state, seat)
        assert action in legal, f"{GAME.describe_action(action)} is not among {self.legal}"
        self.state, self.events = GAME.apply(self.state, {seat: action})
