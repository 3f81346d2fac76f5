"""Tiny games of Inside Job: the last trick or two, with hands of one or two cards and a few missions."""

from collections.abc import Callable, Iterator
from itertools import combinations

from msgspec.structs import replace

from referee.core.game import AnyGame
from referee.games.inside_job.cast import cast
from referee.games.inside_job.missions import MissionIds
from referee.games.inside_job.moves import GotHand
from referee.games.inside_job.options import Options
from referee.games.inside_job.pieces import DECK, TOKENS
from referee.games.inside_job.state import State, Step
from tests.leaks.tiny import Draw, Tiny, orders
from tests.leaks.wrapped import Wrapped


class _LastTricks(Wrapped):
    """The rules from a late trick on, with few cards and missions, and some tokens for everybody who may have one."""

    def __init__(self, game: AnyGame, trick: int, missions: MissionIds, tokens: int) -> None:
        super().__init__(game)
        self._trick = trick
        self._missions = missions
        self._tokens = tokens

    def setup(self, options: Options, seats: int) -> State:
        state: State = self._game.setup(options, seats)
        return replace(state, missions=self._missions)

    def luck(self, state: State, drawn: Draw) -> Step:
        if state.phase == "hands":
            return self._deal_few(state, drawn)
        after, events = self._game.luck(state, drawn)
        return (self._late(after) if state.phase == "roles" else after), events

    def _late(self, state: State) -> State:
        seats = tuple(replace(it, tokens=it.tokens * self._tokens) for it in state.common.seats)
        supply = TOKENS - sum(it.tokens for it in seats)
        return replace(state, common=replace(state.common, seats=seats, supply=supply, trick=self._trick - 1))

    def _deal_few(self, state: State, drawn: Draw) -> Step:
        seats = len(state.hands)
        size = len(drawn) // seats
        cards = [DECK[card] for card in drawn]
        hands = tuple(tuple(sorted(cards[seat * size : (seat + 1) * size])) for seat in range(seats))
        after = replace(state, phase="missions", hands=hands, unseen=tuple(sorted(cards[seats * size :])))
        return after, tuple(GotHand(seat, size, hand) for seat, hand in enumerate(hands))


def _last_tricks(trick: int, missions: MissionIds, tokens: int) -> Callable[[AnyGame], AnyGame]:
    return lambda game: _LastTricks(game, trick, missions, tokens).rules


def _hands(cards: Draw, seats: int, size: int) -> Iterator[Draw]:
    """Every deal of these cards, hand after hand. The order within a hand is nothing."""
    if not seats:
        yield cards
        return
    for hand in combinations(cards, size):
        for rest in _hands(tuple(card for card in cards if card not in hand), seats - 1, size):
            yield (*hand, *rest)


def _tiny(
    name: str,
    options: Options,
    cards: tuple[int, ...],
    *,
    seats: int,
    tricks: int,
    tokens: int,
    missions: MissionIds,
    decisions: int,
) -> Tiny:
    """Of the missions, each may be among the two that a leader looks at."""
    settled = cast(options.roles, seats)
    places = tuple(DECK.index(card) for card in cards)
    return Tiny(
        name,
        _last_tricks(settled.tricks - tricks + 1, missions, tokens),
        options,
        seats,
        {
            "roles": list(orders(settled.roles)),
            "hands": list(_hands(places, seats, tricks)),
            "missions": list(_hands(tuple(range(len(missions))), tricks, 2)),
        },
        decisions,
    )


SMALL = _tiny(
    "the last trick of three",
    Options(talk="none", leader_wagers=False),
    (101, 102, 201),
    seats=3,
    tricks=1,
    tokens=4,
    missions=("M01", "M13"),
    decisions=4,
)
TINIES = (
    _tiny(
        "the last trick of three with a card unseen, and the vote",
        Options(talk="none"),
        (101, 102, 201, 407),
        seats=3, tricks=1, tokens=4, missions=("M01", "M13", "M22"), decisions=7,
    ),
    _tiny(
        "the last trick of three, talk, and the vote",
        Options(leader_wagers=False),
        (101, 102, 201),
        seats=3, tricks=1, tokens=4, missions=("M01", "M13", "M22"), decisions=10,
    ),
    _tiny(
        "the last two tricks of three",
        Options(talk="none", leader_wagers=False),
        (101, 102, 103, 201, 202, 203),
        seats=3, tricks=2, tokens=1, missions=("M01", "M13", "M22", "M03"), decisions=4,
    ),
    _tiny(
        "the last trick of four with the Accomplice",
        Options(talk="none", leader_wagers=False, roles="accomplice"),
        (101, 102, 201, 202),
        seats=4, tricks=1, tokens=4, missions=("M01", "M13"), decisions=6,
    ),
    _tiny(
        "the last trick of four with the Wired Agent and Tim Shady",
        Options(talk="none", leader_wagers=False, roles="wired,shady"),
        (101, 102, 201, 202),
        seats=4, tricks=1, tokens=1, missions=("M01", "M13"), decisions=7,
    ),
)  # fmt: skip
