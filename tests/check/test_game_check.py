"""`check-game` passes sound games, and finds every planted mistake and leak."""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.check import game_check
from referee.check.game_check import FAIR, UnsoundGame, check_game, require_sound_game
from referee.core.game import AnyGame, Decide, Over, Roll
from referee.core.outcome import Seat, Side
from referee.games.agent_avenue.game import AgentAvenue
from referee.games.agent_avenue.pieces import Agent
from referee.games.agent_avenue.state import State as AvenueState
from referee.wire.json_codec import json_entry
from referee.wire.registry import game_entry
from tests.auction import Auction
from tests.kuhn import Act, Dealt, Event, Kuhn, Shown, State, View
from tests.starter_game import load_rules

rules = load_rules()
Starter: Any = rules.StarterGame


class PlainAuction(Auction):
    varieties = (Auction.options_type(),)


def failed(game: AnyGame) -> dict[str, str]:
    """The points that fail, and what was seen."""
    return {
        finding.point: finding.text for finding in check_game(partial(json_entry, game), 5) if finding.kept is False
    }


@pytest.mark.parametrize("game", [Kuhn(), Starter(), PlainAuction()])
def test_a_sound_game_passes(game: AnyGame) -> None:
    assert failed(game) == {}
    require_sound_game(game, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["agent-avenue", "agonia", "inside-job"])
def test_our_own_games_pass(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_check, "LIMIT_S", 600.0)  # other tests take the machine's time
    assert [finding for finding in check_game(partial(game_entry, name), 10) if finding.kept is False] == []


def test_the_same_game_gets_the_same_findings() -> None:
    assert check_game(partial(json_entry, Kuhn())) == check_game(partial(json_entry, Kuhn()))


def test_a_game_without_other_worlds_passes_and_says_what_was_not_tested() -> None:
    open_ = [finding.point for finding in check_game(partial(json_entry, PlainAuction()), 2) if finding.kept is None]
    assert [point.partition(" ")[0] for point in open_] == ["other", "other", "no"]


def test_other_worlds_that_are_all_true_test_nothing() -> None:
    open_ = [each for each in check_game(partial(json_entry, KnowsAll()), 2) if each.text.endswith("than the true one")]
    assert [each.point.partition(":")[0] for each in open_] == [
        "other worlds are drawn fairly",
        "no seat is sent what it cannot know",
    ]


def test_without_a_whole_match_every_other_point_says_that_none_ended() -> None:
    _facts, ends, *others, _reached = check_game(partial(json_entry, NeverEnds()), 2)
    assert ends.kept is False
    assert {(each.kept, each.text) for each in others} == {(None, "not tested, since no match came to its end")}


class KnowsAll(Kuhn):
    def resample(self, state: State, seat: Seat, rng: Any) -> State:  # noqa: ARG002
        return state


# Leaks


class TellsAll(Kuhn):
    def heard(self, event: Event, seat: Seat) -> Event | None:  # noqa: ARG002
        return event


class TellsTheNextSeat(Kuhn):
    def heard(self, event: Event, seat: Seat) -> Event | None:
        return event if seat == 1 else Kuhn().heard(event, seat)


class TellsWhetherACardIsHigh(Kuhn):
    def heard(self, event: Event, seat: Seat) -> Event | None:
        if isinstance(event, Dealt) and event.seat != seat:
            return Dealt(event.seat, 9) if event.card == 2 else None
        return event


class TellsByTheOrder(Kuhn):
    def luck(self, state: State, drawn: tuple[int, ...]) -> tuple[State, tuple[Event, ...]]:
        after, events = Kuhn().luck(state, drawn)
        told = (*events, Dealt(0, 7), Dealt(0, 8))
        return after, told[::-1] if drawn[1] == 2 else told


class ShowsAll(Kuhn):
    def view(self, state: State, seat: Seat) -> View:
        own = Kuhn().view(state, seat)
        return replace(own, card=10 * state.cards[seat] + state.cards[1 - seat]) if state.cards else own


class ShowsTheDeck(Kuhn):
    def view(self, state: State, seat: Seat) -> View:
        own = Kuhn().view(state, seat)
        return replace(own, bets=(*own.bets, 0 in state.cards))


class OrdersActions(Kuhn):
    def legal(self, state: State, seat: Seat) -> tuple[Act, ...]:
        legal = Kuhn().legal(state, seat)
        return legal[::-1] if state.cards[1 - seat] == 2 else legal


class OffersByTheOtherCard(Kuhn):
    def legal(self, state: State, seat: Seat) -> tuple[Act, ...]:
        return Kuhn().legal(state, seat)[: 1 if state.cards[1 - seat] == 0 else 2]


class AsksByTheOtherCard(Kuhn):
    def awaiting(self, state: State) -> Any:
        if state.bets == (False,) and state.cards[0] == 2:
            return Decide((0,))
        return Kuhn().awaiting(state)


class TellsWhatAChoiceMeans(Starter):  # type: ignore[misc]
    """Somebody who stays is heard to have a good card."""

    def apply(self, state: Any, choices: Mapping[Seat, Any]) -> Any:
        after, events = Starter().apply(state, choices)
        ((seat, _),) = choices.items()
        return after, (*events, rules.Won(seat, state.cards[seat]))


class TellsADealLater(Starter):  # type: ignore[misc]
    """The first choice of a round tells who was dealt the best card."""

    def apply(self, state: Any, choices: Mapping[Seat, Any]) -> Any:
        after, events = Starter().apply(state, choices)
        best = state.cards.index(max(state.cards))
        return after, (*events, rules.Chose(best, True)) if not state.stays else events


@pytest.mark.parametrize(
    ("leaky", "differs"),
    [
        (TellsAll, "the events of luck"),
        (TellsTheNextSeat, "the events of luck"),
        (TellsWhetherACardIsHigh, "the events of luck"),
        (TellsByTheOrder, "the events of luck"),
        (ShowsAll, "the view after luck"),
        (ShowsTheDeck, "the view after luck"),
        (OrdersActions, "the order of the legal actions"),
        (OffersByTheOtherCard, "the legal actions"),
        (AsksByTheOtherCard, "who must choose after a choice"),
        (TellsWhatAChoiceMeans, "the events of a choice"),
        (TellsADealLater, "the events of a choice"),
    ],
)
def test_a_planted_leak_is_found(leaky: Callable[[], AnyGame], differs: str) -> None:
    (seen,) = [text for point, text in failed(leaky()).items() if point.startswith("no seat is sent")]
    assert f": {differs} differ" in seen


# Leaks that show themselves now and then


class Avenue(AgentAvenue):
    """The simple mode for two, so that the check is short."""

    varieties = (AgentAvenue.varieties[0],)


def other_hand(state: AvenueState, seat: Seat) -> tuple[Agent, ...]:
    return state.seats[1 - seat].hand


def is_rare(state: AvenueState, seat: Seat) -> bool:
    """Whether the other hand has both cards of which there is one, which is so in one of a hundred worlds."""
    return {Agent.MOLE, Agent.SIDEKICK} <= set(other_hand(state, seat))


class ShowsARareCardInTheFourthRound(Avenue):
    def view(self, state: AvenueState, seat: Seat) -> Any:
        view = AgentAvenue.view(state, seat)
        rare = state.turn == 4 and is_rare(state, seat)
        return replace(view, deck_count=view.deck_count + rare)


class HasANegativeZero(Avenue):
    def view(self, state: AvenueState, seat: Seat) -> Any:
        zero = -0.0 if is_rare(state, seat) else 0.0
        return replace(AgentAvenue.view(state, seat), deck_count=zero)


class HasABoolForAnInt(Avenue):
    def view(self, state: AvenueState, seat: Seat) -> Any:
        view = AgentAvenue.view(state, seat)
        return replace(view, turn=True) if state.turn == 1 and is_rare(state, seat) else view


class RepeatsActions(Avenue):
    def legal(self, state: AvenueState, seat: Seat) -> Any:
        legal = AgentAvenue.legal(state, seat)
        return legal * 2 if state.deck[:1] == (Agent.MOLE,) else legal


@pytest.mark.parametrize(
    ("leaky", "differs"),
    [
        (ShowsARareCardInTheFourthRound, "the view"),
        (HasANegativeZero, "the view"),
        (HasABoolForAnInt, "the view"),
        (RepeatsActions, "the legal actions differ"),
    ],
)
def test_a_leak_that_depends_on_a_rare_fact_is_found(leaky: Callable[[], AnyGame], differs: str) -> None:
    findings = check_game(partial(json_entry, leaky()), 10)
    found = [finding for finding in findings if finding.point.startswith("no seat")]
    assert [(finding.kept, differs in finding.text) for finding in found] == [(False, True)]


# Unfair worlds


class PrefersHighCards(Avenue):
    """What is true has no effect, and yet it is not fair."""

    def resample(self, state: AvenueState, seat: Seat, rng: Any) -> AvenueState:
        return max((AgentAvenue.resample(state, seat, rng) for _ in range(2)), key=lambda it: other_hand(it, seat))


class DealsTheDeckInOrder(Avenue):
    def resample(self, state: AvenueState, seat: Seat, rng: Any) -> AvenueState:
        world = AgentAvenue.resample(state, seat, rng)
        return replace(world, deck=tuple(sorted(world.deck))) if state.phase != "deal" else world


def best_of(state: Any) -> tuple[int, Seat]:
    """The best card and its seat; nothing before the deal."""
    return max(((card, seat) for seat, card in enumerate(state.cards)), default=(0, 0))


class ShowsTheBestCard(Starter):  # type: ignore[misc]
    """Everybody hears who was dealt the best card, and its other worlds forget it."""

    def luck(self, state: Any, drawn: tuple[int, ...]) -> Any:
        after, events = Starter().luck(state, drawn)
        best, at = best_of(after)
        return after, (*events, rules.Shown(at, best))


class RemembersTheBestCard(ShowsTheBestCard):
    def resample(self, state: Any, seat: Seat, rng: Any) -> Any:
        while True:
            world = Starter().resample(state, seat, rng)
            if best_of(world) == best_of(state):
                return world


@pytest.mark.parametrize(
    ("unfair", "matches"), [(PrefersHighCards, 20), (DealsTheDeckInOrder, 8), (ShowsTheBestCard, 4)]
)
def test_unfair_worlds_are_found(unfair: Callable[[], AnyGame], matches: int) -> None:
    found = [finding for finding in check_game(partial(json_entry, unfair()), matches) if finding.point == FAIR]
    assert [(finding.kept, "the rank of the truth" in finding.text) for finding in found] == [(False, True)]


@pytest.mark.parametrize(("fair", "matches"), [(Avenue, 20), (RemembersTheBestCard, 4)])
def test_fair_worlds_pass(fair: Callable[[], AnyGame], matches: int) -> None:
    found = [finding for finding in check_game(partial(json_entry, fair()), matches) if finding.point == FAIR]
    assert [finding.kept for finding in found] == [True]


# Other mistakes


class CountsCalls(Kuhn):
    """It is not a function of the position."""

    calls = count()

    def view(self, state: State, seat: Seat) -> View:
        own = Kuhn().view(state, seat)
        return replace(own, bets=(*own.bets, next(self.calls) % 3 == 0))


class Draws(Kuhn):
    random = Random(1)

    def luck(self, state: State, drawn: tuple[int, ...]) -> tuple[State, tuple[Event, ...]]:
        return Kuhn().luck(state, tuple(self.random.sample(drawn, 3)))


class Mutable(msgspec.Struct):
    cards: list[int]
    bets: tuple[bool, ...] = ()


class ChangesItsState(Kuhn):
    def setup(self, options: Any, seats: int) -> Any:  # noqa: ARG002
        return Mutable([])

    def luck(self, state: Any, drawn: tuple[int, ...]) -> Any:
        state.cards.extend(drawn[:2])
        return state, ()

    def resample(self, state: Any, seat: Seat, rng: Any) -> Any:  # noqa: ARG002
        return state


class OffersNothing(Kuhn):
    def legal(self, state: State, seat: Seat) -> tuple[Act, ...]:
        return () if state.bets == (True,) else Kuhn().legal(state, seat)


class OffersTwice(Kuhn):
    def legal(self, state: State, seat: Seat) -> tuple[Act, ...]:
        return Kuhn().legal(state, seat) * 2


class NeverEnds(Kuhn):
    def awaiting(self, state: State) -> Any:
        return Roll(f"again/{len(state.bets)}", 6) if state.cards else Kuhn().awaiting(state)

    def luck(self, state: State, drawn: tuple[int, ...]) -> tuple[State, tuple[Event, ...]]:
        if state.cards:
            return replace(state, bets=(False,)), ()
        return Kuhn().luck(state, drawn)


class EndsOtherwise(Kuhn):
    endings = ("fold",)


def ends_with(**changes: Any) -> AnyGame:
    """A game whose outcomes have these changes."""

    class EndsWith(Kuhn):
        def awaiting(self, state: State) -> Any:
            found = Kuhn().awaiting(state)
            return Over(replace(found.outcome, **changes)) if isinstance(found, Over) else found

    return EndsWith()


class LosesCards(Kuhn):
    def is_whole(self, state: State) -> bool:
        return not state.bets


class IsSilent(Kuhn):
    def describe_action(self, action: Act) -> str:
        return "bet" if action.bets else ""


class SaysTheSame(Kuhn):
    def describe_action(self, action: Act) -> str:  # noqa: ARG002
        return "act"


class NamesDrawsAlike(Starter):  # type: ignore[misc]
    def awaiting(self, state: Any) -> Any:
        found = Starter().awaiting(state)
        return replace(found, label="deal") if hasattr(found, "label") else found


class ForgetsTheCard(Kuhn):
    """Its other worlds change what the seat knows."""

    def resample(self, state: State, seat: Seat, rng: Any) -> State:
        return Kuhn().resample(state, 1 - seat, rng)


class FavoursTheTruth(Kuhn):
    def resample(self, state: State, seat: Seat, rng: Any) -> State:
        return state if rng.random() < 0.5 else Kuhn().resample(state, seat, rng)


class Fails(Kuhn):
    def apply(self, state: State, choices: Mapping[Seat, Act]) -> tuple[State, tuple[Event, ...]]:
        return Kuhn().apply(state, {seat: choices[seat + 1] for seat in choices})


class HasAListInItsView(Kuhn):
    def view(self, state: State, seat: Seat) -> Any:
        own: Any = Kuhn().view(state, seat)
        return replace(own, bets=list(own.bets))


class HasActionsThatChange(Kuhn):
    class Act(msgspec.Struct, tag=True):
        bets: bool

    def legal(self, state: State, seat: Seat) -> Any:  # noqa: ARG002
        return (self.Act(False), self.Act(True))

    def describe_action(self, action: Any) -> str:
        return str(action)


class SaysTooMuch(Kuhn):
    def apply(self, state: State, choices: Mapping[Seat, Act]) -> tuple[State, tuple[Event, ...]]:
        after, events = Kuhn().apply(state, choices)
        return after, (*events, Shown((0,) * 300_000)) if isinstance(self.awaiting(after), Over) else events


def has(**facts: Any) -> AnyGame:
    """A game with other facts."""
    game: AnyGame = type("Has", (Kuhn,), facts)()
    return game


class Untyped(msgspec.Struct, frozen=True):
    """Options that are not known by their types."""

    cards: Any = frozenset({1})


class Thawed(msgspec.Struct):
    """Options that can change."""


EVEN, ODD, ALL = Side("even", (0,)), Side("odd", (1,)), Side("all", (0, 1))


@pytest.mark.parametrize(
    ("mistaken", "point", "words"),
    [
        (CountsCalls, "it is pure", "differs when it is asked for again"),
        (Draws, "it is pure", "give other events"),
        (ChangesItsState, "it is pure", "a position changed"),
        (OffersNothing, "every match ends", "NoLegalAction: seat 1 must choose, and has none"),
        (OffersTwice, "no two legal actions", "equal on the wire"),
        (NeverEnds, "every match ends", "has no end"),
        (EndsOtherwise, "the ending is one", "'showdown' is not among"),
        (partial(ends_with, places=(1, 3)), "the ending is one", "leave gaps"),
        (partial(ends_with, places=(1,)), "the ending is one", "1 places for 2 seats"),
        (partial(ends_with, places=(1, 2), sides=(ALL,)), "the ending is one", "all seats are one side"),
        (partial(ends_with, places=(1, 2), sides=(ALL, ODD)), "the ending is one", "a side have different places"),
        (partial(ends_with, scores=(1,)), "the ending is one", "1 scores for 2 seats"),
        (partial(has, outlook=lambda _self, _state: (0.5, 1.5)), "the outlook", "a number from 0 to 1"),
        (partial(has, outlook=lambda _self, _state: (0.5,)), "the outlook", "each of 2 seats"),
        (partial(has, outlook=lambda _self, _state: (0.5, 0.5)), "the outlook", "at the end must be"),
        (partial(ends_with, sides=(EVEN, ODD)), "it says whether sides are dealt", "against `deals_sides`"),
        (LosesCards, "nothing is lost", "is_whole is false"),
        (SaysTheSame, "no two legal actions", "the same words"),
        (IsSilent, "everything has words", "an action are empty"),
        (NamesDrawsAlike, "no two draws", "the label 'deal'"),
        (ForgetsTheCard, "other worlds keep", ""),
        (FavoursTheTruth, "other worlds keep", "the true position has an effect"),
        (Fails, "every match ends", "it raised KeyError: "),
        (HasAListInItsView, "every message is read", "a view is another one when its message is read"),
        (HasActionsThatChange, "every message is read", "it raised TypeError: unhashable"),
        (SaysTooMuch, "every message is read", "an event has 600"),
        (partial(has, varieties=()), "its facts fit", "varieties must name"),
        (partial(has, endings=("fold", "fault")), "its facts fit", "no ending may have the name 'fault'"),
        (partial(has, draw_probability=0), "its facts fit", "draw_probability is 0"),
        (partial(has, seats=lambda _self, _options: ()), "its facts fit", "fit no number of players"),
        (partial(has, options_type=Untyped), "its facts fit", "not the same when they are read"),
        (partial(has, options_type=Thawed, varieties=(Thawed(),)), "its facts fit", "must be frozen"),
    ],
)
def test_a_planted_mistake_is_found(mistaken: Callable[[], AnyGame], point: str, words: str) -> None:
    found = failed(mistaken())
    assert any(name.startswith(point) and words in text for name, text in found.items()), found
    assert [text for text in found.values() if "; change " not in text] == []


class LosesTheLongMatches(Kuhn):
    """Its pieces are lost where both bet, after two choices and after three."""

    def is_whole(self, state: Any) -> bool:
        return bool(state.bets.count(True) < 2)


def test_the_smallest_match_that_fails_is_kept_so_that_it_can_be_played_again() -> None:
    (found,) = [each for each in check_game(partial(json_entry, LosesTheLongMatches()), 20) if each.kept is False]
    assert found.match is not None
    assert "; change `apply` or `luck`" in found.text
    game, luck = Kuhn(), dict(found.match["luck"])
    state, words = game.setup(game.options_type(), found.match["seats"]), list[str]()
    state, events = game.luck(state, luck[game.awaiting(state).label])  # type: ignore[union-attr]
    words += map(game.describe, events)
    for seat, index in found.match["choices"]:
        state, events = game.apply(state, {seat: game.legal(state, seat)[index]})
        words += map(game.describe, events)
    assert len(found.match["choices"]) == 2  # bet, bet; not check, bet, bet
    assert words == found.match["words"]


def test_a_test_of_a_package_fails_with_the_point_and_the_match() -> None:
    with pytest.raises(UnsoundGame, match=r"(?s)the game kuhn does not keep.*2 seats, match \d: seat \d: the events"):
        require_sound_game(TellsAll())
