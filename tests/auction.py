"""A small game for tests of everything except the games. It has sealed decisions, luck, hidden purses, 2 to 4 seats.

Every seat holds a secret purse (a shuffle of 0..n-1). Each round all seats bid 0, 1 or 2, sealed; the highest bid wins
the round, and a roll settles a tie. At the end the seat with the most rounds is first; the larger purse breaks ties.
"""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from referee.core.game import Awaiting, Decide, Over, Roll, Shuffle
from referee.core.outcome import Outcome, Seat, Side
from referee.match.terms import Clock
from referee.match.transcript import Header


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rounds: int = 2
    sides: Literal["none", "two"] = "none"


class State(msgspec.Struct, frozen=True):
    rounds: int
    purses: tuple[int, ...]
    won: tuple[int, ...]
    played: int = 0
    bids: tuple[int, ...] = ()


class Purse(msgspec.Struct, frozen=True, tag=True):
    seat: Seat
    coins: int


class Bids(msgspec.Struct, frozen=True, tag=True):
    bids: tuple[int, ...]


class Won(msgspec.Struct, frozen=True, tag=True):
    seat: Seat


class View(msgspec.Struct, frozen=True):
    seat: Seat
    purse: int
    won: tuple[int, ...]


Event = Purse | Bids | Won


class Auction:
    name = "auction"
    rules_version = 3
    endings: tuple[str, ...] = ("sold",)
    options_type = Options
    varieties: tuple[Options, ...] = (Options(), Options(sides="two"))
    draw_probability = 0.1

    def seats(self, options: Options) -> tuple[int, ...]:
        return (2, 4) if options.sides == "two" else (2, 3, 4)

    def sides(self, options: Options, seats: int) -> tuple[Side, ...]:
        if options.sides == "none":
            return ()
        return (Side("even", tuple(range(0, seats, 2))), Side("odd", tuple(range(1, seats, 2))))

    def deals_sides(self, options: Options) -> bool:  # noqa: ARG002
        return False

    def setup(self, options: Options, seats: int) -> State:
        return State(rounds=options.rounds, purses=(), won=(0,) * seats)

    def awaiting(self, state: State) -> Awaiting:
        if not state.purses:
            return Shuffle("purses", len(state.won))
        if state.bids:
            return Roll(f"tie/{state.played}", len(state.won))
        if state.played < state.rounds:
            return Decide(tuple(range(len(state.won))))
        return Over(Outcome("sold", self._places(state), (), scores=state.won))

    def legal(self, state: State, seat: Seat) -> tuple[int, ...]:  # noqa: ARG002
        return (0, 1, 2)

    def luck(self, state: State, drawn: tuple[int, ...]) -> tuple[State, tuple[Event, ...]]:
        if not state.purses:
            events = tuple(Purse(seat, coins) for seat, coins in enumerate(drawn))
            return msgspec.structs.replace(state, purses=drawn), events
        best = max(state.bids)
        tied = [seat for seat, bid in enumerate(state.bids) if bid == best]
        return self._win(state, tied[drawn[0] % len(tied)])

    def apply(self, state: State, choices: Mapping[Seat, int]) -> tuple[State, tuple[Event, ...]]:
        bids = tuple(choices[seat] for seat in range(len(state.won)))
        state = msgspec.structs.replace(state, bids=bids, played=state.played + 1)
        if bids.count(max(bids)) > 1:
            return state, (Bids(bids),)
        state, events = self._win(state, bids.index(max(bids)))
        return state, (Bids(bids), *events)

    def is_whole(self, state: State) -> bool:
        return not state.purses or sorted(state.purses) == list(range(len(state.won)))

    def view(self, state: State, seat: Seat) -> View:
        return View(seat, state.purses[seat] if state.purses else 0, state.won)

    def heard(self, event: Event, seat: Seat) -> Event | None:
        return None if isinstance(event, Purse) and event.seat != seat else event

    def describe(self, event: Event) -> str:
        return str(event)

    def describe_action(self, action: int) -> str:
        return f"bid {action}"

    def describe_view(self, view: View) -> str:
        return str(view)

    def _win(self, state: State, seat: Seat) -> tuple[State, tuple[Event, ...]]:
        won = tuple(n + (at == seat) for at, n in enumerate(state.won))
        return msgspec.structs.replace(state, won=won, bids=()), (Won(seat),)

    def _places(self, state: State) -> tuple[int, ...]:
        strength = list(zip(state.won, state.purses, strict=True))
        return tuple(1 + sum(other > own for other in strength) for own in strength)


class AuctionCodec:
    def options(self, options: Options) -> bytes:
        return msgspec.json.encode(options)

    def view(self, view: View) -> bytes:
        return msgspec.json.encode(view)

    def action(self, action: int) -> bytes:
        return msgspec.json.encode(action)

    def event(self, event: Event) -> bytes:
        return msgspec.json.encode(event)


def auction_header(seats: int = 2, seed: int = 7, **options: Any) -> Header:
    return Header(
        game="auction",
        rules_version=3,
        options={"rounds": 2, "sides": "none", **options},
        fixture=f"auction/test/{seed}",
        deal_seed=seed.to_bytes(32, "big").hex(),
        match_id=seed.to_bytes(8, "big").hex(),
        bot_seeds=tuple((seed + seat).to_bytes(16, "big").hex() for seat in range(seats)),
        entries=tuple(f"bot{seat}@1" for seat in range(seats)),
    )


CLOCK = Clock(move_ms=1000)
