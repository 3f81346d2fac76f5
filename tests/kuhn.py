"""Kuhn poker as a package of somebody else would have it: three cards, one each, and both are shown at the end."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.core.game import Awaiting, Decide, Information, Over, RandomNumbers, Shuffle
from referee.core.outcome import Outcome, Seat, Side


class Options(msgspec.Struct, frozen=True):
    pass


class State(msgspec.Struct, frozen=True):
    cards: tuple[int, ...] = ()
    bets: tuple[bool, ...] = ()


class Act(msgspec.Struct, frozen=True, tag=True):
    bets: bool


class Dealt(msgspec.Struct, frozen=True, tag=True):
    seat: Seat
    card: int


class Acted(msgspec.Struct, frozen=True, tag=True):
    seat: Seat
    bets: bool


class Shown(msgspec.Struct, frozen=True, tag=True):
    cards: tuple[int, ...]


Event = Dealt | Acted | Shown


class View(msgspec.Struct, frozen=True):
    seat: Seat
    card: int | None
    bets: tuple[bool, ...]


ENDS = {(False, False), (False, True, False), (False, True, True), (True, False), (True, True)}


class Kuhn:
    name = "kuhn"
    rules_version = 1
    endings: tuple[str, ...] = ("fold", "showdown")
    options_type = Options
    varieties: tuple[Options, ...] = (Options(),)
    draw_probability = 0.01

    def seats(self, options: Options) -> tuple[int, ...]:  # noqa: ARG002
        return (2,)

    def sides(self, options: Options, seats: int) -> tuple[Side, ...]:  # noqa: ARG002
        return ()

    def deals_sides(self, options: Options) -> bool:  # noqa: ARG002
        return False

    def setup(self, options: Options, seats: int) -> State:  # noqa: ARG002
        return State()

    def awaiting(self, state: State) -> Awaiting:
        if not state.cards:
            return Shuffle("deal", 3)
        if state.bets not in ENDS:
            return Decide((len(state.bets) % 2,))
        if state.bets in {(False, False), (True, True), (False, True, True)}:
            best, stake = state.cards.index(max(state.cards)), 1 + state.bets[-1]
            return Over(_won("showdown", best, stake))
        return Over(_won("fold", state.bets.index(True), 1))

    def legal(self, state: State, seat: Seat) -> tuple[Act, ...]:  # noqa: ARG002
        return (Act(False), Act(True))

    def luck(self, state: State, drawn: tuple[int, ...]) -> tuple[State, tuple[Event, ...]]:
        return replace(state, cards=drawn[:2]), (Dealt(0, drawn[0]), Dealt(1, drawn[1]))

    def apply(self, state: State, choices: Mapping[Seat, Act]) -> tuple[State, tuple[Event, ...]]:
        ((seat, action),) = choices.items()
        after = replace(state, bets=(*state.bets, action.bets))
        over = self.awaiting(after)
        shown = isinstance(over, Over) and over.outcome.ending == "showdown"
        return after, (Acted(seat, action.bets), *([Shown(state.cards)] if shown else []))

    def is_whole(self, state: State) -> bool:
        return len(set(state.cards)) == len(state.cards)

    def view(self, state: State, seat: Seat) -> View:
        return View(seat, state.cards[seat] if state.cards else None, state.bets)

    def heard(self, event: Event, seat: Seat) -> Event | None:
        return None if isinstance(event, Dealt) and event.seat != seat else event

    def describe(self, event: Event) -> str:
        return str(event)

    def describe_action(self, action: Act) -> str:
        return "bet" if action.bets else "pass"

    def describe_view(self, view: View) -> str:
        return str(view)

    def resample(self, state: State, seat: Seat, rng: RandomNumbers) -> State:
        if not state.cards:
            return state
        own = state.cards[seat]
        other = [card for card in range(3) if card != own][rng.random() < 0.5]
        return replace(state, cards=(own, other) if seat == 0 else (other, own))

    def reconstruct(self, information: Information) -> State:
        view: Any = information.view
        other = (view.card + 1) % 3
        return State((view.card, other) if view.seat == 0 else (other, view.card), view.bets)


def _won(ending: str, winner: Seat, stake: int) -> Outcome:
    return Outcome(
        ending,
        tuple(1 if seat == winner else 2 for seat in range(2)),
        (),
        scores=tuple(stake if seat == winner else -stake for seat in range(2)),
    )


game = Kuhn()
