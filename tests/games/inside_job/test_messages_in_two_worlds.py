"""IJ-12: what other seats receive reveals nothing, neither by its bytes nor by its number, order or time.

These are whole matches in virtual time, by the real `Match` and the real codec. A match is played at random. Then it is
played again for every seat. Everything that the seat could not know at the end is dealt differently, and all seats make
the same choices. Until the end the seat must get the same bytes at the same times.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from referee.core import seeds
from referee.core.game import Awaiting, Decide
from referee.core.outcome import Seat
from referee.games.inside_job.cast import cast
from referee.games.inside_job.game import InsideJob
from referee.games.inside_job.moves import Action, ChooseMission, PlayCard, WonTrick
from referee.games.inside_job.options import Options
from referee.games.inside_job.pieces import DECK
from referee.games.inside_job.state import State, Step
from referee.match.conversation import Answer, Ready, Reply
from referee.match.header import header
from referee.match.match import Ask, Close, Request
from referee.match.terms import Clock
from referee.wire.inside_job import InsideJobCodec
from referee.wire.messages import encode
from tests.games.inside_job.kit import InsideJobKit
from tests.games.inside_job.worlds import Shown, another_world
from tests.match.simulation import Says, Simulation

GAME = InsideJob()
CODEC = InsideJobCodec()
KIT = InsideJobKit()

Script = Mapping[tuple[Seat, int], Action]
"""The choices, by seat and decision."""

Sent = tuple[int, bytes]
"""When a message was sent, in milliseconds, and its bytes."""


class Tapped(Simulation):
    """A match whose messages are kept.

    Attributes:
        sent: by seat, all but the last message, which tells the end.
        chosen: what was chosen.
        last: the position before the end.
    """

    def __init__(self, game: InsideJob, table: tuple[Options, int], number: int, script: Script | None = None) -> None:
        options, seats = table
        of_the_match = header(
            game=game.name,
            rules_version=game.rules_version,
            options=msgspec.to_builtins(options),
            fixture=f"two-worlds/{number}",
            entries=("bot@1",) * seats,
            root=seeds.from_text(str(number)),
            deal=0,
        )
        super().__init__(game, of_the_match, Clock(), self._behave_by_script)
        self.sent: list[list[Sent]] = [[] for _ in range(seats)]
        self.chosen: dict[tuple[Seat, int], Action] = {}
        self.last: State = self._match.state
        self._rng = Random(number)
        self._script = script
        self._asked: Ask | None = None

    def _carry_out(self, request: Request) -> Reply | None:
        if not isinstance(request, Close):
            self.sent[request.seat].append((self.now_ms, encode(CODEC, self._match, request)))
        if isinstance(request, Ask):
            self._asked, self.last = request, self._match.state
        return super()._carry_out(request)

    def _behave_by_script(self, seat: int, decision: int, _legal: int) -> Says:
        """Every seat thinks for a time of its own, and for another time at every decision."""
        if not decision:
            return Says((Ready(),))
        assert self._asked is not None
        legal = self._asked.legal
        given = self._script
        wanted = self._rng.choice(_discreet(self._asked)) if given is None else given.get((seat, decision))
        # A seat that votes twice shows its role by doing so (IJ-32), but only after all have been asked.
        index = legal.index(wanted) if wanted in legal else 0
        self.chosen[seat, decision] = legal[index]
        return Says((Answer(decision, index),), delay_ms=1 + (7 * seat + 3 * decision) % 50)


def _discreet(asked: Ask) -> list[Action]:
    """The choices that a seat would have if it had to follow suit, so that the Insider does not give itself away."""
    laid = asked.view.common.laid
    followed: list[Action] = [
        it for it in asked.legal if isinstance(it, PlayCard) and laid and it.card // 100 == laid[0].card // 100
    ]
    return followed or list(asked.legal)


def deal_of(world: State, chosen: Script) -> dict[str, tuple[int, ...]]:
    """The draws that, with these choices, lead to this position."""
    seats = len(world.hands)
    deck = cast(world.options.roles, seats)
    return {
        "roles": tuple(_places(list(deck.roles), world.roles)),
        "hands": tuple(_places(list(DECK), [*_first_hands(world), *world.unseen])),
        "missions": tuple(_places(list(deck.missions), [*_mission_deck(world, chosen), *world.missions])),
    }


def _places(deck: list[Any], dealt: Any) -> Iterator[int]:
    """Where in the deck these are. Equal ones get different places."""
    for item in dealt:
        at = deck.index(item)
        deck[at] = None
        yield at


def _first_hands(world: State) -> Iterator[int]:
    """The hands as they were dealt: what was played and what is left, seat after seat."""
    seats = len(world.hands)
    played = (*world.played, *(it.card for it in world.common.laid))
    for seat, hand in enumerate(world.hands):
        yield from hand
        yield from (card for at, card in enumerate(played) if (world.led[at // seats] + at) % seats == seat)


def _mission_deck(world: State, chosen: Script) -> Iterator[str]:
    """The missions that leaders looked at, two for each trick."""
    put_away = [iter(missions) for missions in world.put_away]
    revealed: list[list[str]] = [[] for _ in world.hands]
    for (seat, _), action in sorted(chosen.items(), key=lambda item: item[0], reverse=True):
        if isinstance(action, ChooseMission):
            revealed[seat].append(action.mission)
    for leader in world.led:
        yield revealed[leader].pop()
        yield next(put_away[leader])


class Pair(NamedTuple):
    """What a seat is sent in two worlds, as long as the first of them lasts.

    Attributes:
        first: what it is sent in the first world.
        second: what it is sent in the second world.
        recast: whether the second world has other roles.
    """

    first: list[Sent]
    second: list[Sent]
    recast: bool


def pairs(rules: type[InsideJob], table: tuple[Options, int], number: int) -> Iterator[Pair]:
    """For every seat, a match and the same match in another world."""
    played = Tapped(rules(), table, number)
    played.play()
    for seat, sent in enumerate(played.sent):
        world = another_world(played.last, seat, Random(number), Shown())
        again = Tapped(_arranged(rules, deal_of(world, played.chosen)), table, number, played.chosen)
        again.play()
        yield Pair(sent, again.sent[seat][: len(sent)], world.roles != played.last.roles)


def _arranged(rules: type[InsideJob], draws: Mapping[str, tuple[int, ...]]) -> InsideJob:
    """The game with the given deal."""

    class Arranged(rules):  # type: ignore[misc, valid-type]  # whichever it is
        def luck(self, state: State, drawn: tuple[int, ...]) -> Step:
            return GAME.luck(state, draws.get(state.phase, drawn))

    return Arranged()


@pytest.mark.parametrize("table", KIT.tables, ids=lambda table: f"{table[0].roles}-{table[1]}")
def test_ij_12_a_seat_receives_the_same_bytes_at_the_same_times_whoever_the_insider_is(
    table: tuple[Options, int],
) -> None:
    found = list[Pair]()
    for number in range(16):
        found += pairs(InsideJob, table, number)
        if sum(pair.recast for pair in found) >= 9:
            break
    assert all(pair.first == pair.second for pair in found)
    assert sum(pair.recast for pair in found) >= 9
    assert sum(len(pair.first) for pair in found) > 100


# The test would notice


class AsksTheInsiderFirst(InsideJob):
    def awaiting(self, state: State) -> Awaiting:
        awaited = GAME.awaiting(state)
        if not isinstance(awaited, Decide):
            return awaited
        return Decide(tuple(sorted(awaited.seats, key=lambda seat: state.roles[seat] != "insider")))


class AsksWhoIsBoundTwice(InsideJob):
    """A seat that must follow suit is asked a second time. That takes time."""

    def awaiting(self, state: State) -> Awaiting:
        awaited = GAME.awaiting(state)
        bound = isinstance(awaited, Decide) and state.phase == "card" and state.roles[awaited.seats[0]] == "agent"
        return Decide(awaited.seats * 2) if bound and isinstance(awaited, Decide) else awaited


class TellsMoreOfTheInsider(InsideJob):
    """The others hear one event more when the Insider wins a trick."""

    def apply(self, state: State, choices: Mapping[Seat, Action]) -> Step:
        after, events = GAME.apply(state, choices)
        insider = state.roles.index("insider")
        return after, tuple(it for it in events for _ in range(1 + (it == WonTrick(insider))))


@pytest.mark.parametrize("leaky", [AsksTheInsiderFirst, AsksWhoIsBoundTwice, TellsMoreOfTheInsider])
def test_a_leak_in_order_time_or_number_is_found(leaky: type[InsideJob]) -> None:
    table = (Options(talk="every_trick"), 4)
    found = [pair for number in range(6) for pair in pairs(leaky, table, number)]
    assert any(pair.first != pair.second for pair in found if pair.recast)
