"""Other worlds are drawn fairly: every whole position that fits what a seat knows is equally likely.

Two kinds of tests. Small positions are compared with all that fit, counted one by one. And in matches of players who
choose blindly, so that their choices tell nothing, the truth is one of the worlds: its rank among them is uniform.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, cycle
from math import comb
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace
from scipy.stats import chisquare

from referee.check.fair_worlds import TRIALS, Ranks
from referee.check.random_play import anyhow, evenly, prolonging, walk
from referee.core.game import AnyGame, Decide, Over
from referee.core.outcome import Seat
from referee.core.seeds import shuffled
from referee.games.agent_avenue.game import AgentAvenue
from referee.games.agent_avenue.moves import DISCARDS, PLAYS
from referee.games.agent_avenue.pieces import Agent
from referee.games.agent_avenue.state import Options
from referee.games.agent_avenue.state import State as AvenueState
from referee.games.agonia.game import Agonia
from referee.games.inside_job import worlds
from referee.games.inside_job.game import InsideJob
from referee.games.inside_job.missions import RISKY_IDS
from referee.games.inside_job.moves import CHOICES, PLAIN
from referee.games.inside_job.state import State as JobState
from referee.games.inside_job.worlds import insider_shares
from referee.wire.registry import games
from tests.conftest import Tell

LEVEL = 0.001
SAMPLES = 9

Statistic = Callable[[Any, Sequence[Any]], float]
"""A figure of a world, which may compare it with the other ones."""
Blind = Callable[[Any, Seat, Random], Any]
"""A choice made without looking. It may be illegal."""


# Blind play


class Play(NamedTuple):
    """Matches whose players choose blindly, and the point at which they are looked at.

    Attributes:
        game: the game, or one with a planted leak.
        options: its options.
        seats: how many players.
        blind: how all but seat 0 choose.
        stops: whether seat 0 looks at this position.
    """

    game: Any
    options: Any
    seats: int
    blind: Blind
    stops: Callable[[Any], bool]

    def positions(self, rng: Random) -> Iterator[Any]:
        """One position of each match, without the matches in which a blind choice was illegal."""
        while True:
            state = self._position(rng)
            if state is not None:
                yield state

    def _position(self, rng: Random) -> Any:
        game: AnyGame = self.game
        state = game.setup(self.options, self.seats)
        while not self.stops(state):
            awaited = game.awaiting(state)
            if isinstance(awaited, Over):
                return None
            if isinstance(awaited, Decide):
                choices = {}
                for seat in awaited.seats:
                    legal = game.legal(state, seat)
                    choices[seat] = rng.choice(legal) if seat == 0 else self.blind(state, seat, rng)
                    if choices[seat] not in legal:
                        return None
                state, _ = game.apply(state, choices)
            else:
                state, _ = game.luck(state, evenly(awaited, rng))
        return state


def probability(play: Play, statistics: Mapping[str, Statistic], matches: int) -> dict[str, float]:
    """By statistic, how probable it is that the ranks of the truth are no less even than these, if all is fair."""
    rng = Random(20)
    ranks: dict[str, list[int]] = {name: [0] * (SAMPLES + 1) for name in statistics}
    for _, truth in zip(range(matches), play.positions(rng), strict=False):
        drawn = [truth, *(play.game.resample(truth, 0, rng) for _ in range(SAMPLES))]
        for name, statistic in statistics.items():
            own, *values = (statistic(world, [*drawn[:at], *drawn[at + 1 :]]) for at, world in enumerate(drawn))
            lower, level = sum(value < own for value in values), values.count(own)
            ranks[name][lower + rng.randrange(level + 1)] += 1
    return {name: chisquare(counts).pvalue for name, counts in ranks.items()}


def blind_avenue(state: AvenueState, seat: Seat, rng: Random) -> Any:
    """Any two cards of the hand, or any discard."""
    hand = state.seats[seat].hand
    if state.phase != "play":
        return rng.choice(AgentAvenue.legal(state, seat))
    if rng.random() < 0.3 and len(state.seats[seat].discards) < 4:
        return DISCARDS[rng.choice(hand)]
    up, down = rng.sample(range(len(hand)), 2)
    return PLAYS[hand[up], hand[down]]


def blind_job(state: JobState, seat: Seat, rng: Random) -> Any:
    """Any card of the hand, any of the two missions. Talk has nothing to do with cards."""
    if state.phase == "card":
        return PLAIN[rng.choice(state.hands[seat])]
    if state.phase == "mission":
        return CHOICES[rng.choice(state.looked_at)]
    return rng.choice(InsideJob.legal(state, seat))


def _asks_the_other_side(state: AvenueState) -> bool:
    return state.phase == "recruit" and state.following == 0 and state.turn >= 3


AVENUE: dict[str, Statistic] = {
    "the other's cards": lambda state, _: sum(state.seats[1].hand),
    "Double Agents of the other": lambda state, _: state.seats[1].hand.count(Agent.DOUBLE_AGENT),
    "the top of the deck": lambda state, _: state.deck[0] if state.deck else 0,
    "where the Mole is": lambda state, _: _place_of(Agent.MOLE, state),
    "the first discard": lambda state, _: next(iter(state.seats[1].discards), 0),
    "the face-down card": lambda state, _: state.face_down or 0,
    "likeness to the other worlds": lambda state, others: sum(_likeness(state, other) for other in others),
    "cards of the face-up name": lambda state, _: state.seats[1].hand.count(state.face_up),
}


def _likeness(one: AvenueState, other: AvenueState) -> int:
    """How many hidden cards are the same. If the truth is favoured, it is more like the others than these are."""
    pairs = [(one.deck, other.deck), (one.seats[1].hand, other.seats[1].hand)]
    pairs += [(one.seats[1].discards, other.seats[1].discards)]
    return sum(card == like for cards, likes in pairs for card, like in zip(cards, likes, strict=True))


def _place_of(agent: Agent, state: AvenueState) -> int:
    other = state.seats[1]
    return [agent in other.hand, agent in other.discards, agent == state.face_down, True].index(True)


@pytest.mark.parametrize("stops", [_asks_the_other_side, lambda state: state.phase == "play" and state.turn == 4])
def test_in_agent_avenue_the_rank_of_the_truth_is_uniform(stops: Callable[[Any], bool]) -> None:
    play = Play(AgentAvenue(), Options(), 2, blind_avenue, stops)
    found = probability(play, AVENUE, 400)
    assert min(found.values()) > LEVEL / len(found), found


def test_in_agonia_the_rank_of_the_truth_is_uniform() -> None:
    game = Agonia()
    play = Play(game, game.varieties[0], 2, lambda state, seat, rng: rng.choice(game.legal(state, seat)), _second_round)
    found = probability(
        play,
        {
            "the top cards": lambda state, _: sum(state.deck[:3]),
            "the next token": lambda state, _: state.pile[0] if state.pile else 0,
            "the card at the bottom": lambda state, _: state.deck[-1] if state.deck else 0,
        },
        300,
    )
    assert min(found.values()) > LEVEL / len(found), found


def _second_round(state: Any) -> bool:
    return bool(state.round == 2)


JOB: dict[str, Statistic] = {
    "the seat of the Insider": lambda state, _: state.roles.index("insider"),
    "red cards at the left": lambda state, _: sum(card > 400 for card in state.hands[1]),
    "cards of the led suit among the unseen": lambda state, _: sum(_is_led(state, card) for card in state.unseen),
    "cards of the led suit with the Insider": lambda state, _: sum(
        _is_led(state, card) for card in state.hands[state.roles.index("insider")]
    ),
    "the next mission": lambda state, _: int(state.missions[0][1:]) + 100 * (state.missions[0] in RISKY_IDS),
    "risky missions that were put away": lambda state, _: sum(
        mission in RISKY_IDS for own in state.put_away for mission in own
    ),
}


def _is_led(state: JobState, card: int) -> bool:
    return card // 100 == state.played[0] // 100


def _somebody_broke_suit(state: JobState) -> bool:
    return state.phase == "talk" and any(not _is_led(state, card) for card in state.played)


@pytest.mark.slow
@pytest.mark.parametrize("roles", ["none", "daredevil"])
def test_in_inside_job_the_rank_of_the_truth_is_uniform_after_a_broken_suit(roles: str) -> None:
    options = InsideJob.options_type(roles=roles, talk="every_trick")
    stops_or_goes_on = Play(InsideJob(), options, 4, blind_job, _somebody_broke_suit)
    found = probability(stops_or_goes_on, JOB, 600)
    assert min(found.values()) > LEVEL / len(found), found


# Every hidden fact of every game

MOST_UNEVEN = 45.0
"""A chi-squared with nine degrees of freedom is larger once in a million times."""
FACTS = {
    "agent-avenue": {"deck", "face_down", "pile", "seats.discards", "seats.hand"},
    "agonia": {"deck", "pile"},
    "inside-job": {"hands", "looked_at", "missions", "put_away", "roles", "unseen"},
}


def unevenness(name: str, positions: int) -> dict[str, float]:
    """By hidden fact, how uneven the ranks of the truth are in so many positions, spread over all options."""
    game, ranks, rng = games()[name].game, Ranks(), Random(7)
    tables = [(options, seats) for options in game.varieties for seats in game.seats(options)]
    rng.shuffle(tables)
    for number, (options, seats) in zip(range(0, positions, TRIALS), cycle(tables), strict=False):
        match = list(walk(game, options, seats, (anyhow, prolonging)[number % 2], rng))
        ranks.add_match(game, seats, match, rng)
    return ranks.chi_squared()


@pytest.mark.parametrize("name", FACTS)
def test_the_rank_of_the_truth_is_uniform_for_every_hidden_fact(name: str) -> None:
    found = unevenness(name, 900)
    assert found
    assert max(found.values()) < MOST_UNEVEN, found


@pytest.mark.slow
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("name", FACTS)
def test_the_rank_of_the_truth_is_uniform_in_twenty_thousand_positions(name: str, tell: Tell) -> None:
    found = unevenness(name, 20_000)
    tell(f"{name}, ranks of the truth", Counter({fact: round(uneven) for fact, uneven in found.items()}))
    assert {fact for fact in found if fact in FACTS[name]} == FACTS[name]
    assert max(found.values()) < MOST_UNEVEN, found


# All positions that fit, counted


def _even(found: Iterable[Any], expected: Mapping[Any, float]) -> float:
    """How probable it is that what was found is no less as expected, by a chi-square; rare values are one class."""
    counts, total = Counter(found), sum(expected.values())
    samples = counts.total()
    common = [value for value, weight in expected.items() if weight / total * samples >= 5]
    assert set(counts) <= set(expected)
    seen = [*(counts[value] for value in common), samples - sum(counts[value] for value in common)]
    wanted = [expected[value] / total * samples for value in common]
    rest = samples - sum(wanted)
    if rest < 1:
        return float(chisquare(seen[:-1], [it * sum(seen[:-1]) / sum(wanted) for it in wanted]).pvalue)
    return float(chisquare(seen, [*wanted, rest]).pvalue)


def _with_two_broken_suits(insider: Seat) -> JobState:
    """Seat 1 did not follow red, seat 2 did not follow blue. Three cards are left in each hand, and six are unseen."""
    state = InsideJob.setup(InsideJob.options_type(), 3)
    return replace(
        state,
        phase="mission",
        common=replace(state.common, trick=3, leader=0),
        roles=tuple("insider" if seat == insider else "agent" for seat in range(3)),
        hands=((101, 201, 301), (102, 202, 302), (103, 203, 403)),
        unseen=(104, 105, 205, 206, 304, 404),
        played=(410, 210, 411, 310, 311, 110),
        led=(0, 0, 0),
        chosen=state.missions[:2],
        missions=state.missions[4:],
        put_away=(state.missions[2:4], (), ()),
    )


MISSING = {1: 4, 2: 3}
"""The suits that were not followed, by seat."""


@pytest.mark.parametrize("insider", [0, 1])
def test_roles_and_hands_together_are_as_likely_as_there_are_deals_of_them(insider: Seat) -> None:
    state = _with_two_broken_suits(insider)
    cards = sorted((*state.hands[1], *state.hands[2], *state.unseen))
    expected = Counter[Any]()
    suspects = [0] if insider == 0 else [1, 2]
    for left in combinations(cards, 3):
        for right in combinations([card for card in cards if card not in left], 3):
            for at in suspects:
                bound = {1: left, 2: right}
                bound.pop(at, None)
                if all(card // 100 != MISSING[seat] for seat, hand in bound.items() for card in hand):
                    expected[_kind(at, left, right)] += 1
    found = []
    for seed in range(4000):
        world = InsideJob.resample(state, 0, Random(seed))
        found.append(_kind(world.roles.index("insider"), world.hands[1], world.hands[2]))
    assert _even(found, expected) > LEVEL


def _kind(insider: Seat, left: Sequence[int], right: Sequence[int]) -> tuple[Any, ...]:
    """What is compared: the Insider, and how many cards of each suit are in one hand, and of two in the other."""
    return insider, tuple(sum(card // 100 == suit for card in left) for suit in (1, 2, 3, 4)), min(right) // 100


def _with_one_broken_suit() -> tuple[JobState, Seat]:
    """A position after the first trick, in which just one other seat did not follow. Seat 0 is an agent."""
    rng, play = Random(4), Play(InsideJob(), InsideJob.options_type(talk="every_trick"), 4, _any, _somebody_broke_suit)
    for state in play.positions(rng):
        breakers = [seat for seat in range(4) if _broke(state, seat)]
        closed = not any(it.role for it in state.common.seats)
        if closed and len(breakers) == 1 and breakers != [0] and len(state.led) == 1 and state.roles[0] == "agent":
            return state, breakers[0]
    raise AssertionError("there is no such position")


def _any(state: Any, seat: Seat, rng: Random) -> Any:
    return rng.choice(InsideJob.legal(state, seat))


def _broke(state: JobState, seat: Seat) -> bool:
    return not _is_led(state, state.played[(seat - state.led[0]) % 4])


def _posterior(state: JobState, breaker: Seat) -> float:
    """How likely the seat that broke suit is the Insider: otherwise its hand has no card of the suit, which is rare."""
    hidden = [card for seat in (1, 2, 3) for card in state.hands[seat]] + list(state.unseen)
    size, others = len(state.hands[breaker]), sum(not _is_led(state, card) for card in hidden)
    void = comb(others, size) / comb(len(hidden), size)
    return 1 / (1 + 2 * void)


def _share(resample: Callable[[JobState, Seat, Random], JobState], state: JobState, breaker: Seat) -> float:
    return sum(resample(state, 0, Random(seed)).roles[breaker] == "insider" for seed in range(4000)) / 4000


def test_who_breaks_suit_is_the_insider_as_often_as_there_are_deals_for_that() -> None:
    state, breaker = _with_one_broken_suit()
    exact = _posterior(state, breaker)
    assert 0.9 < exact < 0.99
    deviation = (exact * (1 - exact) / 4000) ** 0.5
    assert abs(_share(InsideJob.resample, state, breaker) - exact) < 4 * deviation
    assert abs(insider_shares(state, 0)[breaker] - exact) < 1e-9


def _caught(state: JobState) -> list[Seat]:
    """The seats that played a suit after they had not followed it, which only the Insider may do."""
    tricks = [state.played[at : at + 4] for at in range(0, len(state.played), 4)]
    own = {seat: [cards[(seat - led) % 4] for cards, led in zip(tricks, state.led, strict=False)] for seat in range(4)}
    return [
        seat
        for seat, cards in own.items()
        for before, now in combinations(range(len(tricks)), 2)
        if cards[before] // 100 != tricks[before][0] // 100 == cards[now] // 100
    ]


def test_who_plays_a_suit_that_it_did_not_follow_before_is_the_insider_in_every_world() -> None:
    def stops(state: JobState) -> bool:
        return state.phase == "talk" and 0 not in _caught(state) != []

    play = Play(InsideJob(), InsideJob.options_type(talk="every_trick"), 4, _any, stops)
    for _, state in zip(range(20), play.positions(Random(1)), strict=False):
        (at,) = set(_caught(state))
        assert {InsideJob.resample(state, 0, Random(seed)).roles[at] for seed in range(50)} == {"insider"}
        assert insider_shares(state, 0)[at] == 1


# Planted faults


def roles_first(state: JobState, seat: Seat, rng: Random) -> JobState:
    """Roles are drawn before the hands are looked at. Then the hands are made to fit."""
    while True:
        closed = [other for other in range(4) if other != seat]
        roles = list(state.roles)
        for other, role in zip(closed, shuffled([state.roles[other] for other in closed], rng), strict=True):
            roles[other] = role
        bound = [other for other in closed if _broke(state, other) and roles[other] == "agent"]
        void = {other: {state.played[0] // 100} for other in bound}
        hands, unseen = worlds._hands(state, seat, void, rng)
        return replace(state, roles=tuple(roles), hands=hands, unseen=unseen)


def test_a_planted_draw_of_the_roles_before_the_hands_is_found() -> None:
    state, breaker = _with_one_broken_suit()
    assert _share(roles_first, state, breaker) < _posterior(state, breaker) - 0.3


class KeepsTheTruthNowAndThen(AgentAvenue):
    def resample(self, state: AvenueState, seat: Seat, rng: Any) -> AvenueState:
        return state if rng.random() < 0.1 else AgentAvenue.resample(state, seat, rng)


class PrefersHighCards(AgentAvenue):
    """The true position has no effect, and yet it is not fair."""

    def resample(self, state: AvenueState, seat: Seat, rng: Any) -> AvenueState:
        one, other = (AgentAvenue.resample(state, seat, rng) for _ in range(2))
        return max(one, other, key=lambda world: sum(world.seats[1 - seat].hand))


@pytest.mark.parametrize(
    ("planted", "statistic"),
    [
        (KeepsTheTruthNowAndThen, "likeness to the other worlds"),
        (PrefersHighCards, "the other's cards"),
    ],
)
def test_a_planted_favour_is_found(planted: Callable[[], Any], statistic: str) -> None:
    play = Play(planted(), Options(), 2, blind_avenue, _asks_the_other_side)
    assert probability(play, {statistic: AVENUE[statistic]}, 500)[statistic] < LEVEL / len(AVENUE)
